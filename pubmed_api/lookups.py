"""What several operations look up: articles, summaries and id records, each a client and a parser joined.

Every function answers in the order asked for, keyed by the canonical form of each id. An id among neither the found
nor the failed had no answer: the upstream knows nothing of it, or it cannot exist and was never sent. Where not one
id could be answered, the upstream's failure is raised; it never becomes a missing entry. What was not asked for is
passed over.
"""

from collections.abc import Callable, Iterable, Mapping, Sized
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from pubmed_api.clients import EutilsClient, IdconvClient
from pubmed_api.clients.collection import Items
from pubmed_api.clients.eutils import POST_FROM
from pubmed_api.errors import failure_of
from pubmed_api.exceptions import UpstreamError
from pubmed_api.models.article import Article
from pubmed_api.models.call import current_call
from pubmed_api.models.entrez import IdRecord
from pubmed_api.models.failed_id import FailedId
from pubmed_api.models.identifiers import IdType, can_exist, id_can_exist, normalize_id, normalize_pmid
from pubmed_api.models.summary import ArticleSummary
from pubmed_api.parsers.esummary import parse_summary
from pubmed_api.parsers.idconv import parse_id_row
from pubmed_api.parsers.pubmed.article import parse_pubmed_record

MAX_IDS = 200

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class LookUp(Generic[T]):
    """What a look-up brought, and the ids whose upstream call failed, with the reason."""

    found: dict[str, T] = field(default_factory=dict)
    failed: dict[str, UpstreamError] = field(default_factory=dict)

    def failed_ids(self, spellings: Mapping[str, str] | None = None) -> tuple[FailedId, ...]:
        """The failures as a caller is told; ``spellings`` are the caller's own, by canonical id."""
        return tuple(
            FailedId((spellings or {}).get(key, key), error.reason, failure_of(error).retryable)
            for key, error in self.failed.items()
        )


def articles_by_pmid(pmids: Iterable[str], *, eutils: EutilsClient, post_from: int = POST_FROM) -> LookUp[Article]:
    """PubMed's records of these PMIDs (at most 200, of the right form); of several versions the highest.

    The request is a POST where it holds ``post_from`` PMIDs or more. Raises ``InvalidEfetchResponse`` and NCBI's
    other failures.
    """
    wanted = _sendable_pmids(pmids)
    return _parsed(eutils.records(wanted, post_from=post_from), parse_pubmed_record) if wanted else LookUp()


def summaries_by_pmid(pmids: Iterable[str], *, eutils: EutilsClient) -> LookUp[ArticleSummary]:
    """PubMed's summaries of these PMIDs (at most 200, of the right form)."""
    wanted = _sendable_pmids(pmids)
    return _parsed(eutils.summaries(wanted), parse_summary) if wanted else LookUp()


def convert_ids(ids: Iterable[str], id_type: IdType, *, idconv: IdconvClient) -> LookUp[IdRecord]:
    """The PMC ID Converter's records of these ids (at most 200, of one type and its form).

    Keys are ``normalize_id`` of each id. Raises ``InvalidArguments`` where the converter refuses the ids.
    """
    wanted: dict[str, str] = {}
    for identifier in ids:
        if id_can_exist(identifier, id_type):
            wanted.setdefault(normalize_id(identifier, id_type), identifier)
    _check_size(wanted)
    return _parsed(idconv.rows(list(wanted.values()), id_type), parse_id_row) if wanted else LookUp()


def _parsed(items: Items, parse: Callable[[bytes], T | None]) -> LookUp[T]:
    with current_call().spending("parse"):
        parsed = ((key, parse(body)) for key, body in items.found.items())
        return LookUp({key: one for key, one in parsed if one is not None}, items.failed)


def _sendable_pmids(pmids: Iterable[str]) -> list[str]:
    """The canonical PMIDs that could have a record, each once, in order of first mention."""
    wanted = list(dict.fromkeys(normalize_pmid(pmid) for pmid in pmids if can_exist(pmid)))
    _check_size(wanted)
    return wanted


def _check_size(ids: Sized) -> None:
    if len(ids) > MAX_IDS:
        raise ValueError(f"{len(ids)} ids in one look-up; at most {MAX_IDS} go into one call")
