"""Field tags in a query that PubMed ignores without a word.

    asthma[tiabb]             no such field
    asthma[mh:~3]             no proximity search in that field
    (asthma OR copd)[tiab]    a tag belongs to a term, not to a group

A bracket is read as a tag only where PubMed would: behind a term and before its end. ``[18F]FDG``,
``benzo[a]pyrene`` and whatever is in quotes are text.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pubmed_api.models.field_tags import find_tag_fault
from pubmed_api.operations.search_articles.syntax import Token, tokenize

_ENDS_A_TERM = re.compile(r":|[,.;|&+/-]+\Z")


@dataclass(frozen=True, slots=True)
class IgnoredTag:
    """A tag without effect, spelled as in the query and without its brackets."""

    tag: str
    why: Literal["unknown", "modifier", "group"]


@dataclass(slots=True)
class _Parenthesis:
    """An open parenthesis; ``within_a_name`` as in ``Lancet (London)``, where ``and`` is a word of the name."""

    within_a_name: bool
    holds_operator: bool = False
    holds_capital_operator: bool = False

    @property
    def is_group(self) -> bool:
        return self.holds_capital_operator or (self.holds_operator and not self.within_a_name)


def find_ignored_tags(query: str) -> tuple[IgnoredTag, ...]:
    """The tags of a query that restrict nothing, each once, in order."""
    tokens = tokenize(query)
    groups = _find_group_ends(tokens)
    found = (_fault(tokens, place, groups) for place, token in enumerate(tokens) if token.kind == "bracket")
    return tuple(dict.fromkeys(tag for tag in found if tag is not None))


def _fault(tokens: Sequence[Token], place: int, groups: set[int]) -> IgnoredTag | None:
    tag = tokens[place].text[1:-1].strip()
    if not tag or not _is_tag(tokens, place):
        return None
    fault = find_tag_fault(tag)
    if fault is not None:
        return IgnoredTag(tag, fault)
    return IgnoredTag(tag, "group") if _before(tokens, place) in groups else None


def _is_tag(tokens: Sequence[Token], place: int) -> bool:
    """Whether the bracket has a term before it and ends that term."""
    if not _follows_a_term(tokens, place):
        return False
    after = tokens[place + 1] if place + 1 < len(tokens) else None
    return after is None or after.kind != "word" or after.is_operator or _ENDS_A_TERM.match(after.text) is not None


def _find_group_ends(tokens: Sequence[Token]) -> set[int]:
    """The places of the parentheses that close several clauses."""
    ends: set[int] = set()
    opened: list[_Parenthesis] = []
    for place, token in enumerate(tokens):
        if token.kind == "open":
            opened.append(_Parenthesis(within_a_name=_follows_a_term(tokens, place)))
        elif token.is_operator and opened:
            opened[-1].holds_operator = True
            opened[-1].holds_capital_operator |= token.text.isupper()
        elif token.kind == "close" and opened:
            closed = opened.pop()
            if closed.is_group:
                ends.add(place)
            if opened:
                opened[-1].holds_operator |= closed.holds_operator
                opened[-1].holds_capital_operator |= closed.holds_capital_operator
    return ends


def _follows_a_term(tokens: Sequence[Token], place: int) -> bool:
    before = _before(tokens, place)
    return before >= 0 and tokens[before].kind != "open" and not tokens[before].is_operator


def _before(tokens: Sequence[Token], place: int) -> int:
    """The place of the nearest token before this one that is not white space; negative if there is none."""
    before = place - 1
    return before - 1 if before >= 0 and tokens[before].kind == "space" else before
