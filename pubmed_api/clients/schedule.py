"""Who may start when: the reservations with one upstream, as arithmetic on moments of one clock.

A caller reserves a slot when it comes and asks for its start when the slot has come. The slots keep the order; the
log of starts keeps the limit, whatever happened in between: a process that was stopped, a thread that woke late,
an upstream that closed. Where a schedule is kept, and whose clock it runs by, is a limiter's business.
"""

from dataclasses import dataclass

# An upstream counts arrivals, not departures: without a margin, jitter on the way packs two windows into one.
MARGIN = 1.05
# Starts are held to a little less, so that a caller who wakes some milliseconds late delays nobody after it.
START_MARGIN = 1.048

GATE_FIRST, GATE_LONGEST = 1.0, 15.0

# Sums of seconds are not exact: a moment so near is now.
_INSTANT = 1e-6


class SlotTooLate(Exception):
    """The next free moment is ``wait`` seconds away, later than the caller may wait."""

    def __init__(self, wait: float):
        super().__init__(f"next slot in {wait:.1f} s")
        self.wait = wait


def ring(rate: float) -> tuple[int, float]:
    """How many slots a window holds and how long it is, for a rate in requests a second.

    A whole rate allows that many at once to those who find them free. A broken rate (2.5, 0.5) is kept by even
    spacing: a burst of several would be over the rate somewhere.
    """
    n = int(rate) if rate >= 1 and rate == int(rate) else 1
    return n, MARGIN * n / rate


def host_part(rate: float, hosts: int) -> float:
    """What one of several hosts may spend of a rate where they know nothing of each other.

    Rounded down, for of 1.5 a second each of two hosts has two in some seconds, and four is more than three. Below one
    a second that cannot be helped.
    """
    part = rate / hosts
    return part if hosts == 1 or part < 1 else float(int(part))


@dataclass(slots=True)
class Schedule:
    """``slots`` and ``starts`` hold the last n reserved moments and the last n moments a request was let go.

    ``gate``: until when the upstream is left alone; ``closed``: when that was last decided; ``strikes``: refusals in
    a row; ``shift``: by how much all waiting slots have been moved since the beginning.
    """

    slots: list[float]
    starts: list[float]
    gate: float = 0.0
    closed: float = 0.0
    strikes: float = 0.0
    shift: float = 0.0

    def reserve(self, now: float, window: float, max_wait: float) -> float:
        """The next free moment, now taken. Raises ``SlotTooLate``, taking nothing, if it is over ``max_wait`` away.

        Those who find a slot free may come in a bunch; those who wait are spaced evenly, which is as fast and keeps
        the threads of all processes from waking together.
        """
        slot = max(now, self.gate, self.slots[0] + window, self.slots[-1])
        if slot > now:
            slot = max(slot, self.slots[-1] + window / len(self.slots))
        if slot - now > max_wait:
            raise SlotTooLate(slot - now)
        self.slots = [*self.slots[1:], slot]
        return slot

    def start(self, now: float, window: float, ticket: float, spent: bool = False) -> float:
        """When the holder of ``ticket`` (its slot, less the ``shift`` of that time) may start: not later than ``now``
        means that it starts now, and that is noted.

        Whoever starts a whole window late has let its own slot pass because it had no place or its process was
        stopped; whoever has ``spent`` it was refused by the upstream. All who wait make room for such a one, so that
        the order of arrival stays the order of service.
        """
        # No slot lies beyond the last one: a ticket that does is of a schedule that was lost.
        due = min(ticket + self.shift, self.slots[-1])
        moment = max(due, self.gate, self.starts[0] + window * (START_MARGIN / MARGIN))
        if moment > now + _INSTANT:
            return moment
        if spent or now - due > window:
            self._move(now, window / len(self.slots))
        self.starts = [*self.starts[1:], now]
        return now

    def note_sent(self, now: float, started: float) -> None:
        """The request that ``started`` then has left only now (its connection had to be made first)."""
        self.starts = sorted([now if start == started else start for start in self.starts])

    def close_gate(self, now: float, started: float, retry_after: float | None) -> None:
        """Leave the upstream alone because it refused a call that ``started`` then, and move all who wait.

        1 s, doubled with each refusal in a row, longer where the upstream asks for it, 15 s at most. Calls that were
        already under way when the gate closed are refused for the same reason and do not count again.
        """
        if started > self.closed or not self.strikes:
            self.strikes += 1
            self.closed = now
        # The exponent is bounded so that a long outage cannot overflow it.
        pause = max(GATE_FIRST * 2 ** min(self.strikes - 1, 10), retry_after or 0.0)
        gate = self.closed + min(pause, GATE_LONGEST)
        if gate > max(now, self.gate):
            self._move(now, gate - max(now, self.gate))
        self.gate = max(self.gate, gate)

    def hold(self, window: float, until: float) -> None:
        """Let no start come before ``until``: what was started elsewhere until now is not known here."""
        moment = until - window
        self.slots = [max(slot, moment) for slot in self.slots]
        self.starts = [max(start, moment) for start in self.starts]

    def _move(self, now: float, seconds: float) -> None:
        self.shift += seconds
        self.slots = [slot + seconds if slot > now else slot for slot in self.slots]
