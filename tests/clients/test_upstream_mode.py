"""Live or sandbox."""

import socket
from dataclasses import replace

import pytest

from pubmed_api.clients.upstream_mode import resolve_upstream

INFO = b"<eInfoResult><DbInfo/></eInfoResult>"


@pytest.fixture
def auto(settings, hostile):
    asked = []

    def build(body, status=b"200 OK"):
        def answer(connection):
            asked.append(1)
            connection.sendall(b"HTTP/1.1 %s\r\nContent-Length: %d\r\n\r\n" % (status, len(body)) + body)

        return replace(settings, upstream="auto", ncbi_eutils_base_url=hostile(answer))

    build.asked = asked
    return build


@pytest.mark.parametrize("mode", ["live", "sandbox"])
def test_resolve__decided_mode_asks_nobody(settings, mode):
    assert resolve_upstream(replace(settings, upstream=mode)) == mode


def test_resolve__answer_means_live(auto, caplog):
    assert resolve_upstream(auto(INFO)) == "live"
    assert not caplog.records


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"<html>portal</html>", b"200 OK"),
        (b"", b"200 OK"),
        (b"down", b"503 Busy"),
        (b"", b"302 Found"),
        (b'{"error":"API rate limit exceeded"}', b"200 OK"),
    ],
)
def test_resolve__any_failure_means_sandbox_after_one_request(auto, caplog, body, status):
    assert resolve_upstream(auto(body, status)) == "sandbox"
    assert len(auto.asked) == 1
    (record,) = caplog.records
    assert record.levelname == "WARNING"
    assert "SANDBOX" in record.getMessage()
    assert "SECRETKEY123" not in caplog.text


def test_resolve__unreachable_means_sandbox(settings):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        base = f"http://127.0.0.1:{listener.getsockname()[1]}/"
    assert resolve_upstream(replace(settings, upstream="auto", ncbi_eutils_base_url=base)) == "sandbox"


def test_resolve__does_not_wait_long(settings, hostile, monkeypatch):
    monkeypatch.setattr("pubmed_api.clients.upstream_mode.PROBE_SECONDS", 0.2)
    base = hostile(lambda connection: connection.recv(1))
    assert resolve_upstream(replace(settings, upstream="auto", ncbi_eutils_base_url=base)) == "sandbox"
