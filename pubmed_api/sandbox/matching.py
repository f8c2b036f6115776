"""Which records a term finds in a field."""

import datetime
import re

from pubmed_api.sandbox.corpus import Corpus
from pubmed_api.sandbox.dates import Day, parse_partial_day
from pubmed_api.sandbox.entry import Entry
from pubmed_api.sandbox.fields import FieldUse
from pubmed_api.sandbox.text import near, normalize, pattern_words, phrase_matches, word_matches
from pubmed_api.sandbox.vocabulary import heading_for, with_narrower

_RELATIVE = re.compile(r"last (\d{0,4}) ?(day|month|year)s?\Z")
_DAYS = {"day": 1, "month": 30, "year": 365}
_UNFOLDED = ("PID", "LID")

Span = tuple[Day, Day]


def match_term(corpus: Corpus, use: FieldUse, text: str, *, quoted: bool = False) -> frozenset[str]:
    """The PMIDs of the records in which a field holds the term.

    Words are found next to each other and in order; whole values as a whole; a name also where it goes on with
    further initials, unless it is quoted; a heading with the narrower ones below it.
    """
    if use.field.kind == "date":
        span = date_span(text)
        return match_span(corpus, use, span) if span else frozenset()
    test = {"words": _words_match, "value": _value_matches, "name": _name_matches, "mesh": _mesh_matches}
    matches = test[use.field.kind]
    return frozenset(entry.record.pmid for entry in corpus if matches(entry, use, text, quoted))


def match_span(corpus: Corpus, use: FieldUse, span: Span, *, single: bool = True) -> frozenset[str]:
    """The PMIDs of the records with a date in the span, ends included.

    A ``single`` publication date leaves out an electronic date later than the printed one, as PubMed does.
    """
    return frozenset(
        entry.record.pmid
        for entry in corpus
        if any(span[0] <= day <= span[1] for day in _days(entry, use.field.name, single))
    )


def _days(entry: Entry, name: str, single: bool) -> tuple[Day, ...]:
    days = entry.days.get(name, ())
    return (min(days), days[0]) if single and len(days) > 1 else days


def date_span(low: str, high: str | None = None) -> Span | None:
    """The first and last day of a date, of two, or of ``last 5 years``; ``None`` where it is none of these."""
    relative = _RELATIVE.match(" ".join(low.lower().split()))
    if relative and high is None:
        return days_back(int(relative[1] or 1) * _DAYS[relative[2]]), (3000, 12, 31)
    start, end = parse_partial_day(low), parse_partial_day(low if high is None else high)
    return (start.first, end.last) if start and end else None


def days_back(number: int) -> Day:
    """The day so many days before today; never before the year 1."""
    today = datetime.date.today()
    day = datetime.date.fromordinal(max(today.toordinal() - number, 1))
    return day.year, day.month, day.day


def _words_match(entry: Entry, use: FieldUse, text: str, quoted: bool) -> bool:
    pattern = pattern_words(text)
    passages = entry.passages.get(use.field.name, ())
    vocabulary = entry.vocabulary.get(use.field.name, frozenset())
    if not pattern or not all(_known(word, vocabulary) for word in pattern):
        return False
    if use.distance is not None:
        return any(near(pattern, passage, use.distance) for passage in passages)
    return len(pattern) == 1 or any(phrase_matches(pattern, passage) for passage in passages)


def _known(word: str, vocabulary: frozenset[str]) -> bool:
    return any(word_matches(word, known) for known in vocabulary) if "*" in word else word in vocabulary


def _value_matches(entry: Entry, use: FieldUse, text: str, quoted: bool) -> bool:
    values = entry.values.get(use.field.name, frozenset())
    if use.field.name in _UNFOLDED:
        wanted = text.strip().lower()
    elif use.field.name == "UID":
        wanted = text.strip().lstrip("0")
    else:
        wanted = " ".join(pattern_words(text))
    if "*" in wanted:
        return any(word_matches(wanted, value) for value in values)
    explode = use.field.name == "PTYP" and use.explode
    return bool(values & with_narrower(wanted)) if explode else wanted in values


def _mesh_matches(entry: Entry, use: FieldUse, text: str, quoted: bool) -> bool:
    values = entry.values.get(use.field.name, frozenset())
    descriptor, slash, qualifier = text.partition("/")
    name = " ".join(pattern_words(descriptor))
    if "*" in name:
        return any(word_matches(name, value) for value in values)
    name = name if quoted else heading_for(name)
    names = with_narrower(name) if use.explode else frozenset((name,))
    ending = f"/{normalize(qualifier)}" if slash else ""
    return any(found + ending in values for found in names)


def _name_matches(entry: Entry, use: FieldUse, text: str, quoted: bool) -> bool:
    wanted = " ".join(pattern_words(text))
    spellings = entry.names.get(use.field.name, ())
    if quoted:
        return wanted in spellings
    if "*" in wanted:
        return any(word_matches(wanted, spelling) for spelling in spellings)
    # "smith j" finds "smith ja"; a surname alone is never the beginning of a longer one.
    return any(
        spelling.startswith(wanted if " " in wanted else wanted + " ") or spelling == wanted for spelling in spellings
    )
