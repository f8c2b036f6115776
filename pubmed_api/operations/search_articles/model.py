"""What a search is asked and what it answers."""

from dataclasses import dataclass, field
from typing import Literal

from pubmed_api.models.entrez import History
from pubmed_api.models.failed_id import FailedId
from pubmed_api.models.summary import ArticleSummary

DateType = Literal["pdat", "mdat", "edat"]
Sort = Literal["relevance", "pub_date", "author", "journal"]
Species = Literal["humans", "animals"]

# PubMed serves the first 9,999 records of a result set and refuses a larger offset than 9,998.
MAX_OFFSET = 9998
WINDOW = MAX_OFFSET + 1
MAX_SUMMARIES = 50


@dataclass(frozen=True, slots=True)
class DateRange:
    """Two dates, each a year, month or day; a range with an empty bound filters nothing."""

    min_date: str
    max_date: str
    date_type: DateType = "pdat"


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A search as the caller asked for it; the empty string and an absent filter are the same."""

    query: str
    max_results: int = 20
    offset: int = 0
    sort: Sort = "relevance"
    date_range: DateRange | None = None
    publication_types: tuple[str, ...] = ()
    author: str | None = None
    journal: str | None = None
    mesh_terms: tuple[str, ...] = ()
    language: str | None = None
    has_abstract: bool = False
    free_full_text: bool = False
    species: Species | None = None
    summary_count: int = 0
    use_history: bool = False


@dataclass(frozen=True, slots=True)
class AppliedFilters:
    """The filters that are in force, in the values sent to PubMed. A flag is ``True`` or absent."""

    author: str | None = None
    journal: str | None = None
    language: str | None = None
    species: Species | None = None
    date_range: DateRange | None = None
    mesh_terms: tuple[str, ...] = ()
    publication_types: tuple[str, ...] = ()
    has_abstract: Literal[True] | None = None
    free_full_text: Literal[True] | None = None


@dataclass(frozen=True, slots=True)
class EffectiveQuery:
    """The query sent to PubMed. ``was_unbalanced``: quotes or brackets had to be paired for the filters to hold."""

    text: str
    filters: AppliedFilters
    was_unbalanced: bool = False


@dataclass(frozen=True, slots=True)
class Diagnostics:
    """What PubMed said about the query and the field tags we know it to ignore; texts verbatim."""

    phrases_not_found: tuple[str, ...] = ()
    fields_not_found: tuple[str, ...] = ()
    phrases_ignored: tuple[str, ...] = ()
    quoted_phrases_not_found: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()
    unknown_tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """One page of a search, in PubMed's order."""

    query: str
    offset: int
    effective_query: str
    search_url: str
    total_count: int
    pmids: tuple[str, ...] = ()
    summaries: tuple[ArticleSummary, ...] = ()
    applied_filters: AppliedFilters = field(default_factory=AppliedFilters)
    has_more: bool = False
    query_translation: str | None = None
    diagnostics: Diagnostics = field(default_factory=Diagnostics)
    history: History | None = None
    failed: tuple[FailedId, ...] = ()
    notice: str | None = None

    @property
    def returned(self) -> int:
        """How many PMIDs this page holds."""
        return len(self.pmids)
