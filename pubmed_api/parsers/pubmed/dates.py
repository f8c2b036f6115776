"""Cover dates and dated events; parts are strings as NLM gives them."""

import re

from pubmed_api.models.article import ArticleDate, PublicationDate
from pubmed_api.parsers.xml import Element, attribute, every, text_of

_YEAR = re.compile(r"(?<![0-9])[0-9]{4}")


def parse_pub_date(node: Element | None) -> PublicationDate | None:
    """The date of a ``<PubDate>``: exact parts, a season, or free text (``1998 Dec-1999 Jan``, ``Fall 2006``).

    From free text only the year is taken: the first four digits. A month there may be a range or a season's.
    """
    free_text = text_of(node, "MedlineDate")
    date = PublicationDate(
        year=text_of(node, "Year") or _year_in(free_text),
        month=text_of(node, "Month"),
        day=text_of(node, "Day"),
        season=text_of(node, "Season"),
        medline_date=free_text,
    )
    return None if date == PublicationDate() else date


def parse_article_dates(article: Element | None) -> tuple[ArticleDate, ...]:
    """The ``<ArticleDate>``s of an article, with their ``DateType`` (``Electronic``)."""
    dates = (parse_date(node, attribute(node, "DateType")) for node in every(article, "ArticleDate"))
    return tuple(date for date in dates if date is not None)


def parse_date(node: Element | None, date_type: str | None) -> ArticleDate | None:
    """Whatever of year, month and day a date element has; ``None`` when none."""
    year, month, day = (text_of(node, part) for part in ("Year", "Month", "Day"))
    if year is None and month is None and day is None:
        return None
    return ArticleDate(date_type=date_type, year=year, month=month, day=day)


def _year_in(text: str | None) -> str | None:
    match = _YEAR.search(text or "")
    return match.group() if match else None
