"""The cache as the requests-cache library sees it: answers in a file, and never a reason for a request to fail.

The library's own SQLite backend is not used: it waits for a lock for ever, and keeps answers as pickles, which run
code when read. Here an answer is a line of JSON followed by the body as it came. Nothing of the request is kept.
"""

import json
import logging
import sqlite3
import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from requests import Response
from requests.structures import CaseInsensitiveDict
from requests_cache.backends.base import BaseCache
from requests_cache.models.response import CachedResponse

from pubmed_api.clients.cache_file import CacheFile, open_cache_file
from pubmed_api.clients.data_files import cache_path, make_data_dir
from pubmed_api.settings import Settings

log = logging.getLogger(__name__)


class AnswerCache(BaseCache):
    """Fails open: what cannot be read is a miss, what cannot be written is skipped; ``failures`` counts both."""

    def __init__(self, file: CacheFile):
        super().__init__()
        self._file = file
        self.failures: Counter[str] = Counter()

    def get_response(self, key: str, default: Any = None) -> CachedResponse | None:
        """The stored answer, expired or not, or ``default``."""
        answer: CachedResponse | None = default
        try:
            stored = self._file.read(key)
            if stored is not None:
                answer = load_answer(stored)
        except (sqlite3.Error, ValueError, LookupError, TypeError) as error:
            self._failed("read", error)
        return answer

    def save_response(self, response: Response, cache_key: str | None = None, expires: datetime | None = None) -> None:
        """Keep the answer until ``expires``; without key or moment it is not kept."""
        if cache_key is None or expires is None:
            return
        try:
            self._file.write(cache_key, dump_answer(response, expires), int(expires.timestamp()))
        except sqlite3.Error as error:
            self._failed("write", error)

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        self._file.close()

    def _failed(self, action: str, error: Exception) -> None:
        self.failures[action] += 1
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


def load_answer(stored: bytes) -> CachedResponse:
    """The answer that was stored. Raises ``ValueError``, ``LookupError`` or ``TypeError`` where it is not one."""
    line, _, body = stored.partition(b"\n")
    head = json.loads(line)
    if len(body) != head["size"]:
        raise ValueError("stored answer is not whole")
    return CachedResponse(
        content=body,
        status_code=200,
        reason="OK",
        headers=CaseInsensitiveDict({"Content-Type": head["type"]}),
        created_at=datetime.fromtimestamp(head["created"], UTC),
        expires=datetime.fromtimestamp(head["expires"], UTC),
    )


def create_cache_file(settings: Settings) -> None:
    """Make the cache file in write-ahead mode, before workers are forked: they could lock each other out of it.

    ``settings.upstream`` must be decided (``auto`` is taken as ``live``). A file that is no database is replaced.
    A cache that cannot be made is only logged; a data directory that cannot be made raises ``OSError``.
    """
    make_data_dir(settings)
    path = cache_path(settings, sandbox=settings.upstream == "sandbox")
    try:
        try:
            open_cache_file(path).close()
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError:
            log.warning("cache file %s is damaged and is started anew", path.name)
            _remove(path)
            open_cache_file(path).close()
    except (sqlite3.Error, OSError) as error:
        log.warning("cache file %s cannot be made (%s): answers will not be kept", path.name, type(error).__name__)


def _remove(path: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
