"""Headers of every answer: request id, provenance, caching, CORS."""

import socket

import pytest

from pubmed_api.web.headers import _watch


def test_request_id__kept_when_sane(client):
    assert client.get("/healthz", headers={"X-Request-Id": "abc-1.2_3"}).headers["X-Request-Id"] == "abc-1.2_3"


@pytest.mark.parametrize("sent", ["", "a b", "x" * 65, "<script>", "ä"])
def test_request_id__new_when_not(client, sent):
    made = client.get("/healthz", headers={"X-Request-Id": sent}).headers["X-Request-Id"]
    assert made != sent
    assert len(made) == 32


@pytest.mark.parametrize("path", ["/v1/echo/state", "/healthz", "/nowhere", "/openapi.json"])
def test_upstream__always_said(build, path):
    assert build().get(path).headers["X-Upstream"] == "sandbox"
    assert build(upstream="live").get(path).headers["X-Upstream"] == "live"


def test_cache_state__of_the_parts(client):
    answer = client.post("/v1/echo", json={"query": "parts"})
    assert answer.headers["X-Cache"] == "miss"
    assert answer.headers["Age"] == "40"
    assert "X-Cache" not in client.post("/v1/echo", json={"query": "a"}).headers


def test_caching__post_not_stored(client):
    assert client.post("/v1/echo", json={"query": "a"}).headers["Cache-Control"] == "no-store"


def test_caching__get_conditional(client):
    first = client.get("/v1/echo/state")
    again = client.get("/v1/echo/state", headers={"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304
    assert again.data == b""


def test_cors__open_by_default(client):
    answer = client.post("/v1/echo", json={"query": "a"}, headers={"Origin": "https://app.invalid"})
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in answer.headers
    exposed = set(answer.headers["Access-Control-Expose-Headers"].split(", "))
    assert {"X-Cache", "X-Upstream", "X-Request-Id", "Age", "ETag", "Retry-After", "X-Notice"} <= exposed


def test_cors__error_answers_too(client):
    assert client.get("/nowhere").headers["Access-Control-Allow-Origin"] == "*"


def test_cors__preflight(client):
    answer = client.options(
        "/v1/echo",
        headers={
            "Origin": "https://app.invalid",
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "content-type",
        },
    )
    assert answer.status_code == 200
    assert "POST" in answer.headers["Access-Control-Allow-Methods"]
    allowed = {name.strip() for name in answer.headers["Access-Control-Allow-Headers"].split(",")}
    assert allowed == {
        "Accept",
        "Authorization",
        "Cache-Control",
        "Content-Type",
        "If-None-Match",
        "X-API-Key",
        "X-NCBI-API-Key",
        "X-Request-Id",
    }


def test_cors__listed_origins_only(build):
    client = build(cors_origins=("https://a.invalid", "https://b.invalid"))
    granted = client.get("/v1/echo/state", headers={"Origin": "https://b.invalid"})
    refused = client.get("/v1/echo/state", headers={"Origin": "https://evil.invalid"})
    assert granted.headers["Access-Control-Allow-Origin"] == "https://b.invalid"
    assert "Access-Control-Allow-Origin" not in refused.headers
    assert "Origin" in granted.headers["Vary"]
    assert "Origin" in refused.headers["Vary"]


def test_watch__notices_a_closed_socket():
    ours, theirs = socket.socketpair()
    gone = _watch(ours)
    assert gone() is False
    theirs.send(b"x")
    assert gone() is False
    ours.recv(1)
    theirs.close()
    assert gone() is True
    ours.close()
    assert _watch(None)() is False


def test_timing__what_was_spent_in_the_order_of_the_way(client):
    timing = client.post("/v1/echo", json={"query": "slow"}).headers["Server-Timing"]
    parts = dict(part.split(";dur=") for part in timing.split(", "))
    assert list(parts) == ["queue", "upstream", "parse", "render", "total"]
    assert (parts["queue"], parts["upstream"], parts["parse"]) == ("1250.0", "50.0", "0.5")
    assert float(parts["total"]) >= float(parts["render"])


def test_timing__without_what_took_no_time(client):
    assert client.get("/healthz").headers["Server-Timing"].startswith("total;dur=")
    assert client.get("/nowhere").headers["Server-Timing"].startswith("total;dur=")
