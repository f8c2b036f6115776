"""The PMC ID Converter: its call, its refusals, its bad days."""

import json
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


def test_rows__raw_control_characters_are_read(idconv, upstream):
    upstream.answers = [b'{"records":[{"requested-id":"1","errmsg":"two\nlines\x01"}]}']
    assert json.loads(idconv.rows(["1"], "pmid").found["1"])["errmsg"] == "two\nlines\x01"


@pytest.mark.parametrize(
    ("id_type", "ids", "form"),
    [
        ("pmid", ["99000001", "99000002"], "digits"),
        ("pmcid", ["PMC99000001"], "PMC"),
        ("doi", ["10.5555/a", "10.5555/b"], "10."),
    ],
)
def test_rows__refused_ids_are_the_callers_to_change(idconv, upstream, id_type, ids, form):
    upstream.answers = [(400, REFUSAL)]
    with pytest.raises(InvalidArguments) as raised:
        idconv.rows(ids, id_type)
    (problem,) = raised.value.data["problems"]
    assert problem["path"] == "ids"
    assert problem["value"] == ids
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
def test_rows__bad_answer_is_an_error_and_not_kept(idconv, upstream, answer, kind):
    upstream.answers = [answer, GOOD]
    with pytest.raises(kind) as raised:
        idconv.rows(["99000001"], "pmid")
    assert raised.value.data["endpoint"] == "idconv"
    assert raised.value.__cause__ is None
    assert idconv.rows(["99000001"], "pmid").found


def test_rows__are_found_by_canonical_id_and_kept(idconv, upstream):
    upstream.answers = [GOOD]
    for spelling in ("99000001", "0099000001"):
        found = idconv.rows([spelling], "pmid").found
        assert json.loads(found["99000001"])["pmcid"] == "PMC99000001"
    (asked,) = upstream.asked
    assert (asked.method, asked.path) == ("GET", "/pmc.ncbi.nlm.nih.gov/tools/idconv/api/v1/articles/")
    assert asked.params == {
        "tool": "pubmed-api",
        "email": "operator@lab.test",
        "ids": "99000001",
        "idtype": "pmid",
        "format": "json",
    }


def test_rows__types_are_apart(idconv, upstream):
    upstream.answers = [b'{"records":[]}']
    for id_type in ("pmid", "pmcid", "pmid"):
        idconv.rows(["99000001"], id_type)
    assert [asked.params["idtype"] for asked in upstream.asked] == ["pmid", "pmcid"]
    assert upstream.asked[1].params["ids"] == "PMC99000001"


def test_rows__dois_are_sent_as_spelled_and_found_in_lower_case(idconv, upstream):
    upstream.answers = [b'{"records":[{"requested-id":"10.5555/ABC","doi":"10.5555/aBc","pmid":1}]}']
    assert list(idconv.rows(["10.5555/Abc", "10.5555/abc"], "doi").found) == ["10.5555/abc"]
    assert upstream.asked[0].params["ids"] == "10.5555/Abc"


def test_rows__shares_the_queue_of_the_eutilities(build, upstream, settings, time_):
    clients = build(replace(settings, ncbi_requests_per_second=1.0))
    clients.eutils.esearch(term="x", retmax=1)
    upstream.answers = [GOOD]
    clients.idconv.rows(["99000001"], "pmid")
    assert time_.slept >= 1
