"""The processes of a measurement: the upstream, the service on gunicorn, a private Redis. Each ends with its block."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
_OURS = ("PUBMED_API", "NCBI_", "EUROPEPMC", "PMC_", "UNPAYWALL", "OPENALEX", "OA_", "REDIS_URL", "PROMETHEUS", "WEB_")
_START_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class MeasuringUpstream:
    """The upstream's address and its control path."""

    url: str

    def control(self, what: str) -> dict[str, Any]:
        """Tell it something; what it has seen so far comes back."""
        with urllib.request.urlopen(f"{self.url}/control/{what}", timeout=30) as answer:
            report: dict[str, Any] = json.load(answer)
        return report

    def report(self) -> dict[str, Any]:
        """What it has seen so far."""
        return self.control("report")


@contextmanager
def upstream(**options: float) -> Iterator[MeasuringUpstream]:
    """The measuring upstream; ``options`` are those of its command line."""
    port = find_free_port()
    flags = [f"--{name.replace('_', '-')}={value}" for name, value in options.items()]
    with _process([sys.executable, "-m", "bench.upstream", f"--port={port}", *flags], {}):
        running = MeasuringUpstream(f"http://127.0.0.1:{port}")
        _wait_for(f"{running.url}/control/report")
        yield running


@contextmanager
def service(
    asked: MeasuringUpstream, data_dir: Path, *, workers: int, threads: int, app: str = "wsgi:app", **environ: str
) -> Iterator[str]:
    """The service on gunicorn, asking that upstream; gives its address.

    A worker takes no more connections than it has threads, so that a caller waits where a free worker finds it and
    not behind the calls of one worker; idle connections are not kept for that reason.
    """
    port = find_free_port()
    settings = {
        "PUBMED_API_UPSTREAM": "live",
        "PUBMED_API_DATA_DIR": str(data_dir),
        "PUBMED_API_PORT": str(port),
        "PUBMED_API_LOG_LEVEL": "ERROR",
        "NCBI_EUTILS_BASE_URL": f"{asked.url}/eutils/",
        "PMC_IDCONV_BASE_URL": f"{asked.url}/idconv/",
        **environ,
    }
    size = [f"--workers={workers}", f"--threads={threads}", f"--worker-connections={threads}"]
    with _process([sys.executable, "-m", "gunicorn", app, *size], settings):
        _wait_for(f"http://127.0.0.1:{port}/readyz")
        # The other workers come up with the first, give or take their share of the machine.
        time.sleep(0.5 * workers)
        yield f"127.0.0.1:{port}"


@contextmanager
def redis_server(folder: Path) -> Iterator[str]:
    """A Redis of our own that keeps nothing; gives its address."""
    port = find_free_port()
    flags = ["--bind", "127.0.0.1", "--port", str(port), "--dir", str(folder), "--save", "", "--appendonly", "no"]
    with _process(["redis-server", *flags], {}):
        deadline = time.monotonic() + _START_SECONDS
        while not _listens(port):
            if time.monotonic() > deadline:
                raise RuntimeError("redis-server did not start")
            time.sleep(0.05)
        yield f"redis://127.0.0.1:{port}/0"


def find_free_port() -> int:
    """A port of 127.0.0.1 that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def _process(command: list[str], settings: dict[str, str]) -> Iterator[None]:
    """The process and whatever it starts, in a group of its own that ends with the block."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith(_OURS)}
    environ |= {"PYTHONPATH": str(ROOT), **settings}
    running = subprocess.Popen(command, cwd=ROOT, env=environ, start_new_session=True, stdout=subprocess.DEVNULL)
    try:
        yield
    finally:
        # Killed, not asked: a service would first answer what waits, which nobody reads any more.
        os.killpg(running.pid, signal.SIGKILL)
        running.wait()


def _wait_for(url: str) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline:
        try:
            urllib.request.urlopen(url, timeout=2).close()
            return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(f"{url} did not come up")


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
