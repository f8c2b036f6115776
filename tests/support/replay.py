"""A loopback server that answers with recorded payloads: the whole stack, socket included, against real bytes."""

import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit


class Replay:
    """``answers`` maps an endpoint (``efetch``, ``idconv`` …) to ``(status, content type, body)``.

    A fourth member holds further headers; a ``Content-Length`` among them replaces the true one. A callable gets the
    request's parameters and gives such a tuple. ``calls`` records (endpoint, parameters).
    """

    def __init__(self):
        self.answers = {}
        self.calls = []

    def answer(self, endpoint, params):
        self.calls.append((endpoint, params))
        found = self.answers[endpoint]
        return found(params) if callable(found) else found


@contextmanager
def serve(replay):
    """Serve the replay on a free port of 127.0.0.1; gives the base address."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            self._answer(urlsplit(self.path).query)

        def do_POST(self):
            self._answer(self.rfile.read(int(self.headers["Content-Length"])).decode())

        def _answer(self, query):
            name = urlsplit(self.path).path.strip("/").rsplit("/", 1)[-1].split(".")[0]
            params = {key: values[0] for key, values in parse_qs(query).items()}
            status, kind, body, *more = replay.answer(name, params)
            headers = {"Content-Type": kind, "Content-Length": str(len(body)), **(more[0] if more else {})}
            self.send_response(status)
            for header, value in headers.items():
                if value is not None:
                    self.send_header(header, value)
            self.end_headers()
            self.wfile.write(body)
            self.close_connection = len(more) > 0

        def log_message(self, *args):
            """Silence."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
