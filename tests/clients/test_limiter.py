"""Reservations in a file: rate, order, refusals, the gate, damaged files."""

import struct
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import settings as profile
from hypothesis import strategies as st

from pubmed_api.clients.limiter import Limiter, SlotTooLate
from pubmed_api.clients.waiting import Clock

FOREVER = 1e6


def most_in_a_second(slots):
    return max(sum(1 for other in slots if slot <= other < slot + 1) for slot in slots)


@pytest.fixture
def limiter(tmp_path, clock):
    return Limiter(tmp_path / "slots", 3, clock)


@given(rate=st.integers(1, 12), gaps=st.lists(st.floats(0, 2), min_size=1, max_size=60))
@profile(deadline=None, max_examples=60)
def test_reserve__whole_rate_never_exceeds_it_in_any_second(tmp_path_factory, rate, gaps):
    moment = [500.0]
    path = tmp_path_factory.mktemp("limiter") / "slots"
    limiters = [Limiter(path, rate, Clock(now=lambda: moment[0])) for _ in range(2)]
    slots = []
    for number, gap in enumerate(gaps):
        moment[0] += gap
        slots.append(limiters[number % 2].reserve(FOREVER).moment)
    assert most_in_a_second(slots) <= rate
    assert slots == sorted(slots)


@pytest.mark.parametrize("rate", [0.5, 1000 / 400, 1000 / 334, 9.5])
def test_reserve__broken_rate_is_spaced_evenly(tmp_path, clock, rate):
    limiter = Limiter(tmp_path / "slots", rate, clock)
    slots = [limiter.reserve(FOREVER).moment for _ in range(20)]
    gaps = [later - earlier for earlier, later in pairwise(slots)]
    assert min(gaps) >= 1.049 / rate
    assert max(gaps) <= 1.06 / rate


def test_reserve__margin_absorbs_twenty_milliseconds_of_jitter(limiter):
    slots = [limiter.reserve(FOREVER).moment for _ in range(60)]
    arrivals = [slot + (0.02 if number % 2 else 0.0) for number, slot in enumerate(slots)]
    assert most_in_a_second(sorted(arrivals)) <= 3


def test_reserve__too_late_is_refused_at_once_and_takes_nothing(limiter, time_):
    for _ in range(3):
        limiter.reserve(0.5)
    for _ in range(10):
        with pytest.raises(SlotTooLate):
            limiter.reserve(0.5)
    assert time_.slept == 0
    time_.moment += 1.05
    assert limiter.reserve(0).moment == time_.now()


@pytest.mark.parametrize("step", [20, 5000])
def test_reserve__after_the_clock_went_back_is_not_delayed(limiter, time_, step):
    for _ in range(30):
        limiter.reserve(FOREVER)
    time_.moment -= step
    slots = [limiter.reserve(FOREVER).moment for _ in range(6)]
    assert slots[0] <= time_.now() + 1.05
    assert most_in_a_second(slots) <= 3


@pytest.mark.parametrize("damage", [b"", b"\xff" * 56, b"abc", b"\x00" * 5000])
def test_reserve__damaged_file_keeps_the_rate(tmp_path, clock, damage):
    (tmp_path / "slots").write_bytes(damage)
    limiter = Limiter(tmp_path / "slots", 3, clock)
    slots = [limiter.reserve(FOREVER).moment for _ in range(9)]
    assert slots[0] <= clock.now() + 1.05
    assert most_in_a_second(slots) <= 3


def test_reserve__file_of_another_rate_keeps_the_rate(tmp_path, clock):
    fast, slow = Limiter(tmp_path / "slots", 10, clock), Limiter(tmp_path / "slots", 3, clock)
    slots = [fast.reserve(FOREVER).moment for _ in range(10)] + [slow.reserve(FOREVER).moment for _ in range(6)]
    assert slots[10] >= slots[9] + 1.049
    assert most_in_a_second(slots[10:]) <= 3


def test_reserve__unusable_file_paces_the_process_alone_and_slower(tmp_path, clock, caplog):
    (tmp_path / "slots").mkdir()
    limiter = Limiter(tmp_path / "slots", 2, clock)
    slots = [limiter.reserve(FOREVER).moment for _ in range(6)]
    assert most_in_a_second(slots) <= 2
    assert slots[2] - slots[0] >= 4 * 1.05
    assert "cannot be used" in caplog.text


def test_file__is_readable_by_its_owner_alone(limiter, tmp_path):
    limiter.reserve(0)
    assert (tmp_path / "slots").stat().st_mode & 0o777 == 0o600


