from pubmed_api.models.article import Article, Book
from pubmed_api.parsers.pubmed.book import parse_pubmed_book_article

BOOK = "<Book><BookTitle>Imagined Reviews<sup>&#xae;</sup></BookTitle></Book>"


def record(title: str, pmid: str = "<PMID>90000001</PMID>") -> str:
    return f"<PubmedBookArticle><BookDocument>{pmid}{BOOK}{title}</BookDocument></PubmedBookArticle>"


def test_book__chapter(node):
    found = parse_pubmed_book_article(node(record("<ArticleTitle>On <i>Foo</i></ArticleTitle>")))
    assert found == Article("book-chapter", "90000001", "On Foo", book=Book("Imagined Reviews®"))


def test_book__whole(node):
    found = parse_pubmed_book_article(node(record("")))
    assert found == Article("book", "90000001", "Imagined Reviews®", book=Book("Imagined Reviews®"))
