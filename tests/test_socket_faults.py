"""Faults of an upstream over a real socket, through the whole application: the documented error, in time, unstored.

Every fault is met by a search, whose answer is kept as a whole, and by a fetch, whose records are kept one by one.
"""

import gzip
import socket
import time
from email.utils import formatdate

import pytest
from support.hostile import chunked_and_cut, drip, hang_up, hostile_server, pour, reply, reset, stall
from support.validating import ValidatingClient, build_settings

from pubmed_api.app import create_app

PMID = "90000001"
SEARCH = ("/v1/articles/search", {"query": "asthma"})
FETCH = ("/v1/articles/fetch", {"pmids": [PMID]})
OPERATIONS = pytest.mark.parametrize("operation", [SEARCH, FETCH], ids=["search", "fetch"])

FOUND = f"<eSearchResult><Count>1</Count><IdList><Id>{PMID}</Id></IdList></eSearchResult>".encode()
RECORD = (
    f'<PubmedArticleSet><PubmedArticle><MedlineCitation Status="MEDLINE"><PMID Version="1">{PMID}</PMID>'
    "<Article><ArticleTitle>An invented title.</ArticleTitle></Article></MedlineCitation></PubmedArticle>"
    "</PubmedArticleSet>"
).encode()
GOOD = {SEARCH[0]: reply(FOUND), FETCH[0]: reply(RECORD)}

THROTTLE = b'{"error":"API rate limit exceeded","api-key":"203.0.113.9","count":"4","limit":"3"}'
PROLOG = b'<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE PubmedArticleSet SYSTEM "pubmed.dtd">'
HTML = b"<!DOCTYPE html><html><body>Service unavailable</body></html>"
DRIPPED_HEAD = b"HTTP/1.1 200 OK\r\n"
DRIPPED_BODY = b"HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n\r\n<PubmedArticleSet>"
BOMB = gzip.compress(bytes(300 * 2**20), compresslevel=1)

DEADLINE = 5.0


@pytest.fixture
def server():
    with hostile_server() as running:
        yield running


@pytest.fixture
def build(server, tmp_path):
    """``build(**settings)``: the application's client with small time limits, asking the hostile server."""

    def make(**settings):
        settings = {"ncbi_timeout_ms": 1000, "ncbi_eutils_base_url": f"{server.url}/", **settings}
        app = create_app(
            build_settings(tmp_path, upstream="live", ncbi_total_deadline_ms=int(DEADLINE * 1000), **settings)
        )
        app.test_client_class = ValidatingClient
        return app.test_client()

    return make


def ask(client, operation, **headers):
    """The answer, which comes within its deadline and half a second."""
    path, body = operation
    started = time.monotonic()
    answer = client.post(path, json=body, headers={name.replace("_", "-"): value for name, value in headers.items()})
    assert time.monotonic() - started < DEADLINE + 0.5
    return answer


def refusal_of(answer):
    assert answer.status_code >= 400, answer.text
    assert "203.0.113.9" not in answer.text
    assert "127.0.0.1:" not in answer.text
    data = answer.json["error"]["data"]
    return answer.status_code, data["reason"]


def check_nothing_is_stored(client, operation):
    stored = ask(client, operation, Cache_Control="only-if-cached")
    assert refusal_of(stored) == (504, "not_in_cache")


UNREACHABLE, TIMEOUT = (502, "ncbi_unreachable"), (504, "ncbi_timeout")
LIMITED, REFUSED, INVALID = (503, "ncbi_rate_limited"), (502, "ncbi_refused"), (502, "ncbi_invalid_response")

QUICK = {
    "hung up": (hang_up, UNREACHABLE),
    "reset": (reset, UNREACHABLE),
    "500": (reply(HTML, "500 Internal Server Error"), UNREACHABLE),
    "502": (reply(HTML, "502 Bad Gateway"), UNREACHABLE),
    "503": (reply(HTML, "503 Service Unavailable"), UNREACHABLE),
    "504": (reply(HTML, "504 Gateway Timeout"), TIMEOUT),
    "429": (reply(THROTTLE, "429 Too Many Requests"), LIMITED),
    "429 and a wait": (reply(b"", "429 Too Many Requests", Retry_After="1"), LIMITED),
    "429 and a long wait": (reply(b"", "429 Too Many Requests", Retry_After="54000"), LIMITED),
    "throttled in a 200": (reply(THROTTLE, kind="application/json"), LIMITED),
    "throttled in a 200, padded": (reply(b"\r\n \t" + THROTTLE), LIMITED),
    "HTML in a 200": (reply(HTML, kind="text/html"), UNREACHABLE),
    "HTML called XML": (reply(b"\n<html><body>x</body></html>"), UNREACHABLE),
    "prose in a 200": (reply(b"Service is being restarted.", kind="text/plain"), UNREACHABLE),
    "prolog alone": (reply(PROLOG), UNREACHABLE),
    "nothing in a 200": (reply(b""), UNREACHABLE),
    "cut in a chunk": (chunked_and_cut(RECORD[:80]), UNREACHABLE),
    "whole document, cut in a chunk": (chunked_and_cut(RECORD), UNREACHABLE),
    "shorter than its length": (reply(RECORD, Content_Length=len(RECORD) + 900), UNREACHABLE),
    "cut document of the right length": (reply(RECORD[:80]), UNREACHABLE),
    "not gzip though it says so": (reply(RECORD, Content_Encoding="gzip"), UNREACHABLE),
    "gzip cut short": (reply(gzip.compress(RECORD)[:-20], Content_Encoding="gzip"), UNREACHABLE),
    "bytes that are not UTF-8": (reply(RECORD.replace(b"invented", b"inv\xff\xfented")), INVALID),
    "charset that is not there": (reply(b'<?xml version="1.0" encoding="utf-99"?>' + RECORD), INVALID),
    "JSON in place of XML": (reply(b'{"result":{"uids":[]}}', kind="application/json"), INVALID),
    "tags that cross": (reply(b"<PubmedArticleSet><a><b></a></b></PubmedArticleSet>"), INVALID),
    "no HTTP": (lambda connection: connection.sendall(b"SSH-2.0-x\r\n\r\n"), UNREACHABLE),
}
SLOW = {
    "stall": stall,
    "dripped headers": drip(DRIPPED_HEAD, b"X-Slow: a\r\n"),
    "dripped body": drip(DRIPPED_BODY, b"<PubmedArticle/>"),
}


