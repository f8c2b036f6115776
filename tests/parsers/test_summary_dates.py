"""ESummary's dates: never shifted, never invented."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pubmed_api.parsers.summary_dates import parse_summary_date


@pytest.mark.parametrize(
    ("text", "parsed"),
    [
        ("2018", "2018-01-01"),
        ("2018 Jun", "2018-06-01"),
        ("2018 Jun 5", "2018-06-05"),
        ("2018 Jul-Aug", "2018-07-01"),
        ("2018 Jul/Aug", "2018-07-01"),
        ("2018 Jul-Aug 3", "2018-07-03"),
        ("1965 Aug", "1965-08-01"),
        ("2016 Nov 23", "2016-11-23"),
        ("2018 Sept", "2018-09-01"),
        ("2018 June 15", "2018-06-15"),
        ("1998 Dec-1999 Jan", "1998-12-01"),
        ("2019 Dec 20-27", "2019-12-20"),
        ("2018 Sep 28-Oct 2", "2018-09-28"),
        ("2000-2001", "2000-01-01"),
        ("2018/06/15 00:00", "2018-06-15"),
        ("2018/06/15", "2018-06-15"),
        ("2018-06-15", "2018-06-15"),
        ("2018-06-15T23:30:00-05:00", "2018-06-15"),
        ("2018-06", "2018-06-01"),
        ("2018/6/5", "2018-06-05"),
        ("June 15, 2018", "2018-06-15"),
        ("Jun 2018", "2018-06-01"),
        ("15 June 2018", "2018-06-15"),
    ],
)
def test_parse_summary_date(text, parsed):
    assert parse_summary_date(text) == parsed


@pytest.mark.parametrize(
    "text",
    [
        *(None, "", "not-a-date", "2018 Spring", "Fall 2006", "2018 Foo", "2018 Foo 3", "2019 Feb 30", "2023/02/29"),
        *("2018 Jun 31", "2018/13/01", "2018/00/01", "06/15/2018", "Jun", "15", "18 Jun", "0000", "in press", "2018 3"),
    ],
)
def test_parse_summary_date__no_date(text):
    assert parse_summary_date(text) is None


@given(st.dates(min_value=date(1000, 1, 1)))
def test_parse_summary_date__every_day(day):
    for form in ("%Y %b %d", "%Y/%m/%d 00:00", "%B %d, %Y", "%d %b %Y"):
        assert parse_summary_date(day.strftime(form)) == day.isoformat()
