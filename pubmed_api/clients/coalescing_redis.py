"""Flights of equal calls over several hosts: what ``coalescing`` does with files, done in Redis.

A flight is a key that holds its leader's token and runs out by itself; the leader renews it while it works, so that
the flight of a leader that died ends soon. What it brought stands under the token for a moment.
Imported only where ``REDIS_URL`` is set: the redis library is an extra.
"""

import contextlib
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from redis import Redis, RedisError

from pubmed_api.clients.coalescing import Flight, Flights, Pause

# How long an outcome may go unnoticed, how long it can be read, and for how long a dead leader is waited for.
SLICE = 0.02
_OUTCOME_MS = 10_000
_LEASE_MS = 3_000
_RENEW_SECONDS = _LEASE_MS / 3000

_RENEW = "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end return 0"
_LAND = """
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
if ARGV[2] ~= '' then redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3]) end
return redis.call('DEL', KEYS[1])
"""


@dataclass(frozen=True, slots=True)
class _Boarded:
    """How a caller came in: as leader under a token of its own, or with what another had brought."""

    token: str | None
    outcome: bytes | None = None


class RedisFlights:
    """Keys begin with ``prefix``. While Redis is away, calls meet in ``here``, which is this host's."""

    def __init__(self, redis: Redis, prefix: str, here: Flights):
        self._redis = redis
        self._prefix = prefix
        self._here = here
        self._renew = redis.register_script(_RENEW)
        self._land = redis.register_script(_LAND)

    @contextmanager
    def join(self, key: str, pause: Pause) -> Iterator[Flight]:
        """See ``Flights``."""
        boarded = self._board(key, pause)
        if boarded is None:
            with self._here.join(key, pause) as flight:
                yield flight
        elif boarded.token is None:
            yield Flight(leads=False, outcome=boarded.outcome)
        else:
            flight = Flight(leads=True)
            with self._renewed(key, boarded.token):
                try:
                    yield flight
                finally:
                    self._end(key, boarded.token, flight.outcome)

    def _board(self, key: str, pause: Pause) -> _Boarded | None:
        """``None`` where Redis is away."""
        token = uuid.uuid4().hex
        flight = self._flight(key)
        try:
            while True:
                if self._redis.set(flight, token, nx=True, px=_LEASE_MS):
                    return _Boarded(token)
                leader: Any = self._redis.get(flight)
                if leader is not None:
                    return _Boarded(None, self._wait(flight, leader, pause))
        except RedisError:
            return None

    def _wait(self, flight: str, leader: bytes, pause: Pause) -> bytes | None:
        while True:
            pause(SLICE)
            now_leads: Any
            outcome: Any
            now_leads, outcome = self._redis.mget([flight, self._outcome(leader.decode())])
            if outcome is not None or now_leads != leader:
                return None if outcome is None else bytes(outcome)

    @contextmanager
    def _renewed(self, key: str, token: str) -> Iterator[None]:
        """Keep the flight up inside the block."""
        over = threading.Event()
        threading.Thread(target=self._keep_up, args=(key, token, over), daemon=True).start()
        try:
            yield
        finally:
            over.set()

    def _keep_up(self, key: str, token: str, over: threading.Event) -> None:
        while not over.wait(_RENEW_SECONDS):
            with contextlib.suppress(RedisError):
                self._renew(keys=[self._flight(key)], args=[token, _LEASE_MS])

    def _end(self, key: str, token: str, outcome: bytes | None) -> None:
        """A flight that cannot be ended now runs out soon; those who wait then ask for themselves."""
        with contextlib.suppress(RedisError):
            keys = [self._flight(key), self._outcome(token)]
            self._land(keys=keys, args=[token, outcome or b"", _OUTCOME_MS])

    def _flight(self, key: str) -> str:
        return f"{self._prefix}{key}"

    def _outcome(self, token: str) -> str:
        return f"{self._prefix}outcome:{token}"
