"""The identifiers of a record: PMID with its version, DOI, PMCID."""

import re

from pubmed_api.models.identifiers import can_exist, is_pmid, normalize_pmcid, normalize_pmid
from pubmed_api.parsers.xml import Element, attribute, every, text_of

_DOI_PREFIX = re.compile(r"\A(?:https?://(?:dx\.)?doi\.org/|doi:)\s*", re.IGNORECASE)
_DOI = re.compile(r"10\.[0-9][0-9.]*/\S+")
_PMCID_WITH_VERSION = re.compile(r"(PMC[0-9]+)(?:\.[0-9]+)?", re.IGNORECASE)


def parse_pmid(node: Element | None, id_list: Element | None = None) -> str | None:
    """The canonical PMID of a ``<PMID>``, else of the record's id list; ``None`` where neither has a number."""
    candidates = [text_of(node), *article_ids(id_list, "pubmed")]
    return next((normalize_pmid(pmid) for pmid in candidates if pmid is not None and is_pmid(pmid)), None)


def parse_version(node: Element | None) -> int:
    """The version of the record a ``<PMID>`` names; 1 where it says none, or no number that serves."""
    version = attribute(node, "Version") or ""
    return int(version) if is_pmid(version) and can_exist(version) else 1


def article_ids(id_list: Element | None, id_type: str) -> list[str]:
    """All ids of a type in an ``<ArticleIdList>``; its children only, so no cited reference's."""
    ids = (text_of(node) for node in every(id_list, "ArticleId") if attribute(node, "IdType") == id_type)
    return [article_id for article_id in ids if article_id is not None]


def parse_doi(article: Element | None, id_list: Element | None) -> str | None:
    """The record's DOI, bare and in its own case.

    A valid ``<ELocationID>`` of the article comes first, then the id list of the record.
    """
    locations = [
        text_of(node)
        for node in every(article, "ELocationID")
        if (attribute(node, "EIdType") or "").lower() == "doi" and attribute(node, "ValidYN") != "N"
    ]
    candidates = [*locations, *article_ids(id_list, "doi")]
    return next((doi for doi in map(bare_doi, candidates) if doi is not None), None)


def bare_doi(text: str | None) -> str | None:
    """The DOI without a resolver before it or a full stop behind it; ``None`` where the text is no DOI."""
    if text is None:
        return None
    doi = _DOI_PREFIX.sub("", text).rstrip(".")
    return doi if _DOI.fullmatch(doi) else None


def parse_pmcid(id_list: Element | None) -> str | None:
    """The canonical PMCID in an id list; some carry the version of the deposit (``PMC1234567.1``)."""
    matches = (_PMCID_WITH_VERSION.fullmatch(text) for text in article_ids(id_list, "pmc"))
    return next((normalize_pmcid(match.group(1)) for match in matches if match is not None), None)
