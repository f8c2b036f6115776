"""Callers of one batch who give up, are late or meet the unforeseen: the others get what they came for."""

import random
import threading
import time

import pytest
from support.merging import break_down, record, refuse, wait_for

from pubmed_api.clients.items import NOTHING, Item
from pubmed_api.exceptions import (
    QueueFull,
    RequestCancelled,
    UpstreamDeadlineExceeded,
    UpstreamRefused,
    UpstreamTimeout,
    UpstreamUnreachable,
)
from pubmed_api.models.call import Call, open_call


def test_fetch__cancelled_caller_leaves_the_others(merging):
    merging.build()
    first, second = merging.crowd(("90000001", "90000002"), ("90000002", "90000003"))
    first.gone = True
    first.result()
    assert isinstance(first.error, RequestCancelled)
    merging.transport.open.set()
    assert second.found()
    assert merging.transport.asked == [["90000002", "90000003"]]


def test_fetch__caller_whose_request_is_out_goes_and_the_others_wait_on(merging):
    merging.build()
    (other,) = merging.crowd(("90009999", "90000001"))
    first = merging.join("90009999")
    first.gone = True
    first.result()
    merging.transport.open.set()
    assert other.found()


def test_fetch__nobody_left_makes_no_request(merging):
    merging.build()
    callers = merging.crowd(("90000001",), ("90000002",))
    for caller in callers:
        caller.gone = True
    for caller in callers:
        caller.result()
    merging.transport.open.set()
    assert merging.call("90000003").found()
    assert not {"90000001", "90000002"} & {one for ids in merging.transport.asked for one in ids}
    wait_for(lambda: merging.waiting() == 0)
    assert not merging.batches._gathering._entries


def test_fetch__cancelled_before_it_began(merging):
    batches = merging.build()
    with open_call(Call(cancelled=lambda: True)), pytest.raises(RequestCancelled):
        batches.fetch({"90000001": "90000001"}, post_from=100)
    assert merging.transport.asked == []


def test_fetch__late_caller_leaves_and_the_others_wait_on(merging):
    merging.build()
    merging.crowd()
    late = merging.join("90000001", "90000002", seconds=0.5)
    patient = merging.join("90000002", "90000003")
    assert late.failures() == {UpstreamDeadlineExceeded}
    merging.transport.open.set()
    assert patient.found()


def test_fetch__deadline_of_a_lone_caller_ends_its_attempts(merging):
    """The error is that of the retry loop, which knows how many attempts there were."""
    merging.build(retries=9)
    merging.transport.answer = lambda ids: time.sleep(0.1) or UpstreamTimeout("slow")
    (error,) = merging.call("90000001", seconds=1.0).result().values()
    assert isinstance(error, UpstreamDeadlineExceeded)
    assert error.data["attempts"] >= 2


def test_fetch__failure_of_the_impatient_is_not_that_of_the_patient(merging):
    """An attempt that ended with the time of the caller who began the batch; the other has time for another."""
    merging.build()
    slow = [UpstreamTimeout("slow")]
    merging.transport.open.clear()
    impatient = merging.call("90000001", seconds=0.5)
    wait_for(lambda: len(merging.transport.asked) == 1)
    patient = merging.join("90000001")
    merging.transport.answer = lambda ids: slow.pop() if slow else None
    assert impatient.failures() == {UpstreamDeadlineExceeded}
    merging.transport.open.set()
    assert patient.found()


def test_fetch__queue_that_is_too_long_refuses_at_once(merging):
    merging.build(rate=0.1)
    assert merging.call("90000001").found()
    callers = [merging.call(f"9000001{n}", seconds=5.0) for n in range(4)]
    for caller in callers:
        assert caller.failures() == {QueueFull}
        assert all(error.data["retry_after"] >= 1 for error in caller.result().values())
    assert len(merging.transport.asked) == 1


@pytest.mark.parametrize("error", [RuntimeError("a bug"), MemoryError()])
def test_fetch__the_unforeseen_hits_its_own_caller(merging, error):
    merging.build()
    callers = merging.crowd(("90000001",), ("90000666",), ("90000002",))
    merging.transport.answer = lambda ids: error if "90000666" in ids else None
    merging.transport.open.set()
    assert callers.pop(1).failures() == {type(error)}
    assert all(caller.found() for caller in callers)


def test_fetch__broken_machinery_leaves_nobody_waiting(merging, monkeypatch):
    batches = merging.build()
    callers = merging.crowd(("90000001",), ("90000002",))
    monkeypatch.setattr(batches, "_run", lambda batch: 1 / 0)
    merging.transport.open.set()
    assert all(caller.failures() == {ZeroDivisionError} for caller in callers)
    monkeypatch.undo()
    assert merging.call("90000001").found()


def test_fetch__failure_before_anything_was_sent_is_everybodys(merging, monkeypatch):
    batches = merging.build()
    callers = merging.crowd(("90000001",), ("90000002",))
    monkeypatch.setattr(batches._exchange, "run", lambda sent, attempt: 1 / 0)
    merging.transport.open.set()
    assert all(caller.failures() == {ZeroDivisionError} for caller in callers)


