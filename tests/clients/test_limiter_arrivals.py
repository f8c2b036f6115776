"""What an upstream sees of the limit when requests are on their way for more or less time."""

import random
from bisect import bisect_right

import pytest

from pubmed_api.clients.limiter import Limiter

CALLS = 600


def arrivals(limiter, time_, most_seconds):
    """When the requests of a long queue arrive, each after up to so many seconds on its way."""
    draw, moments = random.Random(7), []
    for slot in [limiter.reserve(1e6) for _ in range(CALLS)]:
        while slot.started is None:
            time_.moment = max(time_.moment, slot.moment)
            slot = limiter.start(slot, 1e6)
        moments.append(slot.started + draw.uniform(0, most_seconds))
    return sorted(moments)


def refused(moments, limit):
    """How many an upstream refuses that counts every arrival of the last second."""
    return sum(index + 1 - bisect_right(moments, moment - 1) > limit for index, moment in enumerate(moments))


@pytest.mark.parametrize("rate", [3, 10])
def test_arrivals__usual_jitter_draws_no_refusal(tmp_path, clock, time_, rate):
    limiter = Limiter(tmp_path / "slots", rate, clock)
    assert refused(arrivals(limiter, time_, 0.02), rate) == 0


@pytest.mark.parametrize("rate", [3, 10])
def test_arrivals__more_jitter_than_there_is_margin_draws_few(tmp_path, clock, time_, rate):
    limiter = Limiter(tmp_path / "slots", rate, clock)
    assert 0 < refused(arrivals(limiter, time_, 0.08), rate) < CALLS * 0.1
