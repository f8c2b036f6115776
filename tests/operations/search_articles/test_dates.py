"""Date ranges: applied, left out, refused."""

import pytest

from pubmed_api.exceptions import InvalidDateRange
from pubmed_api.operations.search_articles.dates import find_lone_bound, normalize_date_range
from pubmed_api.operations.search_articles.model import DateRange


@pytest.mark.parametrize(
    ("low", "high", "applied"),
    [
        ("2020-01", "2021", ("2020/01", "2021")),
        ("2024-01-31", "2024.02.29", ("2024/01/31", "2024/02/29")),
        ("2024/1/5", "2024/1/5", ("2024/1/5", "2024/1/5")),
        ("2024/06", "2024", ("2024/06", "2024")),
        ("2024", "2024/01", ("2024", "2024/01")),
        ("2024/06/30", "2024/06", ("2024/06/30", "2024/06")),
        ("1000", "3000", ("1000", "3000")),
        (" 2020 ", "2021", ("2020", "2021")),
    ],
)
def test_normalize_date_range__applied(low, high, applied):
    assert normalize_date_range(DateRange(low, high, "edat")) == DateRange(*applied, "edat")


@pytest.mark.parametrize(("low", "high"), [("", ""), (" ", " "), ("2024", ""), ("", "2024"), ("2024", " ")])
def test_normalize_date_range__not_applied(low, high):
    assert normalize_date_range(DateRange(low, high)) is None


def test_normalize_date_range__none():
    assert normalize_date_range(None) is None


@pytest.mark.parametrize(
    "bound", ["2023/02/29", "2024-13", "2024/00", "2024/01/00", "2024/04/31", "1900/02/29", "0000", "not-a-date", "24"]
)
def test_normalize_date_range__no_calendar_date(bound):
    for dates, name in ((DateRange(bound, "2030"), "minDate"), (DateRange("1000", bound), "maxDate")):
        with pytest.raises(InvalidDateRange) as caught:
            normalize_date_range(dates)
        assert caught.value.data == {"fields": [f"dateRange.{name}"]}
        assert caught.value.reason == "invalid_date_range"


def test_normalize_date_range__lone_bound_is_checked_too():
    with pytest.raises(InvalidDateRange):
        normalize_date_range(DateRange("2023/02/29", ""))


@pytest.mark.parametrize(
    ("low", "high"), [("2025", "2020"), ("2024/07", "2024/06/30"), ("2024/03", "2024-02"), ("2024/01/02", "2024/01/01")]
)
def test_normalize_date_range__reversed(low, high):
    with pytest.raises(InvalidDateRange) as caught:
        normalize_date_range(DateRange(low, high))
    assert caught.value.data == {"fields": ["dateRange.minDate", "dateRange.maxDate"]}


@pytest.mark.parametrize(
    ("dates", "lone"),
    [
        (None, None),
        (DateRange("", ""), None),
        (DateRange("2020", "2021"), None),
        (DateRange("2024-01", ""), ("minDate", "2024-01")),
        (DateRange(" ", "2024"), ("maxDate", "2024")),
    ],
)
def test_find_lone_bound(dates, lone):
    assert find_lone_bound(dates) == lone
