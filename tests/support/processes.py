"""Starting a server of ours as a process of its own, on a free port."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]


def find_free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def build_environ(**environ):
    """The process's environment without settings of ours, and with these."""
    ours = ("PUBMED_API", "NCBI_", "EUROPEPMC", "PMC_", "UNPAYWALL", "OPENALEX", "OA_", "REDIS_URL")
    return {**{key: value for key, value in os.environ.items() if not key.startswith(ours)}, **environ}


@contextmanager
def running(*module, probe, cwd=ROOT, **environ):
    """Run ``python -m <module>`` until the block ends; it is up once ``probe`` answers."""
    with subprocess.Popen(
        [sys.executable, "-m", *module], cwd=cwd, env=build_environ(**environ), stderr=subprocess.PIPE
    ) as server:
        try:
            _wait_for(probe, server)
            yield server
        finally:
            server.terminate()
            server.communicate(timeout=30)


def _wait_for(url, server):
    for _ in range(120):
        try:
            with urllib.request.urlopen(url, timeout=2):
                return
        except OSError:
            assert server.poll() is None, "the service stopped"
            time.sleep(0.25)
    raise AssertionError("the service did not start")
