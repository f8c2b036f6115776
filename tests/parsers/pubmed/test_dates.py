import pytest

from pubmed_api.models.article import ArticleDate, PublicationDate
from pubmed_api.parsers.pubmed.dates import parse_article_dates, parse_date, parse_pub_date


@pytest.mark.parametrize(
    ("inner", "date"),
    [
        ("<Year>2019</Year><Month>May</Month><Day>07</Day>", PublicationDate("2019", "May", "07")),
        ("<Year>2018</Year><Month>05</Month>", PublicationDate("2018", "05")),
        ("<Year>2020</Year>", PublicationDate("2020")),
        ("<Year>2020</Year><Season>Winter-Spring</Season>", PublicationDate("2020", season="Winter-Spring")),
    ],
)
def test_pub_date__parts(node, inner, date):
    assert parse_pub_date(node(f"<PubDate>{inner}</PubDate>")) == date


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("2018 Winter", "2018"),
        ("1999-2000", "1999"),
        ("1952 Mar-Apr", "1952"),
        ("2023 Jan-Feb 01", "2023"),
        ("Fall 2006", "2006"),
        ("1998 Dec-1999 Jan", "1998"),
        ("Winter", None),
    ],
)
def test_pub_date__free_text_gives_the_year_alone(node, text, year):
    date = parse_pub_date(node(f"<PubDate><MedlineDate>{text}</MedlineDate></PubDate>"))
    assert date == PublicationDate(year=year, medline_date=text)


def test_pub_date__empty_or_missing(node):
    assert parse_pub_date(node("<PubDate><Year/></PubDate>")) is None
    assert parse_pub_date(None) is None


def test_article_dates__strings_as_given(node):
    article = node(
        '<Article><ArticleDate DateType="Electronic"><Year>2021</Year><Month>6</Month><Day>08</Day></ArticleDate>'
        '<ArticleDate DateType="Electronic"/><ArticleDate><Year>2022</Year></ArticleDate></Article>'
    )
    assert parse_article_dates(article) == (
        ArticleDate("Electronic", "2021", "6", "08"),
        ArticleDate(None, "2022"),
    )


def test_date__no_parts(node):
    assert parse_date(node("<DateRevised/>"), "DateRevised") is None
    assert parse_date(None, "DateRevised") is None
