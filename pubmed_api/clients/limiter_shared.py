"""The pace of all hosts while Redis is there, and this host's part of it while Redis is away."""

import logging
import threading
from collections.abc import Callable
from typing import TypeVar

from redis import RedisError

from pubmed_api.clients.limiter import Limiter, Slot
from pubmed_api.clients.limiter_redis import RedisLimiter
from pubmed_api.clients.waiting import Clock

log = logging.getLogger(__name__)

T = TypeVar("T")


class SharedLimiter:
    """Redis first; see ``Pace``. Imported only where ``REDIS_URL`` is set: the redis library is an extra.

    ``host`` has this host's part of the rate. On every change from one to the other nothing starts for a window, for
    neither knows what the other has let go. ``on_fallback`` is called for each turn that this host gives by itself.
    """

    def __init__(
        self, shared: RedisLimiter, host: Limiter, on_fallback: Callable[[], None], clock: Clock | None = None
    ):
        self._shared = shared
        self._host = host
        self._on_fallback = on_fallback
        self._clock = clock or Clock()
        self._lock = threading.Lock()
        self._away = False
        self._back_at: float | None = None

    def reserve(self, max_wait: float) -> Slot:
        """See ``Pace``."""
        return self._in_redis(lambda: self._shared.reserve(max_wait)) or self._host.reserve(max_wait)

    def start(self, slot: Slot, max_wait: float) -> Slot:
        """See ``Pace``. A slot of the one that is no longer in charge becomes the last in the queue of the other."""
        if slot.shared:
            return self._in_redis(lambda: self._shared.start(slot, max_wait)) or self._host.reserve(max_wait)
        moved = self._in_redis(lambda: self._shared.reserve(max_wait))
        if moved is not None:
            return moved
        slot = self._host.start(slot, max_wait)
        if slot.started is not None:
            self._on_fallback()
        return slot

    def note_sent(self, slot: Slot) -> None:
        """See ``Pace``."""
        if slot.shared:
            self._in_redis(lambda: self._shared.note_sent(slot))
        else:
            self._host.note_sent(slot)

    def gate_left(self) -> float:
        """See ``Pace``."""
        left = self._in_redis(self._shared.gate_left)
        return self._host.gate_left() if left is None else left

    def close_gate(self, started: float, retry_after: float | None = None) -> None:
        """See ``Pace``. Both are told: whichever is in charge next must know."""
        self._in_redis(lambda: self._shared.close_gate(started, retry_after))
        self._host.close_gate(started, retry_after)

    def note_success(self) -> None:
        """See ``Pace``."""
        self._in_redis(self._shared.note_success)
        self._host.note_success()

    def _in_redis(self, use: Callable[[], T]) -> T | None:
        """What ``use`` returns; ``None`` where Redis is away, or back but not to be returned to yet."""
        try:
            return use() if self._is_in_charge() else None
        except RedisError as error:
            self._leave(error)
            return None

    def _leave(self, error: RedisError) -> None:
        with self._lock:
            if self._away:
                return
            self._away, self._back_at = True, None
        log.warning("Redis is away (%s): this host paces by itself", type(error).__name__)
        self._host.hold(self._shared.window)

    def _is_in_charge(self) -> bool:
        """Whether Redis is. One that is back names the moment at which all who ask return to it."""
        if not self._away:
            return True
        # One asks; meanwhile the others go on here.
        if not self._lock.acquire(blocking=False):
            return False
        try:
            if self._back_at is None:
                self._back_at = self._clock.now() + self._shared.settle()
            if self._clock.now() >= self._back_at:
                self._away, self._back_at = False, None
            return not self._away
        finally:
            self._lock.release()
