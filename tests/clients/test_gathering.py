"""Who waits in which batch: when one leaves, and that no caller is ever lost between them."""

import threading
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pubmed_api.clients import gathering as module
from pubmed_api.clients.gathering import Gathering
from pubmed_api.clients.items import NOTHING
from pubmed_api.clients.tickets import Ticket
from pubmed_api.exceptions import QueueFull, UpstreamRefused, UpstreamUnreachable


def ticket(*ids, seconds=60.0, key=None):
    return Ticket(frozenset(ids), time.monotonic() + seconds, key)


def join(gathering, caller, post_from=100):
    return gathering.join(caller, {one: one for one in sorted(caller.wanted)}, post_from)


@pytest.fixture
def gathering():
    return Gathering(most=5, characters=1000)


def test_join__one_batch_until_it_is_full(gathering):
    first, second, third = ticket("1", "2"), ticket("2", "3"), ticket("4", "5", "6", "7")
    (batch,) = join(gathering, first)
    assert join(gathering, second) == []
    (other,) = join(gathering, third)
    assert list(batch.entries) == ["1", "2", "3", "4", "5"]
    assert list(other.entries) == ["6", "7"]


def test_join__too_many_characters_are_another_batch():
    gathering = Gathering(most=100, characters=10)
    (first, second) = join(gathering, ticket("1234", "5678", "9"))
    assert (list(first.entries), list(second.entries)) == (["1234", "5678"], ["9"])
    (alone,) = join(Gathering(most=100, characters=10), ticket("1" * 50))
    assert list(alone.entries) == ["1" * 50]


def test_join__the_lowest_threshold_for_post_counts(gathering):
    (batch,) = join(gathering, ticket("1"), post_from=100)
    join(gathering, ticket("2"), post_from=25)
    assert batch.post_from == 25


def test_departure__closes_the_batch(gathering):
    (batch,) = join(gathering, ticket("1"))
    with gathering.departure(batch) as sent:
        assert sent == {"1": "1"}
        assert join(gathering, ticket("1")) == []
        (other,) = join(gathering, ticket("2"))
        assert other is not batch


def test_departure__leaves_out_what_nobody_wants_any_more(gathering):
    gone, stays = ticket("1", "2"), ticket("2")
    (batch,) = join(gathering, gone)
    join(gathering, stays)
    gathering.leave(gone)
    with gathering.departure(batch) as sent:
        assert list(sent) == ["2"]


def test_wait_until_full__who_is_alone_goes_at_once(gathering, monkeypatch):
    monkeypatch.setattr(module, "LONGEST_GATHERING", 1000.0)
    (batch,) = join(gathering, ticket("1", "2"))
    gathering.wait_until_full(batch)


def test_wait_until_full__a_crowd_goes_when_nobody_comes_any_more(gathering, monkeypatch):
    monkeypatch.setattr(module, "LONGEST_GATHERING", 1000.0)
    (batch,) = join(gathering, ticket("1"))
    join(gathering, ticket("2"))
    gathering.wait_until_full(batch)


def test_wait_until_full__while_another_is_under_way(gathering, monkeypatch):
    monkeypatch.setattr(module, "LONGEST_GATHERING", 1000.0)
    (first,) = join(gathering, ticket("1"))
    with gathering.departure(first):
        (batch,) = join(gathering, ticket("2"))
        waiter = threading.Thread(target=gathering.wait_until_full, args=(batch,), daemon=True)
        waiter.start()
        waiter.join(0.1)
        assert waiter.is_alive()
    waiter.join(10)
    assert not waiter.is_alive()


def test_wait_until_full__not_for_long(gathering):
    (first,) = join(gathering, ticket("1"))
    with gathering.departure(first):
        (batch,) = join(gathering, ticket("2"))
        began = time.monotonic()
        gathering.wait_until_full(batch)
        assert time.monotonic() - began > module.LONGEST_GATHERING / 2


def test_wait_until_full__full_waits_for_nobody(gathering, monkeypatch):
    monkeypatch.setattr(module, "LONGEST_GATHERING", 1000.0)
    (first,) = join(gathering, ticket("1"))
    with gathering.departure(first):
        (batch,) = join(gathering, ticket("2", "3", "4", "5", "6"))
        gathering.wait_until_full(batch)


def test_wait_until_full__a_crowd_keeps_its_distance():
    gathering = Gathering(most=5, characters=1000, gap=0.5)
    (first,) = join(gathering, ticket("1"))
    departed = time.monotonic()
    with gathering.departure(first):
        pass
    (batch,) = join(gathering, ticket("2"))
    join(gathering, ticket("3"))
    gathering.wait_until_full(batch)
    assert time.monotonic() - departed >= 0.5


def test_begin_run__has_the_time_of_the_most_patient(gathering):
    patient = ticket("2", seconds=50)
    (batch,) = join(gathering, ticket("1", seconds=5))
    join(gathering, patient)
    assert gathering.begin_run(batch) == patient.deadline


