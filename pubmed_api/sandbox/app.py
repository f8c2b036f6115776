"""The application: which module answers which address."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Request, Response

from pubmed_api.sandbox import efetch, einfo, epost, esearch, espell, esummary
from pubmed_api.sandbox.corpus import DEFAULT_FOLDER, Corpus, LazyCorpus
from pubmed_api.sandbox.eutils import Parameters, ServiceError, check_database, error_answer, refuse_json
from pubmed_api.sandbox.idconv import convert_ids

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

Service = Callable[[Parameters, Corpus], Response]

_EUTILS = "eutils.ncbi.nlm.nih.gov/entrez/eutils"
_IDCONV = "pmc.ncbi.nlm.nih.gov/tools/idconv/api/v1/articles"
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ID_LISTS = ("id", "ids")
_MAX_FORM_BYTES = 16_000_000


class _SandboxRequest(Request):
    max_content_length = _MAX_FORM_BYTES


def _eutility(root: str, service: Service, *, any_database: bool = False) -> Service:
    """A service with its errors put into its own envelope."""

    def answer(parameters: Parameters, corpus: Corpus) -> Response:
        try:
            refuse_json(parameters)
            if not any_database:
                check_database(parameters)
            return service(parameters, corpus)
        except ServiceError as error:
            return error_answer(root, error)

    return answer


_SERVICES: dict[str, Service] = {
    f"{_EUTILS}/esearch.fcgi": _eutility(esearch.ROOT, esearch.esearch),
    f"{_EUTILS}/esummary.fcgi": _eutility(esummary.ROOT, esummary.esummary),
    f"{_EUTILS}/efetch.fcgi": _eutility(efetch.ROOT, efetch.efetch),
    f"{_EUTILS}/epost.fcgi": _eutility(epost.ROOT, epost.epost),
    f"{_EUTILS}/espell.fcgi": _eutility(espell.ROOT, espell.espell),
    f"{_EUTILS}/einfo.fcgi": _eutility(einfo.ROOT, einfo.einfo, any_database=True),
    _IDCONV: convert_ids,
}


def create_sandbox(corpus: Path | None = None) -> "WSGIApplication":
    """A WSGI application that serves ``/<host of the remote service>/<its path>`` from a folder of records.

    ``corpus`` holds XML files, each a ``PubmedArticleSet``; without it the package's own is served. The folder
    is read at the first request. A file that cannot be read raises ``ValueError`` there.
    """
    library = LazyCorpus(corpus or DEFAULT_FOLDER)

    @_SandboxRequest.application
    def application(request: Request) -> Response:
        try:
            response = _answer(request, library)
        except HTTPException as error:
            response = Response(f"{error.name}\n", error.code)
        response.headers["X-Sandbox"] = "1"
        return response

    return application


def _answer(request: Request, library: LazyCorpus) -> Response:
    service = _SERVICES.get(request.path.strip("/"))
    if service is None:
        return Response("The sandbox has nothing at this address.\n", 404, content_type="text/plain; charset=UTF-8")
    if request.method not in ("GET", "HEAD", "POST"):
        return Response("GET or POST.\n", 405, {"Allow": "GET, HEAD, POST"}, content_type="text/plain; charset=UTF-8")
    return service(_parameters(request), library.load())


def _parameters(request: Request) -> Parameters:
    """Parameters of address and form; of one given more than once the ids add up, otherwise the last counts.

    Characters that no XML answer could repeat are left out.
    """
    lists = dict(request.values.lists())
    joined = {name: ",".join(texts) if name in _ID_LISTS else texts[-1] for name, texts in lists.items()}
    return {name: _NO_XML.sub("", text) for name, text in joined.items()}
