"""Who waits for which ids, and in which batch these go out. State under one lock: nothing here asks an upstream.

A caller's ticket lists the ids it waits for. An id that is wanted and not yet under way becomes an entry of the open
batch of its NCBI key; one that is under way already gains a ticket. A batch stays open until it is sent or full.
"""

import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Set
from contextlib import contextmanager

from pubmed_api.clients.items import Item
from pubmed_api.clients.tickets import Batch, Entry, Outcome, Ticket
from pubmed_api.exceptions import QueueFull, UpstreamDeadlineExceeded, UpstreamError, UpstreamRateLimited
from pubmed_api.models.call import Call

# While another batch is under way, or callers keep coming, a batch gathers this long at most, in seconds.
LONGEST_GATHERING = 0.25
# Nobody has come for so long: those who come together have come.
QUIET = 0.05

# A caller whose time ends so little later than the batch's is as late as the batch.
_SAME_TIME = 1.0


class Gathering:
    """All batches of one kind. ``most`` ids, of so many ``characters`` together, fit into one.

    Where several callers wait together, a batch leaves no sooner than ``gap`` seconds after the one before: at the
    pace that the upstream allows in the long run, each gathers as many as it can.
    """

    def __init__(self, most: int, characters: int, gap: float = 0.0):
        self._most = most
        self._characters = characters
        self._gap = gap
        self._changed = threading.Condition()
        self._entries: dict[tuple[str | None, str], Entry] = {}
        self._open: dict[str | None, Batch] = {}
        self._under_way: Counter[str | None] = Counter()
        self._departed: dict[str | None, float] = {}

    def join(self, ticket: Ticket, wanted: Mapping[str, str], post_from: int) -> list[Batch]:
        """Enter the ids (as the keys of ``wanted``, its values as they are sent); the batches that this began."""
        begun: list[Batch] = []
        with self._changed:
            for item_id, sent in wanted.items():
                entry = self._entries.get((ticket.ncbi_api_key, item_id))
                if entry is None or not entry.is_open_to(ticket):
                    batch = self._room_for(ticket.ncbi_api_key, sent, post_from, begun)
                    entry = self._enter(batch, item_id, sent)
                    batch.post_from = min(batch.post_from, post_from)
                    batch.joined = time.monotonic()
                    ticket.brings_ids = True
                entry.add(ticket)
            self._changed.notify_all()
        return begun

    def wait_for(self, ticket: Ticket, seconds: float) -> bool:
        """Wait until the ticket is served, so long at most; whether it is."""
        with self._changed:
            return self._changed.wait_for(lambda: ticket.is_served, seconds)

    def leave(self, ticket: Ticket) -> None:
        """The caller waits no more. What only this caller wanted is not sent, if it has not been."""
        with self._changed:
            for entry in list(ticket.entries.values()):
                entry.remove(ticket)

    def wait_until_full(self, batch: Batch) -> None:
        """Let the batch gather: while another of its key is under way, or callers are just coming; never for long.

        A caller who is alone goes at once: its ids wait for their turn anyway, and others may join until that comes.
        """
        with self._changed:
            while (left := self._gather_for(batch)) > 0:
                self._changed.wait(left)

    def is_wanted(self, batch: Batch) -> bool:
        """Whether anybody waits for any of its ids. If not, the batch is over: whoever comes now begins another."""
        with self._changed:
            if not batch.callers():
                self._end(batch)
            return bool(batch.entries)

    def begin_run(self, batch: Batch) -> float:
        """The deadline of a new run of attempts: that of its most patient caller."""
        with self._changed:
            batch.owners, batch.sent = (), frozenset()
            batch.deadline = max((ticket.deadline for ticket in batch.callers()), default=time.monotonic())
            return batch.deadline

    @contextmanager
    def departure(self, batch: Batch) -> Iterator[dict[str, str]]:
        """Close the batch and give its ids, and how each is sent, for as long as the request is under way."""
        with self._changed:
            if self._open.get(batch.ncbi_api_key) is batch:
                del self._open[batch.ncbi_api_key]
            self._drop_unwanted(batch)
            batch.owners, batch.sent = batch.find_owners(), frozenset(batch.entries)
            self._under_way[batch.ncbi_api_key] += 1
            self._note_departure(batch.ncbi_api_key)
            spellings = {item_id: entry.sent for item_id, entry in batch.entries.items()}
        try:
            yield spellings
        finally:
            with self._changed:
                self._under_way[batch.ncbi_api_key] -= 1
                if not self._under_way[batch.ncbi_api_key]:
                    del self._under_way[batch.ncbi_api_key]
                self._changed.notify_all()

    def part(self, batch: Batch) -> Batch | None:
        """After a failure: those of its callers who may do better elsewhere, as a batch of their own, if there are any.

        Half of the owners take their ids with them. Where there is only one owner, callers who did not want all that
        was sent leave, and their ids are in both batches from then on.
        """
        with self._changed:
            batch.in_trouble = True
            self._drop_unwanted(batch)
            for ticket in batch.callers():
                ticket.in_trouble = True
            owners = batch.find_owners()
            other = self._begin(batch.ncbi_api_key, batch.post_from)
            if len(owners) > 1:
                self._move(batch, other, set(owners[len(owners) // 2 :]))
            else:
                self._copy(batch, other, {ticket for ticket in batch.callers() if not batch.sent <= ticket.wanted})
            return other if other.entries else None

    def serve(self, batch: Batch, items: Mapping[str, Item]) -> None:
        """Hand out what came."""
        with self._changed:
            for item_id, entry in list(batch.entries.items()):
                for ticket in list(entry.tickets):
                    _deliver(ticket, entry, items[item_id])
                self._drop(entry)
            self._changed.notify_all()

    def fail(self, batch: Batch, error: Exception) -> bool:
        """Hand out an error to all whom it concerns; whether others are left, for whom the batch must go again."""
        with self._changed:
            for entry in batch.entries.values():
                for ticket in [ticket for ticket in entry.tickets if _concerns(error, ticket, batch)]:
                    _deliver(ticket, entry, error)
            self._drop_unwanted(batch)
            if not batch.entries:
                self._end(batch)
            self._changed.notify_all()
            return bool(batch.entries)

    def give_up(self, batch: Batch, error: Exception) -> None:
        """Hand out an error to everybody, whatever it is."""
        with self._changed:
            for entry in batch.entries.values():
                for ticket in list(entry.tickets):
                    _deliver(ticket, entry, error)
            self._end(batch)
            self._changed.notify_all()

    def _begin(self, key: str | None, post_from: int) -> Batch:
        """A batch that gives up waiting when nobody wants it any more."""
        batch = Batch(key, Call(ncbi_api_key=key), post_from)
        batch.call.cancelled = lambda: not self.is_wanted(batch)
        return batch

    def _end(self, batch: Batch) -> None:
        if self._open.get(batch.ncbi_api_key) is batch:
            del self._open[batch.ncbi_api_key]
        for entry in list(batch.entries.values()):
            self._drop(entry)

    def _enter(self, batch: Batch, item_id: str, sent: str) -> Entry:
        """The batch's entry of an id, to be joined from now on; a new one if it has none."""
        entry = batch.entries.get(item_id)
        if entry is None:
            entry = batch.entries[item_id] = Entry(item_id, sent, batch)
            batch.characters += len(sent) + 1
        self._entries[batch.ncbi_api_key, item_id] = entry
        return entry

    def _move(self, batch: Batch, other: Batch, owners: Set[Ticket]) -> None:
        for entry in list(batch.entries.values()):
            if entry.tickets[0] in owners:
                other.entries[entry.item_id] = batch.entries.pop(entry.item_id)
                entry.batch = other

    def _copy(self, batch: Batch, other: Batch, guests: Set[Ticket]) -> None:
        for entry in batch.entries.values():
            for ticket in [ticket for ticket in entry.tickets if ticket in guests and ticket is not entry.tickets[0]]:
                entry.remove(ticket)
                self._enter(other, entry.item_id, entry.sent).add(ticket)

    def _room_for(self, key: str | None, sent: str, post_from: int, begun: list[Batch]) -> Batch:
        batch = self._open.get(key)
        if batch is None or self._is_full(batch, len(sent)):
            batch = self._open[key] = self._begin(key, post_from)
            begun.append(batch)
        return batch

    def _is_full(self, batch: Batch, more: int = 0) -> bool:
        return len(batch.entries) >= self._most or (bool(batch.entries) and batch.characters + more > self._characters)

    def _gather_for(self, batch: Batch) -> float:
        """How many seconds more the batch should gather."""
        if self._is_full(batch) or self._open.get(batch.ncbi_api_key) is not batch:
            return 0.0
        now = time.monotonic()
        is_crowd = len(batch.callers()) > 1
        until = batch.born
        if self._under_way[batch.ncbi_api_key]:
            until = batch.born + LONGEST_GATHERING
        elif is_crowd:
            until = min(batch.born + LONGEST_GATHERING, batch.joined + QUIET)
        if is_crowd:
            until = max(until, self._departed.get(batch.ncbi_api_key, 0.0) + self._gap)
        return until - now

    def _note_departure(self, key: str | None) -> None:
        now = time.monotonic()
        self._departed = {key: at for key, at in self._departed.items() if at + self._gap > now}
        self._departed[key] = now

    def _drop_unwanted(self, batch: Batch) -> None:
        for entry in list(batch.entries.values()):
            if not entry.tickets:
                self._drop(entry)

    def _drop(self, entry: Entry) -> None:
        entry.batch.entries.pop(entry.item_id, None)
        key = entry.batch.ncbi_api_key, entry.item_id
        if self._entries.get(key) is entry:
            del self._entries[key]


def may_be_an_id(error: Exception) -> bool:
    """Whether one bad id can be the reason; the pace of all calls and the time of this one cannot."""
    return not isinstance(error, UpstreamRateLimited | UpstreamDeadlineExceeded | QueueFull)


def _concerns(error: Exception, ticket: Ticket, batch: Batch) -> bool:
    """Whether the error is this caller's too.

    One that came of the batch's time is not that of a caller with more time; one that an id may be the reason for is
    only that of a caller for whom alone the request was made, or who would have made the same.
    """
    is_of_time = isinstance(error, UpstreamDeadlineExceeded | QueueFull) or (
        isinstance(error, UpstreamError) and error.transient
    )
    if is_of_time and ticket.deadline > batch.deadline + _SAME_TIME:
        return False
    return not may_be_an_id(error) or batch.owners == (ticket,) or batch.sent <= ticket.wanted


def _deliver(ticket: Ticket, entry: Entry, outcome: Outcome) -> None:
    entry.remove(ticket)
    ticket.outcomes[entry.item_id] = outcome
    ticket.upstream = max(ticket.upstream, entry.batch.call.timings.get("upstream", 0.0))
