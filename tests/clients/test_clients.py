"""The stack as ``build_clients`` puts it together, and what must never leave it."""

import logging
import socket
import stat
import threading
import time
import traceback
from dataclasses import replace

import pytest

from pubmed_api.clients import Clients, build_clients
from pubmed_api.exceptions import PubmedApiError, UpstreamRefused, UpstreamUnreachable

GOOD = b"<eSearchResult><Count>5</Count></eSearchResult>"
TERM = "private question"
SECRETS = ("SECRETKEY123", "operator@lab.test", "operator%40lab.test", "203.0.113.9", TERM, TERM.replace(" ", "+"))


def reply(body, status="200 OK", headers=""):
    return f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\n{headers}\r\n".encode() + body


@pytest.fixture
def ask(settings, hostile, clock):
    """Ask a live stack whose E-utilities answer with these bytes (or do that with the connection)."""

    def run(answer, **changes):
        base = (
            answer if isinstance(answer, str) else hostile(answer if callable(answer) else lambda c: c.sendall(answer))
        )
        changed = replace(settings, ncbi_eutils_base_url=base, ncbi_max_retries=1, **changes)
        return build_clients(changed, clock=clock).eutils.esearch(term=TERM, retmax=1)

    return run


def everything_kept(settings):
    files = [path for path in settings.data_dir.rglob("*") if path.is_file()]
    return b"".join(path.read_bytes() + path.name.encode() for path in files)


def told(error):
    """All that an error could show anybody: text, data, trace, and every exception hanging on to it."""
    parts, seen = ["".join(traceback.format_exception(error))], set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        parts += [str(error), repr(error.args), repr(getattr(error, "data", "")), repr(getattr(error, "hint", ""))]
        error = error.__cause__ or error.__context__
    return "\n".join(parts)


def test_build_clients__has_a_client_per_provider_and_opens_nothing(settings, upstream):
    clients = build_clients(settings, upstream)
    assert isinstance(clients, Clients)
    assert stat.S_IMODE(settings.data_dir.stat().st_mode) == 0o700
    assert list(settings.data_dir.iterdir()) == []
    assert upstream.asked == []


def test_build_clients__sandbox_and_live_share_no_file(settings, build, ask):
    build().eutils.esearch(term=TERM, retmax=1)
    assert all("-sandbox" in path.name for path in settings.data_dir.iterdir())
    sandbox_files = set(settings.data_dir.iterdir())
    assert ask(reply(GOOD)) == GOOD
    assert {path.name for path in set(settings.data_dir.iterdir()) - sandbox_files} >= {"cache.sqlite"}


def test_stack__live_answer_is_kept(ask, hostile):
    asked = []
    base = hostile(lambda c: asked.append(1) or c.sendall(reply(GOOD)))
    assert [ask(base), ask(base)] == [GOOD, GOOD]
    assert len(asked) == 1


def test_stack__files_and_log_hold_no_secret(ask, settings, caplog):
    caplog.set_level(logging.DEBUG)
    ask(reply(GOOD, headers="X-Echo: SECRETKEY123\r\nSet-Cookie: k=SECRETKEY123\r\n"))
    kept = everything_kept(settings)
    assert GOOD in kept
    for secret in SECRETS:
        assert secret.encode() not in kept
        assert secret not in caplog.text


def _refused_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return f"http://127.0.0.1:{listener.getsockname()[1]}/"


FAULTS = {
    "connection refused": _refused_port,
    "closed at once": lambda: b"",
    "malformed headers": lambda: b"HTTP/1.1 200 OK\r\nno colon\r\nSECRETKEY123\r\n\r\n",
    "not http": lambda: b"SECRETKEY123 is no status line\r\n\r\n",
    "cut short": lambda: b"HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n<eSearchResult>",
    "bad key": lambda: reply(b'{"error":"API key invalid","api-key":"SECRETKEY123"}', "400 Bad"),
    "bad key in words": lambda: reply(b"API key invalid: SECRETKEY123", "400 Bad"),
    "bad key in XML": lambda: reply(b"<eSearchResult><ERROR>API key SECRETKEY123 invalid</ERROR></eSearchResult>"),
    "echo": lambda: reply(b"<ERROR>operator@lab.test asked http://x.test/?api_key=SECRETKEY123</ERROR>", "500 Error"),
    "echo in a malformed body": lambda: reply(b"<a>&bad SECRETKEY123 operator@lab.test</a>"),
    "throttled": lambda: reply(b'{"error":"API rate limit exceeded","api-key":"203.0.113.9"}', "429 Slow"),
    "redirect": lambda: reply(b"", "301 Away", "Location: http://x.test/?api_key=SECRETKEY123\r\n"),
    "page": lambda: reply(b"<html>SECRETKEY123 operator@lab.test</html>", "403 No"),
    "silence": lambda: lambda connection: time.sleep(5),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_stack__failure_tells_host_and_endpoint_and_no_secret(ask, settings, caplog, fault):
    caplog.set_level(logging.DEBUG)
    with pytest.raises(PubmedApiError) as raised:
        ask(FAULTS[fault](), ncbi_timeout_ms=300)
    assert raised.value.data["host"] == "127.0.0.1"
    assert raised.value.data["endpoint"] == "esearch"
    shown = told(raised.value) + caplog.text + everything_kept(settings).decode("latin-1")
    for secret in SECRETS:
        assert secret not in shown
    assert "esearch.fcgi" not in shown


@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "307 Temporary", "308 Permanent"])
def test_stack__redirect_never_carries_the_key_away(ask, hostile, status):
    reached = []
    other = hostile(reached.append)
    with pytest.raises(UpstreamRefused) as raised:
        ask(reply(b"", status, f"Location: {other}esearch.fcgi\r\n"))
    assert raised.value.reason == "ncbi_refused"
    assert reached == []


def test_stack__failure_without_a_connection_is_retried(ask):
    with pytest.raises(UpstreamUnreachable) as raised:
        ask(_refused_port())
    assert raised.value.data["attempts"] == 2


def test_stack__threads_share_one_session(settings, upstream):
    """Real time, more threads than places; every one gets its own answer."""
    upstream.answers = [
        lambda request: f"<eSearchResult><Count>{request.params['term']}</Count></eSearchResult>".encode()
    ]
    clients = build_clients(replace(settings, ncbi_requests_per_second=500.0, ncbi_max_concurrent=2), upstream)
    answers = {}

    def work(number):
        answers[number] = clients.eutils.esearch(term=str(number % 8), retmax=1)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(24)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expected = {n: f"<eSearchResult><Count>{n % 8}</Count></eSearchResult>".encode() for n in range(24)}
    assert answers == expected
