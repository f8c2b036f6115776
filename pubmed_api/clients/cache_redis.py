"""Values by key in Redis, for several hosts: what ``cache_file`` is on one. Redis drops what is of no use any more.

Imported only where ``REDIS_URL`` is set: the redis library is an extra.
"""

import contextlib
import struct
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from redis import Redis, RedisError

from pubmed_api.clients.cache_file import Contents, Row

# Before the value: when it was stored and when it expires.
_HEAD = struct.Struct("<qq")
_SCAN = 500


class RedisStore:
    """Keys begin with ``prefix``. An entry outlives its expiry by ``grace`` seconds, for the time the upstream fails.

    Every method raises ``ConnectionError`` where Redis does not do what it is asked.
    """

    def __init__(self, redis: Redis, prefix: str, *, grace: int = 0):
        self._redis = redis
        self._prefix = prefix
        self._grace = grace

    def read(self, key: str) -> bytes | None:
        """The value, expired or not."""
        row = self.read_many([key]).get(key)
        return None if row is None else row.value

    def read_many(self, keys: Sequence[str]) -> dict[str, Row]:
        """The rows there are, expired ones too, by key."""
        if not keys:
            return {}
        with _translated():
            values: list[Any] = self._redis.mget([self._prefix + key for key in keys])
        return {key: _row(value) for key, value in zip(keys, values, strict=True) if value is not None}

    def write(self, key: str, value: bytes, expires: int) -> None:
        """Keep the value; ``expires`` in Unix seconds."""
        self.write_many([(key, value, expires)])

    def write_many(self, entries: Iterable[tuple[str, bytes, int]]) -> None:
        """Keep all of these ``(key, value, expires)``."""
        now = int(time.time())
        with _translated(), self._redis.pipeline(transaction=False) as pipeline:
            for key, value, expires in entries:
                seconds = expires - now + self._grace
                if seconds > 0:
                    pipeline.set(self._prefix + key, _HEAD.pack(now, expires) + value, ex=seconds)
            pipeline.execute()

    def contents(self) -> Contents:
        """What is there; takes a while, but keeps nobody waiting."""
        now = time.time()
        entries, size, oldest, expired = 0, 0, None, 0
        with _translated():
            for keys in self._scan():
                for head, length in self._measure(keys):
                    stored, expires = _HEAD.unpack(head)
                    entries, size = entries + 1, size + length - _HEAD.size
                    oldest = stored if oldest is None else min(oldest, stored)
                    expired += expires <= now
        return Contents(entries, size, oldest, expired)

    def prune(self) -> int:
        """Nothing: Redis itself deletes what is past its grace."""
        return 0

    def clear(self) -> int:
        """Delete every entry; how many there were."""
        with _translated():
            return sum(int(self._redis.unlink(*keys)) for keys in self._scan())

    def close(self) -> None:
        """Close the connections; the next use opens them again."""
        with _translated():
            self._redis.close()

    def _scan(self) -> Iterator[list[bytes]]:
        keys: list[bytes] = []
        for key in self._redis.scan_iter(match=f"{self._prefix}*", count=_SCAN):
            keys.append(key)
            if len(keys) == _SCAN:
                yield keys
                keys = []
        if keys:
            yield keys

    def _measure(self, keys: list[bytes]) -> list[tuple[bytes, int]]:
        """The head and the length of each entry that is still there."""
        with self._redis.pipeline(transaction=False) as pipeline:
            for key in keys:
                pipeline.getrange(key, 0, _HEAD.size - 1)
                pipeline.strlen(key)
            answers = pipeline.execute()
        pairs = zip(answers[::2], answers[1::2], strict=True)
        return [(head, length) for head, length in pairs if len(head) == _HEAD.size]


def _row(value: bytes) -> Row:
    """What was put together in ``write_many``; of anything else, a value that expired long ago."""
    if len(value) < _HEAD.size:
        return Row(b"", 0, 0)
    return Row(value[_HEAD.size :], *_HEAD.unpack_from(value))


@contextlib.contextmanager
def _translated() -> Iterator[None]:
    """The library's errors may name the address of Redis, which holds its password."""
    try:
        yield
    except RedisError as error:
        raise ConnectionError(f"Redis: {type(error).__name__}") from None
