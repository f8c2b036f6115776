"""The moment a request has left, told by whoever sends it to whoever counts it.

A request starts when it is let go, but it leaves only when its connection is made, which takes an upstream with TLS
far away some tenths of a second and one that is still connected nothing at all.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_listener: ContextVar[Callable[[], None] | None] = ContextVar("pubmed_api_departures", default=None)


@contextmanager
def departures_to(listener: Callable[[], None]) -> Iterator[None]:
    """Call ``listener`` whenever this thread has sent a request inside the block."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def note_departure() -> None:
    """A request of this thread has been written to its connection as a whole."""
    listener = _listener.get()
    if listener is not None:
        listener()
