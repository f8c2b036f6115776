"""Many equal calls at once, in threads, each joining one flight."""

import threading
import time


class Crowd:
    """Threads that join one flight; ``brought`` has, for each, ``None`` for a leader and else its outcome."""

    def __init__(self, flights, size, key="key"):
        self.brought = []
        self.waiting = set()
        self.let_land = threading.Event()
        self._leaders = threading.Semaphore(0)
        self._flights, self._key = flights, key
        self._threads = [threading.Thread(target=self._fly, daemon=True) for _ in range(size)]
        for thread in self._threads:
            thread.start()

    def _fly(self):
        with self._flights.join(self._key, self._pause) as flight:
            if flight.leads:
                self.waiting.discard(threading.get_ident())
                self._leaders.release()
                self.let_land.wait(10)
                flight.leave_answer(b"answer")
        self.brought.append(None if flight.leads else flight.answer)

    def _pause(self, seconds):
        self.waiting.add(threading.get_ident())
        time.sleep(seconds)

    def wait_for(self, waiting):
        until = time.monotonic() + 10
        while len(self.waiting) != waiting:
            assert time.monotonic() < until
            time.sleep(0.001)
        return self

    def land(self):
        """Let the flight land when one leads and the rest wait."""
        assert self._leaders.acquire(timeout=10)
        self.wait_for(len(self._threads) - 1)
        return self.join()

    def join(self):
        self.let_land.set()
        for thread in self._threads:
            thread.join(10)
        return self.brought
