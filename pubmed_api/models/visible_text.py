"""What is left of a text once everything a reader cannot see is disregarded: markup, entities, invisible characters.

PubMed answers a search without a term with an error that looks like an outage, or with an empty result that
looks like an answer, so such texts are found before they are sent.
"""

import html
import re
import unicodedata
from bisect import bisect_right

from pubmed_api.models.field_tags import is_field_tag

# PubMed reads typographic double quotes as straight ones.
DOUBLE_QUOTES = '"“”„‟'

# Unicode's Default_Ignorable_Code_Point, which the standard library does not have: first and last of each range.
_IGNORABLE = (
    (0x00AD, 0x00AD),
    (0x034F, 0x034F),
    (0x061C, 0x061C),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x206F),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFF8),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
)
_IGNORABLE_STARTS = [first for first, _ in _IGNORABLE]

# Only with its semicolon: "asthma&not copd" holds no "¬".
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")

# An attribute needs a value, or "a <b and c> d" would be a tag.
_TAG = re.compile(
    r"""<!--[^<>]*-->
      | <!doctype\b[^<>]*>
      | <(?P<close>/?)(?P<name>[A-Za-z][A-Za-z0-9:._-]*)
        (?P<attributes>(?:\s+[A-Za-z_:][\w:.-]*\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>=]+))*)
        \s*(?P<empty>/?)>""",
    re.VERBOSE | re.IGNORECASE,
)
_INLINE = frozenset(
    "a abbr b bdi bdo bold cite code del dfn em font i inf ins italic kbd mark q s samp sc small span strike strong "
    "sub sup tt u underline var wbr".split()
)
_KNOWN = _INLINE | frozenset(
    "address article aside blockquote body br button center dd div dl dt fieldset figcaption figure footer form h1 h2 "
    "h3 h4 h5 h6 head header hr html iframe img input label li link main meta nav object ol option p pre script "
    "section select style svg table tbody td textarea tfoot th thead title tr ul".split()
)

_BRACKETED = re.compile(r"\[([^\[\]]*)\]")
_NO_TERMS = frozenset({"", "and", "or", "not"})


def is_visible(character: str) -> bool:
    """Whether a character is outside White_Space, Cc, Cf and Default_Ignorable_Code_Point."""
    if character.isspace() or unicodedata.category(character) in ("Cc", "Cf"):
        return False
    place = bisect_right(_IGNORABLE_STARTS, ord(character)) - 1
    return place < 0 or ord(character) > _IGNORABLE[place][1]


def has_visible_text(text: str) -> bool:
    """Whether at least one character can be seen: a zero-width space or a Hangul filler alone cannot."""
    return any(is_visible(character) for character in text)


def decode_entities(text: str) -> str:
    """The text with its HTML entities decoded, once; an unknown name and a bare ``&`` stay."""
    return _ENTITY.sub(lambda match: html.unescape(match.group()), text)


def strip_markup(text: str) -> str:
    """The text without tags and comments; a comparison (``P<0.001``, ``n<N``, ``<or= 20 or > 20``) is no tag.

    An inline tag leaves nothing, any other a space. A tag with a name nobody knows counts only as a pair, with
    attributes, or empty (``<x/>``); one of a single letter (``a<b>c``) only so too, save ``<p>``.
    """
    if "<" not in text:
        return text
    closed = {match["name"].casefold() for match in _TAG.finditer(text) if match["close"]}

    def replace(match: re.Match[str]) -> str:
        name = (match["name"] or "").casefold()
        if name and not _is_tag(match, name, closed):
            return match.group()
        beside = text[match.start() - 1 : match.start()] + text[match.end() : match.end() + 1]
        return "" if name in _INLINE or any(map(str.isspace, beside)) else " "

    return _TAG.sub(replace, text)


def is_blank_query(query: str) -> bool:
    """Whether a PubMed query holds no search term.

    Disregarded are HTML entities, markup, a field tag in brackets (``[pdat]``; ``[18F]`` is a term), parentheses,
    empty brackets, double quotes, and the operators by themselves.
    """
    text = _BRACKETED.sub(_without_field_tag, strip_markup(decode_entities(query)))
    words = re.split(rf"[\s()\[\]{DOUBLE_QUOTES}]+", text)
    return all("".join(filter(is_visible, word)).casefold() in _NO_TERMS for word in words)


def is_blank_filter(value: str) -> bool:
    """Whether a filter's value holds no term: markup, parentheses, brackets and double quotes are disregarded.

    The empty string is blank here; that it means "no filter" is for the caller to know.
    """
    text = strip_markup(decode_entities(value))
    return not has_visible_text(re.sub(rf"[()\[\]{DOUBLE_QUOTES}]", "", text))


def _is_tag(match: re.Match[str], name: str, closed: set[str]) -> bool:
    certain = match["close"] or match["empty"] or match["attributes"] or name in closed
    return bool(certain) or (name in _KNOWN and (len(name) > 1 or name == "p"))


def _without_field_tag(match: re.Match[str]) -> str:
    return " " if is_field_tag(match.group(1)) else match.group()
