"""What a search says beside its result, in sentences and in a fixed order.

A sentence claims no more than was observed.
"""

from collections.abc import Iterable, Iterator, Sequence

from pubmed_api.models.failed_id import FailedId
from pubmed_api.models.field_tags import suggest_tag
from pubmed_api.operations.search_articles.dates import Bound
from pubmed_api.operations.search_articles.field_tags import IgnoredTag
from pubmed_api.operations.search_articles.filters import is_literal
from pubmed_api.operations.search_articles.model import WINDOW, AppliedFilters, Diagnostics

_SHOWN = 20
_SENTINELS: dict[Bound, tuple[Bound, str]] = {"minDate": ("maxDate", "3000"), "maxDate": ("minDate", "1000")}


def lone_bound(bound: Bound, value: str) -> str:
    """A date range had one bound only, and was not applied."""
    missing, sentinel = _SENTINELS[bound]
    return (
        f'The date filter was not applied: dateRange has {bound} "{value}" and no {missing}. '
        f'For an open end give {missing}: "{sentinel}".'
    )


def ignored_fields(diagnostics: Diagnostics, tags: Sequence[IgnoredTag]) -> Iterator[str]:
    """Field tags that restrict nothing: those PubMed names, then those it drops without a word."""
    reported = diagnostics.fields_not_found
    if reported:
        yield (
            f"Field tags that PubMed does not know and ignored: {_phrases(reported)}. "
            "The results are not restricted by them."
        )
    named = {_bare(field) for field in reported}
    unknown = [tag.tag for tag in tags if tag.why == "unknown" and _bare(tag.tag) not in named]
    if unknown:
        yield (
            f"Not among PubMed's field tags: {', '.join(map(_with_suggestion, unknown[:_SHOWN]))}{_rest(unknown)}. "
            "PubMed drops a tag it does not know without saying so; the results are then not restricted by it."
        )
    modifiers = [tag.tag for tag in tags if tag.why == "modifier"]
    if modifiers:
        yield (
            f"PubMed has no such form of these field tags: {_tags(modifiers)}. Proximity (:~N) works with [ti], "
            "[tiab] and [ad], :noexp with MeSH fields and publication types; elsewhere expect it to be ignored."
        )
    groups = [tag.tag for tag in tags if tag.why == "group"]
    if groups:
        yield (
            f"A field tag behind a group in parentheses is ignored by PubMed: {_tags(groups)}. "
            "Put the tag behind each term of the group."
        )


def unmatched_phrases(diagnostics: Diagnostics) -> Iterator[str]:
    """Clauses that PubMed found nothing for."""
    phrases = (*diagnostics.phrases_not_found, *diagnostics.quoted_phrases_not_found)
    if phrases:
        yield (
            f"PubMed found nothing for {_phrases(phrases)}. Check the spelling with pubmed_spell_check, or look the "
            "term up with pubmed_lookup_mesh."
        )


def no_results(filters: AppliedFilters) -> str:
    """Nothing matched, and PubMed gives no reason."""
    if filters == AppliedFilters():
        return "Nothing matched the query. Try pubmed_spell_check for its spelling, or a broader query."
    text = "Nothing matched the query with these filters. Loosen or remove filters, or broaden the query."
    if filters.mesh_terms or filters.species:
        text += " meshTerms and species also leave out records that have no MeSH headings yet, such as the newest."
    return text


def past_the_end(offset: int, total_count: int) -> str:
    """The page starts behind the last record."""
    return f"Offset {offset} is past the last of {total_count} results. Lower the offset, or start again from 0."


def upstream_messages(messages: Sequence[str]) -> Iterator[str]:
    """What PubMed said in its own words."""
    for message in messages:
        end = "" if message.endswith((".", "!", "?")) else "."
        yield f"PubMed says: {message}{end}"


def window_end(total_count: int, returned: int, asked: int) -> str:
    """The page touches the last record that PubMed serves."""
    cut = f" and cut this page there, {returned} of the {asked} asked for" if returned < asked else ""
    return (
        f"PubMed serves only the first {WINDOW} of these {total_count} results{cut}. For the rest, split the search "
        f"by dateRange into slices of at most {WINDOW} results each."
    )


def short_page(returned: int, expected: int) -> str:
    """PubMed sent fewer records than the page should hold."""
    return f"PubMed returned {returned} of the {expected} PMIDs this page should hold. Ask for the page again."


def rebalanced_query() -> str:
    """The query had unpaired syntax, which would have taken the filters in."""
    return (
        "The query has a quote, bracket or parenthesis without its partner. It was closed or left out, so that the "
        "filters hold for the whole query; effectiveQuery is what was sent."
    )


def literal_filters(filters: AppliedFilters) -> Iterator[str]:
    """A value that looks like several was searched as one."""
    names = [name for name in ("author", "language") if is_literal(getattr(filters, name) or "a")]
    if names:
        yield (
            f"The value of {' and '.join(names)} holds an operator or a sign that PubMed would read as syntax, so it "
            "was searched as one exact phrase. Combine several values in the query itself."
        )


def look_alikes(described: Sequence[str]) -> Iterator[str]:
    """Characters that look like others; the query was sent with them."""
    if described:
        yield (
            "The search holds characters that PubMed may not read as what they look like: "
            f"{'; '.join(described[:_SHOWN])}{_rest(described)}. They were sent unchanged."
        )


def no_history() -> str:
    """A history handle was asked for and did not come."""
    return "PubMed returned no history handle for this search."


def failed_summaries(failed: Sequence[FailedId]) -> Iterator[str]:
    """Calls for summaries failed; the PMIDs stand."""
    if failed:
        reasons = ", ".join(dict.fromkeys(entry.reason for entry in failed))
        advice = "Search again for them, or pass" if any(entry.retryable for entry in failed) else "Pass"
        yield (
            f"The PMIDs are complete, but {len(failed)} of their summaries could not be fetched ({reasons}). "
            f"{advice} the PMIDs in failed to pubmed_fetch_articles."
        )


def missing_summaries(pmids: Sequence[str]) -> Iterator[str]:
    """PMIDs that PubMed had no summary for."""
    if pmids:
        yield f"PubMed returned no summary for PMID {', '.join(pmids)}."


def join(sentences: Iterable[str]) -> str | None:
    """One notice of all that is to be said; ``None`` where nothing is."""
    return " ".join(sentences) or None


def _with_suggestion(tag: str) -> str:
    near = suggest_tag(tag)
    return f"[{tag}]" + (f" (did you mean [{near}]?)" if near else "")


def _phrases(texts: Iterable[str]) -> str:
    return ", ".join(text if '"' in text else f'"{text}"' for text in texts)


def _tags(tags: Iterable[str]) -> str:
    return ", ".join(f"[{tag}]" for tag in tags)


def _rest(texts: Sequence[str]) -> str:
    return f" and {len(texts) - _SHOWN} more" if len(texts) > _SHOWN else ""


def _bare(tag: str) -> str:
    return tag.strip().strip("[]").strip().casefold()
