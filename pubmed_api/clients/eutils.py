"""The E-utilities: one method per remote call, its arguments named as NCBI names them."""

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

from pubmed_api.clients.session import UpstreamSession
from pubmed_api.settings import Settings

# NCBI's servers refuse long addresses; from here on the same parameters go into the body.
MAX_QUERY_LENGTH = 2000
MAX_GET_IDS = 200

_HISTORY = frozenset({"WebEnv", "usehistory"})

Params = Mapping[str, str | int | None]


def eutils_url(settings: Settings, endpoint: str) -> str:
    """The address of an E-utility; ``.fcgi`` belongs to those named without a suffix."""
    return settings.ncbi_eutils_base_url + (endpoint if "." in endpoint else f"{endpoint}.fcgi")


def eutils_params(settings: Settings, params: Params) -> dict[str, str]:
    """The parameters of a call with those that say who asks; what is ``None`` is left out, not sent empty."""
    asked = {
        "tool": settings.ncbi_tool_identifier,
        "email": settings.ncbi_admin_email,
        "api_key": settings.ncbi_api_key,
        **params,
    }
    return {name: str(value) for name, value in asked.items() if value is not None}


class EutilsClient:
    """NCBI's Entrez programming utilities. Every method returns the answer's bytes, known to be a good answer.

    Every method raises ``NotInCache``, ``RequestCancelled``, ``QueueFull`` and the other ``UpstreamError``s.
    Each call says ``retmode`` outright: without it EFetch answers in text.
    """

    def __init__(self, session: UpstreamSession, settings: Settings):
        self._session = session
        self._settings = settings

    def esearch(
        self,
        *,
        term: str,
        db: str = "pubmed",
        retmax: int,
        retstart: int = 0,
        sort: str | None = None,
        usehistory: bool = False,
    ) -> bytes:
        """UIDs that match a query. With ``usehistory`` NCBI keeps the set, and the answer is not kept here."""
        params: Params = {
            "db": db,
            "term": term,
            "retmax": retmax,
            "retstart": retstart,
            "sort": sort,
            "usehistory": "y" if usehistory else None,
            "retmode": "xml",
        }
        return self._ask("esearch", params, age=self._settings.age_search)

    def esummary(self, *, ids: Sequence[str], db: str = "pubmed") -> bytes:
        """Document summaries, version 2.0 (version 1 has no book fields). At most 500 ids go into one call."""
        params: Params = {"db": db, "id": ",".join(ids), "version": "2.0", "retmode": "xml"}
        return self._ask("esummary", params, age=self._settings.age_records, post=len(ids) > MAX_GET_IDS)

    def efetch(
        self,
        *,
        ids: Sequence[str],
        db: str = "pubmed",
        rettype: str | None = None,
        retmode: str = "xml",
        post: bool = False,
    ) -> bytes:
        """Whole records. With ``post``, or more than 200 ids, as a POST. Ids without a record are left out silently.

        For ``db="pubmed"`` in XML, raises ``InvalidEfetchResponse`` where the answer is no ``PubmedArticleSet``.
        """
        params: Params = {"db": db, "id": ",".join(ids), "rettype": rettype, "retmode": retmode}
        return self._ask("efetch", params, age=self._settings.age_records, post=post or len(ids) > MAX_GET_IDS)

    def espell(self, *, term: str, db: str = "pubmed") -> bytes:
        """Spelling suggestions for a query."""
        return self._ask("espell", {"db": db, "term": term, "retmode": "xml"}, age=self._settings.age_lookups)

    def einfo(self, *, db: str = "pubmed") -> bytes:
        """What a database holds and which fields it can be searched by."""
        return self._ask("einfo", {"db": db, "retmode": "xml"}, age=self._settings.age_lookups)

    def epost(self, *, ids: Sequence[str], db: str = "pubmed") -> bytes:
        """Put a set of UIDs on the history server; the answer is its handle, and is not kept here."""
        params: Params = {"db": db, "id": ",".join(ids), "retmode": "xml"}
        return self._ask("epost", params, age=None, post=len(ids) > MAX_GET_IDS)

    def _ask(self, endpoint: str, params: Params, *, age: int | None, post: bool = False) -> bytes:
        asked = eutils_params(self._settings, params)
        method = "POST" if post or len(urlencode(asked)) > MAX_QUERY_LENGTH else "GET"
        if not _HISTORY.isdisjoint(asked):
            age = None
        return self._session.fetch(method, eutils_url(self._settings, endpoint), asked, age=age)
