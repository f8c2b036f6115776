"""The layers together below the cache: retried, paced, checked."""

from dataclasses import replace

import pytest

from pubmed_api.exceptions import (
    QueueFull,
    RequestCancelled,
    UpstreamNotFound,
    UpstreamRateLimited,
    UpstreamRefused,
    UpstreamUnreachable,
)
from pubmed_api.models.call import Call, open_call

GOOD = b"<eSearchResult><Count>5</Count></eSearchResult>"
THROTTLED = b' {"error":"API rate limit exceeded","api-key":"203.0.113.9","count":"4","limit":"3"}'


@pytest.mark.parametrize(
    "bad",
    [
        b"<eSearchResult><ERROR>Search Backend failed</ERROR></eSearchResult>",
        b"<html>Busy</html>",
        b"",
        b'<?xml version="1.0"?><!DOCTYPE eSearchResult>',
        b"<eSearchResult><Count>5</Cou",
        b"Error reading from remote server",
        (500, b""),
        (502, b"<html>"),
        (429, THROTTLED),
        (200, THROTTLED),
        (400, b"<eFetchResult><ERROR>nph: Status: Timeout"),
    ],
)
def test_send__transient_fault_is_tried_again(eutils, upstream, bad):
    upstream.answers = [bad, GOOD]
    assert eutils.esearch(term="x", retmax=1) == GOOD
    assert len(upstream.asked) == 2


@pytest.mark.parametrize(
    ("bad", "kind"),
    [
        ((404, b""), UpstreamNotFound),
        ((501, b""), UpstreamRefused),
        ((403, b"<html>"), UpstreamRefused),
        ((301, b"", {"Location": "https://www.ncbi.nlm.nih.gov/"}), UpstreamRefused),
        (b"<eSearchResult><ERROR>UID=99999999: not found</ERROR></eSearchResult>", UpstreamNotFound),
    ],
)
def test_send__lasting_fault_is_not(eutils, upstream, bad, kind):
    upstream.answers = [bad, GOOD]
    with pytest.raises(kind):
        eutils.esearch(term="x", retmax=1)
    assert len(upstream.asked) == 1


def test_send__persistent_outage_names_host_endpoint_and_attempts(eutils, upstream):
    upstream.answers = [b"<eSearchResult><ERROR>Search Backend failed</ERROR></eSearchResult>"]
    with pytest.raises(UpstreamUnreachable) as raised:
        eutils.esearch(term="x", retmax=1)
    data = raised.value.data
    assert data["host"] == "eutils.ncbi.nlm.nih.gov"
    assert data["endpoint"] == "esearch"
    assert data["ncbi_errors"] == ["Search Backend failed"]
    assert data["attempts"] == len(upstream.asked) > 1
    assert raised.value.message.endswith(f"(failed after {len(upstream.asked)} attempts)")


def test_send__long_retry_after_ends_the_call_at_once(eutils, upstream):
    upstream.answers = [(429, THROTTLED, {"Retry-After": "54000"})]
    with pytest.raises(UpstreamRateLimited) as raised:
        eutils.esearch(term="x", retmax=1)
    assert len(upstream.asked) == 1
    assert raised.value.retry_after == 54000
    assert "203.0.113.9" not in raised.value.message + repr(raised.value.data)


def test_send__refused_call_holds_back_the_next_one(build, upstream, time_, settings):
    clients = build(replace(settings, ncbi_max_retries=0))
    upstream.answers = [(429, b""), GOOD]
    with pytest.raises(UpstreamRateLimited):
        clients.eutils.esearch(term="x", retmax=1)
    before = time_.now()
    clients.eutils.esearch(term="y", retmax=1)
    assert time_.now() >= before + 0.999


def test_send__behind_a_cooldown_beyond_its_deadline_is_shed(build, upstream, settings, time_):
    clients = build(replace(settings, ncbi_total_deadline_ms=5000))
    upstream.answers = [(429, b"", {"Retry-After": "14"})]
    with pytest.raises(UpstreamRateLimited):
        clients.eutils.esearch(term="x", retmax=1)
    with pytest.raises(QueueFull) as raised:
        clients.eutils.esearch(term="y", retmax=1)
    assert raised.value.retry_after == 9
    assert len(upstream.asked) == 1
    assert time_.slept == 0


def test_send__cancelled_call_asks_nothing(eutils, upstream):
    with open_call(Call(cancelled=lambda: True)), pytest.raises(RequestCancelled):
        eutils.esearch(term="x", retmax=1)
    assert upstream.asked == []


def test_send__cancelled_between_attempts_stops(eutils, upstream):
    upstream.answers = [(500, b"")]
    with open_call(Call(cancelled=lambda: len(upstream.asked) == 2)), pytest.raises(RequestCancelled):
        eutils.esearch(term="x", retmax=1)
    assert len(upstream.asked) == 2
