"""Reading an E-utilities answer far enough to know that it is one; runs below the cache, so faults are never stored."""

import contextlib
import re

from lxml import etree

from pubmed_api.clients.eutils_errors import (
    is_empty_id_list,
    is_relayed_failure,
    messages_in,
    messages_of,
    presentable,
    reported_failure,
)
from pubmed_api.clients.in_band import check_notices, check_page_or_nothing
from pubmed_api.clients.statuses import check_status
from pubmed_api.clients.wire import Answer, Sent
from pubmed_api.exceptions import InvalidEfetchResponse, UpstreamError, UpstreamInvalidResponse, UpstreamUnreachable

_ROOTS = {
    "esearch": "eSearchResult",
    "esummary": "eSummaryResult",
    "espell": "eSpellResult",
    "einfo": "eInfoResult",
    "epost": "ePostResult",
}
_SETS = {"pubmed": "PubmedArticleSet", "pmc": "pmc-articleset"}
# What a root must hold before it says anything at all: one of each group.
_NEEDED: dict[str, tuple[tuple[str, ...], ...]] = {
    "esummary": (("DocumentSummarySet", "DocSum"),),
    "einfo": (("DbInfo", "DbList"),),
    "epost": (("QueryKey",), ("WebEnv",)),
}

_COUNT = re.compile(r"[0-9]+\Z")
_NAMED_ENTITY = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos);)[A-Za-z][A-Za-z0-9]*;")
_PROLOG = re.compile(rb"(?:\s|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^<>\[]*(?:\[[^\]]*\]\s*)?>)*", re.DOTALL | re.IGNORECASE)
_TAG_NAME = re.compile(rb"<([A-Za-z_][\w.:-]*)")
_EXCERPT = 200


def read_eutils_answer(sent: Sent, answer: Answer) -> bytes:
    """The body, proven to be an answer to this request. Raises the error it turns out to be instead.

    The order matters: NCBI reports throttling under any status, back-end failures as 400 and outages as 200.
    An EFetch for ids of which none is a UID is refused with 400 and reads as the empty set here, just as ids
    that are unknown but well-formed do.
    """
    check_notices(sent, answer)
    if answer.status != 200:
        return _read_refusal(sent, answer)
    check_page_or_nothing(sent, answer.body)
    if sent.params.get("retmode") == "text":
        return _read_text(sent, answer.body)
    root = _parse(sent, answer.body)
    messages = messages_of(root)
    if messages:
        raise reported_failure(sent, messages)
    _check_structure(sent, root)
    return answer.body


def _read_refusal(sent: Sent, answer: Answer) -> bytes:
    messages = messages_in(answer.body)
    articles = _SETS.get(sent.params.get("db", "")) if sent.endpoint == "efetch" else None
    if answer.status == 400 and articles and is_empty_id_list(messages):
        return f"<{articles}/>".encode()
    if answer.status == 400 and messages:
        failure = reported_failure(sent, messages, answer.status)
        # A 400 blames the request, so a message without a meaning of its own stays a refusal.
        if is_relayed_failure(messages) or not isinstance(failure, UpstreamUnreachable):
            raise failure
    shown = [presentable(message, sent) for message in messages]
    check_status(sent, answer, ncbi_errors=shown or None)
    raise AssertionError("unreachable")


def _read_text(sent: Sent, body: bytes) -> bytes:
    """Text as it is, unless it is one of the XML error envelopes, which come whatever was asked for."""
    messages = (
        messages_in(body) if body.lstrip().startswith((b"<?xml", b"<!DOCTYPE", b"<eFetchResult", b"<ERROR")) else []
    )
    if messages:
        raise reported_failure(sent, messages)
    return body


def _parse(sent: Sent, body: bytes) -> etree._Element:
    """The root element. The push parser tells a body that stops early from one that goes wrong."""
    text = body.lstrip()
    if _end_of_prolog(text) == len(text):
        raise _cut_short(sent, "nothing but a prolog")
    if not text.startswith((b"<", b"\xef\xbb\xbf<", b"\xff\xfe", b"\xfe\xff")):
        raise _not_xml(sent, text)
    parser = etree.XMLParser(
        resolve_entities="internal",
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    root, fed_whole = None, False
    # Raised below and not from here, so that no part of the body hangs on to the error.
    with contextlib.suppress(etree.XMLSyntaxError):
        # HTML's entities are declared in DTDs that are never loaded; here it only matters that they are no fault.
        parser.feed(text if b"<!ENTITY" in text else _NAMED_ENTITY.sub(b" ", text))
        fed_whole = True
        root = parser.close()
    if root is None:
        raise _unreadable(sent, text, fed_whole)
    return root


def _unreadable(sent: Sent, text: bytes, fed_whole: bool) -> UpstreamError:
    messages = messages_in(text)
    if is_relayed_failure(messages):
        return reported_failure(sent, messages)
    if fed_whole and not _is_closed(text):
        return _cut_short(sent, "a document that is cut short")
    return sent.failure(
        UpstreamInvalidResponse,
        f"{sent.host} answered {sent.endpoint} with XML that is not well-formed.",
        excerpt=_excerpt(sent, text),
    )


def _is_closed(text: bytes) -> bool:
    """Whether the last tag is the end of the root element."""
    start = _TAG_NAME.match(text, _end_of_prolog(text))
    return start is not None and re.search(rb"</" + re.escape(start[1]) + rb"\s*>\s*\Z", text[-200:]) is not None


def _end_of_prolog(text: bytes) -> int:
    prolog = _PROLOG.match(text)
    return prolog.end() if prolog else 0


def _cut_short(sent: Sent, what: str) -> UpstreamUnreachable:
    return sent.failure(UpstreamUnreachable, f"{sent.host} answered {sent.endpoint} with {what}.")


def _not_xml(sent: Sent, text: bytes) -> UpstreamError:
    """JSON is a fault that will come again; prose is what a failing server writes."""
    if text.startswith((b"{", b"[")):
        message = f"{sent.host} answered {sent.endpoint} with JSON where XML was asked for."
        return sent.failure(UpstreamInvalidResponse, message)
    return sent.failure(UpstreamUnreachable, f"{sent.host} answered {sent.endpoint} with plain text, not XML.")


def _excerpt(sent: Sent, text: bytes) -> str:
    return presentable(text[:_EXCERPT].decode("utf-8", "replace"), sent)[:_EXCERPT]


def _check_structure(sent: Sent, root: etree._Element) -> None:
    """The least a good answer has. A search without a plain decimal ``Count`` is a fault, never zero hits."""
    expected = _ROOTS.get(sent.endpoint)
    if sent.endpoint == "efetch":
        expected = _SETS.get(sent.params.get("db", ""))
    if expected is not None and root.tag != expected:
        pubmed = sent.endpoint == "efetch" and sent.params.get("db") == "pubmed"
        kind = InvalidEfetchResponse if pubmed else UpstreamInvalidResponse
        raise sent.failure(kind, f"{sent.host} answered {sent.endpoint} without {expected}.")
    for names in _NEEDED.get(sent.endpoint, ()):
        if all(root.find(name) is None for name in names):
            raise sent.failure(
                UpstreamInvalidResponse, f"{sent.host} answered {sent.endpoint} without {' or '.join(names)}."
            )
    if sent.endpoint == "esearch" and not _COUNT.match((root.findtext("Count") or "").strip()):
        raise sent.failure(UpstreamInvalidResponse, f"{sent.host} answered {sent.endpoint} without a count.")
