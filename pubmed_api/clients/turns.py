"""A turn with an upstream: a slot of the limiter, which all processes share, and one of this process's places."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

from pubmed_api.clients.departures import departures_to
from pubmed_api.clients.limiter import Pace, Slot
from pubmed_api.clients.places import Places
from pubmed_api.clients.waiting import SLICE, Clock, TimeUp, check_cancelled
from pubmed_api.models.call import Call


class Budget(Protocol):
    """Says whose allowance a call spends."""

    def turns_of(self, call: Call) -> "Turns":
        """The queue in which this call waits."""


# A request that leaves so much later than its start, in seconds, is worth a note: the next ones count from there.
_LATE = 0.002


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn that has come: when it ``began``, and the ``slot`` it was."""

    began: float
    slot: Slot


class Turns:
    """The queue of one upstream under one allowance.

    ``places`` bounds the requests of this process that are under way at once; several queues may share them.
    """

    def __init__(self, limiter: Pace, places: Places | int, clock: Clock | None = None):
        self.limiter = limiter
        self._places = places if isinstance(places, Places) else Places(places)
        self._clock = clock or Clock()

    def turns_of(self, call: Call) -> "Turns":
        """This queue, whoever calls; see ``Budget``."""
        return self

    @contextmanager
    def turn(self, call: Call, deadline: float, refused: Slot | None = None) -> Iterator[Turn]:
        """Wait for a turn and hold its place inside the block.

        With the slot of a turn that the upstream ``refused``, the call is served before those who came later; it
        then has had no turn yet. Raises ``SlotTooLate`` as soon as it is known that the turn would come after
        ``deadline``, ``TimeUp`` where that is over, ``RequestCancelled`` where the caller has gone.
        """
        with call.spending("queue"):
            turn = self._queue(call, deadline, refused)
        try:
            with departures_to(lambda: self._note_sent(turn)):
                yield turn
        finally:
            self._places.give_back()

    def _queue(self, call: Call, deadline: float, refused: Slot | None) -> Turn:
        """The turn, its place taken. Until then the place is held for no wait of any length."""
        check_cancelled(call)
        left = self._left(deadline)
        slot = refused or self.limiter.reserve(left)
        while True:
            self._clock.wait_until(slot.moment, call)
            self._places.take(lambda given: self._wait_for_place(given, call, deadline))
            try:
                now = self._clock.now()
                slot = self.limiter.start(slot, self._left(deadline))
            except BaseException:
                self._places.give_back()
                raise
            if slot.started is not None:
                return Turn(now, slot)
            self._places.give_back()

    def _note_sent(self, turn: Turn) -> None:
        if self._clock.now() - turn.began > _LATE:
            self.limiter.note_sent(turn.slot)

    def _wait_for_place(self, given: threading.Event, call: Call, deadline: float) -> None:
        while not given.wait(min(SLICE, self._left(deadline))):
            check_cancelled(call)

    def _left(self, deadline: float) -> float:
        left = deadline - self._clock.now()
        if left <= 0:
            raise TimeUp
        return left