@OPERATIONS
@pytest.mark.parametrize("fault", QUICK)
def test_fault__has_its_error_and_is_not_stored(server, build, operation, fault):
    script, expected = QUICK[fault]
    server.play(script)
    client = build(ncbi_max_retries=0)
    assert refusal_of(ask(client, operation)) == expected
    assert server.asked == 1
    check_nothing_is_stored(client, operation)


@OPERATIONS
@pytest.mark.parametrize("fault", SLOW)
def test_fault__too_slow(server, build, operation, fault):
    server.play(SLOW[fault])
    client = build(ncbi_max_retries=0)
    assert refusal_of(ask(client, operation)) == TIMEOUT
    check_nothing_is_stored(client, operation)


@OPERATIONS
@pytest.mark.parametrize("fault", ["500", "429", "prolog alone", "cut in a chunk"])
def test_fault__for_ever_is_tried_again_and_says_how_often(server, build, operation, fault):
    script, expected = QUICK[fault]
    server.play(script)
    answer = ask(build(ncbi_max_retries=1), operation)
    assert refusal_of(answer) == expected
    assert answer.json["error"]["data"]["attempts"] == server.asked == 2
    assert "(failed after 2 attempts)" in answer.json["error"]["message"]


@OPERATIONS
@pytest.mark.parametrize("fault", ["500", "reset", "cut in a chunk", "throttled in a 200"])
def test_fault__once_and_then_good(server, build, operation, fault):
    server.play(QUICK[fault][0], then=GOOD[operation[0]])
    client = build(ncbi_max_retries=2)
    answer = ask(client, operation)
    assert (answer.status_code, answer.headers["X-Cache"]) == (200, "miss")
    assert PMID in answer.text
    assert server.asked == 2
    assert ask(client, operation).headers["X-Cache"] == "hit"


@OPERATIONS
def test_fault__one_call_spends_its_deadline(server, build, operation):
    server.play(stall)
    answer = ask(build(ncbi_max_retries=10, ncbi_timeout_ms=120_000), operation)
    assert refusal_of(answer) == (504, "ncbi_deadline_exceeded")
    assert answer.json["error"]["data"]["deadlineMs"] == DEADLINE * 1000


@OPERATIONS
def test_refused_connection(build, operation):
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        client = build(ncbi_max_retries=0, ncbi_eutils_base_url=f"http://127.0.0.1:{nobody.getsockname()[1]}/")
        assert refusal_of(ask(client, operation)) == UNREACHABLE
        check_nothing_is_stored(client, operation)


@OPERATIONS
def test_too_often__a_date_to_wait_for_is_waited_for(server, build, operation):
    moment = int(time.time()) + 2
    refusal = reply(b"", "429 Too Many Requests", Retry_After=formatdate(moment, usegmt=True))
    server.play(refusal, then=GOOD[operation[0]])
    assert ask(build(ncbi_max_retries=1), operation).status_code == 200
    assert server.asked == 2
    assert server.moments[1] >= moment


@OPERATIONS
def test_too_often__a_long_wait_is_the_callers(server, build, operation):
    server.play(QUICK["429 and a long wait"][0])
    answer = ask(build(ncbi_max_retries=6), operation)
    assert refusal_of(answer) == LIMITED
    assert answer.json["error"]["data"]["retryAfter"] == 54000
    assert answer.headers["Retry-After"] == "54000"
    assert server.asked == 1


@OPERATIONS
@pytest.mark.parametrize(
    "script", [reply(BOMB, Content_Encoding="gzip"), pour(bytes(2**20), 200)], ids=["gzip bomb", "200 MB"]
)
def test_body__larger_than_any_answer(server, build, operation, script):
    server.play(script)
    client = build(ncbi_max_retries=3, ncbi_timeout_ms=4000)
    assert refusal_of(ask(client, operation)) == INVALID
    assert server.asked == 1
    check_nothing_is_stored(client, operation)


@OPERATIONS
@pytest.mark.parametrize("status", ["301 Moved Permanently", "302 Found", "307 Temporary Redirect"])
def test_redirect__to_another_host_is_refused(server, build, operation, status):
    with hostile_server() as other:
        server.play(reply(b"", status, Location=f"{other.url}/efetch.fcgi"))
        client = build(ncbi_max_retries=3, ncbi_api_key="SECRETKEY123")
        answer = ask(client, operation)
        assert refusal_of(answer) == REFUSED
        assert other.asked == 0
    assert "SECRETKEY123" not in answer.text
    check_nothing_is_stored(client, operation)
