"""What is said of stored data that stood in for a failed upstream."""

import pytest

from pubmed_api.web.staleness import word_age


def test_notice__stale_data_is_said(client):
    answer = client.post("/v1/echo", json={"query": "stale"})
    assert answer.headers["X-Cache"] == "stale"
    # The age of what stood in, not of a part that is older and still good.
    assert answer.json["notice"] == "An upstream failed, so this answer uses what was stored 2 hours ago."


def test_notice__follows_one_that_is_there(client):
    notice = client.post("/v1/echo", json={"query": "stale and more"}).json["notice"]
    assert notice == "Something else. An upstream failed, so this answer uses what was stored 2 hours ago."


@pytest.mark.parametrize("query", ["asthma", "parts"])
def test_notice__nothing_to_say(client, query):
    assert "notice" not in client.post("/v1/echo", json={"query": query}).json


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "0 seconds"),
        (1, "1 second"),
        (59, "59 seconds"),
        (60, "1 minute"),
        (3599, "59 minutes"),
        (3600, "1 hour"),
        (86399, "23 hours"),
        (86400, "1 day"),
        (172800, "2 days"),
    ],
)
def test_age__largest_whole_unit(seconds, words):
    assert word_age(seconds) == words
