"""The E-utilities: one method per remote call, its arguments named as NCBI names them."""

import re
from collections.abc import Callable, Mapping, Sequence
from urllib.parse import urlencode

from pubmed_api.clients.collection import Collector, Items
from pubmed_api.clients.exchange import Question
from pubmed_api.clients.items import Kind
from pubmed_api.clients.session import UpstreamSession
from pubmed_api.clients.split import split_records, split_summaries
from pubmed_api.models.call import current_call
from pubmed_api.models.identifiers import normalize_pmid
from pubmed_api.settings import Settings

# NCBI's servers refuse long addresses; from here on the same parameters go into the body.
MAX_QUERY_LENGTH = 2000
MAX_GET_IDS = 200
# A fetch of so many records is a POST however short its ids are.
POST_FROM = 100

_HISTORY = frozenset({"WebEnv", "usehistory"})

Params = Mapping[str, str | int | None]


def eutils_url(settings: Settings, endpoint: str) -> str:
    """The address of an E-utility; ``.fcgi`` belongs to those named without a suffix."""
    return settings.ncbi_eutils_base_url + (endpoint if "." in endpoint else f"{endpoint}.fcgi")


def eutils_params(settings: Settings, params: Params) -> dict[str, str]:
    """The parameters of a call with those that say who asks; what is ``None`` is left out, not sent empty.

    The key is the current caller's own, where there is one.
    """
    asked = {
        "tool": settings.ncbi_tool_identifier,
        "email": settings.ncbi_admin_email,
        "api_key": current_call().ncbi_api_key or settings.ncbi_api_key,
        **params,
    }
    return {name: str(value) for name, value in asked.items() if value is not None}


class EutilsClient:
    """NCBI's Entrez programming utilities.

    Methods that carry a utility's name return the answer's bytes, known to be a good answer. ``records`` and
    ``summaries`` look items up one by one: those that are stored are not asked for, the others go out together with
    those of other callers. All raise ``NotInCache``, ``RequestCancelled``, ``QueueFull`` and the other
    ``UpstreamError``s. Each call says ``retmode`` outright: without it EFetch answers in text.
    """

    def __init__(self, session: UpstreamSession, collector: Collector, settings: Settings):
        self._session = session
        self._settings = settings
        origin = settings.ncbi_eutils_base_url
        self._records = collector.collect(
            Kind("record", origin, settings.age_records), self._question_of_records, split_records
        )
        self._summaries = collector.collect(
            Kind("summary", origin, settings.age_records), self._question_of_summaries, split_summaries
        )

    def records(self, pmids: Sequence[str], *, post_from: int = POST_FROM) -> Items:
        """PubMed's record of each PMID, an XML element, by canonical PMID. See ``Collection.items`` for the rest.

        The request is a POST where it holds ``post_from`` PMIDs or more.
        """
        return self._records.items(_canonical(pmids), post_from=post_from)

    def summaries(self, pmids: Sequence[str]) -> Items:
        """PubMed's summary (version 2.0) of each PMID, an XML element, by canonical PMID. See ``Collection.items``."""
        return self._summaries.items(_canonical(pmids), post_from=MAX_GET_IDS + 1)

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
        return self._ask("esearch", params, age=self._settings.age_search, negative=_has_no_hits)

    def esummary(self, *, ids: Sequence[str], db: str = "pubmed") -> bytes:
        """Document summaries, version 2.0 (version 1 has no book fields). At most 500 ids go into one call."""
        params = _summary_params(ids, db)
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

    def _ask(
        self,
        endpoint: str,
        params: Params,
        *,
        age: int | None,
        post: bool = False,
        negative: Callable[[bytes], bool] | None = None,
    ) -> bytes:
        asked = self._question(endpoint, params, post)
        if not _HISTORY.isdisjoint(asked.params):
            age = None
        return self._session.fetch(asked.method, asked.url, asked.params, age=age, negative=negative)

    def _question(self, endpoint: str, params: Params, post: bool) -> Question:
        asked = eutils_params(self._settings, params)
        method = "POST" if post or len(urlencode(asked)) > MAX_QUERY_LENGTH else "GET"
        return Question(method, eutils_url(self._settings, endpoint), asked)

    def _question_of_records(self, ids: Sequence[str], post: bool) -> Question:
        return self._question("efetch", {"db": "pubmed", "id": ",".join(ids), "retmode": "xml"}, post)

    def _question_of_summaries(self, ids: Sequence[str], post: bool) -> Question:
        return self._question("esummary", _summary_params(ids, "pubmed"), post)


def _summary_params(ids: Sequence[str], db: str) -> Params:
    return {"db": db, "id": ",".join(ids), "version": "2.0", "retmode": "xml"}


def _canonical(pmids: Sequence[str]) -> dict[str, str]:
    return {pmid: pmid for pmid in map(normalize_pmid, pmids)}


def _has_no_hits(body: bytes) -> bool:
    """Whether a search found nothing. The first count of the answer is the whole query's; terms have theirs later."""
    count = re.search(rb"<Count>\s*([0-9]{1,18})", body)
    return count is not None and int(count[1]) == 0
