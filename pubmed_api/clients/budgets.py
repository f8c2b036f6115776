"""Whose allowance a call spends: the operator's, or that of the NCBI API key its caller has sent along."""

import functools
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pubmed_api import metrics
from pubmed_api.clients.data_files import (
    caller_limiter_path,
    caller_limiter_paths,
    limiter_path,
    redis_prefix,
    secret_path,
)
from pubmed_api.clients.key_names import HostSecret, SharedSecret, name_key
from pubmed_api.clients.limiter import Limiter, Pace
from pubmed_api.clients.places import Places
from pubmed_api.clients.schedule import host_part
from pubmed_api.clients.schedule_file import remove_unused
from pubmed_api.clients.turns import Turns
from pubmed_api.clients.waiting import Clock
from pubmed_api.models.call import Call
from pubmed_api.settings import Settings

if TYPE_CHECKING:
    from redis import Redis

# What NCBI allows a key, in requests a second. The operator's settings are about the operator's own.
KEYED_RATE = 10.0

# How many callers' keys a process has in mind; the others are in their files or Redis, where they are found again.
MOST_KEYS = 256
# For how long the file of a key that is not used any more is kept, and how often such files are looked for.
_UNUSED_SECONDS, _CLEANING_SECONDS = 3600.0, 600.0


class Budgets:
    """The queues for NCBI; see ``Budget``."""

    def __init__(self, queues: "_Queues"):
        self.operator = queues.open_operators()
        self._operator_key = queues.settings.ncbi_api_key
        self._queues = queues
        self._lock = threading.Lock()
        self._known: OrderedDict[_Names, Turns] = OrderedDict()

    def turns_of(self, call: Call) -> Turns:
        """The queue of the call's own key, else the operator's; also where the caller's key is the operator's."""
        key = call.ncbi_api_key
        if key is None or key == self._operator_key:
            return self.operator
        names = self._queues.name(key)
        with self._lock:
            if names not in self._known:
                self._known[names] = self._queues.open_callers(names)
            self._known.move_to_end(names)
            if len(self._known) > MOST_KEYS:
                self._known.popitem(last=False)
            return self._known[names]


def open_budgets(settings: Settings, redis: "Redis | None", *, sandbox: bool, clock: Clock | None = None) -> Budgets:
    """The budgets at NCBI. No file and no connection is opened before it is used."""
    return Budgets(_Queues(settings, redis, sandbox, clock))


@dataclass(frozen=True, slots=True)
class _Names:
    """What a caller's key is called in the files of this host and in Redis. The key itself is kept nowhere."""

    here: str
    shared: str


class _Queues:
    """Makes queues. ``NCBI_MAX_CONCURRENT`` holds for all of them together."""

    def __init__(self, settings: Settings, redis: "Redis | None", sandbox: bool, clock: Clock | None):
        self.settings = settings
        self._redis = redis
        self._sandbox = sandbox
        self._clock = clock
        self._places = Places(settings.ncbi_max_concurrent)
        self._secret = HostSecret(secret_path(settings))
        self._shared_secret: HostSecret | SharedSecret = self._secret
        if redis is not None:
            self._shared_secret = SharedSecret(redis, redis_prefix("key-names", sandbox=sandbox), self._secret, clock)
        self._cleaned = time.monotonic()

    def name(self, key: str) -> _Names:
        return _Names(name_key(key, self._secret.value()), name_key(key, self._shared_secret.value()))

    def open_operators(self) -> Turns:
        path = limiter_path(self.settings, "ncbi", key=self.settings.ncbi_api_key, sandbox=self._sandbox)
        return self._open(path, path.stem, self.settings.ncbi_rate)

    def open_callers(self, names: _Names) -> Turns:
        self._clean()
        path = caller_limiter_path(self.settings, "ncbi", names.here, sandbox=self._sandbox)
        return self._open(path, f"limiter-caller-ncbi-{names.shared}", KEYED_RATE)

    def _open(self, path: Path, name: str, rate: float) -> Turns:
        return Turns(self._open_limiter(path, name, rate), self._places, self._clock)

    def _open_limiter(self, path: Path, name: str, rate: float) -> Pace:
        host = Limiter(path, host_part(rate, self.settings.hosts), self._clock)
        if self._redis is None:
            return host
        from pubmed_api.clients.limiter_redis import RedisLimiter
        from pubmed_api.clients.limiter_shared import SharedLimiter

        shared = RedisLimiter(self._redis, redis_prefix(name, sandbox=self._sandbox), rate, self._clock)
        return SharedLimiter(shared, host, functools.partial(metrics.note_limiter_fallback, "ncbi"), self._clock)

    def _clean(self) -> None:
        """Remove, now and then, the files of keys that nobody uses any more."""
        if time.monotonic() < self._cleaned + _CLEANING_SECONDS:
            return
        self._cleaned = time.monotonic()
        for path in caller_limiter_paths(self.settings):
            remove_unused(path, time.time() - _UNUSED_SECONDS)
