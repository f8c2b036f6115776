"""What attempts mean for the pace of everybody, and what is counted of them."""

import pytest

from pubmed_api import metrics
from pubmed_api.clients.limiter import Limiter
from pubmed_api.clients.retry import RetryLoop, RetryPolicy
from pubmed_api.clients.turns import Turns
from pubmed_api.clients.wire import Sent
from pubmed_api.exceptions import QueueFull, RequestCancelled, UpstreamRateLimited, UpstreamUnreachable
from pubmed_api.models.call import Call, open_call

SENT = Sent("ncbi", "eutils.test", "esearch", {"api_key": "SECRETKEY123"})
FOREVER = 1e6


@pytest.fixture
def limiter(tmp_path, clock):
    return Limiter(tmp_path / "slots", 1, clock)


@pytest.fixture
def loop(limiter, clock):
    return RetryLoop(RetryPolicy(6, 30_000, 60_000), Turns(limiter, 8, clock), clock)


def failing(*failures):
    """An attempt that raises these, in order, and then succeeds."""
    left = list(failures)

    def attempt(seconds):
        if left:
            raise left.pop(0)
        return "good"

    return attempt


def test_run__refused_call_comes_back_before_those_who_came_later(loop, limiter, time_):
    def attempt(seconds):
        moments.append(time_.now())
        if len(moments) == 1:
            behind.extend(limiter.reserve(FOREVER) for _ in range(5))
            raise SENT.failure(UpstreamRateLimited, "Too often.", retry_after=3)
        return "good"

    moments, behind = [], []
    assert loop.run(SENT, attempt) == "good"
    assert moments[1] == pytest.approx(moments[0] + 3)
    assert all(limiter.start(slot, FOREVER).moment >= moments[1] + 1.04 for slot in behind)


def test_run__failed_call_queues_behind_those_who_came_meanwhile(loop, limiter, time_):
    def attempt(seconds):
        moments.append(time_.now())
        if len(moments) == 1:
            for _ in range(5):
                limiter.reserve(FOREVER)
            raise SENT.failure(UpstreamUnreachable, "Down.")
        return "good"

    moments = []
    loop.run(SENT, attempt)
    assert moments[1] == pytest.approx(moments[0] + 6 * 1.05)


def test_run__gate_that_outlasts_a_queued_call_sheds_it(clock, time_, limiter):
    limiter.reserve(FOREVER)

    def closing(seconds):
        limiter.close_gate(time_.now(), retry_after=15)
        time_.sleep(seconds)

    watched = type(clock)(now=time_.now, sleep=closing)
    loop = RetryLoop(RetryPolicy(6, 30_000, 10_000), Turns(limiter, 8, watched), watched)
    with pytest.raises(QueueFull) as raised:
        loop.run(SENT, failing())
    assert raised.value.retry_after >= 5


def test_run__caller_that_went_away_in_the_queue_sends_nothing(loop, limiter, time_):
    limiter.reserve(FOREVER)
    before, sent = time_.now(), []
    with open_call(Call(cancelled=lambda: time_.now() > before + 0.5)), pytest.raises(RequestCancelled):
        loop.run(SENT, sent.append)
    assert sent == []


def test_run__success_ends_the_row_of_refusals(loop, limiter, time_):
    loop.run(SENT, failing(*[SENT.failure(UpstreamRateLimited, "Too often.")] * 2))
    time_.moment += 20
    limiter.close_gate(time_.now())
    assert limiter.gate_left() == pytest.approx(1)


def test_run__spends_the_budget_of_its_call(clock, tmp_path, limiter):
    own = Turns(Limiter(tmp_path / "own", 1, clock), 8, clock)
    budgets = type(
        "Budgets", (), {"turns_of": lambda _, call: own if call.ncbi_api_key else Turns(limiter, 8, clock)}
    )()
    loop = RetryLoop(RetryPolicy(0, 30_000, 60_000), budgets, clock)
    with open_call(Call(ncbi_api_key="callers-own")), pytest.raises(UpstreamRateLimited):
        loop.run(SENT, failing(SENT.failure(UpstreamRateLimited, "Too often.")))
    assert limiter.is_open()
    assert not own.limiter.is_open()


def test_run__notes_waits_outcomes_and_retries(loop, limiter, monkeypatch, time_):
    noted = []
    for name in ("note_wait", "note_upstream_call", "note_retry"):
        monkeypatch.setattr(metrics, name, lambda *values, name=name: noted.append((name, *values[:2])))
    limiter.reserve(FOREVER)
    loop.run(SENT, failing(SENT.failure(UpstreamUnreachable, "Down.", retry_after=2)))
    assert noted == [
        ("note_wait", "ncbi", pytest.approx(1.05)),
        ("note_upstream_call", "eutils.test", "unreachable"),
        ("note_retry", "eutils.test"),
        ("note_wait", "ncbi", 0),
        ("note_upstream_call", "eutils.test", "ok"),
    ]


def test_run__writes_down_time_spent_upstream(loop, time_, call):
    def attempt(seconds):
        time_.moment += 0.25
        return "good"

    loop.run(SENT, attempt)
    assert call.timings["upstream"] == pytest.approx(0.25)
