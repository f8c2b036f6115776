"""Date ranges: real calendar dates, whole or partial, in the right order."""

import calendar
import re
from datetime import date
from typing import Literal

from pubmed_api.exceptions import InvalidDateRange
from pubmed_api.operations.search_articles.model import DateRange

_DATE = re.compile(r"([0-9]{4})(?:/([0-9]{1,2}))?(?:/([0-9]{1,2}))?\Z")

Bound = Literal["minDate", "maxDate"]


def normalize_date_range(date_range: DateRange | None) -> DateRange | None:
    """The range to apply, dates written with ``/`` in the caller's precision; ``None`` unless both bounds are given.

    For the order a partial ``minDate`` is its first day and a partial ``maxDate`` its last, as PubMed reads
    them. Raises ``InvalidDateRange``, with the fields in its data, for a bound that is no calendar date, also
    where it is the only one, and for bounds in the wrong order.
    """
    if date_range is None:
        return None
    low, high = (_with_slashes(text) for text in (date_range.min_date, date_range.max_date))
    first_day = _parse_bound("minDate", low) if low else None
    last_day = _parse_bound("maxDate", high) if high else None
    if first_day is None or last_day is None:
        return None
    if first_day > last_day:
        raise InvalidDateRange(
            f"dateRange.minDate {low} falls after dateRange.maxDate {high}.",
            fields=["dateRange.minDate", "dateRange.maxDate"],
        )
    return DateRange(low, high, date_range.date_type)


def find_lone_bound(date_range: DateRange | None) -> tuple[Bound, str] | None:
    """The bound, and its value as sent, of a range that has only one."""
    if date_range is None or bool(date_range.min_date.strip()) == bool(date_range.max_date.strip()):
        return None
    low = date_range.min_date.strip()
    return ("minDate", low) if low else ("maxDate", date_range.max_date.strip())


def _with_slashes(text: str) -> str:
    return re.sub(r"[-.]", "/", text.strip())


def _parse_bound(bound: Bound, text: str) -> date:
    """The first day a ``minDate`` may mean, or the last day of a ``maxDate``."""
    match = _DATE.match(text)
    try:
        if match is None:
            raise ValueError
        year, month, day = (int(part) if part else None for part in match.groups())
        return _first_day(year or 0, month, day) if bound == "minDate" else _last_day(year or 0, month, day)
    except ValueError:
        raise InvalidDateRange(
            f"dateRange.{bound} {text} is not a calendar date.", fields=[f"dateRange.{bound}"]
        ) from None


def _first_day(year: int, month: int | None, day: int | None) -> date:
    return date(year, 1 if month is None else month, 1 if day is None else day)


def _last_day(year: int, month: int | None, day: int | None) -> date:
    month = 12 if month is None else month
    if day is None:
        day = calendar.monthrange(date(year, month, 1).year, month)[1]
    return date(year, month, day)
