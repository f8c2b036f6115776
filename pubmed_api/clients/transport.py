"""The last step to a live upstream: one HTTP exchange, bounded in time and size, whose failures name no address."""

import logging
from typing import Any, Protocol

import requests
from requests import PreparedRequest, Response
from requests.adapters import HTTPAdapter
from urllib3.exceptions import HTTPError
from urllib3.exceptions import TimeoutError as Urllib3Timeout

from pubmed_api.clients.watchdog import WATCHED_POOLS, Watch, watch
from pubmed_api.clients.wire import Answer, Sent
from pubmed_api.exceptions import UpstreamError, UpstreamInvalidResponse, UpstreamTimeout, UpstreamUnreachable

# The decoded size of one answer: 200 of the largest PubMed records stay far below.
MAX_BODY_BYTES = 64 * 2**20
CONNECT_SECONDS = 3.0
_CHUNK = 65536


class Transport(Protocol):
    """One attempt: a request goes out, an answer of any status comes back whole."""

    def exchange(self, request: PreparedRequest, sent: Sent, seconds: float, **options: Any) -> Answer:
        """The answer, within ``seconds``. ``options`` are ``verify``, ``cert`` and ``proxies`` as requests has them.

        Raises ``UpstreamUnreachable``, ``UpstreamTimeout`` or, for a body over the size limit,
        ``UpstreamInvalidResponse``.
        """


class SocketTransport(HTTPAdapter):
    """HTTP over sockets. Follows no redirect, retries nothing, keeps connections for the next call."""

    def __init__(self, pool_size: int, max_body_bytes: int = MAX_BODY_BYTES):
        _silence_urllib3()
        self._max_body_bytes = max_body_bytes
        super().__init__(pool_connections=pool_size, pool_maxsize=pool_size, max_retries=0)

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        """As requests does, with connections that the watchdog can shut."""
        super().init_poolmanager(*args, **kwargs)
        self.poolmanager.pool_classes_by_scheme = WATCHED_POOLS

    def proxy_manager_for(self, *args: Any, **kwargs: Any) -> Any:
        """The same for a proxy's connections."""
        manager = super().proxy_manager_for(*args, **kwargs)
        manager.pool_classes_by_scheme = WATCHED_POOLS
        return manager

    def exchange(self, request: PreparedRequest, sent: Sent, seconds: float, **options: Any) -> Answer:
        """See ``Transport``."""
        timeout = (min(CONNECT_SECONDS, seconds), seconds)
        failure: UpstreamError
        with watch(seconds) as guard:
            try:
                response = self.send(request, stream=True, timeout=timeout, **options)
                try:
                    answer = Answer(response.status_code, response.headers, self._read(response, sent))
                finally:
                    # A connection whose answer was read to its end is back in the pool; any other is not reused.
                    response.close()
                # Headers that stop early read as whole ones, so what came before the shut-down proves nothing.
                if not guard.fired:
                    return answer
                failure = _too_slow(sent, seconds)
            except (requests.RequestException, HTTPError, OSError) as error:
                failure = _translate(error, guard, sent, seconds)
        # Outside the handler, so that no chained exception carries the URL.
        raise failure

    def _read(self, response: Response, sent: Sent) -> bytes:
        """The body, counted as it is decoded: a small one can inflate to any size."""
        body = bytearray()
        while chunk := response.raw.read1(_CHUNK, decode_content=True):
            body += chunk
            if len(body) > self._max_body_bytes:
                raise sent.failure(
                    UpstreamInvalidResponse,
                    f"{sent.host} answered {sent.endpoint} with more than {self._max_body_bytes >> 20} MB.",
                )
        return bytes(body)


def _translate(error: Exception, guard: Watch, sent: Sent, seconds: float) -> UpstreamError:
    if guard.fired or isinstance(error, requests.Timeout | Urllib3Timeout | TimeoutError):
        return _too_slow(sent, seconds)
    return sent.failure(UpstreamUnreachable, f"The connection to {sent.host} failed during {sent.endpoint}.")


def _too_slow(sent: Sent, seconds: float) -> UpstreamTimeout:
    return sent.failure(UpstreamTimeout, f"{sent.host} did not answer {sent.endpoint} within {seconds:.3g} s.")


def _silence_urllib3() -> None:
    """Keep URLs, which hold keys and addresses, out of the log."""
    logging.getLogger("urllib3").setLevel(logging.INFO)
    # Names the URL at WARNING when an answer's headers are malformed.
    logging.getLogger("urllib3.connection").setLevel(logging.ERROR)