def test_close_gate__doubles_with_each_refusal_up_to_fifteen_seconds(limiter, time_):
    pauses = []
    for _ in range(7):
        limiter.close_gate(time_.now())
        pauses.append(round(limiter.gate_left(), 6))
        time_.moment += limiter.gate_left() + 0.1
    assert pauses == [1, 2, 4, 8, 15, 15, 15]


def test_close_gate__calls_already_under_way_count_once(limiter, time_):
    started = time_.now()
    time_.moment += 0.2
    for _ in range(8):
        limiter.close_gate(started)
    assert limiter.gate_left() == pytest.approx(1)


def test_close_gate__retry_after_lengthens_it_up_to_fifteen_seconds(limiter, time_):
    limiter.close_gate(time_.now(), retry_after=6)
    assert limiter.gate_left() == pytest.approx(6)
    limiter.close_gate(time_.now() + 0.1, retry_after=54_000)
    assert limiter.gate_left() == pytest.approx(15)


def test_close_gate__holds_back_every_limiter_of_the_file(limiter, tmp_path, clock, time_):
    other = Limiter(tmp_path / "slots", 3, clock)
    limiter.close_gate(time_.now())
    assert not other.is_open()
    assert other.reserve(FOREVER).moment == pytest.approx(time_.now() + 1)
    with pytest.raises(SlotTooLate):
        other.reserve(0.5)


def test_note_success__starts_the_doubling_anew_and_leaves_the_gate(limiter, time_):
    for _ in range(3):
        limiter.close_gate(time_.now())
        time_.moment += 0.01
    limiter.note_success()
    assert not limiter.is_open()
    time_.moment += 20
    limiter.close_gate(time_.now())
    assert limiter.gate_left() == pytest.approx(1)


def started(limiter, clock, slot, max_wait=FOREVER):
    """The slot once it is started, waited for as its caller would."""
    while slot.started is None:
        clock.sleep(max(0.0, slot.moment - clock.now()))
        slot = limiter.start(slot, max_wait)
    return slot


def test_start__comes_when_the_slot_has_come(limiter, clock):
    slots = [limiter.reserve(FOREVER) for _ in range(6)]
    assert [started(limiter, clock, slot).started for slot in slots] == [pytest.approx(slot.moment) for slot in slots]


def test_start__waits_for_a_gate_that_closed_meanwhile(limiter, clock, time_):
    slots = [limiter.reserve(FOREVER) for _ in range(5)]
    limiter.close_gate(time_.now(), retry_after=9)
    moved = [limiter.start(slot, FOREVER) for slot in slots]
    assert [slot.started for slot in moved] == [None] * 5
    assert moved[0].moment == pytest.approx(time_.now() + 9)
    assert [started(limiter, clock, slot).started for slot in moved] == sorted(slot.moment for slot in moved)


def test_start__moved_beyond_the_wait_is_refused(limiter, time_):
    slot = limiter.reserve(FOREVER)
    limiter.close_gate(time_.now(), retry_after=9)
    with pytest.raises(SlotTooLate) as refused:
        limiter.start(slot, 8)
    assert refused.value.wait == pytest.approx(9)


def test_start__of_a_slot_that_was_refused_goes_first(limiter, clock, time_):
    first = started(limiter, clock, limiter.reserve(FOREVER))
    behind = [limiter.reserve(FOREVER) for _ in range(4)]
    limiter.close_gate(first.started, retry_after=2)
    again = started(limiter, clock, limiter.start(first, FOREVER))
    assert again.spent
    assert again.started == pytest.approx(first.started + 2)
    assert all(started(limiter, clock, slot).started >= again.started for slot in behind)


def test_note_sent__keeps_the_next_out_of_the_second_that_follows(limiter, clock, time_):
    slots = [started(limiter, clock, limiter.reserve(FOREVER)) for _ in range(3)]
    time_.moment += 0.4
    left = time_.now()
    for slot in slots:
        limiter.note_sent(slot)
    assert started(limiter, clock, limiter.reserve(FOREVER)).started >= left + 1


def test_hold__lets_nothing_start_for_so_long(limiter, time_):
    limiter.hold(2)
    assert limiter.reserve(FOREVER).moment == pytest.approx(time_.now() + 2)


@pytest.mark.parametrize("damage", [b"\xff" * 80, struct.pack("<12d", 1, 3, 0, 0, 0, 0, *[1e300] * 6)])
def test_start__damaged_file_holds_a_waiting_call_up_once(limiter, clock, time_, tmp_path, damage):
    slot = limiter.reserve(FOREVER)
    (tmp_path / "slots").write_bytes(damage)
    assert started(limiter, clock, slot).started <= slot.moment + 1.06


def test_file__of_an_earlier_boot_counts_as_full(limiter, clock, time_):
    limiter.reserve(FOREVER)
    time_.moment = 3.0
    assert limiter.reserve(FOREVER).moment == pytest.approx(4.05)
