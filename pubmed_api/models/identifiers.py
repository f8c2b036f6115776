"""Canonical forms of PMIDs, PMCIDs and DOIs, and the addresses built from them."""

import re
from typing import Literal
from urllib.parse import quote

IdType = Literal["pmid", "pmcid", "doi"]

_PMID = re.compile(r"[0-9]+\Z")
_PMCID = re.compile(r"(?:PMC)?([0-9]+)\Z", re.IGNORECASE)
_MAX_PMID_DIGITS = 9


def is_pmid(text: str) -> bool:
    """Whether the text has the form of a PMID: ASCII digits only."""
    return _PMID.match(text) is not None


def normalize_pmid(pmid: str) -> str:
    """The PMID without leading zeros; all zeros become ``0`` (NCBI reads ``00000001`` as 1)."""
    return pmid.lstrip("0") or "0"


def can_exist(pmid: str) -> bool:
    """Whether a PMID of this form could name a record: not zero, and at most nine digits."""
    canonical = normalize_pmid(pmid)
    return canonical != "0" and len(canonical) <= _MAX_PMID_DIGITS


def is_pmcid(text: str) -> bool:
    """Whether the text is digits with or without the ``PMC`` prefix, in any case."""
    return _PMCID.match(text) is not None


def normalize_pmcid(pmcid: str) -> str:
    """``PMC`` and the digits without leading zeros. Raises ``ValueError`` where the form is another."""
    match = _PMCID.match(pmcid)
    if match is None:
        raise ValueError(f"not a PMCID: {pmcid!r}")
    return "PMC" + normalize_pmid(match.group(1))


def normalize_id(identifier: str, id_type: IdType) -> str:
    """The one spelling under which two identifiers of a type are compared; a DOI's is in lower case.

    Raises ``ValueError`` where a PMID or PMCID has another form.
    """
    if id_type == "doi":
        return identifier.lower()
    if id_type == "pmcid":
        return normalize_pmcid(identifier)
    if not is_pmid(identifier):
        raise ValueError(f"not a PMID: {identifier!r}")
    return normalize_pmid(identifier)


def id_can_exist(identifier: str, id_type: IdType) -> bool:
    """``can_exist`` for an identifier of any type: PMCIDs number as PMIDs do, and any DOI could exist."""
    if id_type == "doi":
        return True
    return can_exist(normalize_id(identifier, id_type).removeprefix("PMC"))


def pubmed_url(pmid: str) -> str:
    """The record's page on PubMed."""
    return f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/"


def pmc_url(pmcid: str) -> str:
    """The article's page on PMC."""
    return f"https://pmc.ncbi.nlm.nih.gov/articles/{pmcid}/"


def pubmed_search_url(term: str) -> str:
    """The page of PubMed's own search for this term."""
    return "https://pubmed.ncbi.nlm.nih.gov/?term=" + quote(term, safe="")
