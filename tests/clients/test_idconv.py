"""The PMC ID Converter: its call, its refusals, its bad days."""

from dataclasses import replace

import pytest

from pubmed_api.errors import failure_of
from pubmed_api.exceptions import (
    InvalidArguments,
    UpstreamInvalidResponse,
    UpstreamNotFound,
    UpstreamRateLimited,
    UpstreamUnreachable,
)

GOOD = b'{"status":"ok","records":[{"pmid":99000001,"pmcid":"PMC99000001","requested-id":"99000001"}]}'
REFUSAL = b'{"status":"error","errors":[{"message":"operator@lab.test sent nonsense","code":"invalid_pmids"}]}'


@pytest.fixture
def idconv(build, settings):
    return build(replace(settings, ncbi_max_retries=0)).idconv


def test_convert__sends_what_the_service_wants_and_no_key(idconv, upstream):
    upstream.answers = [GOOD]
    assert idconv.convert(ids=["99000001", "99000002"], idtype="pmid")["records"][0]["pmid"] == 99000001
    asked = upstream.asked[0]
    assert (asked.method, asked.path) == ("GET", "/pmc.ncbi.nlm.nih.gov/tools/idconv/api/v1/articles/")
    assert asked.params == {
        "tool": "pubmed-api",
        "email": "operator@lab.test",
        "ids": "99000001,99000002",
        "idtype": "pmid",
        "format": "json",
    }


def test_convert__answer_is_kept(idconv, upstream):
    upstream.answers = [GOOD]
    for _ in range(3):
        idconv.convert(ids=["99000001"], idtype="pmid")
    assert len(upstream.asked) == 1


def test_convert__raw_control_characters_are_read(idconv, upstream):
    upstream.answers = [b'{"records":[{"errmsg":"two\nlines\x01"}]}']
    assert idconv.convert(ids=["1"], idtype="pmid")["records"][0]["errmsg"] == "two\nlines\x01"


@pytest.mark.parametrize(("idtype", "form"), [("pmid", "digits"), ("pmcid", "PMC"), ("doi", "10.")])
def test_convert__refused_ids_are_the_callers_to_change(idconv, upstream, idtype, form):
    upstream.answers = [(400, REFUSAL)]
    with pytest.raises(InvalidArguments) as raised:
        idconv.convert(ids=["abc", "x"], idtype=idtype)
    (problem,) = raised.value.data["problems"]
    assert problem["path"] == "ids"
    assert problem["value"] == ["abc", "x"]
    assert form in raised.value.hint
    assert failure_of(raised.value).status == 422
    assert "operator@lab.test" not in raised.value.message + repr(raised.value.data)
    assert len(upstream.asked) == 1


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (b"<html>busy</html>", UpstreamUnreachable),
        (b"", UpstreamUnreachable),
        ((502, b"bad"), UpstreamUnreachable),
        ((429, b""), UpstreamRateLimited),
        (b'{"error":"API rate limit exceeded","api-key":"203.0.113.9"}', UpstreamRateLimited),
        ((404, b"{}"), UpstreamNotFound),
        (b"Sorry, come back later.", UpstreamInvalidResponse),
        (b'{"records":[{"pmid":1}', UpstreamInvalidResponse),
        (b'{"status":"error"}', UpstreamInvalidResponse),
        (b'{"records":"none"}', UpstreamInvalidResponse),
        (b"[" * 100_000, UpstreamInvalidResponse),
        (b'{"records":[' + b"9" * 5000 + b"]}", UpstreamInvalidResponse),
        (b"\xff\xfe\x00", UpstreamInvalidResponse),
    ],
)
def test_convert__bad_answer_is_an_error_and_not_kept(idconv, upstream, answer, kind):
    upstream.answers = [answer, GOOD]
    with pytest.raises(kind) as raised:
        idconv.convert(ids=["99000001"], idtype="pmid")
    assert raised.value.data["endpoint"] == "idconv"
    assert raised.value.__cause__ is None
    assert idconv.convert(ids=["99000001"], idtype="pmid")["records"]


def test_convert__shares_the_queue_of_the_eutilities(build, upstream, settings, time_):
    clients = build(replace(settings, ncbi_requests_per_second=1.0))
    clients.eutils.esearch(term="x", retmax=1)
    upstream.answers = [GOOD]
    clients.idconv.convert(ids=["99000001"], idtype="pmid")
    assert time_.slept >= 1
