"""The retry loop: what is tried again, how long is waited, and how a call may end."""

from itertools import pairwise

import pytest

from pubmed_api.clients.limiter import Limiter
from pubmed_api.clients.retry import RetryLoop, RetryPolicy, backoff
from pubmed_api.clients.turns import Turns
from pubmed_api.clients.wire import Sent
from pubmed_api.exceptions import (
    HistoryExpired,
    InvalidEfetchResponse,
    QueueFull,
    RequestCancelled,
    UpstreamDeadlineExceeded,
    UpstreamInvalidResponse,
    UpstreamNotFound,
    UpstreamRateLimited,
    UpstreamRefused,
    UpstreamTimeout,
    UpstreamUnreachable,
)
from pubmed_api.models.call import Call, open_call

SENT = Sent("ncbi", "eutils.test", "esearch", {"api_key": "SECRETKEY123"})


@pytest.fixture
def limiter(tmp_path, clock):
    return Limiter(tmp_path / "slots", 10, clock)


@pytest.fixture
def loop(limiter, clock):
    def build(max_retries=6, deadline_ms=60_000, timeout_ms=30_000):
        return RetryLoop(RetryPolicy(max_retries, timeout_ms, deadline_ms), Turns(limiter, 8, clock), clock)

    return build


class Attempts:
    """Fails in order with the given errors, then (or after none) succeeds."""

    def __init__(self, time_, *failures, takes=0.0):
        self.failures = list(failures)
        self.moments, self.limits = [], []
        self.time, self.takes = time_, takes

    def __call__(self, seconds):
        self.moments.append(self.time.now())
        self.limits.append(seconds)
        self.time.moment += min(self.takes, seconds)
        if self.failures:
            raise self.failures.pop(0)
        return "good"


def failure(kind, message="It failed.", **data):
    return SENT.failure(kind, message, **data)


@pytest.fixture
def attempts(time_):
    return lambda *failures, **how: Attempts(time_, *failures, **how)


def test_run__transient_error_then_success(loop, attempts):
    tries = attempts(failure(UpstreamUnreachable), failure(UpstreamTimeout))
    assert loop().run(SENT, tries) == "good"
    assert len(tries.moments) == 3


@pytest.mark.parametrize(
    "kind",
    [UpstreamNotFound, UpstreamRefused, UpstreamInvalidResponse, InvalidEfetchResponse, HistoryExpired],
)
def test_run__lasting_error_is_raised_at_once_as_it_is(loop, attempts, kind):
    tries = attempts(failure(kind))
    with pytest.raises(kind) as raised:
        loop().run(SENT, tries)
    assert raised.value.message == "It failed."
    assert len(tries.moments) == 1


def test_run__unexpected_exception_is_raised_at_once(loop, attempts):
    tries = attempts(KeyError("x"))
    with pytest.raises(KeyError):
        loop().run(SENT, tries)
    assert len(tries.moments) == 1


@pytest.mark.parametrize(
    ("kind", "reason"),
    [(UpstreamUnreachable, "ncbi_unreachable"), (UpstreamTimeout, "ncbi_timeout")],
)
def test_run__retries_used_up(loop, attempts, kind, reason):
    failures = [failure(kind, f"Failure {number}.", ncbi_errors=[str(number)]) for number in range(9)]
    tries = attempts(*failures)
    with pytest.raises(kind) as raised:
        loop(max_retries=2).run(SENT, tries)
    assert raised.value.reason == reason
    assert raised.value.message == "Failure 2. (failed after 3 attempts)"
    assert raised.value.data == {"host": "eutils.test", "endpoint": "esearch", "ncbi_errors": ["2"], "attempts": 3}


def test_run__one_attempt_is_singular(loop, attempts):
    with pytest.raises(UpstreamUnreachable) as raised:
        loop(max_retries=0).run(SENT, attempts(failure(UpstreamUnreachable)))
    assert raised.value.message.endswith("(failed after 1 attempt)")


def test_run__rate_limited_to_the_end_says_when_to_come_back(loop, attempts):
    with pytest.raises(UpstreamRateLimited) as raised:
        loop(max_retries=1).run(SENT, attempts(*[failure(UpstreamRateLimited)] * 2))
    assert raised.value.reason == "ncbi_rate_limited"
    assert raised.value.data["attempts"] == 2
    assert raised.value.retry_after == 2


def test_run__backs_off_longer_each_time(loop, attempts):
    tries = attempts(*[failure(UpstreamUnreachable)] * 4)
    loop().run(SENT, tries)
    gaps = [later - earlier for earlier, later in pairwise(tries.moments)]
    assert all(0.74 < gap / 2**retry < 1.26 for retry, gap in enumerate(gaps))


def test_backoff__is_jittered_by_a_quarter_and_capped():
    assert [backoff(retry, lambda low, high: low) for retry in (0, 4, 5, 9)] == [0.75, 12, 22.5, 22.5]
    assert [backoff(retry, lambda low, high: high) for retry in (0, 4, 5, 9)] == [1.25, 20, 37.5, 37.5]


@pytest.mark.parametrize("kind", [UpstreamRateLimited, UpstreamUnreachable])
def test_run__retry_after_replaces_the_backoff(loop, attempts, kind):
    tries = attempts(failure(kind, retry_after=20))
    loop().run(SENT, tries)
    assert tries.moments[1] - tries.moments[0] == pytest.approx(20)


