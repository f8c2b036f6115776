"""Callers of the service: threads that send one request after another, bounded in number and in time."""

import http.client
import json
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

_SEARCH, _FETCH = "/v1/articles/search", "/v1/articles/fetch"
_LONGEST = 90.0


@dataclass(frozen=True, slots=True)
class Ask:
    """One request of a caller."""

    path: str
    body: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Taken:
    """How a request ended. ``status`` 0: there was no answer for so many ``seconds``; ``reason`` says why."""

    ask: Ask
    status: int
    seconds: float
    cache: str = ""
    reason: str = ""


def search(query: str, **more: Any) -> Ask:
    """A search."""
    return Ask(_SEARCH, {"query": query, **more})


def fetch(pmids: Iterable[int]) -> Ask:
    """A fetch of records."""
    return Ask(_FETCH, {"pmids": [str(pmid) for pmid in pmids]})


def drive(addresses: Sequence[str], asks: Iterable[Ask], *, callers: int, seconds: float = 600.0) -> list[Taken]:
    """Send the requests with so many callers, who take turns over the addresses, until all or the time is spent.

    A request under way when the time is up is cut off and counts as unanswered.
    """
    work, taken, crew = iter(asks), [], []
    stop = time.monotonic() + seconds
    lock = threading.Lock()

    def call(address: str) -> None:
        while time.monotonic() < stop:
            with lock:
                ask = next(work, None)
            if ask is None:
                return
            left = stop - time.monotonic()
            taken.append(send(address, ask, max(0.1, min(left, _LONGEST))))

    for number in range(callers):
        thread = threading.Thread(target=call, args=(addresses[number % len(addresses)],), daemon=True)
        crew.append(thread)
        thread.start()
    for thread in crew:
        thread.join(seconds + 10)
    return taken


def send(address: str, ask: Ask, timeout: float = _LONGEST, ready: Callable[[], object] | None = None) -> Taken:
    """Send one request on a connection of its own; ``ready`` is called between connecting and sending."""
    connection = http.client.HTTPConnection(address, timeout=timeout)
    started = time.monotonic()
    try:
        connection.connect()
        if ready is not None:
            ready()
            started = time.monotonic()
        connection.request("POST", ask.path, json.dumps(ask.body), {"Content-Type": "application/json"})
        answer = connection.getresponse()
        body = answer.read()
    except (OSError, http.client.HTTPException) as error:
        return Taken(ask, 0, time.monotonic() - started, reason=type(error).__name__)
    finally:
        connection.close()
    reason = "" if answer.status == 200 else _reason_in(body)
    return Taken(ask, answer.status, time.monotonic() - started, answer.headers.get("X-Cache", ""), reason)


def send_at_once(address: str, asks: Sequence[Ask]) -> list[Taken]:
    """Send all of them in the same moment, on connections that are already open."""
    barrier = threading.Barrier(len(asks))
    taken: list[Taken] = []
    crew = [
        threading.Thread(target=lambda ask=ask: taken.append(send(address, ask, ready=barrier.wait)), daemon=True)
        for ask in asks
    ]
    for thread in crew:
        thread.start()
    for thread in crew:
        thread.join(_LONGEST)
    return taken


def distinct_searches(name: str) -> Iterator[Ask]:
    """Searches of which no two are equal, without end."""
    number = 0
    while True:
        number += 1
        yield search(f"{name} {number}")


def answered(taken: Iterable[Taken]) -> list[Taken]:
    """Those that got an answer, good or bad."""
    return [one for one in taken if one.status]


def failures(taken: Iterable[Taken]) -> list[Taken]:
    """Those that got an error, or a broken connection, for an answer; not those that were cut off at the end."""
    return [one for one in taken if one.status != 200 and one.reason != TimeoutError.__name__]


def longest_and_median(taken: Sequence[Taken]) -> tuple[float, float]:
    """The longest wait, of those still waiting too, and the median of the answered."""
    return max(one.seconds for one in taken), median(one.seconds for one in answered(taken))


def _reason_in(body: bytes) -> str:
    try:
        return str(json.loads(body)["error"]["data"]["reason"])
    except (ValueError, LookupError, TypeError):
        return "?"
