"""What NCBI's services may send in place of an answer, under any status: throttling, a web page, nothing."""

import json
import re

from pubmed_api.clients.statuses import read_retry_after
from pubmed_api.clients.wire import Answer, Sent
from pubmed_api.exceptions import UpstreamRateLimited, UpstreamRefused, UpstreamUnreachable
from pubmed_api.models.call import current_call

_THROTTLED = re.compile(r"API rate limit exceeded", re.IGNORECASE)
_API_KEY = re.compile(r"API[ _-]?key", re.IGNORECASE)
_CUT_JSON = re.compile(r'\{\s*"error"\s*:\s*"([^"]*)')
_WEB_PAGE = re.compile(rb"\s*<(?:!DOCTYPE\s+html|html[\s>])", re.IGNORECASE)
_BOM = b"\xef\xbb\xbf"
# Such a body is a line; anything longer is an answer.
_LONGEST_NOTICE = 4000


def check_notices(sent: Sent, answer: Answer) -> None:
    """Raise where the body only says that we ask too often, or that our key is no good.

    NCBI says both in JSON whatever was asked for, and under 200 as well as 4xx. Neither is passed on: the first
    names our address, the second our key.
    """
    said = _notice(answer.body)
    if said is None:
        return
    if _THROTTLED.match(said):
        raise sent.failure(
            UpstreamRateLimited,
            f"{sent.host} says that this service asks too often.",
            status=answer.status,
            retry_after=read_retry_after(answer),
        )
    if _API_KEY.match(said):
        raise key_refused(sent, answer.status)


def speaks_of_key(message: str) -> bool:
    """Whether this error message is about our API key."""
    return _API_KEY.search(message) is not None


def key_refused(sent: Sent, status: int | None = None) -> UpstreamRefused:
    """The error for that, which does not repeat what NCBI said: it may hold the key."""
    own = current_call().ncbi_api_key
    if own is not None and sent.params.get("api_key") == own:
        whose, hint = "the API key of this request", "Correct the header X-NCBI-API-Key, or leave it out."
    else:
        whose, hint = "this service's API key", "The operator should correct or remove NCBI_API_KEY."
    return sent.failure(UpstreamRefused, f"{sent.host} does not accept {whose}.", hint=hint, status=status)


def check_page_or_nothing(sent: Sent, body: bytes) -> None:
    """Raise where the body is a web page (an overload or maintenance notice) or empty; both pass by themselves."""
    if _WEB_PAGE.match(body.removeprefix(_BOM)):
        raise sent.failure(UpstreamUnreachable, f"{sent.host} answered {sent.endpoint} with a web page, not data.")
    if not body:
        raise sent.failure(UpstreamUnreachable, f"{sent.host} answered {sent.endpoint} with an empty body.")


def _notice(body: bytes) -> str | None:
    """The text of a plain-text notice, or the ``error`` of a JSON one; ``None`` for any other body."""
    if len(body) > _LONGEST_NOTICE:
        return None
    text = body.removeprefix(_BOM).decode("utf-8", "replace").strip()
    if not text.startswith("{"):
        return None if text.startswith(("<", "[")) else text
    try:
        decoded = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        cut = _CUT_JSON.match(text)
        return cut.group(1) if cut else None
    said = decoded.get("error")
    return said if isinstance(said, str) else None
