"""A Redis client that costs its callers next to nothing while Redis is away.

Imported only where ``REDIS_URL`` is set: the redis library is an extra. ``redis_link`` builds it.
"""

import logging
import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar

import redis
from redis.backoff import NoBackoff
from redis.client import Pipeline
from redis.connection import ConnectionPool, parse_url
from redis.retry import Retry

log = logging.getLogger(__name__)

T = TypeVar("T")

# Together the longest that one use of a Redis that is away can take.
CONNECT_SECONDS, READ_SECONDS = 0.1, 0.15
# For so long nobody tries again after that.
AWAY_SECONDS = 5.0

_LIMITS = {
    "socket_connect_timeout": CONNECT_SECONDS,
    "socket_timeout": READ_SECONDS,
    "retry": Retry(NoBackoff(), 0),
    "retry_on_timeout": False,
    "retry_on_error": [],
    # The fewest questions on a new connection: each may take its time.
    "protocol": 2,
    "maint_notifications_config": None,
    "driver_info": None,
}


class RedisAway(redis.ConnectionError):
    """Redis did not answer a moment ago and is not asked again yet."""


class Breaker:
    """Lets no use through for a while after one has failed, and then one to try."""

    def __init__(self, now: Callable[[], float] = time.monotonic):
        self._now = now
        self._lock = threading.Lock()
        self._away_until: float | None = None

    def run(self, use: Callable[[], T]) -> T:
        """What ``use`` returns. Raises ``RedisAway`` at once where Redis is away, else what ``use`` raises."""
        with self._lock:
            if self._away_until is not None:
                if self._now() < self._away_until:
                    raise RedisAway("Redis is away")
                # This use is the one that tries.
                self._away_until = self._now() + AWAY_SECONDS
        try:
            result = use()
        except (redis.ConnectionError, redis.TimeoutError, OSError) as error:
            self._trip(error)
            raise
        except redis.RedisError:
            self._mend()
            raise
        self._mend()
        return result

    def _trip(self, error: Exception) -> None:
        with self._lock:
            known = self._away_until is not None
            self._away_until = self._now() + AWAY_SECONDS
        if not known:
            log.warning("Redis is away (%s): this host goes on by itself", type(error).__name__)

    def _mend(self) -> None:
        if self._away_until is None:
            return
        with self._lock:
            self._away_until = None
        log.warning("Redis is back")


class BreakingRedis(redis.Redis):
    """A client with short time-outs, no retries and a breaker around every command and pipeline.

    Raises ``ValueError`` or ``TypeError`` where the address has a part or an option that the library does not know.
    """

    def __init__(self, url: str, breaker: Breaker | None = None):
        # Not by ``from_url``, where options in the address would win.
        pool = ConnectionPool(**{**parse_url(url), **_LIMITS})  # type: ignore[no-untyped-call]
        # An unknown option would show with the first connection only; this one is not used.
        pool.connection_class(**pool.connection_kwargs)
        super().__init__(connection_pool=pool)
        self._breaker = breaker or Breaker()

    def execute_command(self, *args: Any, **options: Any) -> Any:
        """As the library does, through the breaker."""
        execute: Callable[..., Any] = super().execute_command
        return self._breaker.run(lambda: execute(*args, **options))

    def pipeline(self, transaction: bool = True, shard_hint: Any = None) -> Pipeline:
        """As the library does, with an ``execute`` that goes through the breaker."""
        pipeline = super().pipeline(transaction, shard_hint)
        execute = pipeline.execute
        pipeline.execute = lambda *args, **options: self._breaker.run(  # type: ignore[method-assign]
            lambda: execute(*args, **options)
        )
        return pipeline
