"""What comes in place of an answer, whatever was asked for and under any status."""

import pytest
from requests.structures import CaseInsensitiveDict

from pubmed_api.clients.in_band import check_notices, check_page_or_nothing
from pubmed_api.clients.wire import Answer, Sent
from pubmed_api.exceptions import UpstreamRateLimited, UpstreamRefused, UpstreamUnreachable

SENT = Sent("ncbi", "eutils.test", "efetch", {"api_key": "SECRETKEY123"})
THROTTLED = b'{"error":"API rate limit exceeded","api-key":"203.0.113.9","count":"4","limit":"3"}'


def answer(body, status=200, **headers):
    return Answer(status, CaseInsensitiveDict({k.replace("_", "-"): v for k, v in headers.items()}), body)


@pytest.mark.parametrize("status", [200, 400, 429, 500])
@pytest.mark.parametrize(
    "body",
    [
        THROTTLED,
        b" \n\t" + THROTTLED,
        b"\xef\xbb\xbf" + THROTTLED,
        THROTTLED[:60],
        b"API rate limit exceeded",
        b"\napi rate limit exceeded, wait",
    ],
)
def test_check_notices__throttling_is_one_class_in_every_form(body, status):
    with pytest.raises(UpstreamRateLimited) as raised:
        check_notices(SENT, answer(body, status))
    assert "203.0.113.9" not in str(raised.value) + repr(raised.value.data)


def test_check_notices__throttling_keeps_retry_after():
    with pytest.raises(UpstreamRateLimited) as raised:
        check_notices(SENT, answer(THROTTLED, 429, retry_after="2"))
    assert raised.value.retry_after == 2


@pytest.mark.parametrize("status", [200, 400, 403])
@pytest.mark.parametrize(
    "body",
    [b'{"error":"API key invalid","api-key":"SECRETKEY123"}', b"API key invalid: SECRETKEY123"],
)
def test_check_notices__refused_key_is_not_repeated(body, status):
    with pytest.raises(UpstreamRefused) as raised:
        check_notices(SENT, answer(body, status))
    assert "NCBI_API_KEY" in raised.value.hint
    assert "SECRETKEY123" not in str(raised.value) + repr(raised.value.data)


@pytest.mark.parametrize(
    "body",
    [
        b"<eSearchResult/>",
        b'{"records": []}',
        b'{"error": ["API rate limit exceeded"]}',
        b"PMID- 99000001\nAB  - On the API rate limit exceeded by a client with an API key that was invalid.",
        b'{"error":"API rate limit exceeded"' + b" " * 5000 + b"}",
        b"",
        b"{" * 3000,
    ],
)
def test_check_notices__anything_else_passes(body):
    check_notices(SENT, answer(body))


@pytest.mark.parametrize(
    "body",
    [b"<html><body>Busy</body></html>", b" \n<!DOCTYPE HTML PUBLIC>", b"<!doctype html>", b"\xef\xbb\xbf<HTML\n>", b""],
)
def test_check_page_or_nothing__is_transient(body):
    with pytest.raises(UpstreamUnreachable):
        check_page_or_nothing(SENT, body)


@pytest.mark.parametrize("body", [b"<htmlish/>", b"<!DOCTYPE eSearchResult><eSearchResult/>", b"{}", b" "])
def test_check_page_or_nothing__data_passes(body):
    check_page_or_nothing(SENT, body)
