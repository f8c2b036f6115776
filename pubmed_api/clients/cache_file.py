"""Values by key in one SQLite file, shared by all processes and bounded in size."""

import contextlib
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

# The longest anybody waits for a lock, in this process or another; the cache is to save time.
LOCK_SECONDS = 0.25
ANSWERS = "answers"

_COLUMNS = ("key", "expires", "stored", "value")
_TABLE = """
    CREATE TABLE IF NOT EXISTS {table}
    (key TEXT PRIMARY KEY, expires INTEGER NOT NULL, stored INTEGER NOT NULL, value BLOB NOT NULL)
"""
_INDEX = "CREATE INDEX IF NOT EXISTS {table}_by_expiry ON {table} (expires)"
# In steps, so that no pass keeps other writers out for long.
_DROP_OLD = "DELETE FROM {table} WHERE key IN (SELECT key FROM {table} WHERE expires <= ? ORDER BY expires LIMIT ?)"
# Those that expire first go first, until at least so many bytes have gone.
_DROP_EXCESS = """
    DELETE FROM {table} WHERE key IN (
        SELECT key FROM (
            SELECT key, sum(length(value)) OVER (ORDER BY expires, key) - length(value) AS before FROM {table}
        ) WHERE before < ?
    )
"""
_COUNT = "SELECT count(*), coalesce(sum(length(value)), 0), min(stored), count(CASE WHEN expires <= ? THEN 1 END)"
_STEP = 500
_PRUNE_TO = 0.9
_PRUNE_SECONDS = 3600.0


class Row(NamedTuple):
    """A kept value; ``stored`` and ``expires`` in Unix seconds."""

    value: bytes
    stored: int
    expires: int


@dataclass(frozen=True, slots=True)
class Contents:
    """What a store holds. ``expired`` of its entries are past their age; ``oldest`` is when the first was stored."""

    entries: int
    bytes: int
    oldest: int | None
    expired: int


