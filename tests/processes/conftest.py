"""Two services on one host, each with one worker that can be killed, over an upstream that counts.

``shared``     what the two have in common: their files alone, or a Redis besides
``upstream``   the counting upstream; its answers come after ``upstream.delay(seconds)``
``start``      ``start()`` gives one more service over the same files
"""

import http.client
import json
import os
import signal
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest
from support.processes import find_free_port, running
from support.redis_server import redis_server

RATE = 2
DEADLINE = 12.0
# The upstream's second is shorter than ours: a busy machine may delay a request by the rest. A limit that were kept
# by each process for itself would still be seen, for it would be passed twice over.
UPSTREAM_SECOND = 0.7


class CountingUpstream:
    def __init__(self, port):
        self.url = f"http://127.0.0.1:{port}"

    def report(self):
        return self._control("report")

    def delay(self, seconds):
        self._control(f"delay?seconds={seconds}")

    def wait_until(self, condition):
        """Wait until the report meets the condition; the calls' own deadline is the limit."""
        end = time.monotonic() + DEADLINE
        while not condition(report := self.report()):
            assert time.monotonic() < end, report["outcomes"]
            time.sleep(0.02)

    def _control(self, what):
        with urllib.request.urlopen(f"{self.url}/control/{what}", timeout=10) as answer:
            return json.load(answer)


class Service:
    def __init__(self, port, master):
        self._url = f"http://127.0.0.1:{port}"
        self._master = master
        self._pool = ThreadPoolExecutor(16)

    def start_asking(self, path, **body):
        """Ask in a thread; the future gives ``(status, body)``, or ``(0, {})`` where the service broke off."""
        return self._pool.submit(self.ask, path, **body)

    def ask(self, path, **body):
        request = urllib.request.Request(
            self._url + path, json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        try:
            with urllib.request.urlopen(request, timeout=DEADLINE + 0.5) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)
        except (OSError, http.client.HTTPException) as error:
            if isinstance(getattr(error, "reason", error), TimeoutError):
                raise AssertionError("the call outlived its deadline") from None
            return 0, {}

    def search(self, query):
        return self.start_asking("/v1/articles/search", query=query)

    def fetch(self, *pmids):
        return self.start_asking("/v1/articles/fetch", pmids=list(pmids))

    def kill_worker(self):
        """Kill the worker as the kernel would; the master starts another."""
        worker = self.worker()
        os.kill(worker, signal.SIGKILL)
        end = time.monotonic() + DEADLINE
        while self.worker() in (worker, None):
            assert time.monotonic() < end, "no new worker"
            time.sleep(0.02)

    def worker(self):
        with open(f"/proc/{self._master.pid}/task/{self._master.pid}/children") as children:
            return next((int(child) for child in children.read().split()), None)


@pytest.fixture(params=["files", "redis"])
def shared(request, tmp_path):
    """The environment of every service of the test."""
    with ExitStack() as stack:
        redis = {"REDIS_URL": stack.enter_context(redis_server()).url} if request.param == "redis" else {}
        yield {
            "PUBMED_API_DATA_DIR": str(tmp_path / "data"),
            "NCBI_REQUESTS_PER_SECOND": str(RATE),
            "NCBI_TOTAL_DEADLINE_MS": str(int(DEADLINE * 1000)),
            "PUBMED_API_LOG_LEVEL": "ERROR",
            "PUBMED_API_UPSTREAM": "live",
            **redis,
        }


@pytest.fixture
def upstream():
    port = find_free_port()
    counting = [f"--limit={RATE}", f"--window={UPSTREAM_SECOND}", "--keyed-limit=1000000"]
    flags = [f"--port={port}", *counting, "--jitter=0", "--slowest=0.1"]
    with running("bench.upstream", *flags, probe=f"http://127.0.0.1:{port}/control/report"):
        yield CountingUpstream(port)


@pytest.fixture
def start(shared, upstream):
    with ExitStack() as stack:

        def build(**environ):
            port = find_free_port()
            settings = {
                **shared,
                "PUBMED_API_PORT": str(port),
                "NCBI_EUTILS_BASE_URL": f"{upstream.url}/eutils/",
                "PMC_IDCONV_BASE_URL": f"{upstream.url}/idconv/",
                **environ,
            }
            command = ["gunicorn", "wsgi:app", "--workers=1", "--threads=16"]
            master = stack.enter_context(running(*command, probe=f"http://127.0.0.1:{port}/readyz", **settings))
            return Service(port, master)

        yield build
