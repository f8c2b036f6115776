"""``POST /v1/spelling/check``."""

from typing import Any

from pubmed_api.models.entrez import SpellCheck
from pubmed_api.operations.spell_check import service
from pubmed_api.operations.spell_check.schemas import SpellCheckArgs, SpellCheckResponse
from pubmed_api.web import Blueprint, clients

blp = Blueprint("spelling", description="Spelling suggestions from PubMed.")


@blp.operation(
    "POST",
    "/v1/spelling/check",
    "pubmed_spell_check",
    args=SpellCheckArgs,
    response=SpellCheckResponse(),
    reasons=("blank_query",),
    example={"query": "asthmaa"},
)
def spell_check(args: dict[str, Any]) -> SpellCheck:
    """Suggest a corrected spelling for a query.

    Asks NCBI's ESpell, the service behind PubMed's "did you mean". Useful before a search, or after one that
    found little. A query it would not change comes back as it is, with `hasSuggestion` false.
    """
    return service.spell_check(args["query"], eutils=clients().eutils)
