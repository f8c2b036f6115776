"""Spelling suggestions from ESpell."""

from pubmed_api.clients import EutilsClient
from pubmed_api.exceptions import BlankQuery
from pubmed_api.models.call import current_call
from pubmed_api.models.entrez import SpellCheck
from pubmed_api.models.visible_text import has_visible_text
from pubmed_api.parsers.espell import parse_espell_result


def spell_check(query: str, *, eutils: EutilsClient) -> SpellCheck:
    """NCBI's suggestion for a query, and nothing of our own guessing.

    Raises ``BlankQuery`` before any call where nothing in the query can be seen: ESpell would answer that
    there is nothing to correct, which reads like a checked query.
    """
    if not has_visible_text(query):
        raise BlankQuery("The query holds only white space or invisible characters.")
    answer = eutils.espell(term=query)
    with current_call().spending("parse"):
        return parse_espell_result(answer, term=query)
