"""``POST /v1/ids/convert``."""

from typing import Any

from pubmed_api.operations.convert_ids import service
from pubmed_api.operations.convert_ids.schemas import ConvertIdsArgs, ConvertIdsResponse
from pubmed_api.web import Blueprint, clients

blp = Blueprint("ids", description="PMIDs, PMCIDs and DOIs into each other.")


@blp.operation(
    "POST",
    "/v1/ids/convert",
    "pubmed_convert_ids",
    args=ConvertIdsArgs,
    response=ConvertIdsResponse(),
    reasons=("malformed_id",),
    example={"ids": ["90000001"], "idType": "pmid"},
)
def convert_ids(args: dict[str, Any]) -> service.ConvertedIds:
    """Convert PMIDs, PMCIDs and DOIs into each other.

    Up to 50 identifiers of one type in a call, answered one record each in the order sent. NCBI's PMC ID
    Converter knows only articles that are in PubMed Central: an `errmsg` saying that an id is not in PMC does
    not mean that PubMed has no such article.
    """
    return service.convert_ids(args["ids"], args["id_type"], idconv=clients().idconv)