class CacheFile:
    """Reads and writes on two connections, so that no reader waits for a writer; both are opened when first used.

    An entry outlives its expiry by ``grace`` seconds, for the time the upstream fails; then, or when the file has
    outgrown ``max_bytes``, it is pruned. Nobody waits for a lock longer than ``patience`` seconds.
    Every method raises ``sqlite3.Error`` where the file cannot be used, and within twice that time.
    """

    def __init__(
        self, path: Path, max_bytes: int, *, table: str = ANSWERS, grace: int = 0, patience: float = LOCK_SECONDS
    ):
        self.path = path
        self._max_bytes = max_bytes
        self._table = table
        self._grace = grace
        self._prune_at = 0.0
        self._reader = _Connection(path, table, patience)
        self._writer = _Connection(path, table, patience)

    def read(self, key: str) -> bytes | None:
        """The value, expired or not."""
        with self._reader.use() as connection:
            row = connection.execute(f"SELECT value FROM {self._table} WHERE key = ?", (key,)).fetchone()
        return None if row is None else bytes(row[0])

    def read_many(self, keys: Sequence[str]) -> dict[str, Row]:
        """The rows there are, expired ones too, by key."""
        found: dict[str, Row] = {}
        with self._reader.use() as connection:
            for start in range(0, len(keys), _STEP):
                some = keys[start : start + _STEP]
                marks = ",".join("?" * len(some))
                query = f"SELECT key, value, stored, expires FROM {self._table} WHERE key IN ({marks})"
                for key, *row in connection.execute(query, some):
                    found[key] = Row(*row)
        return found

    def write(self, key: str, value: bytes, expires: int) -> None:
        """Keep the value, then make room if the file has outgrown its limit. ``expires`` in Unix seconds."""
        self.write_many([(key, value, expires)])

    def write_many(self, entries: Iterable[tuple[str, bytes, int]]) -> None:
        """Keep all of these ``(key, value, expires)`` or, where that fails, none."""
        stored = int(time.time())
        rows = [(key, expires, stored, value) for key, value, expires in entries]
        with self._writer.use() as connection:
            with _transaction(connection):
                connection.executemany(f"INSERT OR REPLACE INTO {self._table} VALUES (?, ?, ?, ?)", rows)
            if time.monotonic() >= self._prune_at or self._used(connection) > self._max_bytes:
                self._prune(connection)

    def contents(self) -> Contents:
        """What is in the file."""
        with self._reader.use() as connection:
            row = connection.execute(f"{_COUNT} FROM {self._table}", (int(time.time()),)).fetchone()
        return Contents(*row)

    def prune(self) -> int:
        """Delete what is of no use any more; how many entries that were."""
        deleted = 0
        while True:
            # One step at a time: others write in between.
            with self._writer.use() as connection:
                step = self._prune(connection)
            deleted += step
            if step < _STEP:
                return deleted

    def clear(self) -> int:
        """Delete every entry and give the room back to the disk; how many entries there were."""
        with self._writer.use() as connection:
            deleted = connection.execute(f"DELETE FROM {self._table}").rowcount
            connection.execute("VACUUM")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        return deleted

    def close(self) -> None:
        """Close both connections; the next use opens them again."""
        self._reader.close()
        self._writer.close()

    def _prune(self, connection: sqlite3.Connection) -> int:
        """Freed pages are used again, so the file needs no ``VACUUM``, which would lock it for seconds."""
        useless = int(time.time()) - self._grace
        deleted = connection.execute(_DROP_OLD.format(table=self._table), (useless, _STEP)).rowcount
        self._prune_at = 0.0 if deleted == _STEP else time.monotonic() + _PRUNE_SECONDS
        excess = self._used(connection) - self._max_bytes
        if excess > 0:
            excess += round((1 - _PRUNE_TO) * self._max_bytes)
            deleted += connection.execute(_DROP_EXCESS.format(table=self._table), (excess,)).rowcount
        return deleted

    def _used(self, connection: sqlite3.Connection) -> int:
        pages, free, size = (
            connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
        )
        return int((pages - free) * size)


class _Connection:
    """One SQLite connection, used by one thread at a time."""

    def __init__(self, path: Path, table: str, patience: float):
        self._path = path
        self._table = table
        self._patience = patience
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None

    @contextmanager
    def use(self) -> Iterator[sqlite3.Connection]:
        if not self._lock.acquire(timeout=self._patience):
            raise sqlite3.OperationalError("connection is busy")
        try:
            if self._connection is None:
                self._connection = open_cache_file(self._path, self._table, self._patience)
            yield self._connection
        finally:
            self._lock.release()

    def close(self) -> None:
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None


def open_cache_file(path: Path, table: str = ANSWERS, patience: float = LOCK_SECONDS) -> sqlite3.Connection:
    """A connection to the file in write-ahead mode, its table made if need be. Raises ``sqlite3.Error``."""
    connection = sqlite3.connect(path, timeout=patience, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA schema_version").fetchone()
        # SQLite makes it readable by all; the files beside it, which come next, take over its mode. The file is not
        # opened for this: closing any descriptor of it would drop every lock this process holds on it (POSIX), and
        # two connections would then corrupt it.
        with contextlib.suppress(OSError):
            path.chmod(0o600)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        _make_table(connection, table)
    except BaseException:
        connection.close()
        raise
    return connection


def _make_table(connection: sqlite3.Connection, table: str) -> None:
    """A table of an older form goes, and what it held with it."""
    columns = tuple(row[1] for row in connection.execute(f"PRAGMA table_info({table})"))
    if columns == _COLUMNS:
        return
    with _transaction(connection):
        if columns:
            connection.execute(f"DROP TABLE IF EXISTS {table}")
        connection.execute(_TABLE.format(table=table))
        connection.execute(_INDEX.format(table=table))


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        with contextlib.suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise
