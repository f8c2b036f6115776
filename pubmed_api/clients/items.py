"""What upstreams say of single ids, kept one by one: a record, a summary, a row of the ID Converter.

An item is kept as it came, compressed, for the age of its kind; that an upstream has nothing for an id is kept too,
but briefly. The store fails open: what cannot be read is a miss, what cannot be written is skipped.
"""

import logging
import sqlite3
import time
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from pubmed_api import metrics
from pubmed_api.clients.cache_file import CacheFile, Row
from pubmed_api.clients.data_files import items_path, redis_prefix
from pubmed_api.settings import Settings

if TYPE_CHECKING:
    from redis import Redis

log = logging.getLogger(__name__)

# The longest age of what an upstream does not have, in seconds: what is missing now may come soon.
BRIEF_SECONDS = 300
# How long after its expiry an item may still stand in for a failing upstream, in seconds. Records change little.
GRACE_SECONDS = 30 * 86400
# The table of the file in which items are kept.
TABLE = "items"

_LASTING, _BRIEF, _NOTHING = b"+", b"~", b"-"
# Records are text full of markup: the fastest level makes them a quarter, the best one little less.
_LEVEL = 1
_FAILURES = (sqlite3.Error, OSError, ValueError, zlib.error)


@dataclass(frozen=True, slots=True)
class Item:
    """What an upstream says of an id: ``body`` as it came, ``None`` where it has nothing.

    ``lasting`` is false where it may soon say otherwise, as it is of ids it does not know.
    """

    body: bytes | None = field(repr=False)
    lasting: bool = True


NOTHING = Item(None, lasting=False)


@dataclass(frozen=True, slots=True)
class StoredItem:
    """An item that was stored ``age`` seconds ago; one that is not fresh is there to stand in for a failure."""

    item: Item
    age: int
    is_fresh: bool


@dataclass(frozen=True, slots=True)
class Kind:
    """A sort of item: its name, the address it comes from, and the seconds for which one is good (0: not kept)."""

    name: str
    origin: str
    age: int

    def key(self, item_id: str) -> str:
        """The key of an item; what comes from another address is another item."""
        return f"{self.name} {self.origin} {item_id}"


class Shelf(Protocol):
    """Where items are kept, such as a ``CacheFile``.

    Every method raises ``sqlite3.Error`` or ``OSError`` where the shelf cannot be used.
    """

    def read_many(self, keys: Sequence[str]) -> dict[str, Row]:
        """The rows there are, expired ones too, by key."""

    def write_many(self, entries: Iterable[tuple[str, bytes, int]]) -> None:
        """Keep these ``(key, value, expires)``; ``expires`` in Unix seconds."""

    def close(self) -> None:
        """Let go of files and connections; the next use opens them again."""


class ItemStore:
    """Items on a shelf; ``failures`` counts the reads and writes that had to be done without it."""

    def __init__(self, shelf: Shelf):
        self._shelf = shelf
        self.failures: Counter[str] = Counter()

    def read(self, kind: Kind, ids: Iterable[str]) -> dict[str, StoredItem]:
        """What is stored of these ids: fresh items, and lasting ones past their age that may still stand in."""
        keys = {kind.key(item_id): item_id for item_id in ids}
        found: dict[str, StoredItem] = {}
        try:
            rows = self._shelf.read_many(list(keys)) if keys and kind.age else {}
            now = time.time()
            for key, row in rows.items():
                stored = _load(row, now)
                if stored.is_fresh or (stored.item.lasting and now < row.expires + GRACE_SECONDS):
                    found[keys[key]] = stored
        except _FAILURES as error:
            self._failed("read", error)
        return found

    def write(self, kind: Kind, items: Mapping[str, Item]) -> None:
        """Keep items by id."""
        if not kind.age:
            return
        now = int(time.time())
        entries = [
            (kind.key(item_id), _dump(item), now + (kind.age if item.lasting else min(kind.age, BRIEF_SECONDS)))
            for item_id, item in items.items()
        ]
        try:
            self._shelf.write_many(entries)
        except _FAILURES as error:
            self._failed("write", error)

    def close(self) -> None:
        """Close the shelf; the next use opens it again."""
        self._shelf.close()

    def _failed(self, action: str, error: Exception) -> None:
        self.failures[action] += 1
        metrics.note_cache_failure(action)
        log.warning("item store: %s failed (%s), %d so far", action, type(error).__name__, self.failures[action])


def open_items(settings: Settings, redis: "Redis | None", *, sandbox: bool) -> ItemStore:
    """The item store of this process: in Redis if there is one, else in its file. It is opened when first used."""
    if redis is None:
        path = items_path(settings, sandbox=sandbox)
        return ItemStore(CacheFile(path, settings.cache_max_bytes, table=TABLE, grace=GRACE_SECONDS))
    # Needs the redis library.
    from pubmed_api.clients.cache_redis import RedisStore

    return ItemStore(RedisStore(redis, redis_prefix("items", sandbox=sandbox), grace=GRACE_SECONDS))


def _dump(item: Item) -> bytes:
    if item.body is None:
        return _NOTHING
    return (_LASTING if item.lasting else _BRIEF) + zlib.compress(item.body, _LEVEL)


def _load(row: Row, now: float) -> StoredItem:
    """The item of a row. Raises ``ValueError`` or ``zlib.error`` where it is none."""
    mark, packed = row.value[:1], row.value[1:]
    if mark not in (_LASTING, _BRIEF, _NOTHING):
        raise ValueError("not an item")
    item = NOTHING if mark == _NOTHING else Item(zlib.decompress(packed), lasting=mark == _LASTING)
    return StoredItem(item, age=max(0, int(now - row.stored)), is_fresh=now < row.expires)
