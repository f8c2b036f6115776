"""Where an article appeared: journal, volume, pages and locator."""

from pubmed_api.models.article import Journal
from pubmed_api.parsers.markup import display_text
from pubmed_api.parsers.pubmed.dates import parse_pub_date
from pubmed_api.parsers.xml import Element, attribute, every, first, text_of


def parse_journal(article: Element | None) -> Journal | None:
    """The ``<Journal>`` of an ``<Article>`` with the article's pages and locator; ``None`` if all is absent."""
    node = first(article, "Journal")
    issn, e_issn = _issns(node)
    elocation_id, elocation_id_type = _elocation(article)
    journal = Journal(
        title=display_text(first(node, "Title")),
        iso_abbreviation=display_text(first(node, "ISOAbbreviation")),
        volume=text_of(node, "JournalIssue/Volume"),
        issue=text_of(node, "JournalIssue/Issue"),
        pages=_pages(first(article, "Pagination")),
        issn=issn,
        e_issn=e_issn,
        elocation_id=elocation_id,
        elocation_id_type=elocation_id_type,
        publication_date=parse_pub_date(first(node, "JournalIssue/PubDate")),
    )
    return None if journal == Journal() else journal


def _issns(journal: Element | None) -> tuple[str | None, str | None]:
    """The ISSN of the print form (or of no stated form), and the electronic one."""
    issn = e_issn = None
    for node in every(journal, "ISSN"):
        if attribute(node, "IssnType") == "Electronic":
            e_issn = e_issn or text_of(node)
        else:
            issn = issn or text_of(node)
    return issn, e_issn


def _pages(pagination: Element | None) -> str | None:
    """NLM's own notation (``48-55``, ``737-8, 740``), else the first page with the last."""
    pages = text_of(pagination, "MedlinePgn")
    if pages is not None:
        return pages
    parts = (text_of(pagination, "StartPage"), text_of(pagination, "EndPage"))
    return "-".join(part for part in parts if part is not None) or None


def _elocation(article: Element | None) -> tuple[str | None, str | None]:
    """The locator that is no DOI, with its type: the first marked valid, else the first not invalid."""
    candidates = [
        node
        for node in every(article, "ELocationID")
        if (attribute(node, "EIdType") or "").lower() != "doi"
        and attribute(node, "ValidYN") != "N"
        and text_of(node) is not None
    ]
    candidates.sort(key=lambda node: attribute(node, "ValidYN") != "Y")
    chosen = candidates[0] if candidates else None
    return text_of(chosen), attribute(chosen, "EIdType")
