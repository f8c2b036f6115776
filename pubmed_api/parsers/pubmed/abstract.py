"""The abstract, as one text."""

from pubmed_api.parsers.markup import display_text, tidy
from pubmed_api.parsers.xml import Element, attribute, every


def parse_abstract(node: Element | None) -> str | None:
    """The parts of an ``<Abstract>``, a blank line between them, each behind its label; ``None`` when empty."""
    parts = [_part(part) for part in every(node, "AbstractText")]
    return "\n\n".join(part for part in parts if part is not None) or None


def _part(node: Element) -> str | None:
    text = display_text(node)
    label = tidy(attribute(node, "Label") or "")
    return f"{label}: {text}" if label and text else text
