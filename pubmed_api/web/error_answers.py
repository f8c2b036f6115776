"""Turning everything that goes wrong into the one error answer."""

import json
import logging
import math
from http import HTTPStatus
from typing import Any

from flask import Flask, Response, g, request
from werkzeug.exceptions import HTTPException

from pubmed_api.errors import failure_of
from pubmed_api.exceptions import HttpError, PubmedApiError
from pubmed_api.web.schema import camel_case

log = logging.getLogger(__name__)

# What HTTP itself refuses; anything else that is not ours is a fault of this service.
_HTTP_REASONS = {
    HTTPStatus.BAD_REQUEST: ("malformed_json", "The request could not be read."),
    HTTPStatus.NOT_FOUND: ("no_such_endpoint", "There is nothing at this address."),
    HTTPStatus.METHOD_NOT_ALLOWED: ("method_not_allowed", "This address does not answer that method."),
    HTTPStatus.NOT_ACCEPTABLE: ("not_acceptable", "There is no answer in a form that Accept allows."),
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: ("body_too_large", "The request body is over the limit."),
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: ("unsupported_media_type", "The body is not in a form this reads."),
}


def install(app: Flask) -> None:
    """Answer our errors and every unexpected exception in the one shape."""
    app.register_error_handler(PubmedApiError, answer_error)
    app.register_error_handler(Exception, answer_unexpected)


def answer_error(error: PubmedApiError) -> Response:
    """The answer to one of our errors."""
    failure = failure_of(error)
    data: dict[str, Any] = {
        "reason": error.reason,
        "retryable": failure.retryable,
        "recovery": {"hint": error.hint or failure.hint},
        "requestId": g.get("request_id", ""),
        **{camel_case(key): value for key, value in error.data.items()},
    }
    body = {"error": {"code": failure.code, "message": error.message, "data": data}}
    # A caller's text may hold an unpaired surrogate, which UTF-8 has no bytes for.
    text = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
    response = Response(text, failure.status, mimetype="application/json")
    retry_after = error.data.get("retry_after")
    if failure.retryable and isinstance(retry_after, int | float):
        response.headers["Retry-After"] = str(max(1, math.ceil(retry_after)))
    return response


def answer_http(error: HTTPException) -> Response:
    """The answer to a refusal of the router or of werkzeug; its own headers (``Allow``) are kept."""
    status = error.code or HTTPStatus.INTERNAL_SERVER_ERROR
    reason, message = _HTTP_REASONS.get(HTTPStatus(status), ("internal_error", "This request could not be answered."))
    response = answer_error(HttpError(message, reason=reason))
    for name, value in error.get_headers():
        if name not in ("Content-Type", "Content-Length"):
            response.headers[name] = value
    return response


def answer_unexpected(error: Exception) -> Response:
    """The answer to anything else: no detail beyond the request id.

    The log names the exception's type and place; its text and trace may hold what a caller sent.
    """
    if isinstance(error, HTTPException):
        return answer_http(error)
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = f"{trace.tb_frame.f_globals.get('__name__')}:{trace.tb_lineno}" if trace else "unknown place"
    log.error(
        "unexpected %s at %s while answering %s (request %s)",
        type(error).__name__,
        place,
        request.endpoint,
        g.get("request_id", ""),
    )
    return answer_error(PubmedApiError("Something went wrong in this service."))
