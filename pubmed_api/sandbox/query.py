"""PubMed's query language: from the text of a search to a tree."""

import re
from dataclasses import dataclass
from typing import Literal, NamedTuple

from pubmed_api.sandbox.dates import parse_partial_day
from pubmed_api.sandbox.fields import find_field
from pubmed_api.sandbox.text import pattern_words

Operator = Literal["AND", "OR", "NOT"]
LexemeKind = Literal["open", "close", "colon", "operator", "quoted", "tag", "word"]


class Lexeme(NamedTuple):
    """One piece of a query."""

    kind: LexemeKind
    text: str


@dataclass(frozen=True, slots=True)
class Term:
    """Words with an optional tag; ``quoted`` where they stood in double quotes."""

    text: str
    tag: str | None = None
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class DateRange:
    """Two dates with a colon between them, and the tag that says which date is meant."""

    low: str
    high: str
    tag: str


@dataclass(frozen=True, slots=True)
class Boolean:
    """Two operands of an operator."""

    operator: Operator
    left: "Node"
    right: "Node"


Node = Term | DateRange | Boolean

# A bracket that a letter follows is part of a word (benzo[a]pyrene, [18F]FDG), not a tag; an operator may follow a tag.
_LEXEME = re.compile(
    r"""
      (?P<quoted>"[^"]*")
    | (?P<word>(?:\[[^\[\]\s]*\](?=\w)(?!(?:AND|OR|NOT)\b)|[^\s()\[\]":&|])+)
    | (?P<tag>\[[^\[\]]*\])
    | (?P<open>\() | (?P<close>\)) | (?P<colon>:) | (?P<operator>[&|])
    """,
    re.VERBOSE,
)
_KINDS: tuple[LexemeKind, ...] = ("open", "close", "colon", "operator", "quoted", "tag", "word")
_OPERATORS: dict[str, Operator] = {"AND": "AND", "OR": "OR", "NOT": "NOT", "&": "AND", "|": "OR"}
_CURLY = str.maketrans({"“": '"', "”": '"', "„": '"', "‟": '"'})


def parse_query(text: str) -> Node | None:
    """The tree of a query; ``None`` where it has nothing to search for.

    Operators count in upper case only and bind from left to right; words next to each other are joined by AND.
    Nothing is refused: unbalanced parentheses and quotes, stray operators and stray tags are passed over, as
    PubMed does.
    """
    return _Parser(_lex(text.translate(_CURLY))).parse()


def _lex(text: str) -> list[Lexeme]:
    lexemes: list[Lexeme] = []
    for match in _LEXEME.finditer(text):
        kind = next(kind for kind in _KINDS if match[kind] is not None)
        found = match.group()
        if kind == "word" and found in _OPERATORS:
            kind = "operator"
        if kind in ("quoted", "tag"):
            found = found[1:-1].strip()
        lexemes.append(Lexeme(kind, found))
    return lexemes


class _Parser:
    def __init__(self, lexemes: list[Lexeme]) -> None:
        self._lexemes = lexemes
        self._place = 0

    def parse(self) -> Node | None:
        tree: Node | None = None
        while self._place < len(self._lexemes):
            tree = _join("AND", tree, self._expression())
            self._take("close")
        return tree

    def _expression(self) -> Node | None:
        tree: Node | None = None
        operator: Operator = "AND"
        while self._kind() not in (None, "close"):
            if found := self._take("operator"):
                operator = _OPERATORS[found.text]
                continue
            tree = _join(operator, tree, self._operand())
            operator = "AND"
        return tree

    def _operand(self) -> Node | None:
        if self._take("open"):
            return self._group()
        if self._kind() == "quoted":
            return self._tagged(self._next().text, quoted=True)
        if self._kind() == "word":
            return self._run()
        self._next()  # a tag or a colon without anything before it
        return None

    def _group(self) -> Node | None:
        inner = self._expression()
        self._take("close")
        tag = self._take("tag")
        if tag and isinstance(inner, Term) and inner.tag is None:
            return Term(inner.text, tag.text, inner.quoted)
        return inner  # PubMed drops a tag behind a group of several terms

    def _run(self) -> Node | None:
        words = [self._next().text]
        while self._kind() == "word":
            words.append(self._next().text)
        words += self._bracketed_tail()
        if len(words) > 1 and self._last_is_date(words[-1]):
            head = Term(" ".join(words[:-1]))
            return _join("AND", head, self._tagged(words[-1], quoted=False))
        return self._tagged(" ".join(words), quoted=False)

    def _bracketed_tail(self) -> list[str]:
        """The words of a parenthesis that belongs to a name: ``Front Endocrinol (Lausanne)[JO]``."""
        kinds = [lexeme.kind for lexeme in self._lexemes[self._place :]]
        if kinds[:1] != ["open"] or "close" not in kinds:
            return []
        end = kinds.index("close")
        if kinds[end + 1 : end + 2] != ["tag"] or set(kinds[1:end]) != {"word"}:
            return []
        words = [lexeme.text for lexeme in self._lexemes[self._place + 1 : self._place + end]]
        self._place += end + 1
        return words

    def _last_is_date(self, word: str) -> bool:
        if parse_partial_day(word) is None:
            return False
        if self._kind() == "colon":
            return True
        return self._kind() == "tag" and _is_date_tag(self._lexemes[self._place].text)

    def _tagged(self, text: str, *, quoted: bool) -> Node | None:
        tag = self._take("tag")
        term = Term(text, (tag.text if tag else None) or None, quoted)
        if self._kind() == "colon" and parse_partial_day(text):
            return self._range(term)
        return term if pattern_words(text) else None

    def _range(self, low: Term) -> Node:
        """Read what follows the colon; without two dates and a date tag it is no range."""
        start = self._place
        self._next()
        high = self._next().text if self._kind() in ("word", "quoted") else ""
        found = self._take("tag")
        tag = (found.text if found else None) or low.tag
        if parse_partial_day(high) and tag and _is_date_tag(tag):
            return DateRange(low.text, high, tag)
        self._place = start
        return low

    def _kind(self) -> LexemeKind | None:
        return self._lexemes[self._place].kind if self._place < len(self._lexemes) else None

    def _next(self) -> Lexeme:
        self._place += 1
        return self._lexemes[self._place - 1]

    def _take(self, kind: LexemeKind) -> Lexeme | None:
        return self._next() if self._kind() == kind else None


def _is_date_tag(tag: str) -> bool:
    use = find_field(tag)
    return use is not None and use.field.kind == "date"


def _join(operator: Operator, left: Node | None, right: Node | None) -> Node | None:
    if left is None or right is None:
        return left or right
    return Boolean(operator, left, right)
