"""What is counted, under which names, and that counting stays out of the way; over workers, that it adds up."""

import contextlib
import json
import os
import signal
import threading
import time
import urllib.request

import pytest
from support.counted import sample
from support.processes import find_free_port, running
from support.replay import Replay, serve
from support.validating import build_settings

from pubmed_api import metrics
from pubmed_api.app import create_app

HOST = "eutils.upstream.test"


@pytest.fixture
def grown():
    """How far a number has grown since the test began."""
    before = metrics.exposition().decode()

    def _grown(name, **labels):
        return sample(metrics.exposition().decode(), name, **labels) - sample(before, name, **labels)

    return _grown


@pytest.mark.parametrize(
    ("note", "arguments", "name", "labels", "value"),
    [
        ("request", ("an_operation", 200, 0.2), "requests_total", {"operation": "an_operation", "status": "200"}, 1),
        ("request", ("an_operation", 200, 0.2), "request_seconds_sum", {"operation": "an_operation"}, 0.2),
        ("upstream_call", (HOST, "ok", 0.5), "upstream_calls_total", {"host": HOST, "outcome": "ok"}, 1),
        ("upstream_call", (HOST, "ok", 0.5), "upstream_seconds_sum", {"host": HOST}, 0.5),
        ("wait", ("ncbi", 1.5), "limiter_wait_seconds_sum", {"provider": "ncbi"}, 1.5),
        ("limiter_fallback", ("ncbi",), "limiter_fallbacks_total", {"provider": "ncbi"}, 1),
        ("retry", (HOST,), "retries_total", {"host": HOST}, 1),
        ("cache", ("stale",), "cache_results_total", {"result": "stale"}, 1),
        ("cache_failure", ("read",), "cache_failures_total", {"action": "read"}, 1),
        ("items", ("record", "hit", 150), "item_results_total", {"kind": "record", "result": "hit"}, 150),
        ("coalesced", ("esearch",), "coalesced_calls_total", {"endpoint": "esearch"}, 1),
        ("merged", ("efetch", 3, 40), "merged_requests_total", {"endpoint": "efetch"}, 1),
        ("merged", ("efetch", 3, 40), "merged_calls_total", {"endpoint": "efetch"}, 3),
        ("merged", ("efetch", 3, 40), "merged_ids_total", {"endpoint": "efetch"}, 40),
        ("in_flight", (1,), "requests_in_flight", {}, 1),
    ],
)
def test_note__counted_under_its_labels(grown, note, arguments, name, labels, value):
    metrics.expect_hosts([HOST, None])
    getattr(metrics, f"note_{note}")(*arguments)
    assert grown(name, **labels) == pytest.approx(value)
    if note == "in_flight":
        metrics.note_in_flight(-1)
        assert grown(name) == 0


def test_host__no_setting_names_it(grown):
    metrics.note_upstream_call("pdf.publisher.test", "ok", 0.1)
    metrics.note_retry("pdf.publisher.test")
    assert grown("upstream_calls_total", host="other", outcome="ok") == 1
    assert grown("retries_total", host="other") == 1
    assert "publisher" not in metrics.exposition().decode()


def test_note__that_cannot_be_counted_is_passed_over(monkeypatch, caplog):
    def broken():
        raise OSError(28, "No space left on device", "/secret/path")

    monkeypatch.setattr(metrics, "_metrics", broken)
    monkeypatch.setattr(metrics, "_reported", threading.Event())
    metrics.note_cache("hit")
    metrics.note_cache("hit")
    assert [record.getMessage() for record in caplog.records] == ["metrics cannot be counted (OSError)"]


@pytest.fixture
def upstream():
    return Replay()


@pytest.fixture
def client(upstream, tmp_path):
    with serve(upstream) as address:
        addresses = {"ncbi_eutils_base_url": f"{address}/eutils/", "pmc_idconv_base_url": f"{address}/idconv/"}
        settings = build_settings(tmp_path, upstream="live", **addresses)
        yield create_app(settings).test_client()


RECORD = (
    b"<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID Version='1'>90000001</PMID>"
    b"<Article><ArticleTitle>T</ArticleTitle></Article></MedlineCitation></PubmedArticle></PubmedArticleSet>"
)
SPELLING = b"<eSpellResult><Query>asthmaa</Query><CorrectedQuery>asthma</CorrectedQuery></eSpellResult>"
EFETCH, ESPELL = (200, "text/xml", RECORD), (200, "text/xml", SPELLING)
REFUSED_IDS = (400, "application/json", b'{"status": "error", "errors": []}')


