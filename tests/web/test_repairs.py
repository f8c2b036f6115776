"""Recoverable slips are put right; anything with two meanings is not."""

import pytest


def send(client, body):
    return client.post("/v1/echo", json=body)


@pytest.mark.parametrize("key", ["max_results", "MAX_RESULTS", "maxresults", "max-results", "limit", "retmax", "LIMIT"])
def test_key__other_spelling(client, key):
    assert send(client, {"query": "a", key: 5}).json["maxResults"] == 5


def test_alias__beside_its_target(client):
    answer = send(client, {"query": "a", "maxResults": 5, "limit": 6})
    assert [p["path"] for p in answer.json["error"]["data"]["problems"]] == ["limit"]


def test_alias__two_for_one_target(client):
    answer = send(client, {"query": "a", "limit": 5, "retmax": 6})
    assert [p["path"] for p in answer.json["error"]["data"]["problems"]] == ["retmax"]


def test_alias__named_in_the_hint(client):
    answer = send(client, {"query": "a", "limit": 500})
    assert "limit was read as maxResults" in answer.json["error"]["data"]["recovery"]["hint"]


def test_list__as_json_text(client):
    assert send(client, {"query": "a", "pmids": '["33300001", "2"]'}).json["pmids"] == ["33300001", "2"]


@pytest.mark.parametrize("lone", ["33300001", 33300001])
def test_id_list__lone_value(client, lone):
    assert send(client, {"query": "a", "pmids": lone}).json["pmids"] == ["33300001"]


def test_plain_list__lone_value_refused(client):
    assert send(client, {"query": "a", "tags": "x"}).status_code == 422


def test_object__as_json_text(client):
    assert send(client, {"query": "a", "range": '{"low": 1, "high_end": 4}'}).json["range"] == {
        "low": 1,
        "highEnd": 4,
    }


@pytest.mark.parametrize(("number", "text"), [(7, "7"), (0, "0"), (9007199254740991, "9007199254740991")])
def test_integer__for_text(client, number, text):
    assert send(client, {"query": number}).json["query"] == text


@pytest.mark.parametrize("number", ["-0", "1.0", "1e5", "9007199254740993", "true"])
def test_number__without_one_meaning(client, number):
    answer = client.post("/v1/echo", data=f'{{"query": {number}}}', content_type="application/json")
    assert answer.status_code == 422
