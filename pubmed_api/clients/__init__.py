"""Bytes from the outside, and the careful spending of requests.

Rule of this folder: input and output only. Every provider has a class with one method per remote call, whose
keyword arguments are named as the remote names them; out come bytes or decoded JSON that are known to be an answer.
What an answer means is the parsers' business.

A request passes, from the outside in, each in a module that can be read alone:

1. ``eutils``, ``idconv``: the remote call as parameters, or a list of ids to look up
2. ``session`` over ``cache`` and ``cache_file``: an answer that is already here; over ``coalescing``: one that comes
3. ``adapter``: what the rest looks like to the session
4. ``retry``: one deadline, several attempts
5. ``turns`` over ``limiter`` and ``places``: each attempt waits for its slot; ``budgets``: whose slot, the operator's
   or that of the caller's own key. What a limiter does is ``schedule``; ``limiter_shared`` does it over hosts
6. ``transport`` with ``watchdog`` (or ``wsgi_transport`` in sandbox mode): the exchange itself
7. ``eutils_answer`` with ``eutils_errors``, ``statuses``, ``in_band``: is what came back an answer?

A look-up by ids passes beside 2 and 3: ``collection`` knows what is stored (``items``) and what another process asks
for (``claims``), and hands the rest to ``batches`` over ``gathering``, which asks for many callers at once, by way of
``exchange``, and takes the answer apart (``split``).
"""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from pubmed_api import metrics
from pubmed_api.clients.adapter import Upstream, UpstreamAdapter
from pubmed_api.clients.budgets import open_budgets
from pubmed_api.clients.cache import create_cache_file, open_cache
from pubmed_api.clients.claims import open_claims
from pubmed_api.clients.coalescing import open_flights
from pubmed_api.clients.collection import Collector
from pubmed_api.clients.data_files import make_data_dir
from pubmed_api.clients.eutils import EutilsClient
from pubmed_api.clients.eutils_answer import read_eutils_answer
from pubmed_api.clients.exchange import Exchange
from pubmed_api.clients.idconv import IdconvClient, read_idconv_answer
from pubmed_api.clients.items import open_items
from pubmed_api.clients.redis_link import open_redis
from pubmed_api.clients.retry import RetryLoop, RetryPolicy
from pubmed_api.clients.session import UpstreamSession
from pubmed_api.clients.transport import SocketTransport, Transport
from pubmed_api.clients.waiting import Clock
from pubmed_api.clients.wsgi_transport import WsgiTransport
from pubmed_api.settings import Settings

__all__ = ["Clients", "EutilsClient", "IdconvClient", "build_clients", "create_cache_file"]


@dataclass(frozen=True)
class Clients:
    """One client per provider."""

    eutils: EutilsClient
    idconv: IdconvClient


def build_clients(settings: Settings, upstream_app: Any = None, *, clock: Clock | None = None) -> Clients:
    """The clients of a process. With ``upstream_app``, a WSGI application, they ask it in place of the internet.

    Makes the data directory (raises ``OSError``) and opens nothing else: files and connections come with the first
    request, so that clients may be built before a fork. The sandbox has files of its own.
    """
    sandbox = upstream_app is not None
    make_data_dir(settings)
    redis = open_redis(settings)
    cache = open_cache(settings, redis, sandbox=sandbox)
    transport: Transport = WsgiTransport(upstream_app) if sandbox else SocketTransport(settings.ncbi_max_concurrent)
    # What NCBI counts together waits together; the converter takes no key, so it is always the operator who asks.
    budgets = open_budgets(settings, redis, sandbox=sandbox, clock=clock)
    policy = RetryPolicy(settings.ncbi_max_retries, settings.ncbi_timeout_ms, settings.ncbi_total_deadline_ms)
    retry, idconv_retry = RetryLoop(policy, budgets, clock), RetryLoop(policy, budgets.operator, clock)
    eutils = Upstream("ncbi", read_eutils_answer)
    idconv = Upstream("ncbi", read_idconv_answer, endpoint="idconv")
    adapters = {
        settings.ncbi_eutils_base_url: UpstreamAdapter(eutils, retry, transport),
        settings.pmc_idconv_base_url: UpstreamAdapter(idconv, idconv_retry, transport),
    }
    metrics.expect_hosts(urlsplit(base).hostname for base in adapters)
    session = UpstreamSession(cache, open_flights(settings, redis, sandbox=sandbox), adapters)
    items, claims = open_items(settings, redis, sandbox=sandbox), open_claims(settings, redis, sandbox=sandbox)
    records = Collector(Exchange(eutils, retry, transport), items, claims, settings.ncbi_rate)
    id_rows = Collector(Exchange(idconv, idconv_retry, transport), items, claims, settings.ncbi_rate)
    return Clients(eutils=EutilsClient(session, records, settings), idconv=IdconvClient(id_rows, settings))
