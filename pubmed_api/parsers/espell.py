"""ESpell's answer: a suggested spelling for a query."""

from pubmed_api.exceptions import UpstreamInvalidResponse
from pubmed_api.models.entrez import SpellCheck
from pubmed_api.parsers.xml import Element, first, parse_xml


def parse_espell_result(body: bytes, *, term: str) -> SpellCheck:
    """What ESpell suggests for ``term``, the query that was sent.

    Both texts are NCBI's to the character, numbers and outer spaces included. A ``CorrectedQuery`` that is
    absent or blank means there is no suggestion, and ``corrected`` repeats ``original``; a missing ``Query``
    is the term that was sent. Raises ``UpstreamInvalidResponse`` where the body is not an ESpell answer.
    """
    root = parse_xml(body)
    if root.tag != "eSpellResult":
        raise UpstreamInvalidResponse("ESpell's answer is not an eSpellResult.")
    original = _verbatim(first(root, "Query")) or term
    corrected = _verbatim(first(root, "CorrectedQuery")) or original
    return SpellCheck(original=original, corrected=corrected, has_suggestion=corrected != original)


def _verbatim(node: Element | None) -> str | None:
    """The element's text as it stands; ``None`` where it has no more than white space."""
    text = "" if node is None else "".join(node.itertext())
    return text if text.strip() else None
