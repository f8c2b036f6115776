"""Conversion of identifiers, each submitted element accounted for."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pubmed_api import lookups
from pubmed_api.clients import IdconvClient
from pubmed_api.exceptions import MalformedId
from pubmed_api.lookups import LookUp
from pubmed_api.models.entrez import IdRecord
from pubmed_api.models.failed_id import FailedId
from pubmed_api.models.identifiers import IdType, id_can_exist, is_pmcid, is_pmid, normalize_id
from pubmed_api.models.visible_text import is_visible

_FORMS: dict[IdType, str] = {
    "pmid": 'a PMID is digits only, such as "23193287"',
    "pmcid": 'a PMCID is digits with or without "PMC" in front, such as "PMC3531190"',
    "doi": 'a DOI starts with "10." and has a "/" inside, such as "10.1093/nar/gks1195"',
}
_DOI = re.compile(r"10\..+/.+\Z")
_SHOWN_ELEMENTS, _SHOWN_CHARACTERS = 5, 100

_NOT_IN_PMC = re.compile(r"identifier not found in pmc\Z", re.IGNORECASE)
_NOT_IN_PMC_TEXT = (
    "Not found in PubMed Central, the only articles the converter knows. The article may still be in PubMed: "
    "pubmed_fetch_articles reads it by its PMID, pubmed_search_articles looks for it."
)
_CANNOT_EXIST_TEXT = "No such identifier can exist: its number is zero or has more than nine digits. Not looked up."
_NO_ANSWER_TEXT = "The PMC ID Converter returned no record for this identifier."
_FAILED_TEXT = "Not looked up, because NCBI failed; see failed. Nothing is known of this identifier."


@dataclass(frozen=True, slots=True)
class ConvertedIds:
    """One record per submitted element, in order; ``total_converted`` counts those without ``errmsg``.

    ``failed`` are the identifiers whose call failed, each once.
    """

    records: tuple[IdRecord, ...]
    total_converted: int
    total_submitted: int
    failed: tuple[FailedId, ...] = ()
    notice: str | None = None


def convert_ids(ids: Sequence[str], id_type: IdType, *, idconv: IdconvClient) -> ConvertedIds:
    """What the PMC ID Converter knows of each id: one record per element, under the caller's own spelling.

    Raises ``MalformedId`` before any call where an element does not have the form of ``id_type``; all such
    elements are named. Raises NCBI's failure where not one id could be answered.
    """
    _check_forms(ids, id_type)
    looked_up = lookups.convert_ids(ids, id_type, idconv=idconv)
    records = tuple(_record(element, id_type, looked_up) for element in ids)
    # The spelling of the first mention, for an id may come in several.
    spellings = {normalize_id(element, id_type): element for element in reversed(ids)}
    failed = looked_up.failed_ids(spellings)
    return ConvertedIds(
        records,
        total_converted=sum(record.errmsg is None for record in records),
        total_submitted=len(records),
        failed=failed,
        notice=_failure_notice(failed),
    )


def _failure_notice(failed: Sequence[FailedId]) -> str | None:
    if not failed:
        return None
    reasons = ", ".join(dict.fromkeys(entry.reason for entry in failed))
    advice = " Submit them again." if any(entry.retryable for entry in failed) else ""
    return (
        f"NCBI failed for {len(failed)} of the identifiers ({reasons}), which were not looked up; see failed.{advice}"
    )


def _record(element: str, id_type: IdType, looked_up: LookUp[IdRecord]) -> IdRecord:
    key = normalize_id(element, id_type)
    if key in looked_up.failed:
        return IdRecord(element, errmsg=_FAILED_TEXT)
    record = looked_up.found.get(key)
    if record is None:
        known = id_can_exist(element, id_type)
        return IdRecord(element, errmsg=_NO_ANSWER_TEXT if known else _CANNOT_EXIST_TEXT)
    failed = record.errmsg is not None
    # A failed record repeats the id that was asked for; shown as a result it would read like a mapping.
    return IdRecord(
        element,
        pmid=None if failed and id_type == "pmid" else record.pmid,
        pmcid=None if failed and id_type == "pmcid" else record.pmcid,
        doi=None if failed and id_type == "doi" else record.doi,
        errmsg=_explained(record.errmsg),
    )


def _explained(errmsg: str | None) -> str | None:
    """The converter's message; "not found in PMC" reads like "does not exist" and is put in other words."""
    return _NOT_IN_PMC_TEXT if errmsg and _NOT_IN_PMC.match(errmsg) else errmsg


def _check_forms(ids: Sequence[str], id_type: IdType) -> None:
    form = _FORMS[id_type]
    bad = {index: element for index, element in enumerate(ids) if not _has_form(element, id_type)}
    if not bad:
        return
    named = [f'ids.{index} "{element[:_SHOWN_CHARACTERS]}"' for index, element in bad.items()]
    rest = len(named) - _SHOWN_ELEMENTS
    shown = ", ".join(named[:_SHOWN_ELEMENTS]) + (f" and {rest} more" if rest > 0 else "")
    raise MalformedId(
        f"Not of the type {id_type}: {shown}.",
        hint=f"Put one identifier in each element, without commas or spaces; {form}.",
        problems=[
            {"path": f"ids.{index}", "message": f"{form}; one in each element", "value": element[:_SHOWN_CHARACTERS]}
            for index, element in bad.items()
        ],
    )


def _has_form(element: str, id_type: IdType) -> bool:
    """Whether the element is one identifier: the converter's list is split at commas, after the request."""
    if "," in element or not all(map(is_visible, element)):
        return False
    if id_type == "pmid":
        return is_pmid(element)
    if id_type == "pmcid":
        return is_pmcid(element)
    return _DOI.match(element) is not None
