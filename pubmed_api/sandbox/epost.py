"""EPost: PMIDs put on the history server."""

from werkzeug.wrappers import Response

from pubmed_api.sandbox import history
from pubmed_api.sandbox.corpus import Corpus
from pubmed_api.sandbox.eutils import Parameters, ServiceError, element, read_ids, xml_answer

ROOT = "ePostResult"


def epost(parameters: Parameters, corpus: Corpus) -> Response:
    """Answer with a handle for the ids; whether they exist is not checked, as in the real service."""
    text = parameters.get("id", "")
    ids = read_ids(text)
    if not ids.uids:
        bad = "Some IDs have invalid value and were omitted. Maximum ID value 18446744073709551615"
        raise ServiceError("Empty ID list; Nothing to store", *([bad] if text.strip() else []))
    answer = [element("QueryKey", history.QUERY_KEY), element("WebEnv", history.store_pmids(ids.uids))]
    if ids.separators_replaced:
        answer.append(element("ERROR", "IDs contain invalid characters which was treated as delimiters."))
    return xml_answer(element(ROOT, answer))
