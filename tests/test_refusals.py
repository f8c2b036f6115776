"""What a caller does wrong gets its documented error, on every operation; nothing gives an undocumented 500."""

import pytest

OPERATIONS = {
    "/v1/articles/search": {"query": "asthma"},
    "/v1/articles/fetch": {"pmids": ["90000001"]},
    "/v1/spelling/check": {"query": "asthma"},
    "/v1/ids/convert": {"ids": ["90000001"], "idType": "pmid"},
}


def assert_reason(answer, status, reason):
    assert answer.status_code == status, answer.text
    data = answer.json["error"]["data"]
    assert data["reason"] == reason
    assert data["requestId"]
    assert data["recovery"]["hint"]
    return data


@pytest.mark.parametrize(("path", "body"), OPERATIONS.items())
def test_operation__good_request(client, path, body):
    assert client.post(path, json=body).status_code == 200


@pytest.mark.parametrize(("path", "body"), OPERATIONS.items())
def test_operation__unknown_property(client, path, body):
    data = assert_reason(client.post(path, json={**body, "wrongKey": 1}), 422, "invalid_arguments")
    assert [problem["path"] for problem in data["problems"]] == ["wrongKey"]


@pytest.mark.parametrize(("path", "body"), OPERATIONS.items())
@pytest.mark.parametrize("wrong", [None, 1.5, True, {"a": 1}, [[]]])
def test_operation__wrong_type(client, path, body, wrong):
    for key in body:
        data = assert_reason(client.post(path, json={**body, key: wrong}), 422, "invalid_arguments")
        assert all(problem["path"].split(".")[0] == key for problem in data["problems"])


@pytest.mark.parametrize("path", OPERATIONS)
def test_operation__malformed_json(client, path):
    answer = client.post(path, data='{"query": ', content_type="application/json")
    assert_reason(answer, 400, "malformed_json")


@pytest.mark.parametrize("path", OPERATIONS)
def test_operation__two_megabytes(client, path):
    answer = client.post(path, data=b'{"query": "' + b"x" * 2_000_000 + b'"}', content_type="application/json")
    assert_reason(answer, 413, "body_too_large")


@pytest.mark.parametrize("path", OPERATIONS)
def test_operation__missing_everything(client, path):
    assert_reason(client.post(path, json={}), 422, "invalid_arguments")


@pytest.mark.parametrize("path", OPERATIONS)
def test_operation__get_is_not_allowed(client, path):
    answer = client.get(path)
    assert answer.status_code == 405
    assert answer.json["error"]["data"]["reason"] == "method_not_allowed"


BLANK = [
    "   ",
    "\u200b",
    "\u00a0",
    "\ufeff",
    "\u3164",
    "()",
    "[pdat]",
    '""""',
    "AND",
    "NOT",
    "<b></b>",
    "&nbsp;",
    "( ) OR",
]


@pytest.mark.parametrize("query", BLANK)
def test_search__blank_query(client, query):
    assert_reason(client.post("/v1/articles/search", json={"query": query}), 422, "blank_query")


@pytest.mark.parametrize("query", ["  ", "\u200b\u200b", "\u3164\u2060"])
def test_spelling__blank_query(client, query):
    assert_reason(client.post("/v1/spelling/check", json={"query": query}), 422, "blank_query")


@pytest.mark.parametrize(
    "dates",
    [
        {"minDate": "2023/02/29", "maxDate": "2024"},
        {"minDate": "2024/13", "maxDate": "2025"},
        {"minDate": "2024/01/00", "maxDate": "2025"},
        {"minDate": "2025", "maxDate": "2020"},
        {"minDate": "2024/07", "maxDate": "2024/06/30"},
    ],
)
def test_search__impossible_date(client, dates):
    answer = client.post("/v1/articles/search", json={"query": "asthma", "dateRange": dates})
    assert_reason(answer, 422, "invalid_date_range")


@pytest.mark.parametrize("date", ["not-a-date", "24", "2024/1/1/1", "２０２４", "2024\n"])
def test_search__malformed_date(client, date):
    body = {"query": "asthma", "dateRange": {"minDate": date, "maxDate": "2025"}}
    data = assert_reason(client.post("/v1/articles/search", json=body), 422, "invalid_arguments")
    assert data["problems"][0]["path"] == "dateRange.minDate"


@pytest.mark.parametrize("offset", [-1, 9999, 10000])
def test_search__offset_past_the_window(client, offset):
    data = assert_reason(
        client.post("/v1/articles/search", json={"query": "asthma", "offset": offset}), 422, "invalid_arguments"
    )
    assert "9998" in data["problems"][0]["message"]


@pytest.mark.parametrize("wrong", ["23193287,3795", "12 34", "10.1/x", "PMC12", "abc", "１２３"])
def test_convert__malformed_id(client, wrong):
    answer = client.post("/v1/ids/convert", json={"ids": ["90000001", wrong], "idType": "pmid"})
    assert_reason(answer, 422, "malformed_id")
    assert wrong in answer.json["error"]["message"]
