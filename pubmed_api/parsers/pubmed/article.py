"""A whole EFetch answer, and the record of a journal article put together from its parts."""

from pubmed_api.exceptions import InvalidEfetchResponse
from pubmed_api.models.article import Article
from pubmed_api.parsers.markup import display_text
from pubmed_api.parsers.pubmed.abstract import parse_abstract
from pubmed_api.parsers.pubmed.authors import Affiliations, parse_authors, parse_investigators
from pubmed_api.parsers.pubmed.book import parse_pubmed_book_article
from pubmed_api.parsers.pubmed.comments import parse_comments_corrections
from pubmed_api.parsers.pubmed.dates import parse_article_dates
from pubmed_api.parsers.pubmed.grants import parse_grants
from pubmed_api.parsers.pubmed.identifiers import parse_doi, parse_pmcid, parse_pmid, parse_version
from pubmed_api.parsers.pubmed.journal import parse_journal
from pubmed_api.parsers.pubmed.mesh_headings import parse_mesh_headings
from pubmed_api.parsers.xml import Element, every, first, parse_xml


def parse_pubmed_article_set(body: bytes) -> tuple[Article, ...]:
    """Every article, chapter and book of an EFetch answer, in document order; ``()`` for an empty set.

    ``<DeleteCitation>`` and whatever else stands between the records is passed over. A PMID may come in
    several versions. Raises ``UpstreamInvalidResponse`` for what is not XML and ``InvalidEfetchResponse`` for
    another document.
    """
    root = parse_xml(body)
    if root.tag != "PubmedArticleSet":
        raise InvalidEfetchResponse(f"EFetch answered <{root.tag!s}> in place of a PubmedArticleSet.")
    records = (_parse_record(node) for node in root)
    return tuple(record for record in records if record is not None)


def parse_pubmed_record(body: bytes) -> Article:
    """The article, chapter or book of one record element that stands alone.

    Raises ``UpstreamInvalidResponse`` for what is not XML and ``InvalidEfetchResponse`` for another element.
    """
    root = parse_xml(body)
    record = _parse_record(root)
    if record is None:
        raise InvalidEfetchResponse(f"EFetch answered <{root.tag!s}> in place of a record.")
    return record


def parse_pubmed_article(node: Element) -> Article:
    """The record of a ``<PubmedArticle>``; parts it lacks are absent, and none is needed."""
    citation = first(node, "MedlineCitation")
    article = first(citation, "Article")
    id_list = first(node, "PubmedData/ArticleIdList")
    pmid = first(citation, "PMID")
    affiliations = Affiliations()
    authors = parse_authors(article, affiliations)
    shared = len(affiliations)
    investigators = parse_investigators(citation, affiliations)
    return Article(
        record_type="journal-article",
        pmid=parse_pmid(pmid, id_list),
        version=parse_version(pmid),
        title=display_text(first(article, "ArticleTitle")),
        abstract_text=parse_abstract(first(article, "Abstract")),
        authors=authors,
        affiliations=affiliations.texts()[:shared],
        journal_info=parse_journal(article),
        doi=parse_doi(article, id_list),
        pmc_id=parse_pmcid(id_list),
        publication_types=_texts(article, "PublicationTypeList/PublicationType"),
        keywords=_texts(citation, "KeywordList/Keyword"),
        mesh_terms=parse_mesh_headings(first(citation, "MeshHeadingList")),
        grant_list=parse_grants(first(article, "GrantList")),
        article_dates=parse_article_dates(article),
        comments_corrections=parse_comments_corrections(first(citation, "CommentsCorrectionsList")),
        investigators=investigators,
        investigator_affiliations=affiliations.texts(shared),
    )


def _parse_record(node: Element) -> Article | None:
    match node.tag:
        case "PubmedArticle":
            return parse_pubmed_article(node)
        case "PubmedBookArticle":
            return parse_pubmed_book_article(node)
    return None


def _texts(node: Element | None, path: str) -> tuple[str, ...]:
    """The texts of all elements at a path, blank ones left out."""
    texts = (display_text(found) for found in every(node, path))
    return tuple(text for text in texts if text is not None)
