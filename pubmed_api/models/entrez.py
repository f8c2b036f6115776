"""What the E-utilities and the PMC ID Converter answer, apart from records."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class SearchDiagnostics:
    """What ESearch said about a query beside its result: warnings on a valid answer, never errors."""

    phrases_not_found: tuple[str, ...] = ()
    fields_not_found: tuple[str, ...] = ()
    phrases_ignored: tuple[str, ...] = ()
    quoted_phrases_not_found: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class History:
    """A result set kept on NCBI's history server."""

    web_env: str
    query_key: str


@dataclass(frozen=True, slots=True)
class SearchResult:
    """One page of ESearch: ``count`` is the size of the whole set, ``ids`` the UIDs of this page."""

    count: int
    ids: tuple[str, ...] = ()
    retstart: int = 0
    retmax: int = 0
    query_translation: str | None = None
    history: History | None = None
    diagnostics: SearchDiagnostics = field(default_factory=SearchDiagnostics)


@dataclass(frozen=True, slots=True)
class SpellCheck:
    """ESpell's answer; ``corrected`` equals ``original`` when NCBI has no suggestion."""

    original: str
    corrected: str
    has_suggestion: bool


@dataclass(frozen=True, slots=True)
class DatabaseField:
    """A search field of an Entrez database; ``name`` is its tag."""

    name: str
    full_name: str | None = None
    description: str | None = None


@dataclass(frozen=True, slots=True)
class DatabaseInfo:
    """EInfo's description of a database; ``count`` and ``last_update`` as NCBI writes them."""

    db_name: str
    description: str | None = None
    count: str | None = None
    last_update: str | None = None
    fields: tuple[DatabaseField, ...] = ()


@dataclass(frozen=True, slots=True)
class IdRecord:
    """One row of the PMC ID Converter; ``requested_id`` is the upstream's echo."""

    requested_id: str | None = None
    pmid: str | None = None
    pmcid: str | None = None
    doi: str | None = None
    errmsg: str | None = None
