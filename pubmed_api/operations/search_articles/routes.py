"""``POST /v1/articles/search``."""

from typing import Any

from pubmed_api.operations.search_articles import service
from pubmed_api.operations.search_articles.model import DateRange, SearchAnswer, SearchRequest
from pubmed_api.operations.search_articles.schemas import SearchArticlesArgs, SearchArticlesResponse
from pubmed_api.web import Blueprint, clients

blp = Blueprint("search", description="Finding articles in PubMed.")


@blp.operation(
    "POST",
    "/v1/articles/search",
    "pubmed_search_articles",
    args=SearchArticlesArgs,
    response=SearchArticlesResponse(),
    reasons=("blank_query", "blank_filter", "invalid_date_range"),
    example={"query": "asthma", "maxResults": 5, "summaryCount": 3},
)
def search_articles(args: dict[str, Any]) -> SearchAnswer:
    """Search PubMed.

    Takes a query in PubMed's full syntax, with filters for dates, authors, journals, MeSH headings and more, and
    returns PMIDs in the order asked for, the total count, and, for the first of them, summaries on request.
    `notice`, `diagnostics` and `queryTranslation` tell what PubMed ignored, did not find or rewrote: it does not
    fail on a mistyped field tag, it drops it. To get whole records, pass the PMIDs to `pubmed_fetch_articles`.
    ---
    The lists arrive as lists; the request is frozen, so they become tuples here.
    """
    return service.search_articles(_request(args), eutils=clients().eutils)


def _request(args: dict[str, Any]) -> SearchRequest:
    dates = args.get("date_range")
    return SearchRequest(
        **{
            **args,
            "date_range": DateRange(**dates) if dates else None,
            "publication_types": tuple(args.get("publication_types", ())),
            "mesh_terms": tuple(args.get("mesh_terms", ())),
        }
    )
