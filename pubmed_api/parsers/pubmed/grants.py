"""Who paid for the work."""

import html
import re

from pubmed_api.models.article import Grant
from pubmed_api.parsers.markup import display_text
from pubmed_api.parsers.xml import Element, every, first

_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")


def parse_grants(node: Element | None) -> tuple[Grant, ...]:
    """The grants of a ``<GrantList>``, with the parts each has."""
    grants = (_grant(grant) for grant in every(node, "Grant"))
    return tuple(grant for grant in grants if grant != Grant())


def _grant(node: Element) -> Grant:
    return Grant(
        grant_id=_decoded(node, "GrantID"),
        acronym=_decoded(node, "Acronym"),
        agency=_decoded(node, "Agency"),
        country=_decoded(node, "Country"),
    )


def _decoded(node: Element, name: str) -> str | None:
    """The text with its entities resolved once more: NLM has escaped some agencies twice (``CSR&amp;amp;D``)."""
    text = display_text(first(node, name))
    return None if text is None else _ENTITY.sub(lambda match: html.unescape(match.group()), text).strip() or None
