"""Dates of records: what the XML gives, and what of it can be compared."""

import re
from dataclasses import dataclass

from lxml.etree import _Element

from pubmed_api.sandbox.text import plain_text

Day = tuple[int, int, int]
"""Year, month, day. Not a ``date``: the last day of a partial date is always written 31."""

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_SEASONS = {"winter": 1, "spring": 4, "summer": 7, "fall": 10, "autumn": 10}
_PARTIAL = re.compile(r"(\d{4})(?:[/.-](\d{1,2})(?:[/.-](\d{1,2}))?)?\Z")
_LETTERS = re.compile(r"[A-Za-z]+")


@dataclass(frozen=True, slots=True)
class PartialDay:
    """A date as people write it: the month and the day may be missing."""

    year: int
    month: int | None = None
    day: int | None = None

    @property
    def first(self) -> Day:
        """The first day it can mean."""
        return (self.year, self.month or 1, self.day or 1)

    @property
    def last(self) -> Day:
        """The last day it can mean."""
        return (self.year, self.month or 12, self.day or 31)


@dataclass(frozen=True, slots=True)
class PublicationDate:
    """A publication date: the text a citation prints, and the day it is indexed under."""

    text: str
    day: Day


def parse_partial_day(text: str) -> PartialDay | None:
    """Read ``2020``, ``2020/01`` or ``2020/01/31``; ``None`` where it is no such date."""
    match = _PARTIAL.match(text.strip())
    if match is None:
        return None
    year, month, day = (int(part) if part else None for part in match.groups())
    if year is None or (month is not None and not 1 <= month <= 12) or (day is not None and not 1 <= day <= 31):
        return None
    return PartialDay(year, month, day)


def month_number(text: str) -> int | None:
    """The month of ``05``, ``May`` or ``Spring``; a season counts as its first month, as PubMed has it."""
    if text.isdigit():
        return int(text) if 1 <= int(text) <= 12 else None
    if text.lower() in _SEASONS:
        return _SEASONS[text.lower()]
    return MONTHS.index(text[:3].title()) + 1 if text[:3].title() in MONTHS else None


def read_publication_date(node: _Element | None) -> PublicationDate | None:
    """Read a ``PubDate``; free text keeps its wording and is indexed under its first month or season."""
    if node is None:
        return None
    free = plain_text(node.find("MedlineDate"))
    if free:
        year = re.search(r"\d{4}", free)
        months = [number for word in _LETTERS.findall(free) if (number := month_number(word))]
        return PublicationDate(free, (int(year.group()), months[0] if months else 1, 1)) if year else None
    year_text, month_text, day_text = (plain_text(node.find(tag)) for tag in ("Year", "Month", "Day"))
    if not year_text.isdigit():
        return None
    season = plain_text(node.find("Season"))
    month = month_number(month_text or season)
    shown = season or (MONTHS[month - 1] if month else month_text)
    day = int(day_text) if day_text.isdigit() else None
    text = " ".join(part for part in (year_text, shown, str(day) if day and month else "") if part)
    return PublicationDate(text, (int(year_text), month or 1, day or 1))


def read_day(node: _Element | None) -> Day | None:
    """Read a node with ``Year``, ``Month`` and ``Day``; a missing part counts as the first."""
    date = read_publication_date(node)
    return date.day if date else None


def citation_day(day: Day) -> str:
    """A day as citations print it: ``2020 Jan 5``."""
    return f"{day[0]} {MONTHS[day[1] - 1]} {day[2]}"


def slashed_day(day: Day) -> str:
    """A day as the index prints it: ``2020/01/05``."""
    return f"{day[0]:04}/{day[1]:02}/{day[2]:02}"


def moment_text(node: _Element) -> str:
    """A ``PubMedPubDate`` as the index prints it: ``2020/01/05 06:00``, the time zero where it is not given."""
    day = read_day(node) or (0, 0, 0)
    hour, minute = (plain_text(node.find(tag)) or "0" for tag in ("Hour", "Minute"))
    return f"{slashed_day(day)} {int(hour):02}:{int(minute):02}"
