"""Which ids are under way in which process, so that no two processes ask for one id at the same time.

A claim is one locked byte of a file, at a place made of the item's key. The kernel keeps these locks per process and
drops them when the process dies; within a process claims are counted. Where Redis is shared by several hosts a key
there, which must be renewed, does the same for all of them. A claim spares requests and guards nothing: where it
cannot be made, everybody asks.
"""

import errno
import fcntl
import hashlib
import logging
import os
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from pubmed_api.clients.data_files import claims_path, redis_prefix
from pubmed_api.settings import Settings

if TYPE_CHECKING:
    from redis import Redis

log = logging.getLogger(__name__)

RENEW_SECONDS = 1.0


class Ground(Protocol):
    """Where the claims of several processes meet."""

    def take(self, keys: Sequence[str]) -> set[str]:
        """Those of the keys that are this process's from now on; nobody else had them."""

    def renew(self, keys: Sequence[str]) -> None:
        """Go on holding them; to be called every second."""

    def release(self, keys: Sequence[str]) -> None:
        """Let others have them."""


class Claims:
    """The claims of a process, on every ground that it shares with others."""

    def __init__(self, grounds: Sequence[Ground]):
        self._grounds = grounds
        self._held: Counter[str] = Counter()
        self._lock = threading.Lock()

    @contextmanager
    def hold(self, keys: Iterable[str]) -> Iterator["Claim"]:
        """Claim what no other process has, for the time of the block. What another call here has is ours too."""
        wanted = list(keys)
        with self._lock:
            mine = {key for key in wanted if self._held[key]}
            mine |= self._take([key for key in wanted if key not in mine])
            self._held.update(mine)
        claim = Claim(frozenset(mine), self)
        try:
            yield claim
        finally:
            claim.release()

    def renew(self, keys: Iterable[str]) -> None:
        """Go on holding these."""
        held = list(keys)
        for ground in self._grounds:
            ground.renew(held)

    def release(self, keys: Iterable[str]) -> None:
        """Let others have these, as soon as no other call here holds them."""
        released = list(keys)
        with self._lock:
            self._held.subtract(released)
            free = [key for key in released if not self._held[key]]
            for ground in self._grounds:
                ground.release(free)
            self._held = +self._held

    def _take(self, keys: list[str]) -> set[str]:
        """Those that every ground gives; the order of grounds is the same for all, so nobody holds up another."""
        mine = set(keys)
        for place, ground in enumerate(self._grounds):
            given = ground.take([key for key in keys if key in mine])
            for earlier in self._grounds[:place]:
                earlier.release([key for key in mine if key not in given])
            mine = given
        return mine


class Claim:
    """What one call has claimed: ``keys``."""

    def __init__(self, keys: frozenset[str], claims: Claims):
        self.keys = keys
        self._claims = claims
        self._renewed = time.monotonic()
        self._released = False

    def renew(self) -> None:
        """Go on holding it; to be called several times a second for as long as it is needed."""
        if time.monotonic() >= self._renewed + RENEW_SECONDS:
            self._renewed = time.monotonic()
            self._claims.renew(self.keys)

    def release(self) -> None:
        """Hold it no more; once is enough."""
        if not self._released:
            self._released = True
            self._claims.release(self.keys)


class ClaimFile:
    """The processes of one host, which share a file. It stays empty: locks may lie behind its end."""

    def __init__(self, path: Path):
        self._path = path
        self._fd: int | None = None
        self._owner = 0

    def take(self, keys: Sequence[str]) -> set[str]:
        """See ``Ground``."""
        fd = self._open() if keys else None
        if fd is None:
            return set(keys)
        return {key for key in keys if self._lock(fd, key)}

    def renew(self, keys: Sequence[str]) -> None:
        """Locks need no renewal."""

    def release(self, keys: Sequence[str]) -> None:
        """See ``Ground``."""
        if self._fd is None or self._owner != os.getpid():
            return
        for key in keys:
            try:
                fcntl.lockf(self._fd, fcntl.LOCK_UN, 1, _place(key))
            except OSError as error:
                log.warning("claim cannot be released (%s)", error.errno)

    def _open(self) -> int | None:
        """The file, opened once in each process and never closed: closing it would drop every claim."""
        if self._fd is None or self._owner != os.getpid():
            try:
                self._fd = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
                self._owner = os.getpid()
            except OSError as error:
                self._fd = None
                log.warning("claims cannot be shared (%s): processes may ask for the same", error.errno)
        return self._fd

    def _lock(self, fd: int, key: str) -> bool:
        try:
            fcntl.lockf(fd, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, _place(key))
        except OSError as error:
            return error.errno not in (errno.EAGAIN, errno.EACCES)
        return True


def open_claims(settings: Settings, redis: "Redis | None", *, sandbox: bool) -> Claims:
    """The claims of this process among those of its host and, where there is a Redis, of all hosts."""
    grounds: list[Ground] = [ClaimFile(claims_path(settings, sandbox=sandbox))]
    if redis is not None:
        # Needs the redis library.
        from pubmed_api.clients.claims_redis import RedisClaims

        grounds.append(RedisClaims(redis, redis_prefix("claims", sandbox=sandbox)))
    return Claims(grounds)


def _place(key: str) -> int:
    """A byte of the file, of some 10**18; two keys in one place would only wait for each other."""
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:8]) >> 3
