"""The caller's own NCBI key: read for operations, refused without being repeated, documented."""

import json
import re

import pytest

HEADER = "X-NCBI-API-Key"


def echo_key(client, **headers):
    return client.post("/v1/echo", json={"query": "key"}, headers=headers)


@pytest.mark.parametrize("key", ["abcdef12", "A" * 64, "0123-4567_89aB"])
def test_key__reaches_the_call(client, key):
    assert echo_key(client, **{HEADER: key}).json["tags"] == [key]


def test_key__none_by_default_and_none_left_over(client):
    echo_key(client, **{HEADER: "abcdef12"})
    assert echo_key(client).json["tags"] == ["None"]


@pytest.mark.parametrize(
    "key",
    ["", "short12", "A" * 65, "with space1", "comma,key1", "semi;colon1", "ümlaut-key", "%2e%2e%2fkey", "../../key1"],
)
def test_key__malformed_is_refused_unseen(client, key, caplog):
    answer = echo_key(client, **{HEADER: key.encode().decode("latin-1")})
    assert answer.status_code == 422
    data = answer.json["error"]["data"]
    assert data["reason"] == "invalid_arguments"
    assert [(problem["path"], "value" in problem) for problem in data["problems"]] == [(HEADER, False)]
    if key:
        assert key not in answer.text + str(answer.headers) + caplog.text


def test_key__twice_is_refused(client):
    answer = client.get("/v1/echo/state", headers=[(HEADER, "abcdef12"), (HEADER, "abcdef34")])
    assert answer.status_code == 422


@pytest.mark.parametrize("path", ["/healthz", "/docs", "/metrics", "/nowhere", "/v1/nowhere"])
def test_key__of_no_interest_elsewhere(client, path):
    plain = client.get(path).status_code
    assert client.get(path, headers={HEADER: "?"}).status_code == plain


def test_key__documented_without_an_example(client):
    document = client.get("/openapi.json").json
    for item in document["paths"].values():
        for operation in item.values():
            (parameter,) = [p for p in operation["parameters"] if p["name"] == HEADER]
            assert (parameter["in"], parameter["required"]) == ("header", False)
            assert "example" not in json.dumps(parameter)
            assert re.search(parameter["schema"]["pattern"], "abcdef12")
