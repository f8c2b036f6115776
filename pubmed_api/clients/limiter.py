"""The pace of calls to one upstream under one API key: what a limiter does, and the one that does it for a host.

A caller reserves the next free moment, sleeps until it, holding nothing, and then asks for its start. Moments are
seconds of the monotonic clock, which all processes of a host share.
"""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from pubmed_api.clients.schedule import SlotTooLate
from pubmed_api.clients.schedule_file import ScheduleFile
from pubmed_api.clients.waiting import Clock


@dataclass(frozen=True, slots=True)
class Slot:
    """A reserved moment, by the clock of this process.

    ``ticket`` is what the limiter knows it by, and so is ``started`` once it was started; ``spent`` says that it had
    been started before, and ``shared`` that it is one of all hosts.
    """

    moment: float
    ticket: float
    started: float | None = None
    spent: bool = False
    shared: bool = False


class Pace(Protocol):
    """What a limiter does, whatever it is kept in: reservations with one upstream under one API key."""

    def reserve(self, max_wait: float) -> Slot:
        """The next free moment, now taken. Raises ``SlotTooLate``, taking nothing, if it is over ``max_wait`` away."""

    def start(self, slot: Slot, max_wait: float) -> Slot:
        """Start, to be asked when the slot's moment has come and right before the request goes out.

        The slot comes back ``started``. Where it does not, it has moved (the gate was closed, or others started late)
        and is to be waited for again. Raises ``SlotTooLate`` where it is then over ``max_wait`` away. A slot that was
        started and refused by the upstream may be started again and goes before those who came later.
        """

    def note_sent(self, slot: Slot) -> None:
        """The request of this started slot has left only now."""

    def gate_left(self) -> float:
        """Seconds until the gate opens; 0 when it is open."""

    def close_gate(self, started: float, retry_after: float | None = None) -> None:
        """Hold back all callers because the upstream refused a call that ``started`` then; see ``Schedule``."""

    def note_success(self) -> None:
        """A call was answered: the next refusal is the first of its row. A closed gate stays closed."""


class Limiter:
    """The pace of this host, kept in a file for all its processes; see ``Pace``."""

    def __init__(self, path: Path, rate: float, clock: Clock | None = None):
        self._clock = clock or Clock()
        self._file = ScheduleFile(path, rate, self._clock)

    def reserve(self, max_wait: float) -> Slot:
        """See ``Pace``."""
        with self._file.locked() as (schedule, window):
            moment = schedule.reserve(self._clock.now(), window, max_wait)
            return Slot(moment, moment - schedule.shift)

    def start(self, slot: Slot, max_wait: float) -> Slot:
        """See ``Pace``."""
        with self._file.locked() as (schedule, window):
            now = self._clock.now()
            spent = slot.spent or slot.started is not None
            moment = schedule.start(now, window, slot.ticket, spent)
            if moment - now > max_wait:
                raise SlotTooLate(moment - now)
            return replace(slot, moment=moment, started=moment if moment <= now else None, spent=spent)

    def note_sent(self, slot: Slot) -> None:
        """See ``Pace``."""
        with self._file.locked() as (schedule, _):
            if slot.started is not None:
                schedule.note_sent(self._clock.now(), slot.started)

    def gate_left(self) -> float:
        """See ``Pace``."""
        with self._file.locked() as (schedule, _):
            return max(0.0, schedule.gate - self._clock.now())

    def is_open(self) -> bool:
        """Whether calls may be sent now, as far as refusals go."""
        return self.gate_left() <= 0

    def close_gate(self, started: float, retry_after: float | None = None) -> None:
        """See ``Pace``."""
        with self._file.locked() as (schedule, _):
            schedule.close_gate(self._clock.now(), started, retry_after)

    def note_success(self) -> None:
        """See ``Pace``."""
        with self._file.locked() as (schedule, _):
            schedule.strikes = 0.0

    def hold(self, seconds: float) -> None:
        """Let nothing start for so long."""
        with self._file.locked() as (schedule, window):
            schedule.hold(window, self._clock.now() + seconds)
