"""EFetch: whole records, as XML or as text."""

from collections.abc import Sequence

from lxml import etree
from werkzeug.wrappers import Response

from pubmed_api.sandbox.abstract_text import abstract_text
from pubmed_api.sandbox.corpus import Corpus
from pubmed_api.sandbox.eutils import (
    MAX_RECORDS,
    Parameters,
    ServiceError,
    read_ids,
    read_number,
    stored_pmids,
)
from pubmed_api.sandbox.medline import medline_text
from pubmed_api.sandbox.record import Record

ROOT = "eFetchResult"
_PROLOG = (
    '<?xml version="1.0" ?>\n<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2025//EN"'
    ' "https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd">\n'
)


def efetch(parameters: Parameters, corpus: Corpus) -> Response:
    """Answer with the records of the ids or of a history handle.

    Records come in the order asked, each once; ids without a record are left out without a word. Without
    ``retmode`` the answer is text, as the real service has it now.
    """
    pmids = _pmids(parameters, corpus)
    records = [record for pmid in dict.fromkeys(pmids) if (record := corpus.record(pmid))]
    kind, mode = (parameters.get(name, "").lower() for name in ("rettype", "retmode"))
    if mode == "xml":
        return _xml(records)
    if kind == "full":
        return _text("")  # no form of this name; the real service sends an empty success
    return _text(medline_text(records) if kind == "medline" else abstract_text(records))


def _pmids(parameters: Parameters, corpus: Corpus) -> Sequence[str]:
    stored = stored_pmids(parameters, corpus)
    if stored is not None:
        return stored
    if "id" not in parameters:
        raise ServiceError("Empty id list - nothing todo")
    uids = read_ids(parameters["id"]).uids
    if not uids:
        raise ServiceError("ID list is empty! Possibly it has no correct IDs.", status=400)
    start = read_number(parameters, "retstart", 0)
    return uids[start : start + min(read_number(parameters, "retmax", MAX_RECORDS), MAX_RECORDS)]


def _xml(records: Sequence[Record]) -> Response:
    elements = (etree.tostring(record.element, encoding="unicode", with_tail=False) for record in records)
    body = "".join(f"{text}\n" for text in elements)
    return Response(f"{_PROLOG}<PubmedArticleSet>{body}</PubmedArticleSet>", content_type="text/xml; charset=UTF-8")


def _text(body: str) -> Response:
    return Response(body, content_type="text/plain; charset=UTF-8")
