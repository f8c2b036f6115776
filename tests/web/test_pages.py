"""The pages: what this is, the reference, the document, health; all without another host."""

import re
import shutil

import pytest
from support.counted import sample


def test_index__says_what_and_where(client):
    page = client.get("/").text
    assert 'href="/docs"' in page
    assert 'href="/openapi.json"' in page
    assert "Sandbox" in page


def test_index__live_has_no_banner(build):
    assert "Sandbox" not in build(upstream="live").get("/").text


@pytest.mark.parametrize("path", ["/", "/docs"])
def test_page__asks_no_other_host(client, path):
    page = client.get(path).text
    for address in re.findall(r'(?:src|href|data-document)="([^"]+)"', page):
        assert address.startswith("/"), address
        assert client.get(address).status_code == 200, address


def test_docs__no_public_validator(client):
    assert "validatorUrl: null" in client.get("/_pages/docs.js").text


def test_document__served(client):
    document = client.get("/openapi.json").json
    assert document["openapi"] == "3.1.1"
    assert document["paths"]["/v1/echo"]["post"]["operationId"] == "echo"
    assert document["components"]["schemas"]["EchoArgs"]["additionalProperties"] is False


@pytest.mark.parametrize("name", ["../pages.py", "%2e%2e/pages.py", "index.html"])
def test_assets__listed_only(client, name):
    assert client.get(f"/_pages/{name}").status_code == 404
    assert client.get(f"/_ui/{name}").status_code == 404


def test_health__alive_and_ready(client, tmp_path):
    assert client.get("/healthz").json == {"status": "ok"}
    assert client.get("/readyz").json == {"status": "ready", "upstream": "sandbox"}
    shutil.rmtree(tmp_path)
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert str(tmp_path) not in answer.text


def count(client, operation, status):
    return sample(client.get("/metrics").text, "requests_total", operation=operation, status=str(status))


@pytest.mark.parametrize(
    ("method", "path", "operation", "status"),
    [
        ("POST", "/v1/echo", "echo", 422),
        ("GET", "/v1/echo/state", "echo_state", 200),
        ("OPTIONS", "/v1/echo", "preflight", 200),
        ("GET", "/healthz", "healthz", 200),
        ("GET", "/v1/secret-id", "none", 404),
        ("PUT", "/v1/echo", "none", 405),
    ],
)
def test_metrics__requests_by_operation_and_status(client, method, path, operation, status):
    before = count(client, operation, status)
    client.open(path, method=method, json={"wrong": 1} if method == "POST" else None)
    assert count(client, operation, status) == before + 1
    assert "secret" not in client.get("/metrics").text


def test_metrics__only_this_request_is_in_flight(client):
    client.post("/v1/echo", json={"query": "boom"})
    client.get("/v1/echo/state", headers={"Accept": "text/csv"})
    assert sample(client.get("/metrics").text, "requests_in_flight") == 1


def test_metrics__text_for_prometheus_that_nobody_stores(client):
    answer = client.get("/metrics")
    assert answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert answer.headers["Cache-Control"] == "no-store"
    assert "/metrics" not in client.get("/openapi.json").json["paths"]
