"""A PubMed query cut into its tokens, so that quotes, brackets and parentheses are told apart from words."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pubmed_api.models.visible_text import DOUBLE_QUOTES

TokenKind = Literal["quoted", "bracket", "open", "close", "space", "word", "stray"]

_TOKEN = re.compile(
    rf"""(?P<quoted>[{DOUBLE_QUOTES}][^{DOUBLE_QUOTES}]*[{DOUBLE_QUOTES}])
      | (?P<bracket>\[[^\[\]{DOUBLE_QUOTES}]*\])
      | (?P<open>\() | (?P<close>\))
      | (?P<space>\s+)
      | (?P<word>[^\s()\[\]{DOUBLE_QUOTES}]+)
      | (?P<stray>.)""",
    re.VERBOSE,
)
_OPERATORS = frozenset({"and", "or", "not"})


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a query; a ``stray`` is a quote or square bracket that has no partner."""

    kind: TokenKind
    text: str

    @property
    def is_operator(self) -> bool:
        """Whether it is AND, OR or NOT, in any case."""
        return self.kind == "word" and self.text.casefold() in _OPERATORS


def tokenize(query: str) -> list[Token]:
    """All of the query, in order: the tokens' texts joined are the query again."""
    return [Token(match.lastgroup, match.group()) for match in _TOKEN.finditer(query)]  # type: ignore[arg-type]


def has_top_level_or(tokens: Sequence[Token]) -> bool:
    """Whether an ``OR`` stands outside all parentheses, quotes and brackets."""
    depth = 0
    for token in tokens:
        if token.kind == "open":
            depth += 1
        elif token.kind == "close":
            depth -= 1
        elif depth == 0 and token.is_operator and token.text.casefold() == "or":
            return True
    return False


def balance(query: str) -> str:
    """The query with every quote, bracket and parenthesis paired.

    A quote, bracket or closing parenthesis without partner becomes a space; parentheses left open are closed at
    the end. A balanced query comes back as it is.
    """
    kept: list[str] = []
    depth = 0
    for token in tokenize(query):
        unpaired = token.kind == "stray" or (token.kind == "close" and depth == 0)
        kept.append(" " if unpaired else token.text)
        if not unpaired:
            depth += {"open": 1, "close": -1}.get(token.kind, 0)
    return ("".join(kept) + ")" * depth).strip()
