"""What one API call carries through the layers: its time, the caller's wishes, what it spent.

The web layer opens a call, the transport reads and fills it. It is a context variable because a deadline
and a cancellation concern every wait, and no service should have to pass them on.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Literal

CacheState = Literal["hit", "miss", "stale"]


def _never() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Part:
    """One upstream answer that went into this call's answer; ``age`` in whole seconds."""

    cache: CacheState
    age: int = 0


@dataclass(slots=True)
class Call:
    """One API call.

    ``deadlines`` holds, per provider, the moment (monotonic seconds) it must be over; ``timings`` the seconds spent on
    each kind of work. ``ncbi_api_key`` is the caller's own key for the calls of this request.
    """

    cancelled: Callable[[], bool] = _never
    no_cache: bool = False
    only_if_cached: bool = False
    ncbi_api_key: str | None = field(default=None, repr=False)
    parts: list[Part] = field(default_factory=list)
    deadlines: dict[str, float] = field(default_factory=dict)
    timings: dict[str, float] = field(default_factory=dict)

    def deadline(self, provider: str, seconds: float) -> float:
        """When this call's time with a provider ends; its clock starts with the first request to it."""
        return self.deadlines.setdefault(provider, time.monotonic() + seconds)

    @contextmanager
    def spending(self, name: str) -> Iterator[None]:
        """Add the seconds of the block to ``timings[name]`` (``queue``, ``upstream``, ``parse``, ``render``)."""
        started = time.monotonic()
        try:
            yield
        finally:
            self.timings[name] = self.timings.get(name, 0.0) + time.monotonic() - started

    @property
    def cache_state(self) -> CacheState | None:
        """``stale`` if any part is, else ``miss`` if any was fetched, else ``hit``; without a part ``None``."""
        states = {part.cache for part in self.parts}
        for state in ("stale", "miss", "hit"):
            if state in states:
                return state
        return None

    @property
    def age(self) -> int:
        """Age of the oldest part, in seconds."""
        return max((part.age for part in self.parts), default=0)


_current: ContextVar[Call | None] = ContextVar("pubmed_api_call", default=None)


def current_call() -> Call:
    """The call being answered; outside of one, a fresh call of its own."""
    return _current.get() or Call()


@contextmanager
def open_call(call: Call) -> Iterator[Call]:
    """Make ``call`` the current one inside the block."""
    token = _current.set(call)
    try:
        yield call
    finally:
        _current.reset(token)
