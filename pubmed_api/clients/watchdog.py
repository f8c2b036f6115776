"""A time limit on a whole exchange. Socket time-outs bound single reads only, so dripped bytes defeat them."""

import contextlib
import socket
import threading
from collections.abc import Iterator
from contextvars import ContextVar

from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool

from pubmed_api.clients.departures import note_departure


class Watch:
    """The sockets of one exchange, shut down from outside when its time is up."""

    def __init__(self) -> None:
        self.fired = False
        self._sockets: list[socket.socket] = []
        self._lock = threading.Lock()

    def add(self, connected: socket.socket) -> None:
        """Watch this connection, through a duplicate: TLS takes the original socket apart."""
        duplicate = socket.fromfd(connected.fileno(), connected.family, connected.type)
        with self._lock:
            self._sockets.append(duplicate)
            if self.fired:
                self._shut()

    def fire(self) -> None:
        """End every watched connection; whoever reads or writes there sees it close."""
        with self._lock:
            self.fired = True
            self._shut()

    def close(self) -> None:
        """Forget the connections."""
        with self._lock:
            for duplicate in self._sockets:
                duplicate.close()
            self._sockets.clear()

    def _shut(self) -> None:
        for duplicate in self._sockets:
            with contextlib.suppress(OSError):
                duplicate.shutdown(socket.SHUT_RDWR)


_watch: ContextVar[Watch | None] = ContextVar("pubmed_api_watch", default=None)


@contextlib.contextmanager
def watch(seconds: float) -> Iterator[Watch]:
    """Shut down, ``seconds`` from now, every connection that this thread uses inside the block."""
    guard = Watch()
    timer = threading.Timer(seconds, guard.fire)
    timer.daemon = True
    timer.start()
    token = _watch.set(guard)
    try:
        yield guard
    finally:
        _watch.reset(token)
        timer.cancel()
        guard.close()


def _attach(connected: socket.socket | None) -> None:
    guard = _watch.get()
    if guard is not None and connected is not None:
        guard.add(connected)


class _WatchedHTTPConnection(HTTPConnection):
    def _new_conn(self) -> socket.socket:
        connected = super()._new_conn()
        _attach(connected)
        return connected

    def request(self, *args, **kwargs) -> None:  # type: ignore[no-untyped-def]
        _attach(self.sock)
        super().request(*args, **kwargs)
        note_departure()


class _WatchedHTTPSConnection(HTTPSConnection):
    def _new_conn(self) -> socket.socket:
        connected = super()._new_conn()
        _attach(connected)
        return connected

    def request(self, *args, **kwargs) -> None:  # type: ignore[no-untyped-def]
        _attach(self.sock)
        super().request(*args, **kwargs)
        note_departure()


class _WatchedHTTPPool(HTTPConnectionPool):
    ConnectionCls = _WatchedHTTPConnection


class _WatchedHTTPSPool(HTTPSConnectionPool):
    ConnectionCls = _WatchedHTTPSConnection


# For ``PoolManager.pool_classes_by_scheme``.
WATCHED_POOLS = {"http": _WatchedHTTPPool, "https": _WatchedHTTPSPool}
