"""Fixtures of the clients' tests.

``clock`` passes time without waiting; ``settings`` keep every file under ``tmp_path``; ``upstream`` is a WSGI
application that answers from a script and remembers what it was asked; ``build`` makes clients over it; ``hostile``
serves raw bytes over loopback.
"""

import socket
import threading
from types import SimpleNamespace
from urllib.parse import parse_qsl

import pytest

from pubmed_api.clients import build_clients
from pubmed_api.clients.waiting import Clock
from pubmed_api.models.call import Call, open_call
from pubmed_api.settings import Settings

SEARCH = b"<eSearchResult><Count>2</Count><IdList><Id>99000001</Id><Id>99000002</Id></IdList></eSearchResult>"


class Time:
    """A clock whose sleeps are jumps."""

    def __init__(self):
        self.moment = 10_000.0
        self.slept = 0.0

    def now(self):
        return self.moment

    def sleep(self, seconds):
        self.slept += seconds
        self.moment += seconds


@pytest.fixture
def time_(monkeypatch):
    passing = Time()
    monkeypatch.setattr("pubmed_api.models.call.time", SimpleNamespace(monotonic=passing.now))
    return passing


@pytest.fixture
def clock(time_):
    return Clock(now=time_.now, sleep=time_.sleep)


@pytest.fixture
def settings(tmp_path):
    return Settings(
        data_dir=tmp_path / "data", ncbi_api_key="SECRETKEY123", ncbi_admin_email="operator@lab.test", upstream="live"
    )


@pytest.fixture
def call():
    with open_call(Call()) as opened:
        yield opened


class Script:
    """Answers in order, the last for ever: bytes, or ``(status, body[, headers])``, or a function of the request."""

    def __init__(self):
        self.answers = [SEARCH]
        self.asked = []

    def __call__(self, environ, start_response):
        body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        request = SimpleNamespace(
            method=environ["REQUEST_METHOD"],
            path=environ["PATH_INFO"],
            query=environ["QUERY_STRING"],
            headers={name: value for name, value in environ.items() if name.startswith("HTTP_")},
            params=dict(parse_qsl(environ["QUERY_STRING"] + "&" + body.decode(), keep_blank_values=True)),
        )
        self.asked.append(request)
        answer = self.answers[min(len(self.asked), len(self.answers)) - 1]
        if callable(answer):
            answer = answer(request)
        status, body, *headers = (200, answer) if isinstance(answer, bytes) else answer
        start_response(f"{status} Because", [("Content-Type", "text/xml"), *(headers[0].items() if headers else ())])
        return [body]


@pytest.fixture
def upstream():
    return Script()


@pytest.fixture
def build(settings, upstream, clock):
    return lambda chosen=settings: build_clients(chosen, upstream, clock=clock)


@pytest.fixture
def eutils(build):
    return build().eutils


@pytest.fixture
def hostile():
    """``hostile(script) -> base URL``; ``script(connection)`` runs after the request's head was read."""
    listeners = []

    def serve(script):
        listener = socket.create_server(("127.0.0.1", 0))
        listeners.append(listener)
        threading.Thread(target=_accept, args=(listener, script), daemon=True).start()
        return f"http://127.0.0.1:{listener.getsockname()[1]}/"

    yield serve
    for listener in listeners:
        listener.close()


def _accept(listener, script):
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        threading.Thread(target=_answer, args=(connection, script), daemon=True).start()


def _answer(connection, script):
    with connection:
        try:
            head = b""
            while b"\r\n\r\n" not in head:
                received = connection.recv(65536)
                if not received:
                    return
                head += received
            script(connection)
        except OSError:
            return


@pytest.fixture
def merging(tmp_path, monkeypatch):
    """Batches over a scripted upstream (see ``support.merging``); nothing sleeps between attempts."""
    from support.merging import LONG, Merging

    monkeypatch.setattr("pubmed_api.clients.retry.backoff", lambda retry: 0.0)
    # Whoever is to be merged is waited for by the test, not by the clock.
    monkeypatch.setattr("pubmed_api.clients.gathering.LONGEST_GATHERING", LONG)
    return Merging(tmp_path)
