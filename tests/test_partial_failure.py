"""An upstream that fails for a part of a call, over the whole stack: told item by item, and never as a miss."""

import json
import sqlite3
from contextlib import closing

import pytest
from support.replay import Replay, serve
from support.validating import ValidatingClient, build_settings

from pubmed_api.app import create_app


def article(pmid):
    return f"<PubmedArticle><MedlineCitation><PMID>{pmid}</PMID></MedlineCitation></PubmedArticle>"


def summary(pmid):
    return f'<DocumentSummary uid="{pmid}"><Title>Title of {pmid}</Title></DocumentSummary>'


def efetch(params):
    return xml(f"<PubmedArticleSet>{''.join(map(article, params['id'].split(',')))}</PubmedArticleSet>")


def esummary(params):
    documents = "".join(map(summary, params["id"].split(",")))
    return xml(f"<eSummaryResult><DocumentSummarySet>{documents}</DocumentSummarySet></eSummaryResult>")


def esearch(*pmids):
    ids = "".join(f"<Id>{pmid}</Id>" for pmid in pmids)
    return xml(
        f"<eSearchResult><Count>{len(pmids)}</Count><RetMax>20</RetMax><RetStart>0</RetStart>"
        f"<IdList>{ids}</IdList></eSearchResult>"
    )


def idconv(params):
    rows = [{"requested-id": one, "pmid": int(one), "pmcid": f"PMC{one}"} for one in params["ids"].split(",")]
    return (200, "application/json", json.dumps({"status": "ok", "records": rows}).encode())


def xml(text):
    return (200, "text/xml", text.encode())


AWAY = (503, "text/html", b"<html>away</html>")


@pytest.fixture
def replay():
    return Replay()


@pytest.fixture
def client(replay, tmp_path):
    with serve(replay) as base:
        settings = build_settings(
            tmp_path,
            upstream="live",
            ncbi_eutils_base_url=f"{base}/entrez/eutils/",
            pmc_idconv_base_url=f"{base}/tools/idconv/",
        )
        app = create_app(settings)
        app.test_client_class = ValidatingClient
        yield app.test_client()


def test_fetch__failed_is_told_apart_from_unavailable(client, replay):
    replay.answers["efetch"] = xml(f"<PubmedArticleSet>{article('90000001')}</PubmedArticleSet>")
    client.post("/v1/articles/fetch", json={"pmids": ["90000001", "99999999"]})
    replay.answers["efetch"] = AWAY
    asked = ["0090000002", "99999999", "90000001"]
    answer = client.post("/v1/articles/fetch", json={"pmids": asked})
    assert answer.status_code == 200
    assert [found["pmid"] for found in answer.json["articles"]] == ["90000001"]
    assert answer.json["unavailablePmids"] == ["99999999"]
    assert answer.json["failed"] == [{"id": "0090000002", "reason": "ncbi_unreachable", "retryable": True}]
    assert "NCBI failed for 1 of the PMIDs" in answer.json["notice"]
    assert replay.calls[-1][1]["id"] == "90000002"


def test_fetch__failure_of_all_is_the_error(client, replay):
    replay.answers["efetch"] = AWAY
    answer = client.post("/v1/articles/fetch", json={"pmids": ["90000001", "90000002"]})
    assert (answer.status_code, answer.json["error"]["data"]["reason"]) == (502, "ncbi_unreachable")


def test_search__some_summaries_fail(client, replay):
    replay.answers |= {"esearch": esearch("90000001"), "esummary": esummary}
    client.post("/v1/articles/search", json={"query": "one", "summaryCount": 5})
    replay.answers |= {"esearch": esearch("90000002", "90000001"), "esummary": AWAY}
    answer = client.post("/v1/articles/search", json={"query": "two", "summaryCount": 5})
    assert answer.json["pmids"] == ["90000002", "90000001"]
    assert [found["pmid"] for found in answer.json["summaries"]] == ["90000001"]
    assert answer.json["failed"] == [{"id": "90000002", "reason": "ncbi_unreachable", "retryable": True}]
    assert "1 of their summaries" in answer.json["notice"]


def test_convert__some_fail(client, replay):
    replay.answers["idconv"] = idconv
    client.post("/v1/ids/convert", json={"ids": ["90000001"], "idType": "pmid"})
    replay.answers["idconv"] = AWAY
    answer = client.post("/v1/ids/convert", json={"ids": ["90000002", "90000001"], "idType": "pmid"})
    assert answer.status_code == 200
    assert [found["requestedId"] for found in answer.json["records"]] == ["90000002", "90000001"]
    assert "Nothing is known" in answer.json["records"][0]["errmsg"]
    assert answer.json["records"][1]["pmcid"] == "PMC90000001"
    assert answer.json["failed"] == [{"id": "90000002", "reason": "ncbi_unreachable", "retryable": True}]
    assert (answer.json["totalConverted"], answer.json["totalSubmitted"]) == (1, 2)


def test_fetch__known_records_are_not_asked_for_again(client, replay):
    replay.answers["efetch"] = efetch
    known = [str(90000001 + n) for n in range(150)]
    client.post("/v1/articles/fetch", json={"pmids": known})
    answer = client.post("/v1/articles/fetch", json={"pmids": [*known, *(str(91000001 + n) for n in range(50))]})
    assert answer.json["totalReturned"] == 200
    assert answer.headers["X-Cache"] == "miss"
    assert [len(params["id"].split(",")) for _, params in replay.calls] == [150, 50]
    again = client.post("/v1/articles/fetch", json={"pmids": known[:3]}, headers={"Cache-Control": "only-if-cached"})
    assert (again.status_code, again.headers["X-Cache"]) == (200, "hit")
    missing = client.post("/v1/articles/fetch", json={"pmids": [known[0], "92000001"]},
                          headers={"Cache-Control": "only-if-cached"})  # fmt: skip
    assert (missing.status_code, missing.json["error"]["data"]["reason"]) == (504, "not_in_cache")


def test_fetch__old_records_stand_in(client, replay, tmp_path):
    replay.answers["efetch"] = efetch
    client.post("/v1/articles/fetch", json={"pmids": ["90000001"]})
    two_days = 2 * 86400
    with closing(sqlite3.connect(tmp_path / "items.sqlite", isolation_level=None)) as file:
        file.execute("UPDATE items SET stored = stored - ?, expires = expires - ?", (two_days, two_days))
    replay.answers["efetch"] = AWAY
    answer = client.post("/v1/articles/fetch", json={"pmids": ["90000001", "90000002"]})
    assert [found["pmid"] for found in answer.json["articles"]] == ["90000001"]
    assert [found["id"] for found in answer.json["failed"]] == ["90000002"]
    assert answer.headers["X-Cache"] == "stale"
    assert int(answer.headers["Age"]) >= two_days
    assert "NCBI failed for 1" in answer.json["notice"]
    assert "2 days ago" in answer.json["notice"]
