"""The PMC ID Converter: PMIDs, PMCIDs and DOIs of articles in PMC into each other."""

import contextlib
import functools
import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any, get_args

from pubmed_api.clients.collection import Collection, Collector, Items
from pubmed_api.clients.exchange import Question
from pubmed_api.clients.in_band import check_notices, check_page_or_nothing
from pubmed_api.clients.items import Kind
from pubmed_api.clients.split import split_id_rows
from pubmed_api.clients.statuses import check_status
from pubmed_api.clients.wire import Answer, Sent
from pubmed_api.exceptions import InvalidArguments, UpstreamInvalidResponse
from pubmed_api.models.identifiers import IdType, normalize_id
from pubmed_api.settings import Settings

_FORMS = {
    "pmid": "A PMID is digits only, such as 99999999.",
    "pmcid": "A PMCID is PMC and digits, or digits only, such as PMC99999999.",
    "doi": "A DOI starts with 10., such as 10.5555/12345678.",
}


class IdconvClient:
    """The converter shares NCBI's queue and deadline with the E-utilities; it takes no API key."""

    def __init__(self, collector: Collector, settings: Settings):
        self._settings = settings
        self._rows = {id_type: self._collect(collector, id_type) for id_type in get_args(IdType)}

    def rows(self, ids: Sequence[str], id_type: IdType) -> Items:
        """The converter's row for each id (of one type and its form), as JSON, by ``normalize_id`` of the id.

        PMIDs and PMCIDs are sent in canonical form: the converter refuses a request that mixes ``PMC123`` with
        ``123``, and finds nothing for ``00000001``. A DOI is sent as spelled. Ids that are stored are not asked for,
        the others go out together with those of other callers. Raises ``InvalidArguments`` where the converter
        refuses these ids; see ``Collection.items`` for the rest.
        """
        wanted: dict[str, str] = {}
        for identifier in ids:
            key = normalize_id(identifier, id_type)
            wanted.setdefault(key, identifier if id_type == "doi" else key)
        # The converter has no POST.
        return self._rows[id_type].items(wanted, post_from=sys.maxsize)

    def _question(self, ids: Sequence[str], idtype: str) -> Question:
        asked = {
            "tool": self._settings.ncbi_tool_identifier,
            "email": self._settings.ncbi_admin_email,
            "ids": ",".join(ids),
            "idtype": idtype,
            "format": "json",
        }
        params = {name: value for name, value in asked.items() if value is not None}
        return Question("GET", self._settings.pmc_idconv_base_url, params)

    def _collect(self, collector: Collector, id_type: IdType) -> Collection:
        kind = Kind(f"id-{id_type}", self._settings.pmc_idconv_base_url, self._settings.age_lookups)
        return collector.collect(
            kind, lambda ids, _: self._question(ids, id_type), functools.partial(split_id_rows, id_type=id_type)
        )


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
