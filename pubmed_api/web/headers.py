"""The headers of every answer: where it came from, how old it is, and who may read it from a web page."""

import re
import select
import socket
import time
import uuid
from collections.abc import Callable, Mapping
from typing import Any

from flask import Flask, Response, g, request

from pubmed_api import metrics
from pubmed_api.exceptions import HttpError
from pubmed_api.models.call import Call, open_call
from pubmed_api.web.extension import extension
from pubmed_api.web.ncbi_key import read_ncbi_key

_SANE_TOKEN = re.compile(r"[A-Za-z0-9._-]{1,64}\Z")
_ALLOWED = "Accept, Authorization, Cache-Control, Content-Type, If-None-Match, X-API-Key, X-NCBI-API-Key, X-Request-Id"
_EXPOSED = (
    "Age, ETag, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Server-Timing, X-Cache, "
    "X-Failed-Ids, X-Notice, X-Request-Id, X-Returned-Count, X-Total-Count, X-Unavailable-Ids, X-Upstream"
)

ANSWER_HEADERS: dict[str, dict[str, Any]] = {
    "X-Request-Id": {"description": "The id of this request.", "schema": {"type": "string"}},
    "X-Upstream": {
        "description": "Where the data comes from; `sandbox` is fiction.",
        "schema": {"type": "string", "enum": ["live", "sandbox"]},
    },
    "X-Cache": {
        "description": "Whether stored upstream answers served this one.",
        "schema": {"type": "string", "enum": ["hit", "miss", "stale"]},
    },
    "Age": {"description": "Age of the oldest upstream answer used, in seconds.", "schema": {"type": "integer"}},
    "Server-Timing": {
        "description": "Milliseconds spent waiting for a turn (`queue`), in upstream calls (`upstream`), reading what "
        "they brought (`parse`), writing the answer (`render`), and in all (`total`).",
        "schema": {"type": "string"},
    },
}

# In the order of a request's way; what it has spent no time on is left out.
_TIMINGS = ("queue", "upstream", "parse", "render")


def install(app: Flask) -> None:
    """Open a call for every request and complete its answer."""
    app.before_request(_begin)
    app.after_request(_complete)
    app.teardown_request(_end)


def _begin() -> None:
    sent = request.headers.get("X-Request-Id", "")
    g.request_id = sent if _SANE_TOKEN.match(sent) else uuid.uuid4().hex
    g.started = time.monotonic()
    metrics.note_in_flight(1)
    wishes = request.cache_control
    g.call = Call(
        cancelled=_watch(request.environ.get("gunicorn.socket")),
        no_cache=bool(wishes.no_cache),
        only_if_cached=bool(wishes.only_if_cached),
    )
    g.call_block = open_call(g.call)
    g.call_block.__enter__()
    if request.routing_exception is None and request.path.startswith("/v1/"):
        _check_accept()
        g.call.ncbi_api_key = read_ncbi_key()


def _check_accept() -> None:
    """Operations answer JSON; a caller who can read only something else hears so before any work is done."""
    wanted = request.accept_mimetypes
    if wanted and not wanted.accept_json:
        raise HttpError(
            "There is no answer in a form that Accept allows.", reason="not_acceptable", available=["application/json"]
        )


def _end(_: BaseException | None) -> None:
    block = g.pop("call_block", None)
    if block is not None:
        block.__exit__(None, None, None)
        metrics.note_in_flight(-1)


def _watch(connection: socket.socket | None) -> Callable[[], bool]:
    """Whether the caller has gone: its socket is readable and has nothing to read."""

    def gone() -> bool:
        if connection is None:
            return False
        try:
            readable, _, _ = select.select([connection], [], [], 0)
            return bool(readable) and connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
        except BlockingIOError:
            return False
        except (OSError, ValueError):
            return True

    return gone


def _complete(response: Response) -> Response:
    response.headers["X-Request-Id"] = g.get("request_id") or uuid.uuid4().hex
    response.headers["X-Upstream"] = extension().upstream
    call: Call | None = g.get("call")
    if call is not None and call.cache_state is not None:
        response.headers["X-Cache"] = call.cache_state
        response.headers["Age"] = str(call.age)
    if "started" in g:
        total = time.monotonic() - g.started
        response.headers["Server-Timing"] = _server_timing({**(call.timings if call else {}), "total": total})
        metrics.note_request(_operation(), response.status_code, total)
    response.headers["X-Content-Type-Options"] = "nosniff"
    _set_caching(response)
    _set_cors(response)
    return response


def _server_timing(seconds: Mapping[str, float]) -> str:
    return ", ".join(f"{name};dur={seconds[name] * 1000:.1f}" for name in (*_TIMINGS, "total") if name in seconds)


def _operation() -> str:
    """What was asked for, as a name of ours: an operationId or a page."""
    if request.endpoint is None:
        return "none"
    return "preflight" if request.method == "OPTIONS" else request.endpoint.rpartition(".")[2]


def _set_caching(response: Response) -> None:
    if "Cache-Control" in response.headers:
        return
    if request.method == "GET" and response.status_code == 200 and not response.is_streamed:
        response.headers["Cache-Control"] = "no-cache"
        response.add_etag()
        response.make_conditional(request)
    else:
        response.headers["Cache-Control"] = "no-store"


def _set_cors(response: Response) -> None:
    """CORS for every route, never with credentials."""
    origins = extension().settings.cors_origins
    if "*" in origins:
        response.headers["Access-Control-Allow-Origin"] = "*"
    else:
        response.vary.add("Origin")
        origin = request.headers.get("Origin")
        if origin not in origins:
            return
        response.headers["Access-Control-Allow-Origin"] = origin
    response.headers["Access-Control-Expose-Headers"] = _EXPOSED
    if request.method == "OPTIONS":
        response.headers["Access-Control-Allow-Headers"] = _ALLOWED
        response.headers["Access-Control-Allow-Methods"] = response.headers.get("Allow", "GET, POST, OPTIONS")
        response.headers["Access-Control-Max-Age"] = "86400"
