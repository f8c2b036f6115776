"""Filters as clauses of a PubMed query, so that no value can say more than its own field."""

import re
from collections.abc import Iterator

from pubmed_api.models.visible_text import DOUBLE_QUOTES, decode_entities, is_blank_filter, strip_markup
from pubmed_api.operations.search_articles.dates import normalize_date_range
from pubmed_api.operations.search_articles.model import AppliedFilters, SearchRequest

_TEXT_FILTERS = ("author", "journal", "language")
_LIST_FILTERS = {"publication_types": "publicationTypes", "mesh_terms": "meshTerms"}

_QUOTES = re.compile(rf"[{DOUBLE_QUOTES}]")
_ENCLOSING = re.compile(r"[()\[\]]")
# Words, initials, hyphens and apostrophes mean the same with and without quotes around them.
_PLAIN = re.compile(r"(?:[^\W_]|[ .,'’*‐-])+\Z")
_OPERATOR = re.compile(r"(?<![\w'’-])(?:AND|OR|NOT)(?![\w'’-])", re.IGNORECASE)


def find_blank_filters(request: SearchRequest) -> list[str]:
    """The paths, as the caller knows them, of all values that hold no term; an empty string is no value."""
    paths = [name for name in _TEXT_FILTERS if _is_blank(getattr(request, name) or "")]
    for name, path in _LIST_FILTERS.items():
        paths += [f"{path}.{place}" for place, value in enumerate(getattr(request, name)) if _is_blank(value)]
    return paths


def normalize_filters(request: SearchRequest) -> AppliedFilters:
    """The filters in force, without markup, entities, quotes, and brackets that would be syntax.

    Raises ``InvalidDateRange``.
    """
    return AppliedFilters(
        author=_unquoted_value(request.author),
        journal=_phrase(request.journal),
        language=_unquoted_value(request.language),
        species=request.species,
        date_range=normalize_date_range(request.date_range),
        mesh_terms=tuple(filter(None, map(_phrase, request.mesh_terms))),
        publication_types=tuple(filter(None, map(_phrase, request.publication_types))),
        has_abstract=True if request.has_abstract else None,
        free_full_text=True if request.free_full_text else None,
    )


def build_clauses(filters: AppliedFilters) -> Iterator[str]:
    """One clause for each filter in force, in the fixed order; to be joined by ``AND``."""
    if filters.date_range:
        dates, tag = filters.date_range, filters.date_range.date_type
        yield f"({dates.min_date}[{tag}] : {dates.max_date}[{tag}])"
    if filters.publication_types:
        yield _any_or_all(filters.publication_types, "Publication Type", "OR")
    if filters.author:
        yield f"{_term(filters.author)}[Author]"
    if filters.journal:
        yield f'"{filters.journal}"[Journal]'
    if filters.mesh_terms:
        yield _any_or_all(filters.mesh_terms, "MeSH Terms", "AND")
    if filters.language:
        yield f"{_term(filters.language)}[Language]"
    if filters.has_abstract:
        yield "hasabstract[text word]"
    if filters.free_full_text:
        yield "free full text[filter]"
    if filters.species == "humans":
        yield "humans[MeSH Terms]"
    elif filters.species == "animals":
        # Humans are animals in the MeSH tree: alone, the heading finds nearly every human record too.
        yield "(animals[MeSH Terms] NOT humans[MeSH Terms])"


def is_literal(value: str) -> bool:
    """Whether an author or language can only be sent as a quoted phrase, since PubMed would read syntax into it."""
    return _PLAIN.match(value) is None or _OPERATOR.search(value) is not None


def _is_blank(value: str) -> bool:
    return value != "" and is_blank_filter(value)


def _term(value: str) -> str:
    return f'"{value}"' if is_literal(value) else value


def _any_or_all(values: tuple[str, ...], tag: str, operator: str) -> str:
    return "(" + f" {operator} ".join(f'"{value}"[{tag}]' for value in values) + ")"


def _text(value: str | None) -> str:
    """Without entities, markup and double quotes; each run of white space one space."""
    text = _QUOTES.sub(" ", strip_markup(decode_entities(value or "")))
    return " ".join(text.split())


def _phrase(value: str | None) -> str | None:
    """A value that goes between quotes: parentheses and brackets may stay where they pair."""
    text = _text(value)
    return (text if _pairs(text) else _without_enclosing(text)) or None


def _unquoted_value(value: str | None) -> str | None:
    return _without_enclosing(_text(value)) or None


def _without_enclosing(text: str) -> str:
    return " ".join(_ENCLOSING.sub(" ", text).split())


def _pairs(text: str) -> bool:
    expected: list[str] = []
    for character in text:
        if character in "([":
            expected.append(")" if character == "(" else "]")
        elif character in ")]" and (not expected or expected.pop() != character):
            return False
    return not expected
