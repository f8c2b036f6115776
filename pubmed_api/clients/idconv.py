"""The PMC ID Converter: PMIDs, PMCIDs and DOIs of articles in PMC into each other."""

import contextlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from pubmed_api.clients.in_band import check_notices, check_page_or_nothing
from pubmed_api.clients.session import UpstreamSession
from pubmed_api.clients.statuses import check_status
from pubmed_api.clients.wire import Answer, Sent
from pubmed_api.exceptions import InvalidArguments, UpstreamInvalidResponse
from pubmed_api.settings import Settings

_FORMS = {
    "pmid": "A PMID is digits only, such as 99999999.",
    "pmcid": "A PMCID is PMC and digits, or digits only, such as PMC99999999.",
    "doi": "A DOI starts with 10., such as 10.5555/12345678.",
}


class IdconvClient:
    """The converter shares NCBI's queue and deadline with the E-utilities; it takes no API key."""

    def __init__(self, session: UpstreamSession, settings: Settings):
        self._session = session
        self._settings = settings

    def convert(self, *, ids: Sequence[str], idtype: str) -> Any:
        """The decoded answer, an object with ``records``. At most 200 ids of one type: ``pmid``, ``pmcid``, ``doi``.

        Raises ``InvalidArguments`` where the converter refuses the ids, ``NotInCache``, ``RequestCancelled`` and
        the ``UpstreamError``s.
        """
        asked = {
            "tool": self._settings.ncbi_tool_identifier,
            "email": self._settings.ncbi_admin_email,
            "ids": ",".join(ids),
            "idtype": idtype,
            "format": "json",
        }
        params = {name: value for name, value in asked.items() if value is not None}
        body = self._session.fetch("GET", self._settings.pmc_idconv_base_url, params, age=self._settings.age_lookups)
        return _decode(body)


def read_idconv_answer(sent: Sent, answer: Answer) -> bytes:
    """The records of the body, proven to be an answer of the converter. Raises the error it turns out to be instead.

    The rest of the body is left out: it repeats the request, our e-mail address included, and would be stored.
    """
    check_notices(sent, answer)
    if answer.status == 400:
        raise _refused_ids(sent)
    check_status(sent, answer)
    check_page_or_nothing(sent, answer.body)
    decoded: Any = None
    # Raised below and not from here, so that no part of the body hangs on to the error.
    with contextlib.suppress(ValueError, RecursionError):
        decoded = _decode(answer.body)
    if not isinstance(decoded, Mapping) or not isinstance(decoded.get("records"), list):
        raise sent.failure(UpstreamInvalidResponse, f"{sent.host} answered {sent.endpoint} with something unreadable.")
    return json.dumps({"records": decoded["records"]}).encode()


def _decode(body: bytes) -> Any:
    """JSON as NCBI writes it, with raw control characters inside strings."""
    return json.loads(body, strict=False)


def _refused_ids(sent: Sent) -> InvalidArguments:
    """The converter's own words are not passed on: they repeat what was sent, our address included."""
    idtype = sent.params.get("idtype", "")
    problem = {
        "path": "ids",
        "message": f"The PMC ID Converter refuses these as identifiers of type {idtype}.",
        "value": sent.params.get("ids", "").split(","),
    }
    form = _FORMS.get(idtype, "")
    return InvalidArguments([problem], hint=f"Check every element. {form}".strip())
