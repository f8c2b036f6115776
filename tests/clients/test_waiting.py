import pytest

from pubmed_api.clients.waiting import Clock, check_cancelled
from pubmed_api.exceptions import RequestCancelled
from pubmed_api.models.call import Call


def test_wait_until__reaches_the_moment(clock, time_):
    clock.wait_until(time_.now() + 3.25, Call())
    assert time_.slept == pytest.approx(3.25)


def test_wait_until__past_moment_does_not_sleep(clock, time_):
    clock.wait_until(time_.now() - 1, Call())
    assert time_.slept == 0


def test_wait_until__ends_soon_after_the_caller_has_gone(clock, time_):
    start = time_.now()
    with pytest.raises(RequestCancelled):
        clock.wait_until(start + 60, Call(cancelled=lambda: time_.now() >= start + 2))
    assert time_.now() <= start + 2.2


def test_wait_until__cancelled_even_where_nothing_is_to_wait_for(clock, time_):
    with pytest.raises(RequestCancelled):
        clock.wait_until(time_.now(), Call(cancelled=lambda: True))


def test_check_cancelled__caller_still_there():
    check_cancelled(Call())


def test_clock__real_time_passes():
    clock = Clock()
    before = clock.now()
    clock.wait_until(before + 0.01, Call())
    assert clock.now() >= before + 0.01
