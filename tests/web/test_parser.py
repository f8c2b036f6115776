"""Arguments: strict JSON, every problem at once, each with its path."""

import io
import json

import pytest


def post(client, body, **kwargs):
    if not isinstance(body, bytes | str):
        body = json.dumps(body)
    kwargs.setdefault("content_type", "application/json")
    return client.post("/v1/echo", data=body, **kwargs)


def problems_of(answer):
    assert answer.status_code == 422
    data = answer.json["error"]["data"]
    assert data["reason"] == "invalid_arguments"
    return {problem["path"]: problem for problem in data["problems"]}


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"{'query': 1}",
        b'{"query": "a", "query": "b"}',
        b'{"query": "a", "maxResults": NaN}',
        b'{"query": "a", "maxResults": Infinity}',
        b'{"query": "a", "maxResults": 1e400}',
        b'{"query": "a", "pmids": [-1e999]}',
        b'{"query": "a", "maxResults": ' + b"9" * 5000 + b"}",
        b"[" * 100_000,
        b'{"query": "\xff"}',
        b"\x00",
    ],
)
def test_body__not_json(client, body):
    answer = post(client, body)
    assert answer.status_code == 400
    assert answer.json["error"]["data"]["reason"] == "malformed_json"


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "", "multipart/form-data"])
def test_body__other_media_type(client, kind):
    answer = post(client, '{"query": "a"}', content_type=kind)
    assert answer.status_code == 415
    assert answer.json["error"]["data"]["reason"] == "unsupported_media_type"


@pytest.mark.parametrize("kind", ["application/json", "application/json; charset=utf-8", "application/ld+json"])
def test_body__json_media_types(client, kind):
    assert post(client, '{"query": "a"}', content_type=kind).status_code == 200


def test_body__byte_order_mark(client):
    assert post(client, b'\xef\xbb\xbf{"query": "a"}').status_code == 200


@pytest.mark.parametrize("body", [[], '"text"', 7, None, True])
def test_body__not_an_object(client, body):
    assert problems_of(post(client, body))[""]["message"] == "the body must be a JSON object"


def test_body__too_large(build):
    answer = post(build(max_body_bytes=2000), {"query": "x" * 3000})
    assert answer.status_code == 413
    assert answer.json["error"]["data"]["reason"] == "body_too_large"


@pytest.mark.parametrize(("extra", "status"), [(-20, 200), (0, 200), (1, 413), (5000, 413)])
def test_body__too_large_in_chunks(build, extra, status):
    """A body without a declared length is never cut and read as if it were whole."""
    limit = 2000
    start = b'{"query": "a"}'
    answer = build(max_body_bytes=limit).post(
        "/v1/echo",
        content_type="application/json",
        input_stream=io.BytesIO(start + b" " * (limit - len(start) + extra)),
        environ_overrides={"wsgi.input_terminated": True, "CONTENT_LENGTH": ""},
    )
    assert answer.status_code == status


def test_problems__all_at_once(client):
    body = {
        "query": "",
        "maxResults": 101,
        "pmids": ["1", "42.9", "12 34"],
        "exact": "yes",
        "sort": "newest",
        "range": {"highEnd": -1},
    }
    problems = problems_of(post(client, body))
    assert set(problems) == {
        "query",
        "maxResults",
        "pmids.1",
        "pmids.2",
        "exact",
        "sort",
        "range.low",
        "range.highEnd",
    }
    assert problems["pmids.1"]["value"] == "42.9"
    assert problems["maxResults"]["message"] == "must be from 0 to 100"
    assert problems["sort"]["message"] == "must be one of relevance, date"
    assert problems["range.low"]["message"] == "required and missing"


@pytest.mark.parametrize(
    "pmid",
    [
        "42.9",
        "12 34",
        "34320281,1",
        "1:2",
        "1e5",
        "-5",
        "PMID:123",
        "１２３",
        " 34320281 ",
        "1\n",
        "",
        "abc",
        34320281.0,
    ],
)
def test_pmid__malformed(client, pmid):
    assert "pmids.1" in problems_of(post(client, {"query": "a", "pmids": ["1", pmid]}))


@pytest.mark.parametrize("value", ["7", 7.5, True, None, [], {}])
def test_integer__other_type(client, value):
    assert "maxResults" in problems_of(post(client, {"query": "a", "maxResults": value}))


def test_integer__without_fraction(client):
    assert post(client, {"query": "a", "maxResults": 7.0}).json["maxResults"] == 7


@pytest.mark.parametrize("value", [1, 0, "true", "yes", None])
def test_boolean__other_type(client, value):
    assert "exact" in problems_of(post(client, {"query": "a", "exact": value}))


@pytest.mark.parametrize("text", ["a\x00b", "a\x1b[31mb", "\ud800"])
def test_text__control_characters(client, text):
    assert "query" in problems_of(post(client, json.dumps({"query": text})))


def test_unknown_key__nearest_named(client):
    problems = problems_of(post(client, {"query": "a", "maxResult": 5, "range": {"low": 1, "hihgEnd": 2}}))
    assert problems["maxResult"]["message"] == "unknown key; did you mean maxResults?"
    assert problems["range.hihgEnd"]["message"] == "unknown key; did you mean highEnd?"


def test_problems__very_many_are_cut_and_it_is_said(client):
    answer = post(client, {"query": "a", **{f"{'k' * 500}{number}": 1 for number in range(1001)}})
    assert len(problems := answer.json["error"]["data"]["problems"]) == 1000
    assert all(len(problem["path"]) <= 100 for problem in problems)
    assert "more problems than the first 1000" in answer.json["error"]["data"]["recovery"]["hint"]


def test_problems__as_many_as_fit_are_all_there(client):
    answer = post(client, {"query": "a", **{f"k{number}": 1 for number in range(1000)}})
    assert len(answer.json["error"]["data"]["problems"]) == 1000
    assert "more problems" not in answer.json["error"]["data"]["recovery"]["hint"]


def test_unknown_key__value_not_repeated(client):
    answer = post(client, {"query": "a", "api_key": "SECRETKEY123", "__proto__": {"x": 1}})
    assert set(problems_of(answer)) == {"api_key", "__proto__"}
    assert "SECRETKEY123" not in answer.text


def test_hint__names_missing_and_unknown(client):
    hint = post(client, {"zzz": 1}).json["error"]["data"]["recovery"]["hint"]
    assert "query" in hint
    assert "zzz" in hint


@pytest.mark.parametrize("text", ["[NaN]", "[1e400]", "[-Infinity]"])
def test_problems__json_inside_a_string_is_read_as_strictly(client, text):
    """What is no JSON number must not come back in an answer either: strict clients could not read it."""
    answer = post(client, {"query": "a", "tags": text})
    problems_of(answer)
    json.loads(answer.text, parse_constant=lambda name: pytest.fail(f"{name} in an answer"))


def test_query_string__refused(client):
    answer = client.post("/v1/echo?maxResults=5", json={"query": "a"})
    assert "maxResults" in problems_of(answer)
    assert "x" in problems_of(client.get("/v1/echo/state?x=1"))
