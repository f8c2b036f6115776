"""Every error has one shape, one media type and a way out."""

import logging

import pytest


def assert_error(answer, status, reason):
    assert answer.status_code == status
    assert answer.mimetype == "application/json"
    error = answer.json["error"]
    assert set(error) == {"code", "message", "data"}
    data = error["data"]
    assert data["reason"] == reason
    assert data["recovery"]["hint"] != error["message"]
    assert data["requestId"] == answer.headers["X-Request-Id"]
    assert isinstance(data["retryable"], bool)
    return error


def test_route__unknown(client):
    assert assert_error(client.get("/nowhere"), 404, "no_such_endpoint")["code"] == -32001
    assert_error(client.post("/v1/nowhere", data=b"x" * 3_000_000), 404, "no_such_endpoint")


def test_method__not_allowed(client):
    answer = client.get("/v1/echo")
    assert_error(answer, 405, "method_not_allowed")
    assert set(answer.headers["Allow"].split(", ")) == {"OPTIONS", "POST"}


def test_accept__without_json(client):
    answer = client.post("/v1/echo", json={"query": "a"}, headers={"Accept": "text/csv"})
    assert_error(answer, 406, "not_acceptable")


@pytest.mark.parametrize("accept", ["*/*", "application/*", "text/html, */*;q=0.1", "application/json"])
def test_accept__with_json(client, accept):
    assert client.post("/v1/echo", json={"query": "a"}, headers={"Accept": accept}).status_code == 200


def test_unexpected__no_detail(client, caplog):
    with caplog.at_level(logging.DEBUG):
        answer = client.post("/v1/echo", json={"query": "boom"})
    error = assert_error(answer, 500, "internal_error")
    assert error["code"] == -32603
    assert "secret-text" not in answer.text
    assert "secret-text" not in caplog.text
    assert "Traceback" not in caplog.text
    assert "RuntimeError" in caplog.text


def test_upstream_error__retry_after_rounded_up(client):
    answer = client.post("/v1/echo", json={"query": "limit"})
    error = assert_error(answer, 503, "ncbi_rate_limited")
    assert error["code"] == -32003
    assert answer.headers["Retry-After"] == "3"
    assert error["data"]["retryAfter"] == 2.2
    assert error["data"]["host"] == "eutils.example"


def test_final_slash__no_redirect(client):
    assert client.post("/v1/echo/", json={"query": "a"}).status_code == 200
