"""Dates of records and of queries."""

import pytest
from lxml import etree

from pubmed_api.sandbox.dates import (
    PartialDay,
    citation_day,
    moment_text,
    month_number,
    parse_partial_day,
    read_day,
    read_publication_date,
    slashed_day,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2020", PartialDay(2020)),
        ("2020/02", PartialDay(2020, 2)),
        (" 2020/2/9 ", PartialDay(2020, 2, 9)),
        ("2020/13", None),
        ("2020/00", None),
        ("2020/01/32", None),
        ("20", None),
        ("last year", None),
    ],
)
def test_parse_partial_day__forms(text: str, expected: PartialDay | None) -> None:
    assert parse_partial_day(text) == expected


def test_partial_day__opens_to_first_and_last_day() -> None:
    assert (PartialDay(2020).first, PartialDay(2020).last) == ((2020, 1, 1), (2020, 12, 31))
    assert (PartialDay(2020, 2).first, PartialDay(2020, 2).last) == ((2020, 2, 1), (2020, 2, 31))
    assert PartialDay(2020, 2, 9).first == PartialDay(2020, 2, 9).last == (2020, 2, 9)


@pytest.mark.parametrize(
    ("xml", "text", "day"),
    [
        ("<Year>2020</Year><Month>05</Month><Day>07</Day>", "2020 May 7", (2020, 5, 7)),
        ("<Year>2020</Year><Month>Sep</Month>", "2020 Sep", (2020, 9, 1)),
        ("<Year>2020</Year>", "2020", (2020, 1, 1)),
        ("<Year>2020</Year><Season>Fall</Season>", "2020 Fall", (2020, 10, 1)),
        ("<MedlineDate>2018 Winter</MedlineDate>", "2018 Winter", (2018, 1, 1)),
        ("<MedlineDate>1952 Mar-Apr</MedlineDate>", "1952 Mar-Apr", (1952, 3, 1)),
        ("<MedlineDate>Fall 2006</MedlineDate>", "Fall 2006", (2006, 10, 1)),
        ("<MedlineDate>1999-2000</MedlineDate>", "1999-2000", (1999, 1, 1)),
    ],
)
def test_read_publication_date__shapes(xml: str, text: str, day: tuple[int, int, int]) -> None:
    date = read_publication_date(etree.fromstring(f"<PubDate>{xml}</PubDate>"))
    assert date is not None
    assert (date.text, date.day) == (text, day)


def test_read_publication_date__nothing_to_read() -> None:
    assert read_publication_date(None) is None
    assert read_publication_date(etree.fromstring("<PubDate/>")) is None
    assert read_publication_date(etree.fromstring("<PubDate><MedlineDate>soon</MedlineDate></PubDate>")) is None
    assert read_day(None) is None


def test_month_number__numbers_names_and_others() -> None:
    assert [month_number(text) for text in ("5", "December", "spring", "13", "xyz")] == [5, 12, 4, None, None]


def test_day_texts__of_citation_and_index() -> None:
    assert citation_day((2020, 1, 5)) == "2020 Jan 5"
    assert slashed_day((1000, 1, 5)) == "1000/01/05"


def test_moment_text__without_a_time() -> None:
    node = etree.fromstring("<PubMedPubDate><Year>2022</Year><Month>3</Month><Day>1</Day></PubMedPubDate>")
    assert moment_text(node) == "2022/03/01 00:00"
