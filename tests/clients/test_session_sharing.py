"""Equal calls at the same time: one request for all of them, over threads and processes, and nobody left hanging."""

import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace

import pytest
from support.storing import integrity

from pubmed_api.clients import build_clients
from pubmed_api.exceptions import NotInCache, RequestCancelled, UpstreamDeadlineExceeded, UpstreamUnreachable
from pubmed_api.models.call import Call, open_call


def search(number):
    return b"<eSearchResult><Count>%d</Count></eSearchResult>" % number


class Held:
    """An upstream that answers when it may, and then takes its time.

    Its n-th answer is a search of n hits, or the n-th of ``answers``.
    """

    def __init__(self):
        self.asked = 0
        self.answers = {}
        self.open = threading.Event()
        self._lock = threading.Lock()

    def __call__(self, environ, start_response):
        with self._lock:
            self.asked += 1
            status, body = self.answers.get(self.asked, self.answers.get("all", (200, search(self.asked))))
        self.open.wait(10)
        time.sleep(0.1)
        start_response(f"{status} Because", [("Content-Type", "text/xml")])
        return [body]


class Caller(threading.Thread):
    """One call in a thread of its own; ``result`` is what it got or raised."""

    def __init__(self, ask, **wishes):
        super().__init__(daemon=True)
        self.call = Call(**wishes)
        self._ask = ask
        self.start()

    def run(self):
        with open_call(self.call):
            try:
                self.result = self._ask()
            except Exception as error:
                self.result = error


@pytest.fixture
def held():
    return Held()


@pytest.fixture
def eutils(settings, held):
    return build_clients(replace(settings, ncbi_requests_per_second=1000.0, ncbi_max_retries=0), held).eutils


@pytest.fixture
def fly(eutils, held):
    """``fly(wishes, …)``: the first call asks and the others wait for it; ``finish`` lets the upstream answer."""

    def fly(*wishes, ask=lambda: eutils.esearch(term="x", retmax=20)):
        callers = [Caller(ask, **wishes[0])]
        wait_until(lambda: held.asked == 1)
        callers += [Caller(ask, **wish) for wish in wishes[1:]]
        wait_until(lambda: all(len(caller.call.timings) for caller in callers[1:]))
        return callers

    return fly


def wait_until(holds):
    until = time.monotonic() + 10
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.001)


def finish(held, callers):
    held.open.set()
    for caller in callers:
        caller.join(10)
    return [caller.result for caller in callers]


def test_fetch__equal_calls_at_once_ask_once(fly, held):
    callers = fly(*[{}] * 50)
    assert finish(held, callers) == [search(1)] * 50
    assert held.asked == 1
    assert {caller.call.cache_state for caller in callers} == {"miss"}
    assert {caller.call.age for caller in callers} == {0}


def test_fetch__equal_calls_ask_once_even_where_nothing_can_be_kept(fly, held, settings):
    (settings.data_dir / "cache-sandbox.sqlite").mkdir(parents=True)
    assert finish(held, fly(*[{}] * 10)) == [search(1)] * 10
    assert held.asked == 1


def test_fetch__leader_that_fails_does_not_fail_its_followers(fly, held):
    held.answers = {1: (500, b"")}
    leader, *followers = finish(held, fly(*[{}] * 10))
    assert isinstance(leader, UpstreamUnreachable)
    assert followers == [search(2)] * 9
    assert held.asked == 2


def test_fetch__lasting_failure_is_asked_twice_and_told_to_all(fly, held):
    held.answers = {"all": (500, b"")}
    results = finish(held, fly(*[{}] * 20))
    assert {type(result) for result in results} == {UpstreamUnreachable}
    assert {result.data["attempts"] for result in results} == {1}
    assert held.asked == 2


def test_fetch__leader_that_goes_away_is_followed_by_another(fly, held, eutils):
    gone = threading.Event()
    held.answers = {1: (500, b"")}
    patient = build_clients(replace(eutils._settings, ncbi_max_retries=3), held).eutils
    callers = fly({"cancelled": gone.is_set}, {}, {}, ask=lambda: patient.esearch(term="x", retmax=20))
    gone.set()
    leader, *followers = finish(held, callers)
    assert isinstance(leader, RequestCancelled)
    assert followers == [search(2)] * 2
    assert held.asked == 2


def test_fetch__follower_keeps_its_own_deadline(fly, held):
    callers = fly({}, {"deadlines": {"ncbi": time.monotonic() + 0.3}}, {})
    callers[1].join(5)
    assert isinstance(callers[1].result, UpstreamDeadlineExceeded)
    assert callers[1].result.data["host"] == "eutils.ncbi.nlm.nih.gov"
    assert callers[1].result.data["deadline_ms"] == 60_000
    assert callers[0].is_alive()
    leader, _, other = finish(held, callers)
    assert (leader, other) == (search(1), search(1))


