"""Bytes from the outside, and the careful spending of requests.

Rule of this folder: input and output only. Every provider has a class with one method per remote call, whose
keyword arguments are named as the remote names them; out come bytes or decoded JSON that are known to be an answer.
What an answer means is the parsers' business.

A request passes, from the outside in, each in a module that can be read alone:

1. ``eutils``, ``idconv``: the remote call as parameters
2. ``session`` over ``cache`` and ``cache_file``: an answer that is already here
3. ``adapter``: what the rest looks like to the session
4. ``retry``: one deadline, several attempts
5. ``turns`` over ``limiter``: each attempt waits for its slot
6. ``transport`` with ``watchdog`` (or ``wsgi_transport`` in sandbox mode): the exchange itself
7. ``eutils_answer`` with ``eutils_errors``, ``statuses``, ``in_band``: is what came back an answer?
"""

from dataclasses import dataclass
from typing import Any

from pubmed_api.clients.adapter import Upstream, UpstreamAdapter
from pubmed_api.clients.cache import AnswerCache, create_cache_file
from pubmed_api.clients.cache_file import CacheFile
from pubmed_api.clients.data_files import cache_path, limiter_path, make_data_dir
from pubmed_api.clients.eutils import EutilsClient
from pubmed_api.clients.eutils_answer import read_eutils_answer
from pubmed_api.clients.idconv import IdconvClient, read_idconv_answer
from pubmed_api.clients.limiter import Limiter
from pubmed_api.clients.retry import RetryLoop, RetryPolicy
from pubmed_api.clients.session import UpstreamSession
from pubmed_api.clients.transport import SocketTransport, Transport
from pubmed_api.clients.turns import Turns
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
    cache = AnswerCache(CacheFile(cache_path(settings, sandbox=sandbox), settings.cache_max_bytes))
    transport: Transport = WsgiTransport(upstream_app) if sandbox else SocketTransport(settings.ncbi_max_concurrent)
    retry = _ncbi_retry(settings, sandbox, clock)
    adapters = {
        settings.ncbi_eutils_base_url: UpstreamAdapter(Upstream("ncbi", read_eutils_answer), retry, transport),
        settings.pmc_idconv_base_url: UpstreamAdapter(
            Upstream("ncbi", read_idconv_answer, endpoint="idconv"), retry, transport
        ),
    }
    session = UpstreamSession(cache, adapters)
    return Clients(eutils=EutilsClient(session, settings), idconv=IdconvClient(session, settings))


def _ncbi_retry(settings: Settings, sandbox: bool, clock: Clock | None) -> RetryLoop:
    """One queue for everything that NCBI counts together: the E-utilities and the ID Converter."""
    path = limiter_path(settings, "ncbi", key=settings.ncbi_api_key, sandbox=sandbox)
    limiter = Limiter(path, settings.ncbi_rate, clock)
    turns = Turns(limiter, settings.ncbi_max_concurrent, clock)
    policy = RetryPolicy(settings.ncbi_max_retries, settings.ncbi_timeout_ms, settings.ncbi_total_deadline_ms)
    return RetryLoop(policy, turns, clock)