def test_fetch__refused_batch_is_closed(merging):
    """Who comes after it was refused begins another."""
    merging.build(rate=0.1)
    assert merging.call("90000001").found()
    for n in range(3):
        assert merging.call(f"9000001{n}", seconds=5.0).failures() == {QueueFull}
    assert not merging.batches._gathering._open


def test_fetch__keeping_that_fails_is_told(merging):
    """The store fails open; what else goes wrong there must not leave anybody waiting."""
    merging.build()._keep = lambda items: 1 / 0
    assert merging.call("90000001").failures() == {ZeroDivisionError}


def test_fetch__without_a_thread_the_caller_carries_the_batch(merging, monkeypatch):
    batches = merging.build()
    with monkeypatch.context() as patch:
        patch.setattr("pubmed_api.clients.batches.threading.Thread", _no_thread)
        with open_call(Call()):
            outcomes = batches.fetch({"90000001": "90000001"}, post_from=100)
    assert outcomes == {"90000001": Item(record("90000001").encode())}


def _no_thread(**_):
    raise RuntimeError("can't start new thread")


def test_fetch__time_is_noted_for_every_caller(merging):
    merging.build()
    merging.transport.answer = lambda ids: time.sleep(0.05)
    callers = merging.crowd(("90000001",), ("90000002",))
    merging.transport.open.set()
    for caller in callers:
        assert caller.found()
        assert caller.call.timings["upstream"] > 0.04
        assert caller.call.timings["queue"] > 0


class Claim:
    """What a caller does with its claim."""

    def __init__(self):
        self.deeds = []

    def renew(self):
        self.deeds.append("renew")

    def release(self):
        self.deeds.append("release")


def test_fetch__claim_is_renewed_while_it_waits(merging):
    batches, claim = merging.build(), Claim()
    merging.transport.open.clear()
    threading.Timer(0.5, merging.transport.open.set).start()
    with open_call(Call()):
        batches.fetch({"90000001": "90000001"}, post_from=100, claim=claim)
    assert set(claim.deeds) == {"renew"}


def test_fetch__claim_is_released_when_a_request_fails(merging):
    """What may come to nothing is not kept from other processes."""
    batches, claim = merging.build(retries=20), Claim()
    merging.transport.answer = lambda ids: time.sleep(0.02) or UpstreamTimeout("slow")
    with open_call(Call()):
        batches.fetch({"90000001": "90000001"}, post_from=100, claim=claim)
    assert claim.deeds[-1] == "release"


@pytest.fixture
def trouble(merging):
    """A caller whose bad id fails again and again; what is wanted with it is not bad. It ends when ``stop`` is set."""
    stop = threading.Event()
    merging.build(retries=10_000)
    failing = break_down("90000666")
    merging.transport.answer = lambda ids: (
        (stop.is_set() and UpstreamRefused("over")) or time.sleep(0.005) or failing(ids)
    )
    yield stop
    stop.set()


def test_fetch__what_another_has_in_trouble_is_asked_for_apart(merging, trouble):
    merging.transport.open.clear()
    unlucky = merging.join("90000666", "90000001")
    guest = merging.join("90000001", "90000002")
    merging.transport.open.set()
    assert guest.found()
    wait_for(lambda: merging.transport.asked.count(["90000666", "90000001"]) > 3)
    assert merging.call("90000001").found()
    assert unlucky.is_alive()


def test_fetch__who_wants_the_same_shares_the_trouble(merging, trouble):
    unlucky = merging.call("90000666", "90000001")
    wait_for(lambda: merging.transport.asked.count(["90000666", "90000001"]) > 3)
    other = merging.join("90000001", "90000666")
    trouble.set()
    assert unlucky.failures() == other.failures() == {UpstreamRefused}
    assert {tuple(ids) for ids in merging.transport.asked} == {("90000666", "90000001")}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("fault", [refuse, break_down])
def test_fetch__many_callers_some_bad_some_gone(merging, monkeypatch, seed, fault):
    """Whoever stays is served, or fails for its own bad id; nobody hangs; nothing is left behind."""
    monkeypatch.setattr("pubmed_api.clients.gathering.LONGEST_GATHERING", 0.05)
    draw = random.Random(seed)
    merging.build(retries=1)
    bad = {"90000003", "90000017"}
    merging.transport.answer = lambda ids: time.sleep(0.001 * draw.randrange(20)) or fault(*bad)(ids)
    callers = []
    for _ in range(60):
        ids = draw.sample([*(f"900000{n:02}" for n in range(40)), "99999999"], draw.randint(1, 4))
        callers.append(merging.call(*ids))
        callers[-1].gone = draw.random() < 0.2
        time.sleep(0.001 * draw.randrange(10))
    for caller in callers:
        outcomes = caller.result()
        if outcomes is None:
            assert caller.gone
            assert isinstance(caller.error, RequestCancelled)
        for one in caller.ids if outcomes else ():
            _check(one, outcomes[one], caller.ids, bad)
    wait_for(lambda: not merging.batches._gathering._entries)
    assert not merging.batches._gathering._open


def _check(one, outcome, ids, bad):
    if one in bad:
        assert isinstance(outcome, UpstreamRefused | UpstreamUnreachable)
    elif not bad & set(ids):
        assert outcome == (NOTHING if one == "99999999" else Item(record(one).encode()))