def test_part__owners_in_halves(gathering):
    callers = [ticket(str(n)) for n in range(5)]
    (batch, *_) = [batch for caller in callers for batch in join(gathering, caller)]
    half = gathering.part(batch)
    assert (list(batch.entries), list(half.entries)) == (["0", "1"], ["2", "3", "4"])
    assert all(caller.in_trouble for caller in callers)


def test_part__guests_of_a_lone_owner_leave(gathering):
    owner, guest, same = ticket("1", "2"), ticket("2", "3"), ticket("1", "2")
    (batch,) = join(gathering, owner)
    with gathering.departure(batch):
        join(gathering, guest)
        join(gathering, same)
    other = gathering.part(batch)
    assert (list(batch.entries), list(other.entries)) == (["1", "2"], ["2"])
    assert list(other.callers()) == [guest]
    assert gathering.part(other) is None


def test_fail__of_time_is_not_that_of_who_has_more(gathering):
    short, long = ticket("1", seconds=1), ticket("1", seconds=60)
    (batch,) = join(gathering, short)
    gathering.begin_run(batch)
    join(gathering, long)
    assert gathering.fail(batch, QueueFull("full"))
    assert (short.is_served, long.is_served) == (True, False)
    assert gathering.begin_run(batch) == long.deadline
    assert not gathering.fail(batch, QueueFull("full"))
    assert long.is_served


def test_fail__when_its_owner_has_gone_is_nobody_elses(gathering):
    """The request was made with ids of a caller who left meanwhile; for the other it must go again."""
    gone, stays = ticket("1", "2"), ticket("2")
    (batch,) = join(gathering, gone)
    join(gathering, stays)
    with gathering.departure(batch):
        gathering.leave(gone)
    assert gathering.fail(batch, UpstreamRefused("no"))
    assert not stays.is_served


def test_is_wanted__by_nobody_ends_the_batch(gathering):
    caller = ticket("1")
    (batch,) = join(gathering, caller)
    assert gathering.is_wanted(batch)
    gathering.leave(caller)
    assert not gathering.is_wanted(batch)
    (another,) = join(gathering, ticket("1"))
    assert another is not batch


def test_join__an_id_that_the_open_batch_has_already(gathering):
    """It came there while its first batch was in trouble, and was found in a third one meanwhile."""
    (batch,) = join(gathering, ticket("a", "bad"))
    join(gathering, ticket("other"))
    guest, late, later = ticket("a"), ticket("a"), ticket("a")
    join(gathering, guest)
    with gathering.departure(batch):
        gathering.part(batch)
    (opened,) = join(gathering, late)
    with gathering.departure(batch):
        third = gathering.part(batch)
    gathering.serve(third, {"a": NOTHING})
    assert guest.is_served
    assert join(gathering, later) == []
    gathering.serve(opened, {"a": NOTHING})
    assert late.is_served
    assert later.is_served


def check_nobody_is_lost(tickets):
    for caller in tickets:
        assert caller.entries.keys() == caller.wanted - caller.outcomes.keys()
        for item_id, entry in caller.entries.items():
            assert caller in entry.tickets
            assert entry.batch.entries[item_id] is entry


DEEDS = st.lists(
    st.tuples(
        st.sampled_from(["join", "join", "depart", "part", "refuse", "break", "serve", "leave"]),
        st.integers(0, 5),
        st.sets(st.sampled_from("abc"), min_size=1, max_size=2),
    ),
    max_size=40,
)


@settings(max_examples=400, deadline=None)
@given(DEEDS)
def test_gathering__nobody_is_lost(deeds):
    """In any order of events a caller waits, for each id it has no outcome of, in a batch that is still to come."""
    gathering, tickets, batches = Gathering(most=3, characters=1000), [], []
    for deed, number, ids in deeds:
        batch = batches[number % len(batches)] if batches else None
        if deed == "join":
            tickets.append(ticket(*ids))
            batches += join(gathering, tickets[-1])
        elif batch is None or not batch.entries:
            continue
        elif deed == "leave":
            caller = tickets.pop(number % len(tickets)) if tickets else ticket("a")
            gathering.leave(caller)
            assert not caller.entries
        else:
            batches += _do(gathering, batch, deed)
        check_nobody_is_lost(tickets)
    for batch in batches:
        gathering.give_up(batch, UpstreamUnreachable("over"))
    assert all(caller.is_served for caller in tickets)
    assert not gathering._entries
    assert not gathering._open


def _do(gathering, batch, deed):
    """What a batch can go through; the batches that come of it."""
    gathering.begin_run(batch)
    with gathering.departure(batch):
        pass
    if deed == "serve":
        gathering.serve(batch, dict.fromkeys("abc", NOTHING))
    elif deed == "part":
        return [other for other in [gathering.part(batch)] if other]
    elif deed in ("refuse", "break"):
        gathering.fail(batch, UpstreamRefused("no") if deed == "refuse" else UpstreamUnreachable("away"))
    return []
