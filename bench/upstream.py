"""A measuring upstream on the loopback: it emulates NCBI's answers and counts what arrives.

``python -m bench.upstream --port N`` serves the E-utilities under ``/eutils/`` and the ID Converter under
``/idconv/``. A request arrives after up to ``--jitter`` seconds on the way, is refused (429) where it passes the
limit of its key (or of all that send none), and is answered after ``--fastest`` to ``--slowest`` seconds. With
``--penalty`` everything is refused for so long once a limit was passed. A term or id with ``fails`` in it is always
answered with 500. ``/control/report`` tells what came, ``/control/refuse?seconds=5`` refuses everything for that long
with ``Retry-After``, ``/control/delay?seconds=2`` fixes the time of all later answers.
"""

import argparse
import contextlib
import json
import os
import random
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from bench.arrivals import Gatekeeper
from bench.literature import answer, split_ids

_THROTTLED = b'{"error":"API rate limit exceeded","count":"11","limit":"10"}'


class Upstream(ThreadingHTTPServer):
    """The server, with what it was told."""

    request_queue_size = 512
    daemon_threads = True

    def __init__(self, options: argparse.Namespace):
        self.gatekeeper = Gatekeeper(options.limit, options.keyed_limit, options.window, options.penalty)
        self.jitter = options.jitter
        self.delay = options.fastest, options.slowest
        super().__init__(("127.0.0.1", options.port), _Handler)
        threading.Thread(target=self.gatekeeper.watch_stalls, daemon=True).start()

    def handle_error(self, request: object, client_address: object) -> None:
        """A service that is killed leaves connections behind; that is no news."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1
    server: Upstream

    def do_GET(self) -> None:
        self._handle(urlsplit(self.path).query)

    def do_POST(self) -> None:
        sent = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        self._handle(sent or urlsplit(self.path).query)

    def log_message(self, *args: object) -> None:
        """Silence."""

    def _handle(self, query: str) -> None:
        params = {name: values[0] for name, values in parse_qs(query).items()}
        folder, _, rest = urlsplit(self.path).path.strip("/").partition("/")
        if folder == "control":
            self._control(rest, params)
            return
        endpoint = "idconv" if folder == "idconv" else rest.split(".")[0]
        self.server.gatekeeper.hold(+1)
        try:
            time.sleep(random.uniform(0, self.server.jitter))
            self._answer(endpoint, params)
        finally:
            self.server.gatekeeper.hold(-1)

    def _answer(self, endpoint: str, params: dict[str, str]) -> None:
        key = params.get("api_key", "")
        outcome, retry_after = self.server.gatekeeper.admit(key, endpoint, len(split_ids(params)))
        time.sleep(random.uniform(*self.server.delay))
        if outcome in ("over", "closed"):
            self._send(429, "application/json", _THROTTLED, {"Retry-After": str(retry_after)})
        elif "fails" in params.get("term", "") or "fails" in params.get("id", ""):
            self._send(500, "text/html", b"<html>down</html>")
        elif (found := answer(endpoint, params)) is not None:
            self._send(200, *found)
        else:
            self._send(404, "text/html", b"<html>no such endpoint</html>")

    def _control(self, name: str, params: dict[str, str]) -> None:
        if name == "refuse":
            self.server.gatekeeper.refuse_for(float(params["seconds"]))
        elif name == "delay":
            self.server.delay = (float(params["seconds"]),) * 2
        self._send(200, "application/json", json.dumps(self.server.gatekeeper.report()).encode())

    def _send(self, status: int, kind: str, body: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


def main() -> None:
    """Serve until the process is ended."""
    parser = argparse.ArgumentParser(prog="python -m bench.upstream", description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--limit", type=int, default=3, help="requests a second without a key")
    parser.add_argument("--keyed-limit", type=int, default=10, help="requests a second for each key")
    parser.add_argument("--window", type=float, default=1.0, help="the second in which requests are counted")
    parser.add_argument("--penalty", type=float, default=0.0, help="seconds for which passing a limit closes it")
    parser.add_argument("--jitter", type=float, default=0.02, help="most seconds a request is on its way")
    parser.add_argument("--fastest", type=float, default=0.03, help="fewest seconds to an answer")
    parser.add_argument("--slowest", type=float, default=0.3, help="most seconds to an answer")
    with contextlib.suppress(OSError):
        # A real upstream is another machine; where we may, this one does not wait for the processor it shares with us.
        os.nice(-10)
    Upstream(parser.parse_args()).serve_forever()


if __name__ == "__main__":
    main()
