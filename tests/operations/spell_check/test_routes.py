import pytest

URL = "/v1/spelling/check"


def test_spelling__suggestion(client):
    answer = client.post(URL, json={"query": "asthmaa"})
    assert answer.json == {"original": "asthmaa", "corrected": "asthma", "hasSuggestion": True}


def test_spelling__no_suggestion(client):
    answer = client.post(URL, json={"term": "asthma"})
    assert answer.json == {"original": "asthma", "corrected": "asthma", "hasSuggestion": False}


def test_spelling__blank(client):
    answer = client.post(URL, json={"query": " \u200b"})
    assert answer.status_code == 422
    assert answer.json["error"]["data"]["reason"] == "blank_query"


@pytest.mark.parametrize("query", ["", "a"])
def test_spelling__too_short(client, query):
    answer = client.post(URL, json={"query": query})
    assert answer.status_code == 422
    assert answer.json["error"]["data"]["reason"] == "invalid_arguments"