@pytest.mark.parametrize(("retry_after", "deadline_ms"), [(54_000, 60_000), (31, 60_000), (8, 5_000)])
def test_run__rate_limit_that_outlasts_the_call_ends_it(loop, attempts, retry_after, deadline_ms):
    tries = attempts(failure(UpstreamRateLimited, retry_after=retry_after))
    with pytest.raises(UpstreamRateLimited) as raised:
        loop(deadline_ms=deadline_ms).run(SENT, tries)
    assert raised.value.retry_after == retry_after
    assert raised.value.message.endswith("(failed after 1 attempt)")
    assert len(tries.moments) == 1


def test_run__backoff_beyond_the_deadline_reports_the_last_attempt(loop, attempts):
    tries = attempts(*[failure(UpstreamUnreachable, ncbi_errors=["down"])] * 9)
    with pytest.raises(UpstreamUnreachable) as raised:
        loop(deadline_ms=5_000).run(SENT, tries)
    assert raised.value.reason == "ncbi_unreachable"
    assert raised.value.data["ncbi_errors"] == ["down"]
    assert raised.value.data["attempts"] == len(tries.moments) == 3


def test_run__deadline_within_an_attempt(loop, attempts):
    tries = attempts(failure(UpstreamUnreachable, ncbi_errors=["early word"]), failure(UpstreamTimeout), takes=3.0)
    with pytest.raises(UpstreamDeadlineExceeded) as raised:
        loop(deadline_ms=5_000).run(SENT, tries)
    assert raised.value.reason == "ncbi_deadline_exceeded"
    assert raised.value.data["deadline_ms"] == 5_000
    assert raised.value.data["ncbi_errors"] == ["early word"]


def test_run__attempt_may_take_the_shorter_of_timeout_and_time_left(loop, attempts):
    tries = attempts(failure(UpstreamUnreachable), takes=20.0)
    loop(deadline_ms=40_000, timeout_ms=30_000).run(SENT, tries)
    assert tries.limits[0] == 30
    assert 17 < tries.limits[1] < 20


def test_run__calls_of_one_request_share_a_deadline(loop, attempts, call):
    run = loop(deadline_ms=5_000)
    run.run(SENT, attempts(takes=4.0))
    with pytest.raises(UpstreamDeadlineExceeded):
        run.run(SENT, attempts(failure(UpstreamTimeout), takes=4.0))
    late = attempts()
    with pytest.raises(UpstreamDeadlineExceeded):
        run.run(SENT, late)
    assert late.moments == []


def test_run__queue_longer_than_the_deadline_sheds_the_call(loop, attempts, limiter, time_):
    for _ in range(80):
        limiter.reserve(1e6)
    tries = attempts()
    with pytest.raises(QueueFull) as raised:
        loop(deadline_ms=5_000).run(SENT, tries)
    assert raised.value.reason == "queue_full"
    assert raised.value.retry_after == 4  # 80 calls at 10 a second take 8.4 s with the margin
    assert tries.moments == []
    assert time_.slept == 0


def test_run__queue_after_a_failure_reports_the_failure(loop, attempts, limiter):
    tries = attempts(failure(UpstreamUnreachable, ncbi_errors=["down"]))
    run = loop(deadline_ms=5_000)
    fill = [limiter.reserve(1e6) for _ in range(9)]
    with pytest.raises(UpstreamUnreachable) as raised:
        run.run(SENT, lambda seconds: [limiter.reserve(1e6) for _ in range(80)] and tries(seconds))
    assert fill
    assert raised.value.message == "It failed. (failed after 1 attempt)"


def test_run__cancelled_while_backing_off_ends_at_once(loop, attempts, time_):
    tries = attempts(failure(UpstreamUnreachable, retry_after=50))
    start = time_.now()
    with open_call(Call(cancelled=lambda: time_.now() > start + 1)), pytest.raises(RequestCancelled):
        loop().run(SENT, tries)
    assert time_.now() < start + 2
    assert len(tries.moments) == 1


def test_run__backing_off_holds_no_place(limiter, clock, time_, attempts):
    free = []

    turns = Turns(limiter, 1, clock)
    sleep = clock.sleep

    def look(seconds):
        turns._places.take(lambda event: pytest.fail("the place is held"))
        turns._places.give_back()
        free.append(True)
        sleep(seconds)

    watched = type(clock)(now=time_.now, sleep=look)
    RetryLoop(RetryPolicy(6, 30_000, 60_000), turns, watched).run(SENT, attempts(failure(UpstreamUnreachable)))
    assert free


def test_run__refusal_holds_back_other_calls(loop, attempts, limiter):
    seen = []

    def attempt(seconds):
        seen.append(limiter.gate_left())
        if len(seen) == 1:
            raise failure(UpstreamRateLimited)
        return "good"

    loop().run(SENT, attempt)
    assert seen == [0, 0]
    with pytest.raises(UpstreamRateLimited):
        loop(max_retries=0).run(SENT, attempts(failure(UpstreamRateLimited)))
    assert limiter.gate_left() == pytest.approx(1)


def test_run__every_attempt_passes_the_limiter(tmp_path, clock, attempts):
    slow = Limiter(tmp_path / "slow", 0.1, clock)
    tries = attempts(failure(UpstreamUnreachable), failure(UpstreamUnreachable))
    RetryLoop(RetryPolicy(6, 30_000, 60_000), Turns(slow, 8, clock), clock).run(SENT, tries)
    gaps = [b - a for a, b in pairwise(tries.moments)]
    assert min(gaps) >= 10


def test_run__says_nothing_secret_in_log_or_error(loop, attempts, caplog):
    caplog.set_level("DEBUG")
    with pytest.raises(UpstreamUnreachable) as raised:
        loop(max_retries=1).run(SENT, attempts(*[failure(UpstreamUnreachable)] * 2))
    assert "eutils.test esearch" in caplog.text
    assert "SECRETKEY123" not in caplog.text + repr(raised.value) + repr(raised.value.data) + repr(SENT)
