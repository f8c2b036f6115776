"""The description of PubMed that EInfo gives."""

from pubmed_api.clients import EutilsClient
from pubmed_api.models.call import current_call
from pubmed_api.models.entrez import DatabaseInfo
from pubmed_api.parsers.einfo import parse_einfo_result


def database_info(*, eutils: EutilsClient) -> DatabaseInfo:
    """PubMed's size, age and search fields, as NCBI states them."""
    answer = eutils.einfo()
    with current_call().spending("parse"):
        return parse_einfo_result(answer)
