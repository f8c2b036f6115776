"""The E-utilities' error messages: finding them in a body, and what each means."""

import html
import logging
import re
from collections.abc import Iterable, Sequence
from urllib.parse import quote, quote_plus

from lxml import etree

from pubmed_api.clients.in_band import key_refused, speaks_of_key
from pubmed_api.clients.wire import Sent
from pubmed_api.exceptions import HistoryExpired, UpstreamError, UpstreamNotFound, UpstreamRefused, UpstreamUnreachable

log = logging.getLogger(__name__)

# A back-end failure that EFetch relays as if the request were at fault.
_RELAYED = re.compile(r"External viewer error|Status:\s*Timeout|proxy_stream\(\)", re.IGNORECASE)
_EMPTY_ID_LIST = re.compile(r"ID list is empty\b", re.IGNORECASE)
_NOT_FOUND = re.compile(r"cannot get document summary|UID=\S+:\s*not found|Empty id list", re.IGNORECASE)
_NO_HISTORY = re.compile(
    r"Unable to obtain query|\b(?:WebEnv|query_?key|history)\b.{0,80}\b(?:expired|not found|does not exist|invalid)",
    re.IGNORECASE | re.DOTALL,
)
_PAST_WINDOW = re.compile(r"'?retstart'?\s+cannot be larger", re.IGNORECASE)
_TRACE = re.compile(r"NCBI C\+\+ Exception|CException|CTxRawClient")
_RESET = re.compile(r"closed connection|EOF|Read failed", re.IGNORECASE)

_RAW_ERROR = re.compile(r"<ERROR\b[^<>]*>(.*?)(?:</ERROR\s*>|\Z)", re.DOTALL)
_TAG = re.compile(r"<[^<>]*>")
_ADDRESS = re.compile(r"\b[a-z][a-z0-9+.-]*://\S+|(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?(?![\w.])", re.IGNORECASE)

_SHOWN = 300
# Error envelopes are short; what follows is not read for messages.
_READ = 20_000


def messages_of(root: etree._Element) -> list[str]:
    """The error messages of a parsed body: its ``ERROR`` elements (or itself) that have visible text.

    ESpell always carries an empty one. ``ErrorList`` of ESearch is no error; in a PubmedArticleSet it is.
    """
    nodes = [root] if root.tag == "ERROR" else root.findall("ERROR")
    if root.tag == "PubmedArticleSet":
        nodes = nodes + root.findall("ErrorList/CannotRetrievePMID")
    return _visible("".join(node.itertext()) for node in nodes)


def messages_in(body: bytes) -> list[str]:
    """The error messages of a body that need not be well-formed: cut off, escaped twice, or with raw markup inside."""
    text = body[:_READ].decode("utf-8", "replace")
    return _visible(_TAG.sub(" ", html.unescape(raw)) for raw in _RAW_ERROR.findall(text))


def is_relayed_failure(messages: Sequence[str]) -> bool:
    """Whether EFetch relays a failure of its back end, which comes under 400 as well as 200."""
    return any(_RELAYED.search(message) for message in messages)


def is_empty_id_list(messages: Sequence[str]) -> bool:
    """Whether EFetch found nothing to look up: every id was a non-UID such as ``00000000``."""
    return any(_EMPTY_ID_LIST.match(message) for message in messages)


def reported_failure(sent: Sent, messages: Sequence[str], status: int | None = None) -> UpstreamError:
    """The error that these messages stand for: an outage, unless they are known to mean something lasting."""
    if any(speaks_of_key(message) for message in messages):
        return key_refused(sent, status)
    shown = [presentable(message, sent) for message in messages]
    text = f"{sent.host} reports for {sent.endpoint}: {'; '.join(shown)}"
    if any(_NO_HISTORY.search(message) for message in messages):
        return sent.failure(HistoryExpired, f"{sent.host} no longer has this result set.", ncbi_errors=shown)
    if any(_NOT_FOUND.search(message) for message in messages):
        return sent.failure(UpstreamNotFound, text, status=status, ncbi_errors=shown)
    if any(_PAST_WINDOW.search(message) for message in messages):
        hint = "Only the first 9,999 results of a query can be listed; split the query, for example by date."
        return sent.failure(UpstreamRefused, text, hint=hint, status=status, ncbi_errors=shown)
    return sent.failure(UpstreamUnreachable, text, status=status, ncbi_errors=shown)


def presentable(message: str, sent: Sent) -> str:
    """The message as a caller may see it: no traces, keys or addresses, and not too long."""
    if _TRACE.search(message):
        log.warning("%s %s: %s", sent.host, sent.endpoint, _without_secrets(message, sent)[:_SHOWN])
        reset = _RESET.search(message)
        return "temporarily unavailable (connection reset)" if reset else "internal error"
    return _without_secrets(message, sent)[:_SHOWN]


def _without_secrets(message: str, sent: Sent) -> str:
    for secret in sent.secrets:
        for spelling in (secret, quote(secret, safe=""), quote_plus(secret)):
            message = message.replace(spelling, "[withheld]")
    return _ADDRESS.sub("[address]", message)


def _visible(texts: Iterable[str]) -> list[str]:
    squeezed = (" ".join(text.split()) for text in texts)
    return [text for text in squeezed if text]
