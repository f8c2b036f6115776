"""A turn with an upstream: a slot of the limiter, which all processes share, and one of this process's places."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from pubmed_api.clients.limiter import Limiter
from pubmed_api.clients.waiting import SLICE, Clock, TimeUp, check_cancelled
from pubmed_api.models.call import Call


class Turns:
    """The queue of one upstream. At most ``max_concurrent`` requests of this process are under way at once."""

    def __init__(self, limiter: Limiter, max_concurrent: int, clock: Clock | None = None):
        self.limiter = limiter
        self._places = threading.BoundedSemaphore(max_concurrent)
        self._clock = clock or Clock()

    @contextmanager
    def turn(self, call: Call, deadline: float) -> Iterator[float]:
        """Wait for a turn and hold its place inside the block; yields the moment it began.

        Raises ``SlotTooLate`` at once where the turn would come after ``deadline``, ``TimeUp`` where it is over,
        ``RequestCancelled`` where the caller has gone.
        """
        self._wait_for_slot(call, deadline)
        if not self._places.acquire(blocking=False):
            # The slot passes unused: places come free in bunches, and calls let go then would be over the rate.
            self._wait_for_place(call, deadline)
            try:
                self._wait_for_slot(call, deadline)
            except BaseException:
                self._places.release()
                raise
        try:
            yield self._clock.now()
        finally:
            self._places.release()

    def _wait_for_slot(self, call: Call, deadline: float) -> None:
        while True:
            check_cancelled(call)
            slot = self.limiter.reserve(self._left(deadline))
            self._clock.wait_until(slot, call)
            self._left(deadline)
            if self.limiter.is_open():
                return

    def _wait_for_place(self, call: Call, deadline: float) -> None:
        while not self._places.acquire(timeout=min(SLICE, self._left(deadline))):
            check_cancelled(call)

    def _left(self, deadline: float) -> float:
        left = deadline - self._clock.now()
        if left <= 0:
            raise TimeUp
        return left
