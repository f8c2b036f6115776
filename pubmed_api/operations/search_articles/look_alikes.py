"""Characters that look like PubMed's syntax, or like nothing, and silently change a search.

A word processor's ``∗`` is not truncation: ``intervent∗[ti]`` found 9 records where ``intervent*[ti]`` found
269,566. Typographic double quotes are not here: PubMed reads those as straight ones.
"""

import unicodedata

from pubmed_api.models.visible_text import is_visible

_STAND_FOR = {
    **dict.fromkeys("∗⁎✱٭﹡＊", "*"),
    **dict.fromkeys("‐‑‒–—―−﹣－", "-"),
    **dict.fromkeys("（﹙", "("),
    **dict.fromkeys("）﹚", ")"),
    "［": "[",
    "］": "]",
    **dict.fromkeys("：﹕", ":"),
    **dict.fromkeys("／⁄∕", "/"),
    **dict.fromkeys("＂″‶", '"'),
    "～": "~",
}


def find_look_alikes(query: str) -> tuple[str, ...]:
    """Each such character of a query once, described: ``"∗" (U+2217) for "*"``, ``U+00A0 for a space``."""
    described = (_describe(character) for character in dict.fromkeys(query))
    return tuple(text for text in described if text is not None)


def _describe(character: str) -> str | None:
    if character in " \t\r\n":
        return None
    code = f"U+{ord(character):04X}"
    if character in _STAND_FOR:
        return f"{_quoted(character)} ({code}) for {_quoted(_STAND_FOR[character])}"
    if character.isspace() and unicodedata.category(character) == "Zs":
        return f"{code} for a space"
    return None if is_visible(character) else f"{code}, which cannot be seen"


def _quoted(character: str) -> str:
    return f"'{character}'" if '"' in character else f'"{character}"'
