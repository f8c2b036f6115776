"""The one XML parser, with four readers for which absent is ``None`` and never ``""``."""

import re
from typing import TypeAlias
from xml.parsers import expat

from lxml import etree

from pubmed_api.exceptions import UpstreamInvalidResponse
from pubmed_api.models.named_entities import resolve_named_entities

Element: TypeAlias = etree._Element

_XML_SPACE = re.compile(r"[ \t\r\n]+")
_SHOWN_BYTES = 200


def parse_xml(body: bytes, *, provider: str = "ncbi") -> Element:
    """The root element, in the encoding the document declares, without comments and processing instructions.

    Nothing outside the document is read: a DOCTYPE is passed over, a reference to an external entity is an
    error. Entities with HTML's names (``&nbsp;``) are understood without a DTD; a name nobody declared stays
    as written, and so does a prefix (the tag is then ``mml:math``). Raises ``UpstreamInvalidResponse`` where
    the body is not well-formed, with at most its first 200 bytes in ``data["excerpt"]``.
    """
    text = resolve_named_entities(body.lstrip())
    try:
        return etree.fromstring(text, _safe_parser())
    except etree.XMLSyntaxError as error:
        if error.code == etree.ErrorTypes.NS_ERR_UNDEFINED_NAMESPACE:
            root = _parse_undeclared_prefixes(text)
            if root is not None:
                return root
        raise UpstreamInvalidResponse(
            f"The answer is not well-formed XML (line {error.lineno}).",
            provider=provider,
            excerpt=body[:_SHOWN_BYTES].decode("utf-8", "replace"),
        ) from error


def first(node: Element | None, path: str) -> Element | None:
    """The first element at an ElementTree path below ``node``, or ``None``."""
    return None if node is None else node.find(path)


def every(node: Element | None, path: str) -> list[Element]:
    """All elements at an ElementTree path below ``node``, in document order."""
    return [] if node is None else node.findall(path)


def text_of(node: Element | None, path: str | None = None) -> str | None:
    """All text of ``node``, or of the first element at ``path``, in document order; ``None`` when blank."""
    found = node if path is None else first(node, path)
    return None if found is None else squeeze("".join(found.itertext()))


def attribute(node: Element | None, name: str) -> str | None:
    """An attribute's value without outer white space; ``None`` when blank or absent."""
    return None if node is None else (node.get(name, "").strip() or None)


def squeeze(text: str) -> str | None:
    """The text with each run of XML white space as one space and none outside; ``None`` when nothing is left.

    No-break and thin spaces inside are content (they hold numbers and units together) and stay.
    """
    return _XML_SPACE.sub(" ", text).strip() or None


def _parse_undeclared_prefixes(text: bytes) -> Element | None:
    """The root of a document that is well-formed apart from its prefixes, else ``None``.

    lxml's recovery goes on after any error and does not report them all; Expat knows no namespaces and so can
    judge the rest. It would pass over an entity it cannot resolve, so a document with its own is not read.
    """
    if b"<!ENTITY" in text:
        return None
    try:
        expat.ParserCreate().Parse(text, True)
    except expat.ExpatError:
        return None
    return etree.fromstring(text, _safe_parser(recover=True))


def _safe_parser(*, recover: bool = False) -> etree.XMLParser:
    """A fresh parser (they are not to be shared by threads).

    ``huge_tree`` stays off: what it lifts is the ceiling on entities that multiply, on a depth of 256 and on
    10 MB in one text. It does not bound the size of a document or how many character references it may have.
    """
    return etree.XMLParser(
        resolve_entities="internal",
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
        recover=recover,
    )
