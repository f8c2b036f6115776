"""The dates of ESummary as ``YYYY-MM-DD``."""

import re
from datetime import date

_MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july"),
    *("august", "september", "october", "november", "december"),
)

_YEAR = r"(?P<year>[0-9]{4})"
_MONTH = r"(?P<month>[A-Za-z]{3,9})\.?"
_DAY = r"(?P<day>[0-9]{1,2})"
_TO = r"\s*[-–/]\s*"
_END = r"(?:[0-9]{4}\s*)?(?:[A-Za-z]{3,9}\.?)?\s*(?:[0-9]{1,2})?"

_FORMS = tuple(
    re.compile(form + r"\Z")
    for form in (
        # 2018 · 2000-2001
        rf"{_YEAR}(?:{_TO}[0-9]{{4}})?",
        # 2018 Jun · 2018 Jun 15 · 2018 Jul-Aug · 2018 Jul/Aug 3
        rf"{_YEAR}\s+{_MONTH}(?:{_TO}[A-Za-z]{{3,9}}\.?)?(?:\s+{_DAY})?",
        # 1998 Dec-1999 Jan · 2019 Dec 20-27
        rf"{_YEAR}\s+{_MONTH}(?:\s+{_DAY})?{_TO}{_END}",
        # 2018/06/15 00:00 · 2018-06-15T10:30Z · 2018/06
        rf"{_YEAR}[-/](?P<month>[0-9]{{1,2}})(?:[-/]{_DAY}(?:[T ][0-9:.]+(?:Z|[+-][0-9:]+)?)?)?",
        # June 15, 2018 · Jun 2018
        rf"{_MONTH}(?:\s+{_DAY},?)?\s+{_YEAR}",
        # 15 June 2018
        rf"{_DAY}\s+{_MONTH},?\s+{_YEAR}",
    )
)


def parse_summary_date(text: str | None) -> str | None:
    """A date in any of ESummary's forms; of a span the first day, and where a month or day is missing, 01.

    Nothing else is guessed: for a season, a month by an unknown name, or a day which that month does not have,
    there is no date. A time of day or its zone never moves the date.
    """
    match = next((found for form in _FORMS if (found := form.match(text or ""))), None)
    if match is None:
        return None
    parts = match.groupdict()
    try:
        return date(int(parts["year"]), _month(parts.get("month")), int(parts.get("day") or 1)).isoformat()
    except ValueError:
        return None


def _month(text: str | None) -> int:
    if text is None:
        return 1
    if text.isdecimal():
        return int(text)
    name = text.casefold()
    if name == "sept":
        return 9
    for number, month in enumerate(_MONTHS, start=1):
        if name in (month, month[:3]):
            return number
    raise ValueError(f"no month: {text}")
