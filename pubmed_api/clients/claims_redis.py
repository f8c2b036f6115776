"""Claims of ids over several hosts, in Redis: a key that holds its owner's token and runs out unless it is renewed.

Imported only where ``REDIS_URL`` is set: the redis library is an extra.
"""

import contextlib
import uuid
from collections.abc import Sequence

from redis import Redis, RedisError

# For how long the ids of a process that died are left to it.
_LEASE_MS = 3_000

_RELEASE = """
for _, key in ipairs(KEYS) do
  if redis.call('GET', key) == ARGV[1] then redis.call('DEL', key) end
end
"""


class RedisClaims:
    """Keys begin with ``prefix``. While Redis is away this ground gives everybody everything."""

    def __init__(self, redis: Redis, prefix: str):
        self._redis = redis
        self._prefix = prefix
        self._token = uuid.uuid4().hex
        self._release = redis.register_script(_RELEASE)

    def take(self, keys: Sequence[str]) -> set[str]:
        """See ``claims.Ground``."""
        if not keys:
            return set()
        try:
            with self._redis.pipeline(transaction=False) as pipeline:
                for key in keys:
                    pipeline.set(self._prefix + key, self._token, nx=True, px=_LEASE_MS)
                given = pipeline.execute()
        except RedisError:
            return set(keys)
        return {key for key, is_ours in zip(keys, given, strict=True) if is_ours}

    def renew(self, keys: Sequence[str]) -> None:
        """See ``claims.Ground``."""
        with contextlib.suppress(RedisError), self._redis.pipeline(transaction=False) as pipeline:
            for key in keys:
                pipeline.pexpire(self._prefix + key, _LEASE_MS)
            pipeline.execute()

    def release(self, keys: Sequence[str]) -> None:
        """See ``claims.Ground``. A claim that cannot be released now runs out soon."""
        if keys:
            with contextlib.suppress(RedisError):
                self._release(keys=[self._prefix + key for key in keys], args=[self._token])
