"""The arithmetic of turns: the limit on starts, the order of arrival, what the gate and latecomers do to both."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import settings as profile
from hypothesis import strategies as st

from pubmed_api.clients.schedule import START_MARGIN, Schedule, SlotTooLate, host_part, ring

FOREVER = 1e6
NOW = 500.0


class Queue:
    """Callers of one schedule, each with the ticket of its slot, in the order they came."""

    def __init__(self, rate):
        self.n, self.window = ring(rate)
        self.now = NOW
        self.schedule = Schedule([0.0] * self.n, [0.0] * self.n)
        self.waiting, self.started = [], []

    def join(self):
        slot = self.schedule.reserve(self.now, self.window, FOREVER)
        self.waiting.append(slot - self.schedule.shift)
        return slot

    def serve(self, ticket, late=0.0, spent=False):
        """Let the holder start as its caller would: it wakes when it is told, give or take, and asks again."""
        while (moment := self.schedule.start(self.now, self.window, ticket, spent)) > self.now:
            self.now = moment + late
        self.started.append(self.now)
        return self.now

    def serve_all(self):
        return [self.serve(self.waiting.pop(0)) for _ in list(self.waiting)]


def most_in_a_second(moments):
    return max(sum(1 for other in moments if moment <= other < moment + 1) for moment in moments)


@given(
    rate=st.integers(1, 12),
    steps=st.lists(
        st.tuples(st.sampled_from(["join", "join", "serve", "serve late", "close"]), st.floats(0, 3)), max_size=80
    ),
)
@profile(deadline=None, max_examples=150)
def test_start__never_exceeds_the_rate_in_any_second_whatever_happens(rate, steps):
    queue = Queue(rate)
    for what, seconds in steps:
        if what == "join":
            queue.now += seconds if seconds > 2.5 else 0
            queue.join()
        elif what == "close":
            queue.schedule.close_gate(queue.now, queue.now, seconds)
        elif queue.waiting:
            queue.serve(queue.waiting.pop(0), late=seconds if what == "serve late" else 0.0)
    queue.serve_all()
    assert not queue.started or most_in_a_second(queue.started) <= rate


def test_reserve__free_slots_go_at_once_and_those_who_wait_are_spaced_evenly():
    queue = Queue(10)
    slots = [queue.join() - NOW for _ in range(40)]
    assert slots[:10] == [0] * 10
    gaps = [later - earlier for earlier, later in pairwise(slots[10:])]
    assert slots[10] == pytest.approx(1.05)
    assert gaps == [pytest.approx(0.105)] * 29


def test_reserve__too_late_takes_nothing():
    queue = Queue(1)
    queue.join()
    before = list(queue.schedule.slots)
    with pytest.raises(SlotTooLate) as refused:
        queue.schedule.reserve(NOW, queue.window, 1.0)
    assert refused.value.wait == pytest.approx(1.05)
    assert queue.schedule.slots == before


def test_start__before_its_slot_has_come_says_when():
    queue = Queue(1)
    queue.join()
    slot = queue.join()
    assert queue.schedule.start(NOW, queue.window, queue.waiting[1]) == pytest.approx(slot)
    assert queue.schedule.starts == [0.0]


def test_start__a_little_late_delays_nobody():
    queue = Queue(3)
    for _ in range(9):
        queue.join()
    planned = [NOW + 1.05 + 0.35 * number for number in range(6)]
    served = [queue.serve(ticket, late=0.002) for ticket in queue.waiting]
    assert served[3:] == [pytest.approx(moment + 0.002) for moment in planned]


def test_start__late_one_keeps_the_next_out_of_its_second():
    queue = Queue(1)
    queue.join()
    queue.join()
    queue.now += 0.4
    first = queue.serve(queue.waiting[0])
    assert queue.serve(queue.waiting[1]) >= first + 1.04


def test_start__whoever_missed_its_slot_is_let_in_and_the_others_make_room():
    queue = Queue(1)
    for _ in range(4):
        queue.join()
    late, *others = queue.waiting
    queue.now += 3.0
    came = [queue.serve(late), *(queue.serve(ticket) for ticket in others)]
    assert came == sorted(came)
    assert min(later - earlier for earlier, later in pairwise(came)) >= 1.04
    assert queue.join() > came[-1]


def test_start__refused_one_goes_before_those_who_came_later():
    queue = Queue(1)
    for _ in range(3):
        queue.join()
    refused, *others = queue.waiting
    queue.serve(refused)
    queue.now += 0.2
    queue.schedule.close_gate(queue.now, NOW, 4)
    again = queue.serve(refused, spent=True)
    assert again == pytest.approx(NOW + 4.2)
    # Their distance to the gate is kept, and one slot is added.
    assert [queue.serve(ticket) - again for ticket in others] == [pytest.approx(1.9), pytest.approx(2.95)]


def test_start__ticket_of_a_schedule_that_was_lost_is_not_waited_for_for_ever():
    queue = Queue(2)
    assert queue.serve(NOW + 90_000) == NOW


def test_close_gate__moves_all_who_wait_and_keeps_their_order():
    queue = Queue(1)
    before = [queue.join() for _ in range(4)][1:]
    queue.serve(queue.waiting.pop(0))
    queue.now += 0.5
    queue.schedule.close_gate(queue.now, queue.now, 6)
    behind = queue.join()
    assert queue.serve_all() == [pytest.approx(slot + 6) for slot in before] + [pytest.approx(behind)]
    assert behind == pytest.approx(before[-1] + 6 + 1.05)


def test_close_gate__again_before_it_opened_counts_what_is_added():
    queue = Queue(1)
    queue.join()
    slot = queue.join()
    queue.schedule.close_gate(NOW, NOW, 2)
    queue.schedule.close_gate(NOW + 1, NOW + 0.5, 5)
    assert queue.schedule.gate == NOW + 6
    assert queue.serve(queue.waiting[1]) == pytest.approx(slot + 6)


def test_note_sent__counts_the_request_from_when_it_left():
    queue = Queue(1)
    queue.join()
    queue.join()
    started = queue.serve(queue.waiting[0])
    queue.schedule.note_sent(started + 0.3, started)
    assert queue.serve(queue.waiting[1]) == pytest.approx(started + 0.3 + START_MARGIN)


def test_note_sent__of_an_unknown_start_changes_nothing():
    queue = Queue(2)
    queue.join()
    queue.serve(queue.waiting[0])
    before = list(queue.schedule.starts)
    queue.schedule.note_sent(NOW + 9, NOW + 3)
    assert queue.schedule.starts == before


def test_hold__lets_nothing_start_until_then():
    queue = Queue(3)
    queue.schedule.hold(queue.window, NOW + 2)
    assert queue.join() == pytest.approx(NOW + 2)
    assert queue.serve(queue.waiting[0]) == pytest.approx(NOW + 2)


@pytest.mark.parametrize(
    ("rate", "hosts", "part"), [(3, 1, 3), (2.5, 1, 2.5), (10, 3, 3), (3, 2, 1), (3, 4, 0.75), (0.5, 2, 0.25)]
)
def test_host_part__of_several_hosts_together_is_not_over_the_rate(rate, hosts, part):
    assert host_part(rate, hosts) == part
