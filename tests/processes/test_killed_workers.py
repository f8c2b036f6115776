"""A worker is killed in the middle of its work: the others go on, the limit holds, nobody waits for the dead."""

import sqlite3
import time

import pytest

pytestmark = pytest.mark.processes

RATE = 2


def check_limit(upstream):
    report = upstream.report()
    assert max(report["worstWindows"]) <= RATE
    assert set(report["outcomes"]) == {"served"}


def check_files(folder):
    files = list(folder.glob("*.sqlite"))
    for path in files:
        connection = sqlite3.connect(path)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        connection.close()
    return files


def test_kill__worker_whose_calls_wait(start, upstream):
    """Its reserved turns pass unused; those of the other service come."""
    first, second = start(), start()
    calls = [service.search(f"waits {n} {service.worker()}") for n in range(5) for service in (first, second)]
    upstream.wait_until(lambda report: report["requests"] >= 3)
    first.kill_worker()
    statuses = [call.result()[0] for call in calls]
    assert statuses[1::2] == [200] * 5
    assert 0 in statuses[::2]
    assert first.search("asked of the new worker").result()[0] == 200
    check_limit(upstream)


@pytest.mark.parametrize("kind", ["search", "fetch"])
def test_kill__worker_whose_call_is_under_way(start, upstream, kind):
    first, second = start(NCBI_MAX_CONCURRENT="1"), start(NCBI_MAX_CONCURRENT="1")
    upstream.delay(3)
    lost = getattr(first, kind)("90000001")
    upstream.wait_until(lambda report: report["inFlight"] == 1)
    first.kill_worker()
    upstream.delay(0)
    assert lost.result()[0] == 0
    calls = [getattr(service, kind)(f"9000{n}001") for n in range(1, 4) for service in (second, first)]
    assert [call.result()[0] for call in calls] == [200] * 6
    check_limit(upstream)


@pytest.mark.parametrize("kind", ["search", "fetch"])
def test_kill__worker_that_asks_for_others(start, upstream, kind):
    """Two services want the same; the one that asks dies, and the one that waited for its answer asks itself."""
    first, second = start(), start()
    upstream.delay(3)
    leading = getattr(first, kind)("90000001")
    upstream.wait_until(lambda report: report["inFlight"] == 1)
    following = getattr(second, kind)("90000001")
    time.sleep(1)
    assert upstream.report()["requests"] == 1
    first.kill_worker()
    upstream.delay(0)
    assert leading.result()[0] == 0
    status, body = following.result()
    assert status == 200
    assert "90000001" in str(body)
    assert upstream.report()["requests"] == 2


def test_kill__worker_that_writes(start, upstream, tmp_path, shared):
    """Answers are stored all the while; the other service sees no error and the files stay whole."""
    fast = {"NCBI_REQUESTS_PER_SECOND": "1000", "NCBI_API_KEY": "a-key-of-the-test"}
    first, second = start(**fast), start(**fast)
    calls = []
    for turn in range(3):
        calls += [second.search(f"kept {turn} {n}") for n in range(20)]
        lost = [first.search(f"lost {turn} {n}") for n in range(40)]
        upstream.wait_until(lambda report, turn=turn: report["requests"] >= 60 * turn + 20)
        first.kill_worker()
        for call in lost:
            call.result()
    assert [call.result()[0] for call in calls] == [200] * 60
    assert first.search("asked of the new worker").result()[0] == 200
    assert check_files(tmp_path / "data") or "REDIS_URL" in shared


def test_restart__the_limit_holds(start, upstream):
    """A service that is started anew finds what the one before it has spent."""
    first = start()
    before = [first.search(f"before {n}") for n in range(RATE)]
    assert [call.result()[0] for call in before] == [200] * RATE
    calls = []
    for turn in range(3):
        first.kill_worker()
        calls.append(first.search(f"after {turn}"))
    assert [call.result()[0] for call in calls] == [200] * 3
    check_limit(upstream)
