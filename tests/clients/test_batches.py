"""Callers on threads whose ids go out together: what is merged, what is not, and whom an error is for."""

import pytest
from support.merging import break_down, record, refuse, wait_for

from pubmed_api.clients.items import NOTHING, Item
from pubmed_api.exceptions import UpstreamRateLimited, UpstreamRefused, UpstreamUnreachable


def test_fetch__alone(merging):
    merging.build()
    caller = merging.call("90000001", "99999999")
    assert caller.result() == {"90000001": Item(record("90000001").encode()), "99999999": NOTHING}
    assert merging.transport.asked == [["90000001", "99999999"]]


def test_fetch__those_who_come_while_one_is_out_go_together(merging):
    merging.build()
    callers = merging.crowd(*[(f"9000000{n}", f"9000001{n}") for n in range(8)])
    merging.transport.open.set()
    assert all(caller.found() for caller in callers)
    (asked,) = merging.transport.asked
    assert sorted(asked) == sorted(one for caller in callers for one in caller.ids)


def test_fetch__an_id_that_several_want_is_asked_for_once(merging):
    merging.build()
    callers = merging.crowd(("90000001", "90000002"), ("90000002", "90000003"), ("90009999",))
    merging.transport.open.set()
    assert all(caller.found() for caller in callers)
    assert merging.transport.asked == [["90000001", "90000002", "90000003"]]


def test_fetch__what_came_is_kept_before_it_is_handed_out(merging):
    merging.build()
    merging.call("90000001", "99999999").result()
    assert merging.kept == [{"90000001": Item(record("90000001").encode()), "99999999": NOTHING}]


def test_fetch__ids_of_two_keys_never_meet(merging):
    merging.build()
    callers = merging.crowd(("90000001",), ("90000002",))
    callers += [merging.join(f"9000000{n}", key="OTHERKEY") for n in (1, 3)]
    merging.transport.open.set()
    assert all(caller.found() for caller in callers)
    for ids, key in zip(merging.transport.asked, merging.transport.keys[1:], strict=True):
        assert set(ids) <= ({"90000001", "90000003"} if key else {"90000001", "90000002"})


def test_fetch__full_batch_waits_for_nobody(merging):
    merging.build()
    merging.crowd()
    many = [str(90000001 + n) for n in range(450)]
    caller = merging.call(*many)
    wait_for(lambda: len(merging.transport.asked) == 2)
    merging.transport.open.set()
    assert caller.found()
    assert sorted(len(ids) for ids in merging.transport.asked) == [50, 200, 200]
    assert sorted(one for ids in merging.transport.asked for one in ids) == many


def test_fetch__long_ids_fill_a_batch_sooner(merging):
    merging.build()
    many = [f"9000{n:04}{'0' * 92}" for n in range(60)]
    assert merging.call(*many).result().keys() == set(many)
    assert sorted(len(ids) for ids in merging.transport.asked) == [21, 39]


@pytest.mark.parametrize(
    ("sizes", "post_from", "posts"),
    [((99,), 100, [False]), ((100,), 100, [True]), ((60, 60), 100, [True]), ((1, 2), 3, [True])],
)
def test_fetch__many_ids_are_a_post(merging, sizes, post_from, posts):
    merging.build()
    calls = [[f"9{size:02}{n:05}" for n in range(count)] for size, count in enumerate(sizes)]
    callers = merging.crowd(*calls, post_from=post_from)
    merging.transport.open.set()
    assert all(caller.found() for caller in callers)
    assert merging.transport.posts == posts


@pytest.mark.parametrize("fault", [refuse, break_down])
@pytest.mark.parametrize("bad", [0, 5, 9])
def test_fetch__bad_id_costs_its_own_caller(merging, fault, bad):
    merging.build(retries=2)
    merging.transport.answer = fault("90000666")
    calls = [(f"9000001{n}", "90000666" if n == bad else f"9000002{n}") for n in range(10)]
    callers = merging.crowd(*calls)
    merging.transport.open.set()
    assert callers.pop(bad).failures() == {UpstreamRefused if fault is refuse else UpstreamUnreachable}
    assert all(caller.found() for caller in callers)
    # Far fewer than one for each caller and attempt.
    assert len(merging.transport.asked) <= 15


