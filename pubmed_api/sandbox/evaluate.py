"""The evaluation of a query tree: which records match, and what the service has to say about the query."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from pubmed_api.sandbox.corpus import Corpus
from pubmed_api.sandbox.dates import slashed_day
from pubmed_api.sandbox.fields import FieldUse, field_named, find_field, is_reported_unknown
from pubmed_api.sandbox.matching import Span, date_span, match_span, match_term
from pubmed_api.sandbox.query import Boolean, DateRange, Node, Operator, Term
from pubmed_api.sandbox.stop_words import STOP_WORDS
from pubmed_api.sandbox.text import normalize, pattern_words
from pubmed_api.sandbox.vocabulary import heading_for, is_entry_term

_LONGEST_HEADING = 8
_EVERYWHERE = FieldUse(field_named("ALL"))
_HEADINGS = FieldUse(field_named("MESH"))
_PMIDS = FieldUse(field_named("UID"))
_NOTHING: frozenset[str] = frozenset()


@dataclass
class Notes:
    """What the search reports beside its result, each list in order of appearance."""

    phrases_not_found: list[str] = field(default_factory=list)
    fields_not_found: list[str] = field(default_factory=list)
    phrases_ignored: list[str] = field(default_factory=list)
    quoted_phrases_not_found: list[str] = field(default_factory=list)
    translations: list[tuple[str, str]] = field(default_factory=list)
    ranking: list[str] = field(default_factory=list)
    """The words that count for relevance: those of terms that are wanted, not of those excluded."""


@dataclass(frozen=True, slots=True)
class Found:
    """The records of a part of the query, and that part as the service understood it."""

    pmids: frozenset[str]
    translation: str
    operator: Operator | None = None


class Evaluation:
    """One walk over a query tree.

    A part that finds nothing in the index is dropped from the query and reported, as PubMed does it; the rest
    is searched without it. A quoted phrase with a tag is not dropped: it finds nothing.
    """

    def __init__(self, corpus: Corpus, default_tag: str | None = None) -> None:
        self.notes = Notes()
        self._corpus = corpus
        self._default_tag = default_tag
        self._excluding = 0

    def find(self, node: Node) -> Found | None:
        """The records a node finds; ``None`` where nothing of it is left to search for."""
        chain: list[Boolean] = []
        while isinstance(node, Boolean):  # hundreds of terms in a row make a tree as deep
            chain.append(node)
            node = node.left
        found = self._date_range(node) if isinstance(node, DateRange) else self._term(node)
        for step in reversed(chain):
            found = self._join(step.operator, found, step.right)
        return found

    def _join(self, operator: Operator, left: Found | None, node: Node) -> Found | None:
        self._excluding += operator == "NOT"
        right = self.find(node)
        self._excluding -= operator == "NOT"
        if left is None:
            return None if operator == "NOT" else right
        return left if right is None else combine(operator, left, right)

    def _date_range(self, node: DateRange) -> Found | None:
        use, span = find_field(node.tag), date_span(node.low, node.high)
        if use is None or span is None:
            return None
        return Found(match_span(self._corpus, use, span, single=False), _span_text(use, span))

    def _term(self, node: Term) -> Found | None:
        tag = node.tag or self._default_tag
        use = find_field(tag) if tag else None
        if tag and use is None and is_reported_unknown(tag):
            _add(self.notes.fields_not_found, tag)
        if tag and use and use.field.name != "ALL":
            return self._quoted(node.text, tag, use) if node.quoted else self._tagged(node.text, use)
        return self._quoted_anywhere(node.text) if node.quoted else self._free(node.text)

    # Terms with a tag

    def _quoted(self, text: str, tag: str, use: FieldUse) -> Found:
        pmids = match_term(self._corpus, use, text, quoted=True)
        if not pmids and use.field.kind != "date":
            _add(self.notes.quoted_phrases_not_found, f'"{text}"[{tag}]')
        return self._found(pmids, text, use)

    def _tagged(self, text: str, use: FieldUse) -> Found | None:
        if use.field.kind == "date" and date_span(text) is None:
            _add(self.notes.phrases_not_found, text)
            return None
        pmids = match_term(self._corpus, use, text)
        words = text.split()
        if use.field.kind == "words" and len(words) == 1 and text.lower() in STOP_WORDS:
            pmids = _NOTHING  # no field's index holds them
        if pmids or use.field.kind == "date" or use.field.name == "UID":
            return self._found(pmids, text, use)
        if len(words) > 1 and use.field.kind in ("words", "name"):
            return self._all_of([self._tagged_word(word, use) for word in words])
        _add(self.notes.phrases_not_found, text)
        return None

    def _tagged_word(self, word: str, use: FieldUse) -> Found | None:
        if word.lower() in STOP_WORDS:
            _add(self.notes.phrases_ignored, word)
            return None
        return self._tagged(word, use) if pattern_words(word) else None

    # Terms without a tag

    def _quoted_anywhere(self, text: str) -> Found:
        found = self._search(text, _EVERYWHERE)
        if found.pmids:
            return found
        # A phrase that is not in the index is searched word by word; here no word may be missing.
        _add(self.notes.quoted_phrases_not_found, f'"{text}"')
        words = [word for word in text.split() if pattern_words(word) and word.lower() not in STOP_WORDS]
        return self._every_word(words) if words else found

    def _free(self, text: str) -> Found | None:
        words = text.split()
        if len(words) > 1 and all(word.isascii() and word.isdigit() for word in words):
            return self._any_of_pmids(words)
        parts: list[Found | None] = []
        while words:
            taken = self._leading_heading(words)
            parts.append(self._subject(words[:taken]) if taken else self._free_word(words[0]))
            words = words[max(taken, 1) :]
        return self._all_of(parts)

    def _leading_heading(self, words: list[str]) -> int:
        """How many of the first words make up the longest MeSH heading in use; 0 for none."""
        lengths = range(min(len(words), _LONGEST_HEADING), 0, -1)
        return next((length for length in lengths if self._is_heading(" ".join(words[:length]))), 0)

    def _is_heading(self, text: str) -> bool:
        if "/" in text:
            return bool(match_term(self._corpus, _HEADINGS, text))
        name = normalize(text)
        return "*" not in text and (name in self._corpus.headings or is_entry_term(name))

    def _subject(self, words: list[str]) -> Found:
        text = " ".join(words)
        heading = heading_for(normalize(text)) if is_entry_term(normalize(text)) else text
        found = self._search(heading, _HEADINGS)
        if heading != text:
            found = combine("OR", found, self._search(heading, _EVERYWHERE))
        if len(words) > 1:
            found = combine("OR", found, self._every_word(words))
        found = combine("OR", found, self._search(text, _EVERYWHERE))
        self.notes.translations.append((text, found.translation))
        return found

    def _free_word(self, word: str) -> Found | None:
        if word.lower() in STOP_WORDS:
            _add(self.notes.phrases_ignored, word)
            return None
        if not pattern_words(word):
            return None
        found = self._search(word, _EVERYWHERE)
        if found.pmids:
            return found
        _add(self.notes.phrases_not_found, word)
        return None

    def _any_of_pmids(self, words: list[str]) -> Found:
        found = [Found(match_term(self._corpus, _PMIDS, word), f"{word}[UID]") for word in words]
        whole = found[0]
        for part in found[1:]:
            whole = combine("OR", whole, part)
        return whole

    # What parts become

    def _search(self, text: str, use: FieldUse) -> Found:
        return self._found(match_term(self._corpus, use, text), text, use)

    def _every_word(self, words: list[str]) -> Found:
        found = self._search(words[0], _EVERYWHERE)
        for word in words[1:]:
            found = combine("AND", found, self._search(word, _EVERYWHERE))
        return found

    def _found(self, pmids: frozenset[str], text: str, use: FieldUse) -> Found:
        if not self._excluding and use.field.kind in ("words", "mesh"):
            self._count_for_relevance(pattern_words(text))
        span = date_span(text) if use.field.kind == "date" else None
        return Found(pmids, _span_text(use, span) if span else self._term_text(text, use))

    def _count_for_relevance(self, words: Iterable[str]) -> None:
        self.notes.ranking += [word for word in words if word not in STOP_WORDS and word not in self.notes.ranking]

    def _term_text(self, text: str, use: FieldUse) -> str:
        if use.field.name == "UID":
            return f"{text}[UID]"
        if use.field.kind == "name":
            return f"{text.lower()}[{use.field.full_name}]"
        journal = self._corpus.journal_ids.get(normalize(text)) if use.field.name == "JOUR" else None
        if journal:
            abbreviation, jid = journal
            self.notes.translations.append((f"{text}[{use.field.full_name}]", f'"{abbreviation}"[Journal:__jid{jid}]'))
        distance = "" if use.distance is None else f":~{use.distance}"
        mode = distance or ("" if use.explode else ":noexp")
        return f'"{text.lower()}"[{use.field.full_name}{mode}]'

    def _all_of(self, parts: list[Found | None]) -> Found | None:
        whole: Found | None = None
        for part in parts:
            if part is not None:
                whole = part if whole is None else combine("AND", whole, part)
        return whole


_SETS: dict[Operator, Callable[[frozenset[str], frozenset[str]], frozenset[str]]] = {
    "AND": frozenset.intersection,
    "OR": frozenset.union,
    "NOT": frozenset.difference,
}


def combine(operator: Operator, left: Found, right: Found) -> Found:
    """Two parts joined: their sets, and their translations with the parentheses that keep the order."""
    texts = [left.translation, right.translation]
    for place, part in enumerate((left, right)):
        if part.operator is not None and (part.operator != operator or (place and operator == "NOT")):
            texts[place] = f"({part.translation})"
    return Found(_SETS[operator](left.pmids, right.pmids), f" {operator} ".join(texts), operator)


def _span_text(use: FieldUse, span: Span) -> str:
    return f"{slashed_day(span[0])}:{slashed_day(span[1])}[{use.field.full_name}]"


def _add(notes: list[str], text: str) -> None:
    if text not in notes:
        notes.append(text)
