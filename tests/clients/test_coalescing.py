"""Flights of equal calls: one leads, the rest get what it brought, and no end of a leader leaves them hanging."""

import errno
import os
import signal
import subprocess
import sys
import time

import pytest
from support.crowd import Crowd

from pubmed_api.clients import coalescing
from pubmed_api.clients.coalescing import Flight, FlightFiles
from pubmed_api.exceptions import (
    HistoryExpired,
    QueueFull,
    RequestCancelled,
    UpstreamDeadlineExceeded,
    UpstreamRateLimited,
)


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "flights"


@pytest.fixture
def flights(folder):
    return FlightFiles(folder)


def test_join__all_equal_calls_share_one_flight(flights):
    brought = Crowd(flights, 30).land()
    assert len(brought) == 30
    assert brought.count(None) == 1
    assert brought.count(b"answer") == 29


def test_join__the_next_call_flies_again(flights, folder):
    for _ in range(2):
        with flights.join("key", time.sleep) as flight:
            assert flight.leads
            flight.leave_answer(b"answer")
        assert list(folder.iterdir()) == []


def test_join__different_keys_do_not_meet(flights):
    with flights.join("one", time.sleep) as one, flights.join("other", time.sleep) as other:
        assert one.leads
        assert other.leads


def test_join__large_answer_comes_whole(flights):
    body = os.urandom(1000) * 5000
    with flights.join("key", time.sleep) as flight:
        crowd = Crowd(flights, 2).wait_for(2)
        flight.leave_answer(body)
    assert crowd.join() == [body] * 2


def test_join__leader_that_raises_leaves_nothing(flights, folder):
    leading = flights.join("key", time.sleep)
    leading.__enter__()
    crowd = Crowd(flights, 3).wait_for(3)
    assert not leading.__exit__(RequestCancelled, RequestCancelled("gone"), None)
    assert crowd.join() == [None] * 3
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("raised", [RequestCancelled("gone"), UpstreamDeadlineExceeded("late")])
def test_join__pause_ends_the_wait_and_the_flight_goes_on(flights, raised):
    slices = []

    def pause(seconds):
        slices.append(seconds)
        if len(slices) == 3:
            raise raised

    before = len(os.listdir("/proc/self/fd"))
    with flights.join("key", time.sleep) as flight:
        with pytest.raises(type(raised)), flights.join("key", pause):
            pytest.fail("there is a leader")
        crowd = Crowd(flights, 2).wait_for(2)
        flight.leave_answer(b"answer")
    assert crowd.join() == [b"answer"] * 2
    assert max(slices) <= 0.02
    assert len(os.listdir("/proc/self/fd")) == before


def test_leave_failure__comes_as_it_was():
    error = UpstreamRateLimited("Too often.", provider="europepmc", hint="Wait.", retry_after=7, attempts=3)
    flight = Flight(leads=True)
    flight.leave_failure(error)
    told = Flight(leads=False, outcome=flight.outcome).failure
    assert type(told) is UpstreamRateLimited
    assert told.transient
    assert (told.message, told.hint, told.provider, told.reason) == (
        "Too often.", "Wait.", "europepmc", "europepmc_rate_limited"
    )  # fmt: skip
    assert told.data == {"retry_after": 7, "attempts": 3}
    assert flight.answer is None


def test_leave_failure__every_kind_keeps_its_reason():
    flight = Flight(leads=True)
    flight.leave_failure(HistoryExpired("gone"))
    assert flight.failure.reason == "history_expired"


@pytest.mark.parametrize("error", [UpstreamDeadlineExceeded("late"), QueueFull("full", retry_after=3)])
def test_leave_failure__what_befell_the_leader_alone_is_not_told(error):
    flight = Flight(leads=True)
    flight.leave_failure(error)
    assert flight.outcome is None


def test_leave_failure__data_that_cannot_be_written_is_not_told():
    flight = Flight(leads=True)
    flight.leave_failure(HistoryExpired("gone", ids={1}))
    assert flight.failure is None


def test_join__folder_that_cannot_be_made_lets_everybody_lead(folder, caplog):
    folder.write_text("")
    flights = FlightFiles(folder)
    with flights.join("key", time.sleep) as one, flights.join("key", time.sleep) as other:
        assert one.leads
        assert other.leads
    assert "equal calls are not shared" in caplog.text


def test_join__full_disk_leaves_nothing_half_written(flights, monkeypatch):
    def write(*_):
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(coalescing.os, "pwrite", write)
    assert Crowd(flights, 4).land().count(b"answer") == 0


def test_join__landing_spares_the_flight_of_another(flights, folder):
    first = flights.join("key", time.sleep)
    first.__enter__()
    (folder / "key").unlink()
    with flights.join("key", time.sleep) as second:
        first.__exit__(None, None, None)
        assert (folder / "key").exists()
        assert second.leads
    assert not (folder / "key").exists()


_LEADER = """
import sys, time
from pathlib import Path
from pubmed_api.clients.coalescing import FlightFiles
with FlightFiles(Path(sys.argv[1])).join("key", time.sleep) as flight:
    print(flight.leads, flush=True)
    (Path(sys.argv[1]) / "key").write_bytes(b"+half an ans")
    time.sleep(60)
"""


@pytest.mark.processes
def test_join__leader_killed_is_followed_by_the_next(flights, folder):
    with subprocess.Popen([sys.executable, "-c", _LEADER, str(folder)], stdout=subprocess.PIPE) as leader:
        assert leader.stdout.readline() == b"True\n"
        crowd = Crowd(flights, 5).wait_for(5)
        os.kill(leader.pid, signal.SIGKILL)
        brought = crowd.land()
    assert brought.count(None) == 1
    assert brought.count(b"answer") == 4
    assert list(folder.iterdir()) == []
