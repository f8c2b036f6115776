"""Admission: a slot and a place, and what ends the wait for them."""

import threading

import pytest

from pubmed_api.clients.limiter import Limiter, SlotTooLate
from pubmed_api.clients.turns import Turns
from pubmed_api.clients.waiting import Clock, TimeUp
from pubmed_api.exceptions import RequestCancelled
from pubmed_api.models.call import Call


@pytest.fixture
def limiter(tmp_path, clock):
    return Limiter(tmp_path / "slots", 2, clock)


@pytest.fixture
def turns(limiter, clock):
    return Turns(limiter, 1, clock)


def test_turn__waits_for_its_slot(turns, time_):
    for _ in range(2):
        with turns.turn(Call(), time_.now() + 60):
            pass
    before = time_.now()
    with turns.turn(Call(), before + 60) as began:
        assert began >= before + 1.05


def test_turn__that_comes_too_late_is_refused_without_waiting(turns, time_):
    for _ in range(2):
        with turns.turn(Call(), time_.now() + 60):
            pass
    waited = time_.slept
    with pytest.raises(SlotTooLate), turns.turn(Call(), time_.now() + 0.3):
        pass
    assert time_.slept == waited


def test_turn__after_the_deadline_is_over(turns, time_):
    with pytest.raises(TimeUp), turns.turn(Call(), time_.now()):
        pass


def test_turn__cancelled_before_it_begins_takes_no_slot(turns, limiter, time_):
    with pytest.raises(RequestCancelled), turns.turn(Call(cancelled=lambda: True), time_.now() + 60):
        pass
    assert [limiter.reserve(0), limiter.reserve(0)] == [time_.now(), time_.now()]


def test_turn__cancelled_while_queued_ends_at_once(turns, limiter, time_):
    for _ in range(20):
        limiter.reserve(60)
    before = time_.now()
    call = Call(cancelled=lambda: time_.now() > before + 0.35)
    with pytest.raises(RequestCancelled), turns.turn(call, before + 60):
        pass
    assert time_.now() < before + 1


def test_turn__gate_closed_while_queued_is_waited_for(limiter, time_):
    closed = []

    def sleep(seconds):
        if not closed:
            closed.append(True)
            limiter.close_gate(time_.now(), retry_after=9)
        time_.sleep(seconds)

    turns = Turns(limiter, 1, Clock(now=time_.now, sleep=sleep))
    for _ in range(2):
        limiter.reserve(60)
    before = time_.now()
    with turns.turn(Call(), before + 60) as began:
        assert began >= before + 9


def test_turn__place_is_given_back_after_an_error(turns, time_):
    for _ in range(3):
        with pytest.raises(ZeroDivisionError), turns.turn(Call(), time_.now() + 60):
            1 / 0  # noqa: B018


def test_turn__without_a_place_ends_with_the_deadline(tmp_path):
    """Real time: a place is waited for on a lock."""
    turns = Turns(Limiter(tmp_path / "slots", 50), 1)
    clock = Clock()
    with turns.turn(Call(), clock.now() + 60):
        with pytest.raises(TimeUp), turns.turn(Call(), clock.now() + 0.2):
            pass
        with pytest.raises(RequestCancelled), turns.turn(_gone_from_the_third_look(), clock.now() + 60):
            pass


def _gone_from_the_third_look():
    looks = []
    return Call(cancelled=lambda: looks.append(1) or len(looks) > 2)


def test_turn__that_waited_for_a_place_takes_a_slot_anew(tmp_path, monkeypatch):
    """Places come free in bunches; calls that were waiting for them must not all start at once."""
    limiter, reserved, clock = Limiter(tmp_path / "slots", 50), [], Clock()
    reserve = limiter.reserve
    monkeypatch.setattr(limiter, "reserve", lambda wait: reserved.append(threading.get_ident()) or reserve(wait))
    turns, waiting, looks = Turns(limiter, 1), threading.Event(), []

    def cancelled():
        """Looked at once on the way to the slot; a third look after that comes from the wait for a place."""
        looks.extend([1] * (len(reserved) > 1))
        return len(looks) > 2 and bool(waiting.set())

    call = Call(cancelled=cancelled)

    def work():
        with turns.turn(call, clock.now() + 60):
            pass

    waiter = threading.Thread(target=work)
    with turns.turn(Call(), clock.now() + 60):
        waiter.start()
        waiting.wait(10)
        assert len(reserved) == 2
    waiter.join()
    assert reserved[1:] == [reserved[1]] * 2
