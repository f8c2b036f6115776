"""Records linked to this one: errata, retractions, comments, updates."""

from pubmed_api.models.article import CommentCorrection
from pubmed_api.parsers.pubmed.identifiers import parse_pmid
from pubmed_api.parsers.xml import Element, attribute, every, first, text_of


def parse_comments_corrections(node: Element | None) -> tuple[CommentCorrection, ...]:
    """The links of a ``<CommentsCorrectionsList>`` in NLM's order, but ``Cites``: that is a bibliography."""
    links = (_link(link) for link in every(node, "CommentsCorrections"))
    return tuple(link for link in links if link is not None)


def _link(node: Element) -> CommentCorrection | None:
    """A link with source and note as NLM writes them; where there is a PMID alone, it stands for the source."""
    ref_type = attribute(node, "RefType")
    pmid = parse_pmid(first(node, "PMID"))
    source = text_of(node, "RefSource") or (f"PMID {pmid}" if pmid else None)
    if ref_type is None or ref_type == "Cites" or source is None:
        return None
    return CommentCorrection(ref_type=ref_type, ref_source=source, pmid=pmid, note=text_of(node, "Note"))
