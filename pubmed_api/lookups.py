"""What several operations look up: articles, summaries and id records, each a client and a parser joined.

Every function answers with a dict in the order asked for, keyed by the canonical form of each id. An id without
an entry had no answer: the upstream knows nothing of it, or it cannot exist and was never sent. An upstream
failure is raised; it never becomes a missing entry. Rows that were not asked for are passed over.
"""

from collections.abc import Iterable, Mapping, Sized

from pubmed_api.clients import EutilsClient, IdconvClient
from pubmed_api.models.article import Article
from pubmed_api.models.entrez import IdRecord
from pubmed_api.models.identifiers import IdType, can_exist, id_can_exist, normalize_id, normalize_pmid
from pubmed_api.models.summary import ArticleSummary
from pubmed_api.parsers.esummary import parse_document_summaries
from pubmed_api.parsers.idconv import parse_id_records
from pubmed_api.parsers.pubmed.article import parse_pubmed_article_set

MAX_IDS = 200
POST_FROM = 100


def articles_by_pmid(pmids: Iterable[str], *, eutils: EutilsClient, post_from: int = POST_FROM) -> dict[str, Article]:
    """PubMed's records of these PMIDs (at most 200, of the right form), in one EFetch.

    From ``post_from`` PMIDs on the call is a POST. Of several versions of a record the highest is taken.
    Raises ``InvalidEfetchResponse`` and NCBI's other failures.
    """
    wanted = _sendable_pmids(pmids)
    if not wanted:
        return {}
    newest: dict[str, Article] = {}
    for article in parse_pubmed_article_set(eutils.efetch(ids=wanted, post=len(wanted) >= post_from)):
        pmid = normalize_pmid(article.pmid or "")
        if pmid not in newest or article.version > newest[pmid].version:
            newest[pmid] = article
    return {pmid: newest[pmid] for pmid in wanted if pmid in newest}


def summaries_by_pmid(pmids: Iterable[str], *, eutils: EutilsClient) -> dict[str, ArticleSummary]:
    """PubMed's summaries of these PMIDs (at most 200, of the right form), in one ESummary."""
    wanted = _sendable_pmids(pmids)
    if not wanted:
        return {}
    summaries = parse_document_summaries(eutils.esummary(ids=wanted))
    found = {normalize_pmid(summary.pmid): summary for summary in summaries}
    return {pmid: found[pmid] for pmid in wanted if pmid in found}


def convert_ids(ids: Iterable[str], id_type: IdType, *, idconv: IdconvClient) -> dict[str, IdRecord]:
    """The PMC ID Converter's records of these ids (at most 200, of one type and its form), in one call.

    Keys are ``normalize_id`` of each id. PMIDs and PMCIDs are sent in canonical form: the converter refuses a
    batch that mixes ``PMC123`` with ``123``, and finds nothing for ``00000001``. A DOI is sent as spelled.
    """
    wanted: dict[str, str] = {}
    for identifier in ids:
        if id_can_exist(identifier, id_type):
            key = normalize_id(identifier, id_type)
            wanted.setdefault(key, identifier if id_type == "doi" else key)
    if not wanted:
        return {}
    _check_size(wanted)
    found: dict[str, IdRecord] = {}
    for record in parse_id_records(idconv.convert(ids=list(wanted.values()), idtype=id_type)):
        answered = _key_of(record, id_type, wanted)
        if answered is not None:
            found.setdefault(answered, record)
    return {key: found[key] for key in wanted if key in found}


def _sendable_pmids(pmids: Iterable[str]) -> list[str]:
    """The canonical PMIDs that could have a record, each once, in order of first mention."""
    wanted = list(dict.fromkeys(normalize_pmid(pmid) for pmid in pmids if can_exist(pmid)))
    _check_size(wanted)
    return wanted


def _check_size(ids: Sized) -> None:
    if len(ids) > MAX_IDS:
        raise ValueError(f"{len(ids)} ids in one look-up; at most {MAX_IDS} go into one call")


def _key_of(record: IdRecord, id_type: IdType, wanted: Mapping[str, str]) -> str | None:
    """The id this record answers: the echo of the request, else (an older service echoes nothing) its own."""
    own = {"pmid": record.pmid, "pmcid": record.pmcid, "doi": record.doi}[id_type]
    for identifier in (record.requested_id, own):
        try:
            key = normalize_id(identifier or "", id_type)
        except ValueError:
            continue
        if key in wanted:
            return key
    return None
