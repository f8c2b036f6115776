"""What an operator can do with what is stored, while the service runs: look at it, prune it, clear it.

The stores of the service and of the sandbox are found by themselves; one that was never used is not made for it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from pubmed_api.clients import items
from pubmed_api.clients.cache import STALE_SECONDS
from pubmed_api.clients.cache_file import ANSWERS, CacheFile, Contents
from pubmed_api.clients.coalescing import FlightFiles
from pubmed_api.clients.data_files import cache_path, flights_path, items_path, redis_prefix
from pubmed_api.clients.redis_link import open_redis
from pubmed_api.settings import Settings

# An operator can wait for the service to finish a write.
PATIENCE_SECONDS = 10.0


class Store(Protocol):
    """What is kept in one place, such as a ``CacheFile``.

    Every method raises ``sqlite3.Error`` or ``OSError`` where the store cannot be used.
    """

    def contents(self) -> Contents:
        """What is there."""

    def prune(self) -> int:
        """Delete what is of no use any more; how many entries that were."""

    def clear(self) -> int:
        """Delete every entry; how many there were."""

    def close(self) -> None:
        """Let go of files and connections."""


@dataclass(frozen=True, slots=True)
class StoreInUse:
    """A store and where it is; ``path`` is ``None`` in Redis, whose address may hold a password."""

    name: str
    path: Path | None
    store: Store

    @property
    def place(self) -> str:
        """Where it is, in words."""
        return f"{self.name} in {self.path or 'Redis'}"

    @property
    def disk_bytes(self) -> int | None:
        """What its file takes on the disk, write-ahead log included."""
        if self.path is None:
            return None
        files = (self.path, self.path.with_name(self.path.name + "-wal"))
        return sum(file.stat().st_size for file in files if file.exists())


@dataclass(frozen=True, slots=True)
class _Sort:
    """A sort of thing that is kept; an entry outlives its expiry by ``grace`` seconds."""

    name: str
    find_path: Callable[..., Path]
    table: str
    grace: int


_SORTS = (
    _Sort("answers", cache_path, ANSWERS, STALE_SECONDS),
    _Sort("items", items_path, items.TABLE, items.GRACE_SECONDS),
)


def stores_in_use(settings: Settings) -> Iterator[StoreInUse]:
    """Every store there is, in files and, where ``REDIS_URL`` is set, in Redis. Raises ``SettingsError``."""
    redis = open_redis(settings)
    for sandbox in (False, True):
        for sort in _SORTS:
            path = sort.find_path(settings, sandbox=sandbox)
            if path.exists():
                file = CacheFile(
                    path, settings.cache_max_bytes, table=sort.table, grace=sort.grace, patience=PATIENCE_SECONDS
                )
                yield StoreInUse(sort.name, path, file)
            if redis is not None:
                # Needs the redis library.
                from pubmed_api.clients.cache_redis import RedisStore

                prefix = redis_prefix(sort.name, sandbox=sandbox)
                name = f"{sort.name} of the sandbox" if sandbox else sort.name
                yield StoreInUse(name, None, RedisStore(redis, prefix, grace=sort.grace))


def sweep(settings: Settings) -> None:
    """Remove what killed processes have left behind."""
    for sandbox in (False, True):
        FlightFiles(flights_path(settings, sandbox=sandbox)).sweep()