def test_fetch__follower_that_goes_away_stops_waiting(fly, held):
    gone = threading.Event()
    callers = fly({}, {"cancelled": gone.is_set})
    gone.set()
    callers[1].join(5)
    assert isinstance(callers[1].result, RequestCancelled)
    assert finish(held, callers)[0] == search(1)
    assert held.asked == 1


def test_fetch__new_answers_are_asked_for_after_the_call(fly, held):
    """An answer that was under way when a caller wanted a new one is none; they share the one that comes next."""
    callers = fly({}, *[{"no_cache": True}] * 5)
    assert finish(held, callers) == [search(1)] + [search(2)] * 5
    assert held.asked == 2


def test_fetch__only_stored_answers_are_not_waited_for(fly, held, eutils):
    callers = fly({})
    with open_call(Call(only_if_cached=True)) as stored, pytest.raises(NotInCache):
        eutils.esearch(term="x", retmax=20)
    assert stored.timings == {}
    assert finish(held, callers) == [search(1)]


def test_fetch__history_is_never_shared(held, eutils):
    callers = [Caller(lambda: eutils.esearch(term="x", retmax=20, usehistory=True)) for _ in range(3)]
    wait_until(lambda: held.asked == 3)
    assert sorted(finish(held, callers)) == [search(1), search(2), search(3)]


def test_fetch__different_questions_do_not_wait_for_each_other(held, eutils):
    callers = [Caller(lambda n=n: eutils.esearch(term=f"x{n}", retmax=20)) for n in range(3)]
    wait_until(lambda: held.asked == 3)
    finish(held, callers)


def test_fetch__failure_under_a_key_of_ones_own_is_ones_own(fly, held):
    held.answers = {"all": (500, b"")}
    results = finish(held, fly({"ncbi_api_key": "A" * 36}, {"ncbi_api_key": "B" * 36}, {}, {}))
    assert {type(result) for result in results} == {UpstreamUnreachable}
    assert held.asked >= 3


_WORKER = """
import os, sys, threading, time
from pathlib import Path
from pubmed_api.clients import build_clients
from pubmed_api.models.call import Call, open_call
from pubmed_api.settings import Settings
folder, callers, seconds = Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
def upstream(environ, start_response):
    with open(folder / "asked", "a") as log:
        log.write(f"{os.getpid()}\\n")
    time.sleep(seconds)
    start_response("200 OK", [("Content-Type", "text/xml")])
    return [b"<eSearchResult><Count>7</Count></eSearchResult>"]
eutils = build_clients(Settings(data_dir=folder / "data", ncbi_requests_per_second=1000.0), upstream).eutils
answers = []
def ask():
    with open_call(Call()):
        answers.append(eutils.esearch(term="x", retmax=20))
print("ready", flush=True)
sys.stdin.readline()
threads = [threading.Thread(target=ask) for _ in range(callers)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print(answers.count(b"<eSearchResult><Count>7</Count></eSearchResult>"), flush=True)
"""


def work(folder, callers, seconds):
    command = [sys.executable, "-c", _WORKER, str(folder), str(callers), str(seconds)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def let_go(workers):
    for worker in workers:
        assert worker.stdout.readline() == "ready\n"
    for worker in workers:
        worker.stdin.write("\n")
        worker.stdin.flush()


@pytest.mark.processes
def test_fetch__equal_calls_ask_once_over_processes(tmp_path):
    workers = [work(tmp_path, 13, 1.0) for _ in range(4)]
    let_go(workers)
    assert [worker.communicate()[0] for worker in workers] == ["13\n"] * 4
    assert len((tmp_path / "asked").read_text().splitlines()) == 1


@pytest.mark.processes
def test_fetch__killed_leader_holds_nobody_up(tmp_path):
    leader = work(tmp_path, 1, 60)
    let_go([leader])
    wait_until((tmp_path / "asked").exists)
    followers = [work(tmp_path, 5, 0.1) for _ in range(2)]
    let_go(followers)
    time.sleep(0.3)
    os.kill(leader.pid, signal.SIGKILL)
    assert [follower.communicate(timeout=10)[0] for follower in followers] == ["5\n"] * 2
    assert len((tmp_path / "asked").read_text().splitlines()) == 2
    assert integrity(tmp_path / "data" / "cache-sandbox.sqlite") == "ok"
    leader.communicate()
