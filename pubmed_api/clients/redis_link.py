"""The one place that builds a Redis client."""

from typing import TYPE_CHECKING

from pubmed_api.settings import Settings, SettingsError

if TYPE_CHECKING:
    from redis import Redis


def open_redis(settings: Settings) -> "Redis | None":
    """The client for ``REDIS_URL``, or ``None`` where that is not set. It connects with its first use.

    A use of a Redis that is away takes 0.25 s at most (looking up its name in the DNS aside), is not retried, and
    makes all others fail at once for 5 s. Every failure is a ``redis.RedisError``. Raises ``SettingsError`` where the
    extra is not installed or the address cannot be read; the address, which may hold a password, is not repeated.
    """
    if settings.redis_url is None:
        return None
    try:
        from pubmed_api.clients.redis_client import BreakingRedis
    except ImportError:
        raise SettingsError(
            ["REDIS_URL is set, but the redis package is missing: pip install 'pubmed-api[redis]'"]
        ) from None
    try:
        return BreakingRedis(settings.redis_url)
    except (ValueError, TypeError):
        pass
    raise SettingsError(["REDIS_URL cannot be read: its host, port or options are not those of a Redis address"])
