"""HTML's named entities in XML: PubMed's text uses them, and the DTD that declares them is never loaded."""

import re
from html.entities import html5

_PREDEFINED = frozenset({b"amp", b"lt", b"gt", b"quot", b"apos"})
_NAMED_ENTITY = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos);|#)")
_ENTITY_OR_CDATA = re.compile(rb"<!\[CDATA\[.*?(?:\]\]>|\Z)|&([A-Za-z][A-Za-z0-9]*);", re.DOTALL)


def resolve_named_entities(body: bytes) -> bytes:
    """The document with HTML's named entities as character references; a name nobody declares stays, as text."""
    if _NAMED_ENTITY.search(body) is None:
        return body
    declares_own = b"<!ENTITY" in body

    def replace(match: re.Match[bytes]) -> bytes:
        name = match.group(1)
        if name is None or name in _PREDEFINED:
            return match.group()
        characters = html5.get(name.decode("ascii") + ";")
        if characters is not None:
            return "".join(f"&#{ord(character)};" for character in characters).encode("ascii")
        return match.group() if declares_own else b"&amp;" + match.group()[1:]

    return _ENTITY_OR_CDATA.sub(replace, body)
