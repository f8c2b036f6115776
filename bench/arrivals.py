"""Counting requests as an upstream does: by the moment they arrive, in sliding windows."""

import math
import threading
import time
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

_NAP = 0.005


@dataclass(frozen=True, slots=True)
class Arrival:
    """One request. ``outcome``: ``served``, ``over`` the limit, or ``closed`` because everything is refused."""

    moment: float
    endpoint: str
    records: int
    outcome: str


@dataclass(slots=True)
class Ledger:
    """Every arrival of one allowance (NCBI gives one to an address and one to each key)."""

    limit: int
    arrivals: list[Arrival] = field(default_factory=list)
    moments: list[float] = field(default_factory=list)


class Gatekeeper:
    """Admits what the limits allow and remembers everything that came.

    With a ``penalty``, a request that passes its limit has everything refused for so many seconds.
    """

    def __init__(self, limit: int, keyed_limit: int, window: float, penalty: float = 0.0):
        self._limits = limit, keyed_limit
        self._window = window
        self._penalty = penalty
        self._lock = threading.Lock()
        self._ledgers: dict[str, Ledger] = {}
        self._closed_until = 0.0
        self._longest_stall = 0.0
        self.in_flight = 0

    def refuse_for(self, seconds: float) -> None:
        """From now on refuse everything until that time is over."""
        with self._lock:
            self._closed_until = time.monotonic() + seconds

    def admit(self, key: str, endpoint: str, records: int) -> tuple[str, int]:
        """The outcome of a request that arrives now, and the seconds until it is worth another try."""
        with self._lock:
            now = time.monotonic()
            ledger = self._ledgers.setdefault(key, Ledger(self._limits[1 if key else 0]))
            ledger.moments.append(now)
            within = len(ledger.moments) - bisect_right(ledger.moments, now - self._window)
            outcome = "closed" if now < self._closed_until else "over" if within > ledger.limit else "served"
            if outcome == "over" and self._penalty:
                self._closed_until = now + self._penalty
            ledger.arrivals.append(Arrival(now, endpoint, records, outcome))
            return outcome, max(1, math.ceil(self._closed_until - now))

    def hold(self, change: int) -> None:
        """One request more, or less, that is being answered."""
        with self._lock:
            self.in_flight += change

    def watch_stalls(self) -> None:
        """Without end: how late this process comes to work, as it is when the machine does not let it."""
        while True:
            asleep = time.monotonic()
            time.sleep(_NAP)
            self._longest_stall = max(self._longest_stall, time.monotonic() - asleep - _NAP)

    def report(self) -> dict[str, object]:
        """All that was seen, as JSON takes it. Keys are never told, only how many there were."""
        with self._lock:
            ledgers = list(self._ledgers.values())
            arrivals = sorted((a for ledger in ledgers for a in ledger.arrivals), key=lambda a: a.moment)
            return {
                "requests": len(arrivals),
                "records": sum(a.records for a in arrivals),
                "outcomes": Counter(a.outcome for a in arrivals),
                "endpoints": Counter(a.endpoint for a in arrivals),
                "worstWindows": [worst_window(ledger.moments, self._window) for ledger in ledgers],
                "starts": [[a.moment, a.endpoint, a.records, a.outcome] for a in arrivals],
                "inFlight": self.in_flight,
                "longestStall": self._longest_stall,
            }


def worst_window(moments: Sequence[float], window: float) -> int:
    """The most arrivals that any window of so many seconds holds. ``moments`` in order."""
    return max((index + 1 - bisect_right(moments, last - window) for index, last in enumerate(moments)), default=0)
