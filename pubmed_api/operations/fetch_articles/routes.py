"""``POST /v1/articles/fetch``."""

from typing import Any

from pubmed_api.operations.fetch_articles import service
from pubmed_api.operations.fetch_articles.schemas import (
    FetchArticlesArgs,
    FetchArticlesResponse,
    record_characters,
)
from pubmed_api.web import Blueprint, clients

blp = Blueprint("articles", description="PubMed records.")


@blp.operation(
    "POST",
    "/v1/articles/fetch",
    "pubmed_fetch_articles",
    args=FetchArticlesArgs,
    response=FetchArticlesResponse(),
    reasons=("invalid_efetch_response",),
    example={"pmids": ["90000001", "90000002"]},
)
def fetch_articles(args: dict[str, Any]) -> service.FetchedArticles:
    """Fetch PubMed records by PMID.

    Up to 200 whole records in a call: title, abstract, authors with affiliations, journal or book, identifiers,
    MeSH headings, corrections and retractions. Each PMID is accounted for once: as a record, in
    `unavailablePmids`, in `failed` where NCBI gave no answer for it, or, under a ceiling of your own, in
    `deferred.ids`. To find PMIDs, use `pubmed_search_articles`.
    """
    return service.fetch_articles(
        args["pmids"],
        eutils=clients().eutils,
        measure=record_characters,
        parts=service.Parts(
            mesh=args["include_mesh"],
            grants=args["include_grants"],
            investigators=args["include_investigators"],
        ),
        max_response_characters=args.get("max_response_characters"),
    )
