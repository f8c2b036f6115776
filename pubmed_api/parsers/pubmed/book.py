"""Records of NCBI Bookshelf: a chapter, or a whole book."""

from pubmed_api.models.article import Article, Book
from pubmed_api.parsers.markup import display_text
from pubmed_api.parsers.pubmed.identifiers import parse_pmid, parse_version
from pubmed_api.parsers.xml import Element, first


def parse_pubmed_book_article(node: Element) -> Article:
    """The record of a ``<PubmedBookArticle>``: a chapter if it has an ``<ArticleTitle>``, else the book itself."""
    document = first(node, "BookDocument")
    pmid = first(document, "PMID")
    chapter = first(document, "ArticleTitle")
    book_title = display_text(first(document, "Book/BookTitle"))
    return Article(
        record_type="book" if chapter is None else "book-chapter",
        pmid=parse_pmid(pmid, first(node, "PubmedBookData/ArticleIdList")),
        version=parse_version(pmid),
        title=book_title if chapter is None else display_text(chapter),
        book=Book(title=book_title),
    )
