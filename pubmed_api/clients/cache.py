"""The cache as the requests-cache library sees it: answers in a store, and never a reason for a request to fail.

The library's own SQLite backend is not used: it waits for a lock for ever, and keeps answers as pickles, which run
code when read. Here an answer is a line of JSON followed by the body as it came. Nothing of the request is kept.
"""

import json
import logging
import sqlite3
import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from requests import Response
from requests.structures import CaseInsensitiveDict
from requests_cache.backends.base import BaseCache
from requests_cache.models.response import CachedResponse

from pubmed_api import metrics
from pubmed_api.clients import items
from pubmed_api.clients.cache_file import ANSWERS, CacheFile, open_cache_file
from pubmed_api.clients.data_files import cache_path, items_path, make_data_dir, redis_prefix
from pubmed_api.settings import Settings

if TYPE_CHECKING:
    from redis import Redis

log = logging.getLogger(__name__)

# How long after its expiry an answer may still stand in for a failing upstream, in seconds.
STALE_SECONDS = 86400


class AnswerStore(Protocol):
    """Where answers are kept, such as a ``CacheFile``.

    Every method raises ``sqlite3.Error`` or ``OSError`` where the store cannot be used.
    """

    def read(self, key: str) -> bytes | None:
        """The value, expired or not."""

    def write(self, key: str, value: bytes, expires: int) -> None:
        """Keep the value; ``expires`` in Unix seconds."""

    def close(self) -> None:
        """Let go of files and connections; the next use opens them again."""


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """An answer that was stored; ``created`` and ``expires`` in Unix seconds."""

    body: bytes = field(repr=False)
    content_type: str
    created: float
    expires: float

    @property
    def age(self) -> int:
        """For how many seconds it has been stored."""
        return max(0, int(time.time() - self.created))

    @property
    def is_fresh(self) -> bool:
        """Whether it is as good as a new one."""
        return time.time() < self.expires

    @property
    def is_of_use(self) -> bool:
        """Whether it may at least stand in where the upstream fails."""
        return time.time() < self.expires + STALE_SECONDS


class AnswerCache(BaseCache):
    """Fails open: what cannot be read is a miss, what cannot be written is skipped; ``failures`` counts both."""

    def __init__(self, store: AnswerStore):
        super().__init__()
        self._store = store
        self.failures: Counter[str] = Counter()

    def find(self, key: str) -> StoredAnswer | None:
        """The stored answer, expired or not."""
        try:
            stored = self._store.read(key)
            return None if stored is None else read_answer(stored)
        except (sqlite3.Error, OSError, ValueError, LookupError, TypeError) as error:
            self._failed("read", error)
            return None

    def get_response(self, key: str, default: Any = None) -> CachedResponse | None:
        """The same as the library wants it, or ``default``."""
        answer = self.find(key)
        return default if answer is None else _as_response(answer)

    def save_response(self, response: Response, cache_key: str | None = None, expires: datetime | None = None) -> None:
        """Keep the answer until ``expires``; without key or moment it is not kept."""
        if cache_key is None or expires is None:
            return
        try:
            self._store.write(cache_key, dump_answer(response, expires), int(expires.timestamp()))
        except (sqlite3.Error, OSError) as error:
            self._failed("write", error)

    def close(self) -> None:
        """Close the store; the next use opens it again."""
        self._store.close()

    def _failed(self, action: str, error: Exception) -> None:
        self.failures[action] += 1
        metrics.note_cache_failure(action)
        # The first, the second, the fourth …: a store that is gone fails with every request.
        if self.failures[action].bit_count() == 1:
            log.warning("cache %s failed (%s), %d so far", action, type(error).__name__, self.failures[action])


def dump_answer(response: Response, expires: datetime) -> bytes:
    """The answer as it is stored."""
    body = response.content
    head = {
        "created": time.time(),
        "expires": expires.timestamp(),
        "type": response.headers.get("Content-Type", ""),
        "size": len(body),
    }
    return json.dumps(head).encode() + b"\n" + body


def read_answer(stored: bytes) -> StoredAnswer:
    """The answer that was stored. Raises ``ValueError``, ``LookupError`` or ``TypeError`` where it is not one."""
    line, _, body = stored.partition(b"\n")
    head = json.loads(line)
    if len(body) != head["size"]:
        raise ValueError("stored answer is not whole")
    return StoredAnswer(body, str(head["type"]), float(head["created"]), float(head["expires"]))


def _as_response(answer: StoredAnswer) -> CachedResponse:
    return CachedResponse(
        content=answer.body,
        status_code=200,
        reason="OK",
        headers=CaseInsensitiveDict({"Content-Type": answer.content_type}),
        created_at=datetime.fromtimestamp(answer.created, UTC),
        expires=datetime.fromtimestamp(answer.expires, UTC),
    )


def open_cache(settings: Settings, redis: "Redis | None", *, sandbox: bool) -> AnswerCache:
    """The cache of this process: in Redis if there is one, else in its file. Nothing is opened before it is used."""
    if redis is None:
        path = cache_path(settings, sandbox=sandbox)
        return AnswerCache(CacheFile(path, settings.cache_max_bytes, grace=STALE_SECONDS))
    # Needs the redis library.
    from pubmed_api.clients.cache_redis import RedisStore

    return AnswerCache(RedisStore(redis, redis_prefix("answers", sandbox=sandbox), grace=STALE_SECONDS))


def create_cache_file(settings: Settings) -> None:
    """Make the files of answers and items in write-ahead mode, before workers are forked, which could lock each other
    out of them.

    ``settings.upstream`` must be decided (``auto`` is taken as ``live``). A file that is no database is replaced.
    One that cannot be made is only logged; a data directory that cannot be made raises ``OSError``.
    """
    make_data_dir(settings)
    sandbox = settings.upstream == "sandbox"
    _create(cache_path(settings, sandbox=sandbox), ANSWERS)
    _create(items_path(settings, sandbox=sandbox), items.TABLE)


def _create(path: Path, table: str) -> None:
    try:
        try:
            open_cache_file(path, table).close()
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError:
            log.warning("cache file %s is damaged and is started anew", path.name)
            _remove(path)
            open_cache_file(path, table).close()
    except (sqlite3.Error, OSError) as error:
        log.warning("cache file %s cannot be made (%s): answers will not be kept", path.name, type(error).__name__)


def _remove(path: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
