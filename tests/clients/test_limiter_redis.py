"""The schedule in Redis: the same as ``schedule``, deed for deed, and what only Redis can do to it."""

import random
import subprocess
import sys
import time

import pytest
from support.redis_server import redis_server

from pubmed_api.clients import limiter_redis
from pubmed_api.clients.limiter import Slot
from pubmed_api.clients.limiter_redis import RedisLimiter
from pubmed_api.clients.redis_client import BreakingRedis
from pubmed_api.clients.schedule import START_MARGIN, Schedule, SlotTooLate, ring

FOREVER = 1e6


@pytest.fixture(scope="module")
def server():
    with redis_server() as running:
        yield running


@pytest.fixture
def redis(server):
    client = BreakingRedis(server.url)
    client.flushall()
    yield client
    client.close()


@pytest.fixture
def set_time(redis, monkeypatch):
    """Set the clock of Redis, in seconds, for limiters that are made after this."""
    told = "{redis.call('GET', 'seconds'), redis.call('GET', 'microseconds')}"
    script = limiter_redis._SCRIPT.replace("redis.call('TIME')", told)
    assert told in script
    monkeypatch.setattr(limiter_redis, "_SCRIPT", script)

    def set_to(seconds):
        redis.mset({"seconds": int(seconds), "microseconds": round(seconds % 1 * 1e6)})

    set_to(5000)
    return set_to


class Model:
    """What ``schedule`` says, in the shape of a limiter."""

    def __init__(self, rate):
        n, self.window = ring(rate)
        self.now = 5000.0
        self.schedule = Schedule([0.0] * n, [0.0] * n)

    def reserve(self, max_wait):
        moment = self.schedule.reserve(self.now, self.window, max_wait)
        return Slot(moment - self.now, moment - self.schedule.shift)

    def start(self, slot, spent):
        return max(0.0, self.schedule.start(self.now, self.window, slot.ticket, spent) - self.now)


def outcome(reserve, max_wait):
    """The slot, or how far away it is that it was refused."""
    try:
        return reserve(max_wait), None
    except SlotTooLate as refusal:
        return None, refusal.wait


class Both:
    """A model and a limiter that are told the same; every answer must be the same within some microseconds."""

    def __init__(self, rate, redis, set_time, clock):
        self.model, self.limiter = Model(rate), RedisLimiter(redis, "both", rate, clock)
        self.set_time, self.clock = set_time, clock
        self.slots = []

    def wait(self, seconds):
        self.model.now += seconds
        self.set_time(self.model.now)

    def reserve(self, max_wait):
        expected, refusal = outcome(self.model.reserve, max_wait)
        slot, refused = outcome(self.limiter.reserve, max_wait)
        assert refused == (refusal and pytest.approx(refusal, abs=1e-4))
        if slot is not None:
            assert slot.moment - self.clock.now() == pytest.approx(expected.moment, abs=1e-4)
            self.slots.append((expected, slot))

    def start(self, number):
        expected, slot = self.slots[number]
        wait = self.model.start(expected, slot.started is not None or slot.spent)
        started = self.limiter.start(slot, FOREVER)
        assert started.moment - self.clock.now() == pytest.approx(wait, abs=1e-4)
        assert (started.started is None) == (wait > 1e-6)
        self.slots[number] = expected, started

    def close_gate(self, ago, retry_after):
        self.model.schedule.close_gate(self.model.now, self.model.now - ago, retry_after)
        self.limiter.close_gate(self.clock.now() - ago, retry_after)

    def succeed(self):
        self.model.schedule.strikes = 0.0
        self.limiter.note_success()


@pytest.mark.parametrize("seed", range(12))
def test_deeds__are_those_of_the_schedule(seed, redis, set_time, clock):
    dice = random.Random(seed)
    both = Both(dice.choice([1, 3, 10, 2.5, 0.5]), redis, set_time, clock)
    for _ in range(120):
        deed = dice.choice(["reserve", "reserve", "start", "start", "start", "wait", "close", "succeed"])
        if deed == "reserve":
            both.reserve(dice.choice([FOREVER, FOREVER, 0.5]))
        elif deed == "start" and both.slots:
            both.start(dice.randrange(max(0, len(both.slots) - 12), len(both.slots)))
        elif deed == "close" and dice.random() < 0.4:
            both.close_gate(dice.uniform(0, 2), dice.choice([None, 0.0, 4.0, 54_000.0]))
        elif deed == "succeed":
            both.succeed()
        both.wait(dice.choice([0, 0.001, 0.1, 0.4, 1.2, 9]))
        assert both.limiter.gate_left() == pytest.approx(max(0, both.model.schedule.gate - both.model.now), abs=1e-4)


def test_note_sent__counts_the_request_from_when_it_left(redis, set_time, clock):
    limiter = RedisLimiter(redis, "one", 1, clock)
    first, second = limiter.reserve(FOREVER), limiter.reserve(FOREVER)
    first = limiter.start(first, FOREVER)
    set_time(5000.4)
    limiter.note_sent(first)
    set_time(5001.1)
    assert limiter.start(second, FOREVER).moment - clock.now() == pytest.approx(START_MARGIN - 0.7, abs=1e-4)


