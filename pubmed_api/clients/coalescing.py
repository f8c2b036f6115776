"""Equal calls share one flight: the first to come asks the upstream, the rest wait for what it brings.

A flight is a locked file named by the cache key. ``flock`` sets threads apart as well as processes, and the kernel
lets go of the lock of one that dies, so the next waiter leads in its place. The leader writes the outcome into
the file, removes the file and lets go; those who wait still have it open, see that it was removed, and read.
"""

import contextlib
import fcntl
import json
import logging
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from pubmed_api import exceptions
from pubmed_api.clients.data_files import flights_path, redis_prefix
from pubmed_api.exceptions import QueueFull, UpstreamDeadlineExceeded, UpstreamError
from pubmed_api.settings import Settings

if TYPE_CHECKING:
    from redis import Redis

log = logging.getLogger(__name__)

# Sleeps so many seconds, or raises because its caller's time is up or the caller has gone.
Pause = Callable[[float], None]

# How long an outcome may go unnoticed, in seconds.
SLICE = 0.01

_ANSWER, _FAILURE = b"+", b"-"
# What befell the leader alone: another has a time limit of its own.
_ITS_OWN = (UpstreamDeadlineExceeded, QueueFull)


@dataclass(slots=True)
class Flight:
    """A caller's place in a flight.

    The one that ``leads`` must ask, and may leave an ``outcome``; for any other it is what the leader left, ``None``
    where that is nothing: it died, or had nothing to share. Then another flight may begin.
    """

    leads: bool
    outcome: bytes | None = None

    def leave_answer(self, body: bytes) -> None:
        """Give the answer to all who wait."""
        self.outcome = _ANSWER + body

    def leave_failure(self, error: UpstreamError) -> None:
        """Tell all who wait how it failed, unless that concerns the leader alone."""
        if isinstance(error, _ITS_OWN):
            return
        told = [type(error).__name__, error.message, error.provider, error.hint, error.data]
        with contextlib.suppress(TypeError):
            self.outcome = _FAILURE + json.dumps(told).encode()

    @property
    def answer(self) -> bytes | None:
        """The answer that the leader left."""
        return self.outcome[1:] if self.outcome is not None and self.outcome.startswith(_ANSWER) else None

    @property
    def failure(self) -> UpstreamError | None:
        """The failure that the leader left."""
        if self.outcome is None or not self.outcome.startswith(_FAILURE):
            return None
        name, message, provider, hint, data = json.loads(self.outcome[1:])
        kind: type[UpstreamError] = getattr(exceptions, name)
        return kind(message, provider=provider, hint=hint, **data)


class Flights(Protocol):
    """Where equal calls meet."""

    def join(self, key: str, pause: Pause) -> AbstractContextManager[Flight]:
        """Lead the flight of this key, which lands when the block ends, or wait with ``pause`` until it has landed.

        Raises what ``pause`` raises and nothing else: where calls cannot meet, each leads a flight of its own.
        """


class FlightFiles:
    """Flights of one host, in a folder that holds nothing else."""

    def __init__(self, folder: Path):
        self._folder = folder

    @contextmanager
    def join(self, key: str, pause: Pause) -> Iterator[Flight]:
        """See ``Flights``."""
        file = _FlightFile(self._folder / key)
        try:
            flight = Flight(leads=file.board(pause))
            if not flight.leads:
                flight.outcome = file.read()
            try:
                yield flight
            finally:
                if flight.leads:
                    file.land(flight.outcome)
        finally:
            file.close()

    def sweep(self) -> None:
        """Remove the files of leaders that were killed and that nobody followed."""
        with contextlib.suppress(OSError):
            for path in self._folder.iterdir():
                _FlightFile(path).remove_if_abandoned()


class _FlightFile:
    """One caller's hold on the file of a flight. Without a file the caller is alone."""

    def __init__(self, path: Path):
        self._path = path
        self._fd: int | None = None

    def board(self, pause: Pause) -> bool:
        """Whether this caller leads; else the flight that it waited for is over."""
        waited = False
        while True:
            self._open()
            while not self._lock():
                pause(SLICE)
                waited = True
                if self._is_removed():
                    return False
            if not self._is_removed():
                return True
            # Between opening and locking the flight ended: this file is nobody's any more.
            if waited:
                return False
            self.close()

    def read(self) -> bytes | None:
        """What the leader left."""
        outcome = b""
        with contextlib.suppress(OSError):
            if self._fd is not None:
                outcome = os.pread(self._fd, os.fstat(self._fd).st_size, 0)
        return outcome or None

    def land(self, outcome: bytes | None) -> None:
        """Leave the outcome, whole or not at all, and end the flight."""
        if self._fd is None:
            return
        try:
            os.ftruncate(self._fd, 0)
            if outcome is not None:
                self._write(outcome)
        except OSError as error:
            log.warning("flight file cannot be written (%s): those who wait ask for themselves", error.errno)
            with contextlib.suppress(OSError):
                os.ftruncate(self._fd, 0)
        with contextlib.suppress(OSError):
            # A folder that was cleared meanwhile may hold the flight of somebody else under this name.
            if os.path.samestat(os.fstat(self._fd), os.stat(self._path)):
                os.unlink(self._path)

    def remove_if_abandoned(self) -> None:
        """Remove the file if nobody holds its lock."""
        self._open()
        try:
            if self._lock() and not self._is_removed():
                self.land(None)
        finally:
            self.close()

    def close(self) -> None:
        """Let go of the file, and so of its lock."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None

    def _write(self, outcome: bytes) -> None:
        assert self._fd is not None
        left = memoryview(outcome)
        offset = 0
        while left:
            written = os.pwrite(self._fd, left, offset)
            left, offset = left[written:], offset + written

    def _open(self) -> None:
        try:
            self._path.parent.mkdir(mode=0o700, exist_ok=True)
            self._fd = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            log.warning("flight file cannot be opened (%s): equal calls are not shared", error.errno)

    def _lock(self) -> bool:
        """Whether the lock is here now; without a file there is nothing to wait for."""
        if self._fd is None:
            return True
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError as error:
            log.warning("flight file cannot be locked (%s): equal calls are not shared", error.errno)
            self.close()
        return True

    def _is_removed(self) -> bool:
        return self._fd is not None and os.fstat(self._fd).st_nlink == 0


def open_flights(settings: Settings, redis: "Redis | None", *, sandbox: bool) -> Flights:
    """Where the calls of this process meet equal ones: in Redis if there is one, else in the data directory."""
    files = FlightFiles(flights_path(settings, sandbox=sandbox))
    if redis is None:
        return files
    # Needs the redis library.
    from pubmed_api.clients.coalescing_redis import RedisFlights

    return RedisFlights(redis, redis_prefix("flights", sandbox=sandbox), files)
