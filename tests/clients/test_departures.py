"""Who hears of a request that has left."""

import socket
import threading

from requests import Request

from pubmed_api.clients.departures import departures_to, note_departure
from pubmed_api.clients.transport import SocketTransport
from pubmed_api.clients.wire import Sent

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


def test_departures_to__hears_inside_the_block_only():
    heard = []
    with departures_to(lambda: heard.append(1)):
        note_departure()
    note_departure()
    assert heard == [1]


def test_departures_to__of_the_innermost_block():
    heard = []
    with departures_to(lambda: heard.append("outer")), departures_to(lambda: heard.append("inner")):
        note_departure()
    assert heard == ["inner"]


def test_transport__tells_when_the_request_was_sent_and_not_when_it_was_answered():
    """On a new connection as well as on one that is still there."""
    listener, heard = socket.create_server(("127.0.0.1", 0)), threading.Semaphore(0)

    def serve():
        connection, _ = listener.accept()
        with connection:
            for _ in range(2):
                assert heard.acquire(timeout=10)
                connection.recv(65536)
                connection.sendall(ANSWER)

    server = threading.Thread(target=serve)
    server.start()
    transport, sent = SocketTransport(1), Sent("ncbi", "127.0.0.1", "x")
    request = Request("GET", f"http://127.0.0.1:{listener.getsockname()[1]}/").prepare()
    with listener, departures_to(heard.release):
        assert [transport.exchange(request, sent, 10).body for _ in range(2)] == [b"ok", b"ok"]
    server.join()
    transport.close()
