"""A search from request to ordered result: query, date limits, sort."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pubmed_api.sandbox.corpus import Corpus
from pubmed_api.sandbox.entry import Entry
from pubmed_api.sandbox.evaluate import Evaluation, Found, Notes, combine
from pubmed_api.sandbox.fields import find_field
from pubmed_api.sandbox.matching import date_span
from pubmed_api.sandbox.query import DateRange, parse_query
from pubmed_api.sandbox.text import normalize, word_matches

_WEIGHTS = {"TITL": 8, "MESH": 4, "TIAB": 1}
_DAY_LIMIT_DATE = "edat"


class UnreadableQueryError(Exception):
    """There is nothing in the query to search for, or it nests deeper than can be read."""


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """What is searched and how it is ordered; ``mindate`` and ``maxdate`` count only together."""

    term: str
    sort: str = ""
    field: str = ""
    datetype: str = ""
    mindate: str = ""
    maxdate: str = ""


@dataclass(frozen=True, slots=True)
class SearchOutcome:
    """The whole result in order, the query as understood, and the notes on it."""

    pmids: tuple[str, ...]
    translation: str
    notes: Notes


def run_search(corpus: Corpus, request: SearchRequest) -> SearchOutcome:
    """Search the corpus. Raises ``UnreadableQueryError``."""
    try:
        tree = parse_query(request.term)
        if tree is None:
            return _without_a_term(request.term)
        evaluation = Evaluation(corpus, request.field or None)
        found = evaluation.find(tree)
    except RecursionError:
        raise UnreadableQueryError("the query nests too deep") from None
    if found is None:
        return SearchOutcome((), _untranslated(request.term), evaluation.notes)
    limited = _limit_dates(corpus, found, request)
    entries = [corpus.entries[pmid] for pmid in limited.pmids]
    entries.sort(key=_order(request.sort, evaluation.notes.ranking))
    return SearchOutcome(tuple(entry.record.pmid for entry in entries), limited.translation, evaluation.notes)


def _without_a_term(term: str) -> SearchOutcome:
    """Nothing for signs, such as ``[18F]`` or ``*``. Raises ``UnreadableQueryError`` for operators and parentheses."""
    if {word.upper() for word in term.replace("(", " ").replace(")", " ").split()} <= {"AND", "OR", "NOT"}:
        raise UnreadableQueryError("the query holds no search term")
    return SearchOutcome((), _untranslated(term), Notes())


def _untranslated(term: str) -> str:
    """A query of which nothing was found, as the service gives it back."""
    single = term.split() == [term] and "[" not in term
    return f"({term.strip()}[All Fields])" if single else f"({term.strip()})"


def _limit_dates(corpus: Corpus, found: Found, request: SearchRequest) -> Found:
    """The result within ``mindate`` and ``maxdate``; a limit that is no pair of dates is passed over."""
    use = find_field(request.datetype or _DAY_LIMIT_DATE)
    span = date_span(request.mindate, request.maxdate)
    if use is None or use.field.kind != "date" or span is None:
        return found
    limit = Evaluation(corpus).find(DateRange(request.mindate, request.maxdate, use.field.name))
    return combine("AND", found, limit) if limit else found


# The order of records. PMIDs run downwards where all else is equal.


def known_sort(sort: str) -> bool:
    """Whether a sort is one of PubMed's; an unknown one is passed over."""
    return sort.lower() in ("", "relevance", *_SORTS)


def _order(sort: str, ranking: list[str]) -> Callable[[Entry], Any]:
    key = _SORTS.get(sort.lower())
    return key or (lambda entry: (-relevance(entry, ranking), *_newest(entry)))


def relevance(entry: Entry, ranking: list[str]) -> int:
    """How often the words of the query stand in a record, the title counting most, then headings."""
    texts = {name: [word for passage in entry.passages.get(name, ()) for word in passage] for name in ("TITL", "TIAB")}
    texts["MESH"] = [word for value in entry.values.get("MESH", ()) for word in normalize(value).split()]
    return sum(
        weight * sum(word_matches(wanted, word) for word in texts[name])
        for name, weight in _WEIGHTS.items()
        for wanted in ranking
    )


def _newest(entry: Entry) -> tuple[int, ...]:
    return (*(-part for part in entry.record.publication_day), -int(entry.record.pmid))


def _by_author(entry: Entry) -> tuple[bool, str, int]:
    name = normalize(entry.record.first_author)
    return (not name, name, -int(entry.record.pmid))


def _by_journal(entry: Entry) -> tuple[str, int]:
    return (normalize(entry.record.source or entry.record.book_title), -int(entry.record.pmid))


_SORTS: dict[str, Callable[[Entry], Any]] = {
    "pub_date": _newest,
    "author": _by_author,
    "journalname": _by_journal,
}
