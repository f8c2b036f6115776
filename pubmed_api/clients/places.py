"""The places of this process at an upstream: how many of its requests may be under way at once."""

import threading
from collections import deque
from collections.abc import Callable


class Places:
    """``most`` places, given in the order of asking."""

    def __init__(self, most: int):
        self._free = most
        self._lock = threading.Lock()
        self._waiting: deque[threading.Event] = deque()

    def take(self, wait: Callable[[threading.Event], None]) -> None:
        """Take a place, at once where one is free and nobody waits for it.

        Otherwise ``wait`` is called, once, with an event that is set when the place is there, and must return after
        that. If it raises instead, the place goes to the next, and the error out.
        """
        with self._lock:
            if self._free and not self._waiting:
                self._free -= 1
                return
            mine = threading.Event()
            self._waiting.append(mine)
        try:
            wait(mine)
        except BaseException:
            self._leave(mine)
            raise

    def give_back(self) -> None:
        """Give a place back; whoever waits longest has it from then on."""
        with self._lock:
            if self._waiting:
                self._waiting.popleft().set()
            else:
                self._free += 1

    def _leave(self, mine: threading.Event) -> None:
        with self._lock:
            if mine in self._waiting:
                self._waiting.remove(mine)
                return
        # It was given in the same moment.
        self.give_back()
