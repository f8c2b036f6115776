"""A search of PubMed, with the summaries of its first results where they are wanted."""

import logging
from collections.abc import Iterator
from dataclasses import dataclass, replace

from pubmed_api.clients import EutilsClient
from pubmed_api.exceptions import UpstreamError
from pubmed_api.lookups import LookUp, summaries_by_pmid
from pubmed_api.models.call import current_call
from pubmed_api.models.entrez import SearchDiagnostics
from pubmed_api.models.failed_id import FailedId
from pubmed_api.models.identifiers import pubmed_search_url
from pubmed_api.models.summary import ArticleSummary
from pubmed_api.operations.search_articles import notices
from pubmed_api.operations.search_articles.dates import find_lone_bound
from pubmed_api.operations.search_articles.field_tags import IgnoredTag, find_ignored_tags
from pubmed_api.operations.search_articles.look_alikes import find_look_alikes
from pubmed_api.operations.search_articles.model import (
    WINDOW,
    Diagnostics,
    EffectiveQuery,
    SearchAnswer,
    SearchRequest,
)
from pubmed_api.operations.search_articles.query import build_effective_query, sanitize
from pubmed_api.parsers.esearch import parse_esearch

log = logging.getLogger(__name__)

# PubMed's own spelling; another one is ignored with no more than a message.
_SORTS = {"relevance": "relevance", "pub_date": "pub_date", "author": "Author", "journal": "JournalName"}

# They repeat what the counts say, and are no fault of the query.
_NO_ITEMS = "No items found."
_CLAMPED = "Restrictions achieved"
_UNKNOWN_SORT = "Unknown sort schema"


@dataclass(frozen=True, slots=True)
class _Summaries:
    """The summaries of a page's first PMIDs, in PubMed's order, and what became of the others."""

    found: tuple[ArticleSummary, ...] = ()
    missing: tuple[str, ...] = ()
    failed: tuple[FailedId, ...] = ()


def search_articles(request: SearchRequest, *, eutils: EutilsClient) -> SearchAnswer:
    """One page of PMIDs for a query and its filters.

    Nothing is sent to NCBI before the query, the filters and the dates have been checked: raises ``BlankQuery``,
    ``BlankFilter`` and ``InvalidDateRange``, in this order. NCBI's failures are raised where the search fails;
    where only the summaries fail, the PMIDs are the answer, with ``failed`` and a notice.
    """
    effective = build_effective_query(request)
    found = eutils.esearch(
        term=effective.text,
        retmax=request.max_results,
        retstart=request.offset,
        sort=_SORTS[request.sort],
        usehistory=request.use_history,
    )
    with current_call().spending("parse"):
        result = parse_esearch(found)
    _log_unknown_sort(result.diagnostics)
    summaries = _fetch_summaries(result.ids[: request.summary_count], eutils)
    tags = find_ignored_tags(sanitize(request.query))
    answer = SearchAnswer(
        query=request.query,
        offset=request.offset,
        effective_query=effective.text,
        search_url=pubmed_search_url(effective.text),
        total_count=result.count,
        pmids=result.ids,
        summaries=summaries.found,
        applied_filters=effective.filters,
        has_more=request.offset + len(result.ids) < min(result.count, WINDOW),
        query_translation=result.query_translation,
        diagnostics=_diagnose(result.diagnostics, tags),
        history=result.history if request.use_history else None,
        failed=summaries.failed,
    )
    return replace(answer, notice=notices.join(_say(request, effective, answer, tags, summaries)))


def _fetch_summaries(pmids: tuple[str, ...], eutils: EutilsClient) -> _Summaries:
    if not pmids:
        return _Summaries()
    try:
        looked_up = summaries_by_pmid(pmids, eutils=eutils)
    except UpstreamError as error:
        looked_up = LookUp(failed=dict.fromkeys(pmids, error))
    if looked_up.failed:
        reasons = ", ".join(sorted({error.reason for error in looked_up.failed.values()}))
        log.warning("%d summaries of a search failed: %s", len(looked_up.failed), reasons)
    return _Summaries(
        found=tuple(looked_up.found[pmid] for pmid in pmids if pmid in looked_up.found),
        missing=tuple(pmid for pmid in pmids if pmid not in looked_up.found and pmid not in looked_up.failed),
        failed=looked_up.failed_ids(),
    )


def _diagnose(said: SearchDiagnostics, tags: tuple[IgnoredTag, ...]) -> Diagnostics:
    return Diagnostics(
        phrases_not_found=said.phrases_not_found,
        fields_not_found=said.fields_not_found,
        phrases_ignored=said.phrases_ignored,
        quoted_phrases_not_found=said.quoted_phrases_not_found,
        messages=tuple(message for message in said.messages if not _is_routine(message)),
        unknown_tags=tuple(tag.tag for tag in tags if tag.why != "group"),
    )


def _log_unknown_sort(said: SearchDiagnostics) -> None:
    for message in said.messages:
        if message.startswith(_UNKNOWN_SORT):
            log.warning("PubMed does not know our spelling of a sort: %s", message)


def _is_routine(message: str) -> bool:
    return message == _NO_ITEMS or message.startswith(_CLAMPED)


def _say(
    request: SearchRequest,
    effective: EffectiveQuery,
    answer: SearchAnswer,
    tags: tuple[IgnoredTag, ...],
    summaries: _Summaries,
) -> Iterator[str]:
    """All that the caller should know, in order."""
    lone = find_lone_bound(request.date_range)
    if lone:
        yield notices.lone_bound(*lone)
    yield from notices.ignored_fields(answer.diagnostics, tags)
    unmatched = list(notices.unmatched_phrases(answer.diagnostics))
    yield from unmatched
    if answer.total_count == 0 and not unmatched:
        yield notices.no_results(effective.filters)
    yield from _say_of_page(request, answer)
    yield from notices.upstream_messages(answer.diagnostics.messages)
    if effective.was_unbalanced:
        yield notices.rebalanced_query()
    yield from notices.literal_filters(effective.filters)
    yield from notices.look_alikes(find_look_alikes(effective.text))
    if request.use_history and answer.history is None:
        yield notices.no_history()
    yield from notices.failed_summaries(summaries.failed)
    yield from notices.missing_summaries(summaries.missing)


def _say_of_page(request: SearchRequest, answer: SearchAnswer) -> Iterator[str]:
    """Where the page stands in the result set, and in the part of it that PubMed serves."""
    total, end = answer.total_count, request.offset + answer.returned
    if not answer.pmids and request.offset > 0 and request.offset >= total > 0:
        yield notices.past_the_end(request.offset, total)
        return
    expected = min(request.max_results, max(0, min(total, WINDOW) - request.offset))
    if answer.returned < expected:
        yield notices.short_page(answer.returned, expected)
    elif answer.pmids and end >= WINDOW and total > WINDOW:
        yield notices.window_end(total, answer.returned, request.max_results)
