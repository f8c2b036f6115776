"""A loopback server that answers with raw bytes, or with anything else that a socket can do to its peer."""

import contextlib
import socket
import struct
import threading
import time
from contextlib import contextmanager

_CRLF = b"\r\n"


class Hostile:
    """``script(connection)`` is run for every request, ``moments`` has the time of each, ``url`` is the address."""

    def __init__(self, listener):
        self._listener = listener
        self.url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        self.script = self.later = hang_up
        self.moments = []

    @property
    def asked(self):
        """How many requests came."""
        return len(self.moments)

    def play(self, script, then=None):
        """Use this script from now on; with ``then``, only once."""
        self.script, self.later = script, then or script

    def accept(self):
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._converse, args=(connection,), daemon=True).start()

    def _converse(self, connection):
        with connection, contextlib.suppress(OSError):
            while _read_request(connection):
                self.moments.append(time.time())
                script, self.script = self.script, self.later
                if script(connection) is not KEPT:
                    return


KEPT = object()


@contextmanager
def hostile_server():
    """The server, for as long as the block lasts."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as listener:
        server = Hostile(listener)
        threading.Thread(target=server.accept, daemon=True).start()
        yield server
        # Wakes the thread in accept, which a mere close does not.
        with contextlib.suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)


def _read_request(connection):
    """Whether a whole request came."""
    received = b""
    while _CRLF * 2 not in received:
        piece = connection.recv(65536)
        if not piece:
            return False
        received += piece
    head, _, body = received.partition(_CRLF * 2)
    length = next((int(line[15:]) for line in head.split(_CRLF) if line.lower().startswith(b"content-length:")), 0)
    while len(body) < length:
        body += connection.recv(65536)
    return True


def reply(body, status="200 OK", kind="text/xml", **headers):
    """A whole answer, after which the connection stays open. ``Content_Length`` and such replace the true ones."""

    def script(connection):
        fields = {"Content-Type": kind, "Content-Length": len(body)}
        fields |= {name.replace("_", "-"): value for name, value in headers.items()}
        lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        connection.sendall(f"HTTP/1.1 {status}\r\n{lines}\r\n".encode() + body)
        return KEPT if fields["Content-Length"] == len(body) else None

    return script


def hang_up(connection):
    """Close without an answer."""


def reset(connection):
    """Close with a reset in place of a goodbye."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def stall(connection):
    """Say nothing until the peer goes away."""
    connection.recv(1)


def chunked_and_cut(body):
    """A chunked answer that stops inside a chunk."""

    def script(connection):
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nTransfer-Encoding: chunked\r\n\r\n"
        connection.sendall(head + f"{len(body) + 500:x}\r\n".encode() + body)

    return script


def drip(head, body, seconds=30.0):
    """Send ``head`` at once and ``body`` byte by byte, over and over, with a pause after each."""

    def script(connection):
        connection.sendall(head)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for byte in body:
                connection.sendall(bytes([byte]))
                time.sleep(0.05)

    return script


def pour(piece, times):
    """An answer without a length that is ``piece`` many times over."""

    def script(connection):
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n\r\n")
        for _ in range(times):
            connection.sendall(piece)

    return script
