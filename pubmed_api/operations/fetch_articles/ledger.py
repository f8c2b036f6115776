"""The account of an answer's size: which items fit under a ceiling, and which must wait."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Ledger(Generic[T]):
    """Items kept and deferred, in their order; sizes in characters of compact JSON.

    ``next_characters`` is the size of the first deferred item: a ceiling below it makes no progress.
    """

    kept: tuple[T, ...]
    deferred: tuple[T, ...] = ()
    kept_characters: int = 0
    next_characters: int | None = None


def fill(items: Sequence[T], ceiling: int, measure: Callable[[T], int]) -> Ledger[T]:
    """Keep items from the front while their sizes add up to no more than the ceiling.

    The first that does not fit is deferred whole, and so are all after it, however small: asking again for what
    was deferred then continues exactly where this answer stopped. Items behind the cut are not measured.
    """
    used = 0
    for position, item in enumerate(items):
        size = measure(item)
        if used + size > ceiling:
            return Ledger(tuple(items[:position]), tuple(items[position:]), used, size)
        used += size
    return Ledger(tuple(items), kept_characters=used)
