"""What the merging of calls is about: a caller's ticket, an id that callers wait for, and a batch of such ids."""

import time
from dataclasses import dataclass, field
from typing import TypeAlias

from pubmed_api.clients.items import Item
from pubmed_api.models.call import Call

Outcome: TypeAlias = Item | Exception


@dataclass(eq=False, slots=True)
class Ticket:
    """A caller's stake. ``outcomes`` grows until every id it ``wanted`` has one; ``upstream`` seconds were spent on it.

    ``ncbi_api_key`` keeps callers apart whose requests may not be one; ``deadline`` in monotonic seconds; ``entries``
    are where the ticket lies; ``brings_ids`` unless all that it wants was under way already; ``in_trouble`` since a
    request for it has failed.
    """

    wanted: frozenset[str]
    deadline: float
    ncbi_api_key: str | None = field(default=None, repr=False)
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    entries: dict[str, "Entry"] = field(default_factory=dict, repr=False)
    upstream: float = 0.0
    brings_ids: bool = False
    in_trouble: bool = False

    @property
    def is_served(self) -> bool:
        """Whether nothing is missing."""
        return len(self.outcomes) == len(self.wanted)


@dataclass(eq=False, slots=True)
class Entry:
    """An id of a ``batch``, as it is ``sent``, and the callers who want it. The first of them answers for it."""

    item_id: str
    sent: str
    batch: "Batch" = field(repr=False)
    tickets: list[Ticket] = field(default_factory=list)

    def add(self, ticket: Ticket) -> None:
        """One more caller wants the id."""
        self.tickets.append(ticket)
        ticket.entries[self.item_id] = self

    def remove(self, ticket: Ticket) -> None:
        """This caller waits for it no more."""
        self.tickets.remove(ticket)
        del ticket.entries[self.item_id]

    def is_open_to(self, ticket: Ticket) -> bool:
        """Whether this caller may wait for it too: where there is trouble, only who wants all that it may be with."""
        return not self.batch.in_trouble or self.batch.entries.keys() <= ticket.wanted


@dataclass(eq=False, slots=True)
class Batch:
    """The ids of one request, and under which ``call`` it goes out.

    ``deadline`` is that of its latest attempts, ``sent`` the ids that the latest one held, ``owners`` the callers who
    answered for them then; ``in_trouble`` since an attempt failed for a reason that an id may have given;
    ``post_from`` the number of ids from which the request is to be a POST.
    """

    ncbi_api_key: str | None = field(repr=False)
    call: Call
    post_from: int
    entries: dict[str, Entry] = field(default_factory=dict)
    characters: int = 0
    born: float = field(default_factory=time.monotonic)
    joined: float = field(default_factory=time.monotonic)
    deadline: float = 0.0
    sent: frozenset[str] = frozenset()
    owners: tuple[Ticket, ...] = ()
    in_trouble: bool = False

    @property
    def is_shared(self) -> bool:
        """Whether the latest attempt was made for several callers, each with ids of its own."""
        return len(self.owners) > 1

    def callers(self) -> dict[Ticket, None]:
        """Those who wait for any of its ids, each once."""
        return {ticket: None for entry in self.entries.values() for ticket in entry.tickets}

    def find_owners(self) -> tuple[Ticket, ...]:
        """Those who answer for any of its ids, each once."""
        return tuple({entry.tickets[0]: None for entry in self.entries.values() if entry.tickets})
