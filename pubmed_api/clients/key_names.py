"""Names for the NCBI API keys of callers: the same for a key everywhere, and telling nobody what it is.

A name is a hash keyed with a secret. Hosts that share a Redis share the secret of its names; it is one of theirs,
kept there under a fixed name and put back by any of them if Redis loses it.
"""

import fcntl
import hmac
import logging
import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from pubmed_api.clients.waiting import Clock

if TYPE_CHECKING:
    from redis import Redis

log = logging.getLogger(__name__)

_SECRET_BYTES = 32
_NAME_LENGTH = 24
# How long the secret in Redis is trusted to be still the same.
_TRUSTED_SECONDS = 5.0


def name_key(key: str, secret: bytes) -> str:
    """The name of a key under a secret."""
    return hmac.digest(secret, key.encode(), "sha256").hex()[:_NAME_LENGTH]


class HostSecret:
    """The secret of this host, in a file that its owner alone can read; made when it is first wanted."""

    def __init__(self, path: Path):
        self._path = path
        self._lock = threading.Lock()
        self._secret: bytes | None = None

    def value(self) -> bytes:
        """The secret. Where there can be no file this process has one of its own, and so paces by itself."""
        with self._lock:
            if self._secret is None:
                self._secret = self._read_or_make()
            return self._secret

    def _read_or_make(self) -> bytes:
        fresh = os.urandom(_SECRET_BYTES)
        try:
            fd = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(fd, fcntl.LOCK_EX)
                found = os.pread(fd, _SECRET_BYTES, 0)
                if len(found) == _SECRET_BYTES:
                    return found
                os.pwrite(fd, fresh, 0)
            finally:
                os.close(fd)
        except OSError as error:
            log.warning("%s cannot be used (%s): callers' keys are paced by each process", self._path.name, error.errno)
        return fresh


class SharedSecret:
    """The secret of all hosts; while Redis is away the last one known, or this host's."""

    def __init__(self, redis: "Redis", name: str, host: HostSecret, clock: Clock | None = None):
        self._redis = redis
        self._name = name
        self._host = host
        self._clock = clock or Clock()
        self._secret: bytes | None = None
        self._trusted_until = 0.0

    def value(self) -> bytes:
        """The secret."""
        if self._secret is None or self._clock.now() >= self._trusted_until:
            self._secret = self._ask(self._secret or self._host.value())
            self._trusted_until = self._clock.now() + _TRUSTED_SECONDS
        return self._secret

    def _ask(self, known: bytes) -> bytes:
        from redis import RedisError

        try:
            self._redis.set(self._name, known, nx=True)
            found = self._redis.get(self._name)
        except RedisError:
            return known
        return found if isinstance(found, bytes) and len(found) == _SECRET_BYTES else known
