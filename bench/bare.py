"""The service without what saves requests: nothing is stored, shared or merged. Limiter and retries are as ever."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pubmed_api.app import create_app
from pubmed_api.clients import EutilsClient, build_clients
from pubmed_api.clients.collection import Items
from pubmed_api.clients.split import split_records
from pubmed_api.settings import Settings


class PlainEutils:
    """The E-utilities, one request for every call."""

    def __init__(self, eutils: EutilsClient):
        self._eutils = eutils

    def __getattr__(self, name: str) -> Any:
        return getattr(self._eutils, name)

    def records(self, pmids: Sequence[str], *, post_from: int) -> Items:
        """What one EFetch answers."""
        items = split_records(self._eutils.efetch(ids=pmids, post=len(pmids) >= post_from), pmids)
        return Items({pmid: item.body for pmid, item in items.items() if item.body is not None})


# An answer that is not to be kept is not shared either.
settings = replace(Settings.from_env(), age_search=0, age_records=0, age_lookups=0)
clients = build_clients(settings)
app = create_app(settings, replace(clients, eutils=PlainEutils(clients.eutils)))  # type: ignore[arg-type]
