"""A Redis of a test's own, on a free loopback port."""

import shutil
import socket
import subprocess
import time
from contextlib import contextmanager

import pytest

from support.processes import find_free_port


class RedisServer:
    """``url`` is its address; it can be stopped and started again, empty."""

    def __init__(self):
        self._port = find_free_port()
        self._process = None
        self.url = f"redis://127.0.0.1:{self._port}/0"

    def start(self):
        flags = ["--port", str(self._port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        self._process = subprocess.Popen(["redis-server", *flags], stdout=subprocess.DEVNULL)
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", self._port), timeout=1).close()
                return self
            except OSError:
                assert self._process.poll() is None, "redis-server stopped"
                time.sleep(0.02)
        raise AssertionError("redis-server did not start")

    def stop(self):
        if self._process is not None:
            self._process.kill()
            self._process.wait(timeout=10)
            self._process = None


@contextmanager
def redis_server():
    """A server, running until the block ends; the test is skipped where Redis is not installed."""
    if shutil.which("redis-server") is None:
        pytest.skip("redis-server is not installed")
    server = RedisServer().start()
    try:
        yield server
    finally:
        server.stop()