@pytest.mark.parametrize(
    ("endpoint", "answer", "path", "body", "outcome"),
    [
        ("efetch", EFETCH, "/v1/articles/fetch", {"pmids": ["90000001"]}, "ok"),
        ("espell", ESPELL, "/v1/spelling/check", {"query": "asthmaa"}, "ok"),
        ("espell", (503, "text/html", b""), "/v1/spelling/check", {"query": "asthmaa"}, "unreachable"),
        ("espell", (429, "text/html", b""), "/v1/spelling/check", {"query": "asthmaa"}, "rate_limited"),
        ("idconv", REFUSED_IDS, "/v1/ids/convert", {"ids": ["90000001"], "idType": "pmid"}, "invalid_arguments"),
    ],
)
def test_service__counts_its_upstream_calls(grown, client, upstream, endpoint, answer, path, body, outcome):
    upstream.answers[endpoint] = answer
    client.post(path, json=body)
    assert len(upstream.calls) == 1
    assert grown("upstream_calls_total", host="127.0.0.1", outcome=outcome) == 1
    assert grown("upstream_seconds_count", host="127.0.0.1") == 1
    assert grown("limiter_wait_seconds_count", provider="ncbi") == 1


def test_service__counts_what_the_stores_spare(grown, client, upstream):
    upstream.answers.update(efetch=EFETCH, espell=ESPELL)
    for _ in range(2):
        client.post("/v1/spelling/check", json={"query": "asthmaa"})
        client.post("/v1/articles/fetch", json={"pmids": ["90000001"]})
    assert [grown("cache_results_total", result=result) for result in ("miss", "hit")] == [1, 1]
    assert [grown("item_results_total", kind="record", result=result) for result in ("miss", "hit")] == [1, 1]
    assert grown("upstream_calls_total", host="127.0.0.1", outcome="ok") == 2


def test_service__says_where_the_time_went(client, upstream):
    upstream.answers.update(efetch=EFETCH, espell=ESPELL)
    for path, body in (("/v1/articles/fetch", {"pmids": ["90000001"]}), ("/v1/spelling/check", {"query": "asthmaa"})):
        timings = [
            [part.partition(";")[0] for part in client.post(path, json=body).headers["Server-Timing"].split(", ")]
            for _ in range(2)
        ]
        assert timings == [["queue", "upstream", "parse", "render", "total"], ["parse", "render", "total"]]


def read(url, body=None):
    data = None if body is None else json.dumps(body).encode()
    # urllib asks for a connection of its own each time, so the workers share the requests.
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return answer.read().decode()


def service(base, folder, command=("gunicorn", "wsgi:app"), **environ):
    settings = {"PUBMED_API_PORT": base.rpartition(":")[2], "PUBMED_API_DATA_DIR": str(folder), **environ}
    return running(*command, probe=f"{base}/readyz", **settings)


@pytest.fixture
def base():
    return f"http://127.0.0.1:{find_free_port()}"


def worker_pids(master):
    with open(f"/proc/{master.pid}/task/{master.pid}/children") as children:
        return [int(pid) for pid in children.read().split()]


def until(condition):
    for _ in range(120):
        if condition():
            return
        time.sleep(0.25)
    raise AssertionError("it did not come about")


def asked(base):
    return sample(read(f"{base}/metrics"), "requests_total", operation="pubmed_spell_check", status="200")


@pytest.mark.processes
@pytest.mark.parametrize("command", [("gunicorn", "wsgi:app"), ("pubmed_api", "serve")])
def test_workers__add_up_and_start_from_nothing(command, base, tmp_path):
    (tmp_path / "metrics").mkdir()
    (tmp_path / "metrics" / "counter_1.db").write_bytes(b"of an earlier run")
    with service(base, tmp_path, command, PUBMED_API_UPSTREAM="sandbox"):
        for _ in range(20):
            read(f"{base}/v1/spelling/check", {"query": "asthmaa"})
        assert {asked(base) for _ in range(6)} == {20}
        assert _in_flight(base) == 1
        beginnings = {file.name.rpartition("_")[0] for file in (tmp_path / "metrics").iterdir()}
    assert beginnings == {"counter", "histogram", "gauge_livesum"}, "room is taken for files of other names"


@pytest.mark.processes
@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="the children of a process are read from /proc")
def test_worker__killed_is_no_longer_in_flight_and_its_counts_stay(base, tmp_path):
    upstream, stalled, go_on = Replay(), threading.Event(), threading.Event()

    def stall(_):
        stalled.set()
        go_on.wait(30)
        return 200, "text/xml", b"<eSpellResult/>"

    upstream.answers["espell"] = stall
    with serve(upstream) as address, service(base, tmp_path, NCBI_EUTILS_BASE_URL=address) as master:
        for _ in range(10):
            read(f"{base}/healthz")
        threading.Thread(target=_ask, args=(base,), daemon=True).start()
        assert stalled.wait(20)
        until(lambda: _in_flight(base) == 2)
        for pid in worker_pids(master):
            os.kill(pid, signal.SIGKILL)
        until(lambda: _in_flight(base) == 1)
        assert sample(read(f"{base}/metrics"), "requests_total", operation="healthz", status="200") == 10
        go_on.set()


def _ask(base):
    """The text, or nothing where the worker dies or is not there yet."""
    with contextlib.suppress(OSError):
        return read(f"{base}/v1/spelling/check", {"query": "asthmaa"})


def _in_flight(base):
    with contextlib.suppress(OSError):
        return sample(read(f"{base}/metrics"), "requests_in_flight")
