"""PubMed records by PMID, every PMID accounted for exactly once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from pubmed_api.clients import EutilsClient
from pubmed_api.lookups import articles_by_pmid
from pubmed_api.models.article import Article
from pubmed_api.models.failed_id import FailedId
from pubmed_api.models.identifiers import normalize_pmid
from pubmed_api.operations.fetch_articles.ledger import fill
from pubmed_api.operations.fetch_articles.notices import (
    build_deferral_notice,
    build_failure_notice,
    build_none_found_notice,
)


@dataclass(frozen=True, slots=True)
class Deferral:
    """What a ceiling held back; ``ids`` are the PMIDs to ask for again, in response order and as they were sent."""

    max_response_characters: int
    returned_characters: int
    deferred_count: int
    ids: tuple[str, ...]
    next_deferred_characters: int


@dataclass(frozen=True, slots=True)
class FetchedArticles:
    """The records, and where the PMIDs without one went."""

    articles: tuple[Article, ...]
    unavailable_pmids: tuple[str, ...] = ()
    failed: tuple[FailedId, ...] = ()
    deferred: Deferral | None = None
    notice: str | None = None

    @property
    def total_returned(self) -> int:
        """How many records are in this answer."""
        return len(self.articles)

    @property
    def truncated(self) -> bool | None:
        """``True`` where a ceiling held records back, else absent."""
        return True if self.deferred else None


@dataclass(frozen=True, slots=True)
class Parts:
    """Which parts of a record are wanted beside the rest."""

    mesh: bool = True
    grants: bool = False
    investigators: bool = False


USUAL_PARTS = Parts()


def fetch_articles(
    pmids: Sequence[str],
    *,
    eutils: EutilsClient,
    measure: Callable[[Article], int],
    parts: Parts = USUAL_PARTS,
    max_response_characters: int | None = None,
) -> FetchedArticles:
    """The records of these PMIDs (at most 200), in the order of their first mention.

    Each distinct PMID ends up in exactly one place: a record, ``unavailable_pmids``, ``failed`` or ``deferred.ids``,
    the latter three in the spelling of its first mention. ``measure`` gives the size of a record as it is returned;
    without a ceiling it is not called. Raises NCBI's failure where not one PMID could be answered.
    """
    spellings: dict[str, str] = {}
    for pmid in pmids:
        spellings.setdefault(normalize_pmid(pmid), pmid)
    looked_up = articles_by_pmid(spellings, eutils=eutils)
    found = looked_up.found
    unavailable = [pmid for pmid in spellings if pmid not in found and pmid not in looked_up.failed]
    answer = FetchedArticles(
        tuple(_with_parts(article, parts) for article in found.values()),
        unavailable_pmids=tuple(spellings[pmid] for pmid in unavailable),
        failed=looked_up.failed_ids(spellings),
        notice=None if found else build_none_found_notice(len(unavailable)),
    )
    if max_response_characters is not None:
        answer = _under_ceiling(answer, max_response_characters, measure, [spellings[pmid] for pmid in found])
    notices = (answer.notice, build_failure_notice(answer.failed))
    return replace(answer, notice=" ".join(filter(None, notices)) or None)


def _with_parts(article: Article, parts: Parts) -> Article:
    """The record with the parts asked for; investigators bring the affiliations only they refer to."""
    shown = parts.investigators
    return replace(
        article,
        mesh_terms=article.mesh_terms if parts.mesh else (),
        grant_list=article.grant_list if parts.grants else (),
        investigators=article.investigators if shown else (),
        affiliations=article.affiliations + (article.investigator_affiliations if shown else ()),
        investigator_affiliations=(),
    )


def _under_ceiling(
    answer: FetchedArticles, ceiling: int, measure: Callable[[Article], int], pmids: Sequence[str]
) -> FetchedArticles:
    """The part of the answer whose records fit; ``pmids`` are the caller's spellings, one for each record."""
    ledger = fill(answer.articles, ceiling, measure)
    if ledger.next_characters is None:
        return answer
    ids = tuple(pmids[len(ledger.kept) :])
    return replace(
        answer,
        articles=ledger.kept,
        deferred=Deferral(ceiling, ledger.kept_characters, len(ids), ids, ledger.next_characters),
        notice=build_deferral_notice(
            ids,
            ceiling=ceiling,
            returned=len(ledger.kept),
            returned_characters=ledger.kept_characters,
            next_characters=ledger.next_characters,
        ),
    )
