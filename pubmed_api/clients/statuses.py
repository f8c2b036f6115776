"""What an upstream's HTTP status means to us."""

import math
import re
import time
from collections.abc import Callable
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import Any

from pubmed_api.clients.wire import Answer, Sent
from pubmed_api.exceptions import (
    UpstreamError,
    UpstreamNotFound,
    UpstreamRateLimited,
    UpstreamRefused,
    UpstreamTimeout,
    UpstreamUnreachable,
)

_SECONDS = re.compile(r"[0-9]{1,9}\Z")


def check_status(sent: Sent, answer: Answer, **data: Any) -> None:
    """Raise the error that a status other than 200 stands for; ``data`` goes with it.

    429 is the upstream's limit and 504 its time-out; other 5xx are transient (500 too, as NCBI's proxy sends it)
    except 501. A redirect is refused and not followed: following would hand our parameters to another address.
    """
    status = answer.status
    if status == 200:
        return
    kind, message = _meaning(sent, status)
    raise sent.failure(kind, message, status=status, retry_after=read_retry_after(answer), **data)


def _meaning(sent: Sent, status: int) -> tuple[type[UpstreamError], str]:
    if status == 429:
        return UpstreamRateLimited, f"{sent.host} says that this service asks too often."
    if status == 504:
        return UpstreamTimeout, f"{sent.host} ran out of time on {sent.endpoint} (HTTP 504)."
    if status == 404:
        return UpstreamNotFound, f"{sent.host} has nothing at {sent.endpoint} (HTTP 404)."
    if 300 <= status < 400:
        return UpstreamRefused, f"{sent.host} redirects {sent.endpoint} (HTTP {status}), which is not followed."
    if 400 <= status < 500 or status == 501:
        return UpstreamRefused, f"{sent.host} refuses {sent.endpoint} (HTTP {status})."
    return UpstreamUnreachable, f"{sent.host} failed on {sent.endpoint} (HTTP {status})."


def read_retry_after(answer: Answer, now: Callable[[], float] = time.time) -> int | None:
    """``Retry-After`` in whole seconds, from seconds or an HTTP date (a past one is 0); ``None`` if it says nothing."""
    value = answer.headers.get("Retry-After", "").strip()
    if _SECONDS.match(value):
        return int(value)
    try:
        moment = parsedate_to_datetime(value)
    except (TypeError, ValueError, OverflowError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0, math.ceil(moment.timestamp() - now()))
