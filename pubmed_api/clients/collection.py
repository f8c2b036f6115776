"""Items of one kind by id: what is stored, what another process is about to have, and for the rest one batch.

Where the upstream fails, an item past its age stands in, marked ``stale``; not for a caller who wants a new one.
"""

import functools
import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import get_args

from pubmed_api import metrics
from pubmed_api.clients.batches import Ask, Batches, Split
from pubmed_api.clients.claims import Claim, Claims
from pubmed_api.clients.exchange import Exchange
from pubmed_api.clients.items import Item, ItemStore, Kind
from pubmed_api.clients.schedule import MARGIN
from pubmed_api.exceptions import (
    NotInCache,
    UpstreamDeadlineExceeded,
    UpstreamError,
)
from pubmed_api.models.call import CacheState, Call, Part, current_call, open_call

log = logging.getLogger(__name__)

# How long it may go unnoticed that another process has what we wait for, in seconds.
_SLICE = 0.02
# However slow the pace, nobody waits longer than this for company, in seconds.
_LONGEST_GAP = 0.35


@dataclass(frozen=True, slots=True)
class Items:
    """What became of a list of ids, in its order.

    ``found`` has the bodies, ``failed`` the ids that nobody answered, with the reason. For an id in neither the
    upstream answered that it has nothing.
    """

    found: dict[str, bytes] = field(default_factory=dict)
    failed: dict[str, UpstreamError] = field(default_factory=dict)


class Collection:
    """All items of a kind; safe to share between threads."""

    def __init__(self, kind: Kind, store: ItemStore, claims: Claims, batches: Batches):
        self.kind = kind
        self.store = store
        self.claims = claims
        self.batches = batches

    def items(self, wanted: Mapping[str, str], *, post_from: int) -> Items:
        """What there is for the keys of ``wanted``, canonical ids; its values are the same as they are to be sent.

        Only ids that are not stored are asked for, in one request with those of other callers. The current call's
        wishes count, and what was used is noted in its ``parts``. Raises ``NotInCache``, ``RequestCancelled``, an
        error that the caller can mend (``InvalidArguments``) and, where not one id was answered, the
        ``UpstreamError`` that is the reason.
        """
        if not wanted:
            return Items()
        with open_call(current_call()) as call:
            return _Lookup(self, wanted, post_from, call).run()


@dataclass(frozen=True, slots=True)
class Collector:
    """What the collections of one upstream have in common; ``rate`` is how many requests a second it allows."""

    exchange: Exchange
    store: ItemStore
    claims: Claims
    rate: float

    def collect(self, kind: Kind, ask: Ask, split: Split) -> Collection:
        """A new collection: how its items are asked for, and how they are told apart in an answer."""
        keep = functools.partial(self.store.write, kind)
        batches = Batches(self.exchange, ask, split, keep, min(_LONGEST_GAP, MARGIN / self.rate))
        return Collection(kind, self.store, self.claims, batches)


@dataclass(slots=True)
class _Lookup:
    """One call's way through a collection; ``parts`` say where each item came from."""

    collection: Collection
    wanted: Mapping[str, str]
    post_from: int
    call: Call
    items: dict[str, Item] = field(default_factory=dict)
    failed: dict[str, UpstreamError] = field(default_factory=dict)
    parts: dict[str, Part] = field(default_factory=dict)

    def run(self) -> Items:
        if self.collection.kind.age and not self.call.no_cache:
            self._take_stored(self.wanted, "hit")
        if self._missing() and self.call.only_if_cached:
            raise NotInCache("Not all of this is stored, and only what is stored was asked for.")
        if self.collection.kind.age and not self.call.no_cache and self.call.ncbi_api_key is None:
            self._ask_by_turns()
        else:
            # Others' requests are no good here: an older answer is not wanted, or a caller's own pace.
            self._ask(self._missing())
        if self.failed and not self.call.no_cache:
            self._take_stale()
        return self._finish()

    def _missing(self) -> list[str]:
        return [item_id for item_id in self.wanted if item_id not in self.items and item_id not in self.failed]

    def _ask_by_turns(self) -> None:
        """Ask for what no other process asks for, and wait for the rest until it is stored or to be had."""
        waited = False
        try:
            while missing := self._missing():
                keys = {item_id: self.collection.kind.key(item_id) for item_id in missing}
                with self.collection.claims.hold(keys.values()) as claim:
                    mine = [item_id for item_id, key in keys.items() if key in claim.keys]
                    # Stored since we looked, by whoever asked until now.
                    self._take_stored(mine, "miss" if waited else "hit")
                    self._ask([item_id for item_id in mine if item_id not in self.items], claim)
                if self._missing():
                    self.collection.batches.pause()(_SLICE)
                    self._take_stored(self._missing(), "miss")
                    waited = True
        except UpstreamDeadlineExceeded as late:
            self.failed |= dict.fromkeys(self._missing(), late)
        if waited:
            self.collection.batches.note_shared()

    def _ask(self, ids: Sequence[str], claim: Claim | None = None) -> None:
        if not ids:
            return
        wanted = {item_id: self.wanted[item_id] for item_id in ids}
        outcomes = self.collection.batches.fetch(wanted, post_from=self.post_from, claim=claim)
        for item_id, outcome in outcomes.items():
            if isinstance(outcome, Item):
                self._use(item_id, outcome, Part("miss"))
            elif isinstance(outcome, UpstreamError):
                self.failed[item_id] = outcome
            else:
                raise outcome from None

    def _take_stored(self, ids: Iterable[str], state: CacheState) -> None:
        """Use what is stored and fresh; read while we waited for it, it counts as fetched."""
        for item_id, stored in self.collection.store.read(self.collection.kind, ids).items():
            if stored.is_fresh:
                self._use(item_id, stored.item, Part(state, stored.age if state == "hit" else 0))

    def _take_stale(self) -> None:
        """Let old items stand in for an upstream that gave no answer, as opposed to one that refused."""
        failed = [item_id for item_id, error in self.failed.items() if not error.says_no]
        stored = self.collection.store.read(self.collection.kind, failed)
        for item_id, old in stored.items():
            reason = self.failed.pop(item_id).reason
            self._use(item_id, old.item, Part("hit" if old.is_fresh else "stale", old.age))
        if stored:
            log.warning("%s: %d stored items stand in", reason, len(stored))

    def _use(self, item_id: str, item: Item, part: Part) -> None:
        self.items[item_id] = item
        self.parts[item_id] = part

    def _finish(self) -> Items:
        failed = {item_id: self.failed[item_id] for item_id in self.wanted if item_id in self.failed}
        if not self.items:
            raise next(iter(failed.values())) from None
        for state in get_args(CacheState):
            ages = [part.age for part in self.parts.values() if part.cache == state]
            if ages:
                self.call.parts.append(Part(state, max(ages)))
                metrics.note_items(self.collection.kind.name, state, len(ages))
        bodies = ((item_id, self.items[item_id].body) for item_id in self.wanted if item_id in self.items)
        return Items(found={item_id: body for item_id, body in bodies if body is not None}, failed=failed)
