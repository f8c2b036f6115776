"""``GET /v1/database/info``."""

from pubmed_api.models.entrez import DatabaseInfo
from pubmed_api.operations.database_info import service
from pubmed_api.operations.database_info.schemas import DatabaseInfoResponse
from pubmed_api.web import Blueprint, clients

blp = Blueprint("database", description="What PubMed holds.")


@blp.operation("GET", "/v1/database/info", "pubmed_database_info", response=DatabaseInfoResponse())
def database_info() -> DatabaseInfo:
    """Describe the PubMed database.

    How many records PubMed holds, when it was last updated, and every field a query can name with its tag
    (`TIAB`, `AUTH`, `MESH` …), from NCBI's EInfo. Takes no arguments.
    """
    return service.database_info(eutils=clients().eutils)
