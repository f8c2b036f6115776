"""Stored answers cost no turn with the upstream: the limiter is below them."""

import pytest
from support.hostile import hostile_server, reply
from support.validating import ValidatingClient, build_settings

from pubmed_api.app import create_app

PMID = "90000001"
FOUND = f"<eSearchResult><Count>1</Count><IdList><Id>{PMID}</Id></IdList></eSearchResult>"
RECORD = (
    f"<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>{PMID}</PMID><Article><ArticleTitle>T</ArticleTitle>"
    "</Article></MedlineCitation></PubmedArticle></PubmedArticleSet>"
)


@pytest.fixture
def server():
    with hostile_server() as running:
        yield running


@pytest.fixture
def client(server, tmp_path):
    """One request in ten seconds is allowed, and no call may wait as long as that."""
    settings = build_settings(
        tmp_path,
        upstream="live",
        ncbi_requests_per_second=0.1,
        ncbi_total_deadline_ms=5000,
        ncbi_eutils_base_url=f"{server.url}/",
    )
    app = create_app(settings)
    app.test_client_class = ValidatingClient
    return app.test_client()


@pytest.mark.parametrize(
    ("path", "body", "answer"),
    [
        ("/v1/articles/search", {"query": "asthma"}, FOUND),
        ("/v1/articles/fetch", {"pmids": [PMID]}, RECORD),
    ],
    ids=["search", "fetch"],
)
def test_equal_calls__ask_once_and_wait_for_no_turn(client, server, path, body, answer):
    server.play(reply(answer.encode()))
    answers = [client.post(path, json=body) for _ in range(100)]
    assert {answer.status_code for answer in answers} == {200}
    assert [answer.headers["X-Cache"] for answer in answers] == ["miss"] + ["hit"] * 99
    assert server.asked == 1


def test_other_call__has_to_wait_and_is_told_so(client, server):
    """The turn is spent, so that the calls above were not merely fast."""
    server.play(reply(FOUND.encode()))
    client.post("/v1/articles/search", json={"query": "asthma"})
    answer = client.post("/v1/articles/search", json={"query": "another"})
    assert (answer.status_code, answer.json["error"]["data"]["reason"]) == (503, "queue_full")
    assert server.asked == 1
