"""What the E-utilities have in common: parameters, envelopes of answers, errors."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from lxml import etree
from lxml.builder import E
from lxml.etree import _Element
from werkzeug.wrappers import Response

from pubmed_api.sandbox import history
from pubmed_api.sandbox.corpus import Corpus

DATABASE = "pubmed"
MAX_RECORDS = 10_000
LAST_START = 9_998
"""The last position of a result that PubMed serves, by number of hits before it."""

START_TOO_LARGE = (
    "Search Backend failed: Exception:\n'retstart' cannot be larger than 9998. For PubMed, ESearch can only"
    " retrieve the first 9,999 records matching the query."
)

_DTD = "https://eutils.ncbi.nlm.nih.gov/eutils/dtd"
_DOCTYPES = {
    "eSearchResult": ("eSearchResult", "esearch 20060628", f"{_DTD}/20060628/esearch.dtd"),
    "eSummaryResult": ("eSummaryResult", "esummary pubmed 20160808", f"{_DTD}/20160808/esummary_pubmed.dtd"),
    "eFetchResult": ("eEfetchResult", "efetch 20131226", f"{_DTD}/20131226/efetch.dtd"),
    "ePostResult": ("ePostResult", "epost 20090526", f"{_DTD}/20090526/epost.dtd"),
    "eInfoResult": ("eInfoResult", "einfo 20190110", f"{_DTD}/20190110/einfo.dtd"),
    "eSpellResult": (
        "eSpellResult",
        "eSpellResult, 23 November 2004",
        "https://www.ncbi.nlm.nih.gov/entrez/query/DTD/eSpell.dtd",
    ),
}
_SEPARATORS = re.compile(r"[^0-9A-Za-z]+")
_DIGITS = re.compile(r"[0-9]+\Z")

Parameters = Mapping[str, str]


class ServiceError(Exception):
    """An answer that says what is wrong; ``status`` is 200 where the service hides its errors in a success."""

    def __init__(self, *messages: str, status: int = 200) -> None:
        super().__init__(*messages)
        self.messages = messages
        self.status = status


@dataclass(frozen=True, slots=True)
class IdList:
    """Ids of a call as NCBI cuts them: everything but letters and digits separates (``42.9`` is 42 and 9)."""

    uids: tuple[str, ...]
    invalid: tuple[tuple[int, str], ...]
    separators_replaced: bool = False


def check_database(parameters: Parameters) -> None:
    """Raise ``ServiceError`` for any database but PubMed, which is also the one meant by none."""
    name = parameters.get("db", DATABASE).strip()
    if name.lower() != DATABASE:
        raise ServiceError(f"Invalid db name specified: {name}")


def refuse_json(parameters: Parameters) -> None:
    """Raise ``ServiceError`` (400) for ``retmode=json``, which this emulation does not write."""
    if parameters.get("retmode", "").lower() == "json":
        raise ServiceError("retmode=json is not part of the sandbox", status=400)


def read_ids(text: str) -> IdList:
    """Read an ``id`` parameter; zero-padded ids are the numbers they spell, zero is none."""
    parts = [part for part in _SEPARATORS.split(text) if part]
    uids = [part.lstrip("0") for part in parts if _DIGITS.match(part)]
    return IdList(
        tuple(uid for uid in uids if uid),
        tuple((place, part) for place, part in enumerate(parts) if not _DIGITS.match(part)),
        re.search(r"[^0-9,\s]", text) is not None,
    )


def read_number(parameters: Parameters, name: str, default: int) -> int:
    """Read a count or position; what is no number counts as not given, a negative one as zero."""
    try:
        return max(int(parameters.get(name, "")), 0)
    except ValueError:
        return default


def stored_pmids(parameters: Parameters, corpus: Corpus) -> tuple[str, ...] | None:
    """The PMIDs of a history handle from ``retstart`` on; ``None`` where the call names no handle.

    Raises ``ServiceError`` for a handle that is not known and for a position out of reach.
    """
    if not parameters.get("WebEnv") and not parameters.get("query_key"):
        return None
    try:
        pmids = history.resolve(corpus, parameters.get("WebEnv", ""), parameters.get("query_key", ""))
    except history.UnknownHistoryError as error:
        raise ServiceError(str(error)) from None
    start = read_number(parameters, "retstart", 0)
    if start > LAST_START:
        raise ServiceError(START_TOO_LARGE, status=400)
    return pmids[start : start + min(read_number(parameters, "retmax", MAX_RECORDS), MAX_RECORDS)]


def xml_answer(root: _Element, status: int = 200) -> Response:
    """An answer in XML, with the prolog the service puts before this root."""
    name, public, system = _DOCTYPES[str(root.tag)]
    prolog = (
        f'<?xml version="1.0" encoding="UTF-8" ?>\n<!DOCTYPE {name} PUBLIC "-//NLM//DTD {public}//EN" "{system}">\n'
    )
    body = prolog + etree.tostring(root, encoding="unicode", pretty_print=True)
    return Response(body, status, content_type="text/xml; charset=UTF-8")


def error_answer(root: str, error: ServiceError) -> Response:
    """The envelope of a service with one ``ERROR`` for each message."""
    return xml_answer(element(root, (element("ERROR", message) for message in error.messages)), error.status)


def element(tag: str, content: str | Iterable[_Element] = "") -> _Element:
    """An element with text or with children; without either it is written ``<tag/>``."""
    parts = [content] if isinstance(content, str) else content
    return E(tag, *(part for part in parts if not isinstance(part, str) or part))
