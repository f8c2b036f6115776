"""Answers by key in one SQLite file, shared by all processes and bounded in size."""

import contextlib
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

# The longest anybody waits for a lock, in this process or another; the cache is to save time.
LOCK_SECONDS = 0.25

_TABLE = "CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, expires INTEGER NOT NULL, value BLOB NOT NULL)"
_INDEX = "CREATE INDEX IF NOT EXISTS answers_by_expiry ON answers (expires)"
# Those that expire first go first, until at least so many bytes have gone.
_PRUNE = """
    DELETE FROM answers WHERE key IN (
        SELECT key FROM (
            SELECT key, sum(length(value)) OVER (ORDER BY expires, key) - length(value) AS before FROM answers
        ) WHERE before < ?
    )
"""
_PRUNE_TO = 0.9


class CacheFile:
    """Reads and writes on two connections, so that no reader waits for a writer; both are opened when first used.

    Every method raises ``sqlite3.Error`` where the file cannot be used, and within half a second.
    """

    def __init__(self, path: Path, max_bytes: int):
        self._max_bytes = max_bytes
        self._reader = _Connection(path)
        self._writer = _Connection(path)

    def read(self, key: str) -> bytes | None:
        """The value, expired or not."""
        with self._reader.use() as connection:
            row = connection.execute("SELECT value FROM answers WHERE key = ?", (key,)).fetchone()
        return None if row is None else bytes(row[0])

    def write(self, key: str, value: bytes, expires: int) -> None:
        """Keep the value, then make room if the file has outgrown its limit. ``expires`` in Unix seconds."""
        with self._writer.use() as connection:
            connection.execute("INSERT OR REPLACE INTO answers VALUES (?, ?, ?)", (key, expires, value))
            if self._used(connection) > self._max_bytes:
                self._prune(connection)

    def close(self) -> None:
        """Close both connections; the next use opens them again."""
        self._reader.close()
        self._writer.close()

    def _prune(self, connection: sqlite3.Connection) -> None:
        """Freed pages are used again, so the file needs no ``VACUUM``, which would lock it for seconds."""
        connection.execute("DELETE FROM answers WHERE expires <= ?", (int(time.time()),))
        excess = self._used(connection) - _PRUNE_TO * self._max_bytes
        if excess > 0:
            connection.execute(_PRUNE, (excess,))

    def _used(self, connection: sqlite3.Connection) -> int:
        pages, free, size = (
            connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
        )
        return int((pages - free) * size)


class _Connection:
    """One SQLite connection, used by one thread at a time."""

    def __init__(self, path: Path):
        self._path = path
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None

    @contextmanager
    def use(self) -> Iterator[sqlite3.Connection]:
        if not self._lock.acquire(timeout=LOCK_SECONDS):
            raise sqlite3.OperationalError("connection is busy")
        try:
            if self._connection is None:
                self._connection = open_cache_file(self._path)
            yield self._connection
        finally:
            self._lock.release()

    def close(self) -> None:
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None


def open_cache_file(path: Path) -> sqlite3.Connection:
    """A connection to the file in write-ahead mode, its table made if need be. Raises ``sqlite3.Error``."""
    connection = sqlite3.connect(path, timeout=LOCK_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA schema_version").fetchone()
        # SQLite makes it readable by all; the files beside it, which come next, take over its mode. The file is not
        # opened for this: closing any descriptor of it would drop every lock this process holds on it (POSIX), and
        # two connections would then corrupt it.
        with contextlib.suppress(OSError):
            path.chmod(0o600)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute(_TABLE)
        connection.execute(_INDEX)
    except BaseException:
        connection.close()
        raise
    return connection
