"""One exchange over a real socket with servers that misbehave."""

import gzip
import socket
import time

import pytest
from requests import Request

from pubmed_api.clients.transport import SocketTransport
from pubmed_api.clients.wire import describe
from pubmed_api.exceptions import UpstreamError, UpstreamInvalidResponse, UpstreamTimeout, UpstreamUnreachable

LONG = 20.0


@pytest.fixture
def exchange():
    transports = []

    def ask(base, seconds=LONG, max_body_bytes=64 * 2**20, transport=None):
        if transport is None:
            transport = SocketTransport(2, max_body_bytes)
            transports.append(transport)
        request = Request("GET", base + "esearch.fcgi", params={"api_key": "SECRETKEY123", "term": "x"}).prepare()
        return transport.exchange(request, describe(request, "ncbi"), seconds)

    yield ask
    for transport in transports:
        transport.close()


def reply(body, *headers):
    lines = ["HTTP/1.1 200 OK", *headers, f"Content-Length: {len(body)}", "", ""]
    return "\r\n".join(lines).encode() + body


def drip(connection, head, piece, pause=0.05):
    """Send something every now and then for as long as a patient client would wait."""
    connection.sendall(head)
    for _ in range(int(LONG / pause)):
        connection.sendall(piece)
        time.sleep(pause)


def fault(exchange, base, kind, **how):
    with pytest.raises(UpstreamError) as raised:
        exchange(base, **how)
    error = raised.value
    assert type(error) is kind
    assert error.__context__ is None
    assert error.data == {"host": "127.0.0.1", "endpoint": "esearch"}
    assert "SECRETKEY123" not in error.message
    assert "://" not in error.message


def test_exchange__answer_of_any_status(exchange, hostile):
    base = hostile(lambda c: c.sendall(b"HTTP/1.1 503 Busy\r\nRetry-After: 7\r\nContent-Length: 4\r\n\r\nwait"))
    answer = exchange(base)
    assert (answer.status, answer.body) == (503, b"wait")
    assert answer.headers.get("retry-after") == "7"


def test_exchange__compressed_body_is_decoded(exchange, hostile):
    body = b"<eSearchResult/>" * 9000
    base = hostile(lambda c: c.sendall(reply(gzip.compress(body), "Content-Encoding: gzip")))
    assert exchange(base).body == body


def test_exchange__connection_is_used_again(exchange, hostile):
    connections = []

    def keep_alive(connection):
        connections.append(connection)
        for _ in range(3):
            connection.sendall(reply(b"good"))
            if not connection.recv(65536):
                return

    base, transport = hostile(keep_alive), SocketTransport(2)
    assert [exchange(base, transport=transport).body for _ in range(3)] == [b"good"] * 3
    transport.close()
    assert len(connections) == 1


def test_exchange__redirect_is_not_followed(exchange, hostile):
    reached = []
    other = hostile(reached.append)
    base = hostile(lambda c: c.sendall(f"HTTP/1.1 307 Away\r\nLocation: {other}\r\nContent-Length: 0\r\n\r\n".encode()))
    assert exchange(base).status == 307
    assert reached == []


def test_exchange__refused_connection(exchange, hostile):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    fault(exchange, f"http://127.0.0.1:{port}/", UpstreamUnreachable)


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"not http at all\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n<PubmedArticleSet><Abstr",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n40\r\n<PubmedArticleSet><Abstr",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n<a/>\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n<a/>\n\r\n",
        reply(b"this is no gzip", "Content-Encoding: gzip"),
    ],
)
def test_exchange__short_or_broken_answer_is_transient(exchange, hostile, sent):
    fault(exchange, hostile(lambda c: c.sendall(sent)), UpstreamUnreachable)


def test_exchange__headers_cut_off_leave_an_empty_body_and_no_url_in_the_log(exchange, hostile, caplog):
    base = hostile(lambda c: c.sendall(b"HTTP/1.1 200 OK\r\nContent-Le"))
    assert exchange(base).body == b""
    assert "SECRETKEY123" not in caplog.text


def test_exchange__silent_server(exchange, hostile):
    fault(exchange, hostile(lambda c: time.sleep(LONG)), UpstreamTimeout, seconds=0.3)


def test_exchange__dripped_headers(exchange, hostile):
    base = hostile(lambda c: drip(c, b"HTTP/1.1 200 OK\r\n", b"X-More: 1\r\n"))
    fault(exchange, base, UpstreamTimeout, seconds=0.5)


def test_exchange__dripped_body(exchange, hostile):
    base = hostile(lambda c: drip(c, b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n", b"x"))
    fault(exchange, base, UpstreamTimeout, seconds=0.5)


def test_exchange__dripped_chunks(exchange, hostile):
    base = hostile(lambda c: drip(c, b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n"))
    fault(exchange, base, UpstreamTimeout, seconds=0.5)


def test_exchange__body_over_the_limit(exchange, hostile):
    base = hostile(lambda c: c.sendall(reply(b"x" * 300_000)))
    fault(exchange, base, UpstreamInvalidResponse, max_body_bytes=200_000)


def test_exchange__small_body_that_inflates(exchange, hostile):
    bomb = gzip.compress(bytes(50_000_000))
    base = hostile(lambda c: c.sendall(reply(bomb, "Content-Encoding: gzip")))
    fault(exchange, base, UpstreamInvalidResponse, max_body_bytes=1_000_000)
