"""The time limit on sockets, apart from HTTP."""

import socket

from pubmed_api.clients.watchdog import Watch, watch


def test_watch__fires_while_the_block_runs():
    here, there = socket.socketpair()
    with here, there, watch(0.05) as guard:
        guard.add(here)
        here.settimeout(20)
        assert here.recv(1) == b""
        assert guard.fired


def test_watch__does_nothing_when_the_block_is_in_time():
    here, there = socket.socketpair()
    with here, there:
        with watch(60) as guard:
            guard.add(here)
        there.sendall(b"x")
        assert here.recv(1) == b"x"
        assert not guard.fired


def test_add__after_it_fired_shuts_at_once():
    here, there = socket.socketpair()
    with here, there:
        guard = Watch()
        guard.fire()
        guard.add(here)
        assert here.recv(1) == b""
        guard.close()


def test_fire__reaches_a_socket_whose_object_was_taken_apart():
    """As TLS does with the socket it wraps."""
    here, there = socket.socketpair()
    with there:
        guard = Watch()
        guard.add(here)
        with socket.socket(fileno=here.detach()) as wrapped:
            guard.fire()
            assert wrapped.recv(1) == b""
        guard.close()
