"""The pace of calls to one upstream, kept by reservation in one locked file for all processes of a host.

The file holds the last ``n`` reserved moments, the gate and the count of refusals in a row. A caller reserves
the next free moment under ``flock`` and then sleeps until it, holding nothing, so the order of reservation is the
order of service. The kernel drops the lock of a process that dies.
"""

import fcntl
import logging
import os
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pubmed_api.clients.waiting import Clock

log = logging.getLogger(__name__)

# An upstream counts arrivals, not departures: without a margin, jitter on the way packs two windows into one.
MARGIN = 1.05
GATE_FIRST, GATE_LONGEST = 1.0, 15.0

# No reservation lies farther ahead: settings allow a call 600 s at most. A later moment is a damaged file's.
_FARTHEST = 660.0
# Without the shared file each process paces itself, and slower by this, for there may be several.
_ALONE = 4
_HEAD = 4


class SlotTooLate(Exception):
    """The next free moment is ``wait`` seconds away, later than the caller may wait."""

    def __init__(self, wait: float):
        super().__init__(f"next slot in {wait:.1f} s")
        self.wait = wait


@dataclass(slots=True)
class _State:
    """``written``: when the file was last written; ``closed``: when the gate was last closed; ``gate``: until when."""

    slots: list[float]
    written: float = 0.0
    gate: float = 0.0
    closed: float = 0.0
    strikes: float = 0.0

    def pack(self) -> bytes:
        values = (self.written, self.gate, self.closed, self.strikes, *self.slots)
        return struct.pack(f"<{len(values)}d", *values)


def ring(rate: float) -> tuple[int, float]:
    """How many slots a window holds and how long it is, for a rate in requests a second.

    A whole rate allows that many at once and then none for the rest of the second. A broken rate (2.5, 0.5) is
    kept by even spacing: a burst of several would be over the rate somewhere.
    """
    n = int(rate) if rate >= 1 and rate == int(rate) else 1
    return n, MARGIN * n / rate


class Limiter:
    """Reservations with one upstream under one API key."""

    def __init__(self, path: Path, rate: float, clock: Clock | None = None):
        self._path = path
        self._n, self._window = ring(rate)
        self._clock = clock or Clock()
        self._lock = threading.Lock()
        self._alone = _State(slots=[0.0] * self._n)

    def reserve(self, max_wait: float) -> float:
        """The next free moment, now taken. Raises ``SlotTooLate``, taking nothing, where it is over ``max_wait`` away.

        Whoever sleeps until that moment must then ask ``is_open``: the gate may have closed meanwhile.
        """
        with self._shared() as (state, window):
            now = self._clock.now()
            slot = max(now, state.gate, state.slots[0] + window, state.slots[-1])
            if slot - now > max_wait:
                raise SlotTooLate(slot - now)
            state.slots = [*state.slots[1:], slot]
            return slot

    def is_open(self) -> bool:
        """Whether calls may be sent now, as far as refusals go."""
        return self.gate_left() <= 0

    def gate_left(self) -> float:
        """Seconds until the gate opens; 0 when it is open."""
        with self._shared() as (state, _):
            return max(0.0, state.gate - self._clock.now())

    def close_gate(self, started: float, retry_after: float | None = None) -> None:
        """Hold back all callers because the upstream refused a call that ``started`` then.

        1 s, doubled with each refusal in a row, longer where the upstream asks for it, 15 s at most. Calls that were
        already under way when the gate closed are refused for the same reason and do not count again.
        """
        with self._shared() as (state, _):
            now = self._clock.now()
            if started > state.closed or not state.strikes:
                state.strikes += 1
                state.closed = now
            # The exponent is bounded so that a long outage cannot overflow it.
            pause = max(GATE_FIRST * 2 ** min(state.strikes - 1, 10), retry_after or 0.0)
            state.gate = max(state.gate, state.closed + min(pause, GATE_LONGEST))

    def note_success(self) -> None:
        """A call was answered: the next refusal is the first of its row. A closed gate stays closed."""
        with self._shared() as (state, _):
            state.strikes = 0.0

    @contextmanager
    def _shared(self) -> Iterator[tuple[_State, float]]:
        """The state, locked for all processes, and the window; what the block changes is kept unless it raises."""
        with self._lock:
            fd = self._open()
            try:
                if fd is None:
                    yield self._alone, self._window * _ALONE
                    return
                state = self._load(fd)
                yield state, self._window
                state.written = self._clock.now()
                os.pwrite(fd, state.pack(), 0)
            finally:
                if fd is not None:
                    os.close(fd)

    def _open(self) -> int | None:
        """The file, locked and at its full size (a full disk can still be written in place); ``None`` if that fails."""
        try:
            fd = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            self._report_unusable(error)
            return None
        try:
            fcntl.flock(fd, fcntl.LOCK_EX)
            missing = (_HEAD + self._n) * 8 - os.fstat(fd).st_size
            if missing > 0:
                os.pwrite(fd, bytes(missing), os.fstat(fd).st_size)
        except OSError as error:
            os.close(fd)
            self._report_unusable(error)
            return None
        return fd

    def _report_unusable(self, error: OSError) -> None:
        log.warning("limiter file %s cannot be used (%s): pacing in this process alone", self._path.name, error.errno)

    def _load(self, fd: int) -> _State:
        """The state in the file. One written in the future is of an earlier boot (or damaged) and counts as full."""
        raw = os.pread(fd, os.fstat(fd).st_size, 0)
        values = struct.unpack(f"<{len(raw) // 8}d", raw[: len(raw) // 8 * 8])
        written, gate, closed, strikes = values[:_HEAD]
        now = self._clock.now()
        if not written <= now:
            return _State(slots=[now] * self._n)
        # A file made for another rate: its latest entries are the ones that count.
        slots = sorted(slot if slot <= now + _FARTHEST else now for slot in values[_HEAD:])[-self._n :]
        gate = gate if gate <= now + GATE_LONGEST else now
        return _State([0.0] * (self._n - len(slots)) + slots, written, gate, closed, strikes)
