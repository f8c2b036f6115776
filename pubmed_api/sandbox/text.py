"""Text of a record: mixed content made plain, and the words an index would hold of it."""

import re
import unicodedata
from fnmatch import fnmatchcase
from functools import lru_cache
from html import escape

from lxml import etree
from lxml.etree import _Element

_WORD = re.compile(r"[^\W_]+")
_PATTERN_WORD = re.compile(r"(?:[^\W_]|\*)+")
_NAMESPACE = re.compile(r'\sxmlns(?::\w+)?="[^"]*"')
_STEM_LETTERS = 4

# Letters that Unicode does not take apart, and the Greek ones, which PubMed indexes by name.
_GREEK = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho".split()
_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "æ": "ae", "œ": "oe", "đ": "d", "ð": "d", "þ": "th", "ı": "i"}
    | {chr(ord("α") + place): name for place, name in enumerate(_GREEK)}
    | dict(zip("στυφχψω", "sigma tau upsilon phi chi psi omega".split(), strict=True))
)


def plain_text(node: _Element | None) -> str:
    """All text of a node in document order, white space collapsed; empty where there is no node."""
    return "" if node is None else " ".join("".join(node.itertext()).split())


def inner_markup(node: _Element | None) -> str:
    """What stands inside a node, tags and entities kept as text: the form ESummary gives titles in."""
    if node is None:
        return ""
    text = escape(node.text or "", quote=False)
    text += "".join(etree.tostring(child, encoding="unicode") for child in node)
    return " ".join(_NAMESPACE.sub("", text).split())


def _fold(text: str) -> str:
    folded = unicodedata.normalize("NFKD", text).casefold().translate(_LETTERS)
    return "".join(letter for letter in folded if not unicodedata.combining(letter))


def words(text: str) -> tuple[str, ...]:
    """The words of a text as indexed: lower case, no accents, cut at everything but letters and digits."""
    return tuple(_WORD.findall(_fold(text)))


def normalize(text: str) -> str:
    """The words of a text joined by single spaces: what two spellings of one name have in common."""
    return " ".join(words(text))


@lru_cache(maxsize=1024)
def pattern_words(text: str) -> tuple[str, ...]:
    """The words of a search term, where ``*`` may stand for any ending.

    As in PubMed an asterisk needs four letters before it; one that has fewer counts as a space.
    """
    found: list[str] = []
    for word in _PATTERN_WORD.findall(_fold(text)):
        stem, star, _ = word.partition("*")
        found.extend([word] if star and len(stem) >= _STEM_LETTERS else word.replace("*", " ").split())
    return tuple(found)


def word_matches(pattern: str, word: str) -> bool:
    """Whether an indexed word is the one asked for, wildcards understood."""
    return fnmatchcase(word, pattern) if "*" in pattern else word == pattern


def phrase_matches(pattern: tuple[str, ...], passage: tuple[str, ...]) -> bool:
    """Whether the words of the pattern stand next to each other, in order, somewhere in the passage."""
    span = len(pattern)
    return any(
        all(word_matches(wanted, passage[start + place]) for place, wanted in enumerate(pattern))
        for start in range(len(passage) - span + 1)
    )


def near(pattern: tuple[str, ...], passage: tuple[str, ...], distance: int) -> bool:
    """Whether all words stand within one stretch that has at most ``distance`` other words, in any order."""
    span = len(pattern) + distance
    wanted = set(pattern)
    return any(wanted <= set(passage[start : start + span]) for start in range(len(passage)))
