"""A schedule in a locked file, for all processes of a host; the kernel drops the lock of a process that dies.

A process that is merely stopped keeps its lock. Then, as where there can be no file at all, each process paces itself.
"""

import contextlib
import fcntl
import logging
import os
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pubmed_api.clients.schedule import GATE_LONGEST, Schedule, host_part, ring
from pubmed_api.clients.waiting import Clock

log = logging.getLogger(__name__)

# No reservation lies farther ahead: settings allow a call 600 s at most. A later moment is a damaged file's.
_FARTHEST = 660.0
# Without the shared file each process paces itself with this part of the rate, for there may be so many.
_PROCESSES = 4
# A lock is held for some microseconds. Whoever could not have it for a second waits less for the next few.
_PATIENCE_SECONDS, _LESS_SECONDS = 1.0, 0.02
_IMPATIENT_FOR_SECONDS = 5.0
_LOOK_SECONDS = 0.001

# When the file was last written, how many slots it holds, then the fields of a schedule.
_HEAD = struct.Struct("<6d")
_MOST_SLOTS = 1000


class ScheduleFile:
    """The schedule for a rate in requests a second."""

    def __init__(self, path: Path, rate: float, clock: Clock):
        self._path = path
        self._n, self._window = ring(rate)
        self._clock = clock
        self._lock = threading.Lock()
        n, self._alone_window = ring(host_part(rate, _PROCESSES))
        self._alone = Schedule([0.0] * n, [0.0] * n)
        self._is_alone: bool | None = None
        self._impatient_until = 0.0

    @contextmanager
    def locked(self) -> Iterator[tuple[Schedule, float]]:
        """The schedule, nobody else's for the time of the block, and the window; what the block changes is kept."""
        with self._lock:
            fd = self._open()
            if fd is None:
                self._change_over(self._alone, self._alone_window, alone=True)
                yield self._alone, self._alone_window
                return
            try:
                found = os.pread(fd, _HEAD.size + 2 * _MOST_SLOTS * 8, 0)
                schedule = self._read(found)
                self._change_over(schedule, self._window, alone=False)
                try:
                    yield schedule, self._window
                finally:
                    # Written too where only the reading made it sane: it must not be made of a later now next time.
                    written = _pack(schedule, self._clock.now())
                    if written[8:] != found[8 : len(written)]:
                        os.pwrite(fd, written, 0)
            finally:
                os.close(fd)

    def _change_over(self, schedule: Schedule, window: float, *, alone: bool) -> None:
        """Between the file and pacing alone nothing starts for a window: neither knows what the other let go."""
        if self._is_alone is not None and self._is_alone != alone:
            schedule.hold(window, self._clock.now() + self._window)
        self._is_alone = alone

    def _open(self) -> int | None:
        """The file, locked and at its full size (a full disk can still be written in place); ``None`` if that fails."""
        try:
            fd = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            self._report_unusable(error)
            return None
        try:
            self._take_lock(fd)
            found = os.fstat(fd)
            if not found.st_nlink:
                # Removed as unused while we waited: what others see is another file by now.
                os.close(fd)
                return self._open()
            missing = _HEAD.size + 2 * self._n * 8 - found.st_size
            if missing > 0:
                os.pwrite(fd, bytes(missing), found.st_size)
        except OSError as error:
            os.close(fd)
            self._report_unusable(error)
            return None
        return fd

    def _take_lock(self, fd: int) -> None:
        """Raises ``BlockingIOError`` where another process does not let go."""
        asked = time.monotonic()
        until = asked + (_LESS_SECONDS if asked < self._impatient_until else _PATIENCE_SECONDS)
        while True:
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except BlockingIOError:
                if time.monotonic() >= until:
                    self._impatient_until = time.monotonic() + _IMPATIENT_FOR_SECONDS
                    raise
            time.sleep(_LOOK_SECONDS)

    def _report_unusable(self, error: OSError) -> None:
        if not self._is_alone:
            log.warning(
                "limiter file %s cannot be used (%s): pacing in this process alone", self._path.name, error.errno
            )

    def _read(self, raw: bytes) -> Schedule:
        """The schedule that a file holds.

        One that is damaged or, written in the future, of an earlier boot counts as full: what was started is not known.
        """
        now = self._clock.now()
        written, held, gate, closed, strikes, shift = _HEAD.unpack(raw[: _HEAD.size])
        count = int(held) if 0 <= held <= _MOST_SLOTS else -1
        moments = raw[_HEAD.size : _HEAD.size + 2 * count * 8]
        if not written <= now or not abs(shift) < 1e9 or count < 0 or len(moments) < 2 * count * 8:
            return self._full_or_empty(now)
        values = struct.unpack(f"<{2 * count}d", moments)
        return Schedule(
            self._fitted(values[:count], now + _FARTHEST, now),
            self._fitted(values[count:], now + self._window, now),
            gate=gate if gate <= now + GATE_LONGEST else now,
            closed=closed if closed <= now else now,
            strikes=strikes if 0 <= strikes < 1e9 else 0.0,
            shift=shift,
        )

    def _full_or_empty(self, moment: float) -> Schedule:
        return Schedule([moment] * self._n, [moment] * self._n)

    def _fitted(self, moments: tuple[float, ...], latest: float, now: float) -> list[float]:
        """As many as this rate has, and no impossible ones. Of a file made for another rate the latest count."""
        kept = sorted(moment if moment <= latest else now for moment in moments)[-self._n :]
        return [0.0] * (self._n - len(kept)) + kept


def remove_unused(path: Path, before: float) -> None:
    """Remove the file of a schedule that was last used before that time (Unix seconds). One in use stays."""
    with contextlib.suppress(OSError):
        fd = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.fstat(fd).st_mtime < before:
                path.unlink()
        finally:
            os.close(fd)


def _pack(schedule: Schedule, written: float) -> bytes:
    head = (written, len(schedule.slots), schedule.gate, schedule.closed, schedule.strikes, schedule.shift)
    values = (*schedule.slots, *schedule.starts)
    return _HEAD.pack(*head) + struct.pack(f"<{len(values)}d", *values)