def test_start__moved_beyond_the_wait_is_refused(redis, set_time, clock):
    limiter = RedisLimiter(redis, "one", 1, clock)
    slot = limiter.reserve(FOREVER)
    limiter.close_gate(clock.now(), retry_after=9)
    with pytest.raises(SlotTooLate) as refused:
        limiter.start(slot, 8)
    assert refused.value.wait == pytest.approx(9, abs=1e-4)


def test_schedule__that_redis_lost_counts_as_full_for_those_who_used_it(redis, set_time, clock):
    used, fresh = RedisLimiter(redis, "one", 3, clock), RedisLimiter(redis, "one", 3, clock)
    waiting = [used.reserve(FOREVER) for _ in range(6)]
    redis.delete("{one}")
    assert used.start(waiting[5], FOREVER).moment - clock.now() == pytest.approx(START_MARGIN, abs=1e-3)
    set_time(5001.05)
    assert used.start(waiting[5], FOREVER).started is not None
    redis.delete("{one}")
    assert fresh.reserve(FOREVER).moment == clock.now()


def test_schedule__of_a_clock_that_went_back_counts_as_full_once(redis, set_time, clock):
    limiter = RedisLimiter(redis, "one", 3, clock)
    waiting = [limiter.reserve(FOREVER) for _ in range(6)]
    set_time(1000)
    assert limiter.start(waiting[5], FOREVER).moment - clock.now() == pytest.approx(START_MARGIN, abs=1e-3)
    set_time(1001.1)
    assert limiter.start(waiting[5], FOREVER).started is not None


def test_schedule__of_another_rate_keeps_the_rate(redis, set_time, clock):
    fast, slow = RedisLimiter(redis, "one", 10, clock), RedisLimiter(redis, "one", 3, clock)
    for _ in range(10):
        fast.reserve(FOREVER)
    assert slow.reserve(FOREVER).moment - clock.now() == pytest.approx(1.05, abs=1e-3)


def test_schedule__goes_by_itself_when_nobody_uses_it(redis):
    limiter = RedisLimiter(redis, "one", 3)
    limiter.reserve(FOREVER)
    limiter.close_gate(0)
    assert 60_000 < redis.pttl("{one}") < 80_000


def test_settle__all_who_ask_are_told_one_moment_and_start_after_it(redis, set_time, clock):
    one, other = RedisLimiter(redis, "one", 3, clock), RedisLimiter(redis, "one", 3, clock)
    assert one.settle() == pytest.approx(6)
    set_time(5004)
    assert other.settle() == pytest.approx(2)
    set_time(5006)
    assert one.settle() == 0
    assert other.reserve(FOREVER).moment - clock.now() == pytest.approx(1.05, abs=1e-3)


def test_settle__is_not_needed_where_others_are_at_it(redis, set_time, clock):
    one, other = RedisLimiter(redis, "one", 3, clock), RedisLimiter(redis, "one", 3, clock)
    other.reserve(FOREVER)
    set_time(5001)
    assert one.settle() == 0
    set_time(5010)
    assert one.settle() == pytest.approx(6)


def test_settle__of_one_who_used_it_before_does_not_look_like_a_use(redis, set_time, clock):
    one, other = RedisLimiter(redis, "one", 3, clock), RedisLimiter(redis, "one", 3, clock)
    one.reserve(FOREVER)
    redis.flushdb()
    set_time(5010)
    assert one.settle() == pytest.approx(6)
    assert other.settle() == pytest.approx(6)


_WORKER = """
import signal, sys, threading
from pubmed_api.clients.limiter_redis import RedisLimiter
from pubmed_api.clients.redis_client import BreakingRedis
from pubmed_api.clients.turns import Turns
from pubmed_api.clients.waiting import Clock
from pubmed_api.models.call import Call
signal.alarm(60)
redis, clock = BreakingRedis(sys.argv[1]), Clock()
turns = Turns(RedisLimiter(redis, "crew", 20), 16)
def work():
    for _ in range(6):
        with turns.turn(Call(), clock.now() + 50) as turn:
            print(f"{turn.slot.started:.0f}\\n", end="", flush=True)
threads = [threading.Thread(target=work) for _ in range(8)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
"""


@pytest.mark.processes
def test_turns__of_several_processes_keep_one_rate(server, redis):
    command = [sys.executable, "-c", _WORKER, server.url]
    workers = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    moments = [int(line) / 1e6 for worker in workers for line in worker.communicate(timeout=60)[0].split()]
    assert len(moments) == 96
    assert max(sum(1 for other in moments if moment <= other < moment + 1) for moment in moments) <= 20


def test_moments__are_of_this_process(redis):
    limiter = RedisLimiter(redis, "one", 1)
    limiter.reserve(FOREVER)
    before = time.monotonic()
    assert before + 1.04 < limiter.reserve(FOREVER).moment < time.monotonic() + 1.06