def test_fetch__several_bad_ids(merging):
    merging.build()
    bad = {f"900000{n}0" for n in (1, 4, 7)}
    merging.transport.answer = refuse(*bad)
    callers = merging.crowd(*[(f"900000{n}0", f"900000{n}1") for n in range(10)])
    merging.transport.open.set()
    for caller in callers:
        assert caller.failures() == {UpstreamRefused} if bad & set(caller.ids) else caller.found()


@pytest.mark.parametrize("order", [1, -1])
def test_fetch__id_shared_with_the_caller_of_a_bad_one(merging, order):
    merging.build()
    merging.transport.answer = refuse("90000666")
    bad, good = merging.crowd(*[("90000666", "90000001"), ("90000001", "90000002")][::order])[::order]
    merging.transport.open.set()
    assert good.found()
    outcomes = bad.result()
    assert isinstance(outcomes["90000666"], UpstreamRefused)


def test_fetch__equal_calls_fail_together(merging):
    """The request that failed is the one each of them would have sent."""
    merging.build(retries=2)
    merging.transport.answer = break_down("90000666")
    callers = merging.crowd(*[("90000001", "90000666")] * 6)
    merging.transport.open.set()
    for caller in callers:
        assert all(error.data["attempts"] == 3 for error in caller.result().values())
    assert len(merging.transport.asked) == 3


def test_fetch__outage_fails_everybody(merging):
    merging.build(retries=1)
    callers = merging.crowd(*[(f"9000000{n}",) for n in range(6)])
    merging.transport.answer = lambda ids: UpstreamUnreachable("away")
    merging.transport.open.set()
    assert all(caller.failures() == {UpstreamUnreachable} for caller in callers)


def test_fetch__outage_that_passes_is_noticed_by_nobody(merging):
    merging.build(retries=3)
    callers = merging.crowd(*[(f"9000000{n}",) for n in range(6)])
    failures = [UpstreamUnreachable("away")] * 3
    merging.transport.answer = lambda ids: failures.pop() if failures else None
    merging.transport.open.set()
    assert all(caller.found() for caller in callers)


def test_fetch__asking_too_often_is_no_fault_of_ids(merging):
    """The whole batch is tried again as it is, and refused as it is."""
    merging.build(retries=1)
    callers = merging.crowd(("90000001",), ("90000002",))
    merging.transport.answer = lambda ids: UpstreamRateLimited("slow", retry_after=0) if len(ids) > 1 else None
    merging.transport.open.set()
    assert all(caller.failures() == {UpstreamRateLimited} for caller in callers)
    assert merging.transport.asked == [["90000001", "90000002"]] * 2


def test_fetch__answer_that_cannot_be_taken_apart_is_a_fault_of_ids(merging, monkeypatch):
    """It is as if the upstream had refused: those without the bad id are asked for again."""
    batches = merging.build()
    split = batches._split

    def fail(body, ids):
        if "90000666" in ids:
            raise UpstreamRefused("unreadable")
        return split(body, ids)

    monkeypatch.setattr(batches, "_split", fail)
    good, bad = merging.crowd(("90000001",), ("90000666",))
    merging.transport.open.set()
    assert good.found()
    assert bad.failures() == {UpstreamRefused}


def test_fetch__is_counted(merging, monkeypatch):
    merged, coalesced = [], []
    monkeypatch.setattr("pubmed_api.metrics.note_merged", lambda *counts: merged.append(counts))
    monkeypatch.setattr("pubmed_api.metrics.note_coalesced", coalesced.append)
    merging.build()
    callers = merging.crowd(("90000001", "90000002"), ("90000003",), ("90000003", "90000001"), ("90009999",))
    merging.transport.open.set()
    assert all(caller.found() for caller in callers)
    assert merged == [("efetch", 3, 3)]
    assert coalesced == ["efetch", "efetch"]
