"""What the service counts of itself, as Prometheus reads it: requests, upstream calls, waits, and what was spared.

A label holds a name from our own code or a configured host, never a key, an address, a query or an id. Counting
never fails a request: what cannot be counted is passed over.

The prometheus-client library decides when it is first imported whether its numbers live in this process or, under
``PROMETHEUS_MULTIPROC_DIR``, in files that all workers add to. So it is imported with the first number, which is in
the worker, and not together with this module.
"""

import functools
import logging
import os
import threading
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Literal, ParamSpec

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

log = logging.getLogger(__name__)

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"

CacheResult = Literal["hit", "miss", "stale", "skipped"]

# The host label of an address that no setting names: links of open-access copies lead anywhere.
OTHER_HOST = "other"

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
_WAITED_SECONDS = (0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 40.0, 60.0)

P = ParamSpec("P")


class _Metrics:
    """Every metric of a process."""

    def __init__(self, registry: "CollectorRegistry"):
        from prometheus_client import Counter, Gauge, Histogram

        def counter(name: str, text: str, *labels: str) -> Counter:
            return Counter(f"pubmed_api_{name}", text, labels, registry=registry)

        def histogram(name: str, text: str, label: str, buckets: tuple[float, ...]) -> Histogram:
            return Histogram(f"pubmed_api_{name}", text, [label], buckets=buckets, registry=registry)

        self.registry = registry
        self.requests = counter("requests", "Requests answered.", "operation", "status")
        self.request_seconds = histogram("request_seconds", "Seconds to an answer.", "operation", _SECONDS)
        self.in_flight = Gauge(
            "pubmed_api_requests_in_flight",
            "Requests being answered.",
            multiprocess_mode="livesum",
            registry=registry,
        )
        self.upstream_calls = counter("upstream_calls", "Attempts sent to an upstream.", "host", "outcome")
        self.upstream_seconds = histogram("upstream_seconds", "Seconds of one upstream attempt.", "host", _SECONDS)
        self.waits = histogram(
            "limiter_wait_seconds", "Seconds an attempt waited for its turn.", "provider", _WAITED_SECONDS
        )
        self.limiter_fallbacks = counter(
            "limiter_fallbacks", "Turns given by this host's file because Redis was away.", "provider"
        )
        self.retries = counter("retries", "Further attempts after a failed one.", "host")
        self.cache = counter("cache_results", "Look-ups of stored upstream answers.", "result")
        self.cache_failures = counter("cache_failures", "Failed uses of the store, done without it.", "action")
        self.items = counter("item_results", "Look-ups of single stored records.", "kind", "result")
        self.coalesced = counter("coalesced_calls", "Calls that shared the request of an equal one.", "endpoint")
        self.merged_requests = counter("merged_requests", "Upstream requests that served merged calls.", "endpoint")
        self.merged_calls = counter("merged_calls", "Calls whose ids went out in those requests.", "endpoint")
        self.merged_ids = counter("merged_ids", "Ids that went out in those requests.", "endpoint")


_building = threading.Lock()
_built: _Metrics | None = None
_hosts: set[str] = set()
_reported = threading.Event()


def _metrics() -> _Metrics:
    global _built
    with _building:
        if _built is None:
            from prometheus_client import CollectorRegistry, disable_created_metrics

            disable_created_metrics()  # type: ignore[no-untyped-call]
            _built = _Metrics(CollectorRegistry())
        return _built


def _harmless(count: Callable[P, None]) -> Callable[P, None]:
    """Pass over what cannot be counted (a full disk, a removed folder), and say so once."""

    @functools.wraps(count)
    def counted(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            count(*args, **kwargs)
        except (OSError, ValueError, RuntimeError) as error:
            if not _reported.is_set():
                _reported.set()
                log.warning("metrics cannot be counted (%s)", type(error).__name__)

    return counted


def expect_hosts(hosts: Iterable[str | None]) -> None:
    """Name the upstream hosts that the settings name; any other is counted as ``other``."""
    _hosts.update(host for host in hosts if host)


def _host(host: str) -> str:
    return host if host in _hosts else OTHER_HOST


@_harmless
def note_request(operation: str, status: int, seconds: float) -> None:
    """A request was answered. ``operation`` is an operationId or the name of a page, never a path."""
    _metrics().requests.labels(operation, str(status)).inc()
    _metrics().request_seconds.labels(operation).observe(seconds)


@_harmless
def note_in_flight(change: int) -> None:
    """A request came (``1``) or is over (``-1``)."""
    _metrics().in_flight.inc(change)


@_harmless
def note_upstream_call(host: str, outcome: str, seconds: float) -> None:
    """One attempt at an upstream is over. ``outcome`` is ``ok`` or what its error's reason says of it."""
    _metrics().upstream_calls.labels(_host(host), outcome).inc()
    _metrics().upstream_seconds.labels(_host(host)).observe(seconds)


@_harmless
def note_wait(provider: str, seconds: float) -> None:
    """An attempt waited this long for its turn with a provider."""
    _metrics().waits.labels(provider).observe(seconds)


@_harmless
def note_limiter_fallback(provider: str) -> None:
    """A turn was given by the host's own file because Redis was away."""
    _metrics().limiter_fallbacks.labels(provider).inc()


@_harmless
def note_retry(host: str) -> None:
    """A failed attempt is followed by another."""
    _metrics().retries.labels(_host(host)).inc()


@_harmless
def note_cache(result: CacheResult) -> None:
    """An answer came from the cache, or did not; ``skipped`` where it was not to be stored at all."""
    _metrics().cache.labels(result).inc()


@_harmless
def note_cache_failure(action: str) -> None:
    """The cache or the item store could not be used; ``action`` is ``read``, ``write``, ``prune``, …"""
    _metrics().cache_failures.labels(action).inc()


@_harmless
def note_items(kind: str, result: str, count: int = 1) -> None:
    """So many single records of a kind were ``hit``, ``miss``, … in the item store."""
    _metrics().items.labels(kind, result).inc(count)


@_harmless
def note_coalesced(endpoint: str) -> None:
    """A call was served by an equal one already under way."""
    _metrics().coalesced.labels(endpoint).inc()


@_harmless
def note_merged(endpoint: str, calls: int, ids: int) -> None:
    """One upstream request went out for so many calls, with so many ids."""
    _metrics().merged_requests.labels(endpoint).inc()
    _metrics().merged_calls.labels(endpoint).inc(calls)
    _metrics().merged_ids.labels(endpoint).inc(ids)


def exposition() -> bytes:
    """Every number in Prometheus' text form: of all workers where they share a folder, else of this process."""
    metrics = _metrics()
    from prometheus_client import CollectorRegistry, generate_latest
    from prometheus_client.multiprocess import MultiProcessCollector

    folder = os.environ.get(FOLDER_VARIABLE)
    if not folder:
        return generate_latest(metrics.registry)
    registry = CollectorRegistry()
    MultiProcessCollector(registry, path=folder)  # type: ignore[no-untyped-call]
    return generate_latest(registry)


def forget_worker(pid: int) -> None:
    """Take a worker that has ended out of what counts living ones; what it counted for good stays."""
    from prometheus_client.multiprocess import mark_process_dead

    mark_process_dead(pid)  # type: ignore[no-untyped-call]
