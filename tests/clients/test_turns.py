"""Admission: a slot and a place, and what ends the wait for them."""

import threading

import pytest

from pubmed_api.clients.departures import note_departure
from pubmed_api.clients.limiter import Limiter, SlotTooLate
from pubmed_api.clients.places import Places
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
    with turns.turn(Call(), before + 60) as turn:
        assert turn.began >= before + 1.05


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
    assert [limiter.reserve(0).moment, limiter.reserve(0).moment] == [time_.now(), time_.now()]


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
    with turns.turn(Call(), before + 60) as turn:
        assert turn.began >= before + 9


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


def test_turn__those_that_waited_for_a_place_do_not_all_start_at_once(tmp_path):
    """Real time: their slots have passed when the places come free, in a bunch."""
    clock, turns = Clock(), Turns(Limiter(tmp_path / "slots", 4), 8)
    began, held, go = [], threading.Semaphore(0), threading.Event()

    def work():
        with turns.turn(Call(), clock.now() + 60) as turn:
            began.append(turn.slot.started)
            held.release()
            go.wait(20)

    threads = [threading.Thread(target=work) for _ in range(16)]
    for thread in threads:
        thread.start()
    for _ in range(8):
        held.acquire(timeout=20)
    # By now the slots of the other eight are coming and going.
    clock.sleep(2.5)
    go.set()
    for thread in threads:
        thread.join(30)
    assert len(began) == 16
    assert max(sum(1 for other in began if moment <= other < moment + 1) for moment in began) <= 4


def test_turn__moved_beyond_the_deadline_is_shed_and_gives_its_place_back(limiter, time_):
    def sleep(seconds):
        limiter.close_gate(time_.now(), retry_after=15)
        time_.sleep(seconds)

    turns = Turns(limiter, 1, Clock(now=time_.now, sleep=sleep))
    for _ in range(2):
        limiter.reserve(60)
    with pytest.raises(SlotTooLate), turns.turn(Call(), time_.now() + 10):
        pass
    time_.moment += 100
    with turns.turn(Call(), time_.now() + 10):
        pass


def test_turn__with_a_refused_slot_comes_before_later_callers(limiter, turns, time_):
    with turns.turn(Call(), time_.now() + 60) as turn:
        refused = turn.slot
    for _ in range(5):
        limiter.reserve(60)
    time_.moment += 1.05
    before = time_.now()
    with turns.turn(Call(), before + 60, refused) as turn:
        assert turn.began == before


def test_turn__queues_may_share_their_places(tmp_path):
    """Real time: a place is waited for on a lock."""
    places, clock = Places(1), Clock()
    one, other = (Turns(Limiter(tmp_path / name, 50), places) for name in ("one", "other"))
    with (
        one.turn(Call(), clock.now() + 60),
        pytest.raises(TimeUp),
        other.turn(Call(), clock.now() + 0.1),
    ):
        pass
    with other.turn(Call(), clock.now() + 60):
        pass


def test_turn__waiting_is_written_down_as_queue(turns, time_):
    call = Call()
    for _ in range(3):
        with turns.turn(call, time_.now() + 60):
            time_.moment += 0.2
    assert call.timings["queue"] == pytest.approx(0.65)


@pytest.mark.parametrize(("late", "counted_from"), [(0.3, 0.3), (0.001, 0.0)])
def test_turn__request_that_leaves_late_is_counted_from_there(limiter, turns, time_, late, counted_from):
    limiter.reserve(60)
    with turns.turn(Call(), time_.now() + 60) as turn:
        time_.moment += late
        note_departure()
    later = [limiter.reserve(60) for _ in range(2)]
    time_.moment = turn.began + 1.05
    assert limiter.start(later[0], 60).started is not None
    moved = limiter.start(later[1], 60)
    assert (moved.started or moved.moment) >= turn.began + counted_from + 1.04


def test_turn__request_of_another_thread_or_time_is_not_its_own(turns, time_, limiter, monkeypatch):
    noted = []
    monkeypatch.setattr(limiter, "note_sent", noted.append)
    with turns.turn(Call(), time_.now() + 60):
        time_.moment += 1
        thread = threading.Thread(target=note_departure)
        thread.start()
        thread.join()
    note_departure()
    assert noted == []
