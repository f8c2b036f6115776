"""ESummary: brief records, in the form of version 2.0 whatever version is asked for."""

from collections.abc import Iterable, Sequence

from lxml.etree import _Element
from werkzeug.wrappers import Response

from pubmed_api.sandbox.corpus import Corpus
from pubmed_api.sandbox.document_summary import document_summary
from pubmed_api.sandbox.eutils import (
    MAX_RECORDS,
    Parameters,
    ServiceError,
    element,
    read_ids,
    read_number,
    stored_pmids,
    xml_answer,
)

ROOT = "eSummaryResult"
_UNKNOWN = "cannot get document summary"


def esummary(parameters: Parameters, corpus: Corpus) -> Response:
    """Answer with a summary for each id, in the order asked.

    An id without a record gets an entry with an ``error``; where no id has one, the whole call is an error.
    """
    pmids = tuple(dict.fromkeys(_pmids(parameters, corpus)))
    if pmids and not any(corpus.record(pmid) for pmid in pmids):
        raise ServiceError(*(f"UID={pmid}: {_UNKNOWN}" for pmid in pmids))
    summaries = element("DocumentSummarySet", [element("DbBuild", "Sandbox"), *_summaries(pmids, corpus)])
    summaries.set("status", "OK")
    return xml_answer(element(ROOT, [summaries]))


def _pmids(parameters: Parameters, corpus: Corpus) -> Sequence[str]:
    stored = stored_pmids(parameters, corpus)
    if stored is not None:
        return stored
    if "id" not in parameters:
        raise ServiceError("Neither query_key nor id specified")
    ids = read_ids(parameters["id"])
    if ids.invalid:
        place, text = ids.invalid[0]
        raise ServiceError(f"Invalid uid {text} at position={place}")
    if not ids.uids:
        raise ServiceError("Empty id list - nothing todo")
    start = read_number(parameters, "retstart", 0)
    return ids.uids[start : start + min(read_number(parameters, "retmax", MAX_RECORDS), MAX_RECORDS)]


def _summaries(pmids: Iterable[str], corpus: Corpus) -> Iterable[_Element]:
    for pmid in pmids:
        record = corpus.record(pmid)
        summary = document_summary(record) if record else element("DocumentSummary", [element("error", _UNKNOWN)])
        summary.set("uid", pmid)
        yield summary
