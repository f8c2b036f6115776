"""From Redis to the host's own file and back, and what is kept on the way."""

from itertools import pairwise

import pytest
from redis import ConnectionError as RedisConnectionError
from support.redis_server import redis_server

from pubmed_api.clients.limiter import Limiter, SlotTooLate
from pubmed_api.clients.limiter_redis import RedisLimiter
from pubmed_api.clients.limiter_shared import SharedLimiter
from pubmed_api.clients.redis_client import Breaker, BreakingRedis

FOREVER = 1e6


class Redis:
    """A limiter of all hosts that is away when it is told to be; its slots are known by their tickets."""

    window = 1.05

    def __init__(self):
        self.away = False
        self.left = 0.0
        self.told = []

    def __getattr__(self, deed):
        def do(*values):
            if self.away:
                raise RedisConnectionError("away")
            self.told.append((deed, *values))
            return {"settle": self.left, "gate_left": 3.0}.get(deed, deed)

        return do


@pytest.fixture
def redis():
    return Redis()


@pytest.fixture
def counted():
    return []


@pytest.fixture
def shared(redis, tmp_path, clock, counted):
    return SharedLimiter(redis, Limiter(tmp_path / "slots", 1, clock), lambda: counted.append(1), clock)


def started(limiter, clock, slot):
    while slot.started is None:
        clock.sleep(max(0.0, slot.moment - clock.now()))
        slot = limiter.start(slot, FOREVER)
    return slot


def test_reserve__is_done_in_redis_while_it_is_there(shared, counted):
    assert shared.reserve(5) == "reserve"
    assert shared.gate_left() == 3.0
    assert counted == []


def test_reserve__refused_by_redis_is_refused(shared, redis, monkeypatch):
    monkeypatch.setattr(redis, "reserve", lambda wait: (_ for _ in ()).throw(SlotTooLate(9)), raising=False)
    with pytest.raises(SlotTooLate):
        shared.reserve(5)


def test_start__without_redis_is_paced_by_this_host_and_counted(shared, redis, clock, counted):
    redis.away = True
    moments = [started(shared, clock, shared.reserve(FOREVER)).started for _ in range(4)]
    assert [later - earlier for earlier, later in pairwise(moments)] == [pytest.approx(1.05)] * 3
    assert counted == [1] * 4


def test_start__on_losing_redis_nothing_starts_for_a_window(shared, redis, clock, time_):
    shared.reserve(FOREVER)
    redis.away = True
    assert shared.reserve(FOREVER).moment == pytest.approx(time_.now() + 1.05)
    time_.moment += 10
    assert shared.reserve(FOREVER).moment == time_.now()


def test_close_gate__is_told_to_both(shared, redis, time_):
    shared.close_gate(time_.now(), 4)
    assert redis.told == [("close_gate", time_.now(), 4)]
    redis.away = True
    assert shared.gate_left() == pytest.approx(4)
    shared.note_success()


def test_reserve__returns_to_redis_at_the_moment_it_names(shared, redis, time_):
    redis.away = True
    shared.reserve(FOREVER)
    redis.away, redis.left = False, 6.0
    assert shared.reserve(FOREVER) != "reserve"
    time_.moment += 5.9
    assert shared.reserve(FOREVER) != "reserve"
    time_.moment += 0.2
    assert shared.reserve(FOREVER) == "reserve"
    assert [deed for deed, *_ in redis.told] == ["settle", "reserve"]


def test_reserve__redis_that_goes_again_before_that_is_asked_again(shared, redis, time_):
    redis.away = True
    shared.reserve(FOREVER)
    redis.away, redis.left = False, 6.0
    shared.reserve(FOREVER)
    redis.away = True
    time_.moment += 7
    assert shared.reserve(FOREVER) != "reserve"
    redis.away = False
    shared.reserve(FOREVER)
    time_.moment += 7
    assert shared.reserve(FOREVER) == "reserve"


def test_start__slot_of_this_host_moves_to_redis_when_that_is_back(shared, redis, time_):
    redis.away = True
    slot = shared.reserve(FOREVER)
    redis.away = False
    assert shared.start(slot, FOREVER) == "reserve"


@pytest.fixture
def server():
    with redis_server() as running:
        yield running


def test_start__slot_of_a_redis_that_died_is_reserved_anew_here(server, tmp_path, clock, counted, caplog):
    """With a real Redis: nothing of its failure comes out, and its address is not told."""
    redis = BreakingRedis(server.url, Breaker(clock.now))
    shared = SharedLimiter(
        RedisLimiter(redis, "one", 3, clock), Limiter(tmp_path / "slots", 3, clock), lambda: counted.append(1), clock
    )
    slots = [shared.reserve(FOREVER) for _ in range(5)]
    assert all(slot.shared for slot in slots)
    server.stop()
    moved = [shared.start(slot, FOREVER) for slot in slots]
    assert not any(slot.shared for slot in moved)
    assert started(shared, clock, moved[0]).started >= slots[0].moment + 1.05
    with pytest.raises(SlotTooLate) as refused:
        shared.reserve(0)
    assert refused.value.__context__ is None
    assert counted == [1]
    assert server.url not in caplog.text


def test_reserve__goes_back_to_a_redis_that_was_restarted(server, tmp_path, clock, time_):
    redis = BreakingRedis(server.url, Breaker(clock.now))
    shared = SharedLimiter(
        RedisLimiter(redis, "one", 3, clock), Limiter(tmp_path / "slots", 3, clock), lambda: None, clock
    )
    server.stop()
    assert not shared.reserve(FOREVER).shared
    server.start()
    assert not shared.reserve(FOREVER).shared
    time_.moment += 5.1
    assert not shared.reserve(FOREVER).shared
    time_.moment += 6.1
    assert shared.reserve(FOREVER).shared
