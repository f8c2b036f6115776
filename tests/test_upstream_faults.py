"""What an upstream can send in place of an answer, seen from a caller: never zero hits, never a secret, always said."""

import logging

import pytest
from support.replay import Replay, serve
from support.storing import stored_items
from support.validating import ValidatingClient, build_settings

from pubmed_api.app import create_app

KEY, EMAIL, EGRESS = "SECRETKEY123", "operator@service.net", "203.0.113.9"
THROTTLE = f'{{"error":"API rate limit exceeded","api-key":"{EGRESS}","count":"4","limit":"3"}}'.encode()


@pytest.fixture
def replay():
    return Replay()


@pytest.fixture
def client(replay, tmp_path):
    with serve(replay) as base:
        settings = build_settings(
            tmp_path,
            upstream="live",
            ncbi_api_key=KEY,
            ncbi_admin_email=EMAIL,
            ncbi_eutils_base_url=f"{base}/entrez/eutils/",
            pmc_idconv_base_url=f"{base}/tools/idconv/",
        )
        app = create_app(settings)
        app.test_client_class = ValidatingClient
        yield app.test_client()


def search(client, **body):
    return client.post("/v1/articles/search", json={"query": "asthma", **body})


def fetch(client, *pmids):
    return client.post("/v1/articles/fetch", json={"pmids": list(pmids) or ["90000001"]})


def esearch(inner):
    return (200, "text/xml", f"<eSearchResult>{inner}</eSearchResult>".encode())


def reason_of(answer):
    assert answer.status_code >= 400, answer.text
    for secret in (KEY, EMAIL, EGRESS, "http://", "tool="):
        assert secret not in answer.text
    return answer.json["error"]["data"]["reason"]


COUNTED = "<RetMax>1</RetMax><RetStart>0</RetStart><IdList><Id>90000001</Id></IdList>"


@pytest.mark.parametrize("count", ["", "<Count/>", "<Count>12abc</Count>", "<Count>0x10</Count>", "<Count>1e3</Count>",
                                   "<Count>-1</Count>", "<Count> </Count>", "<Count>１</Count>"])  # fmt: skip
def test_count__not_a_decimal_is_a_fault(client, replay, count):
    replay.answers["esearch"] = esearch(count + COUNTED)
    assert reason_of(search(client)) == "ncbi_invalid_response"


@pytest.mark.parametrize(
    "body",
    [
        b"<eSearchResult><ERROR>Search Backend failed: timeout</ERROR></eSearchResult>",
        b'{"header":{},"esearchresult":{"ERROR":"Search Backend failed: x"}}',
        b'{"header":{},"esearchresult":{"count":"0","idlist":[]}}',
    ],
)
def test_search__failure_text_inside_a_200(client, replay, body):
    replay.answers["esearch"] = (200, "text/xml", body)
    answer = search(client)
    assert reason_of(answer) in {"ncbi_unreachable", "ncbi_invalid_response"}
    assert answer.status_code == 502


def test_search__true_empty(client, replay):
    replay.answers["esearch"] = esearch(
        "<Count>0</Count><RetMax>0</RetMax><RetStart>0</RetStart><IdList/>"
        "<WarningList><OutputMessage>No items found.</OutputMessage></WarningList>"
    )
    answer = search(client)
    assert (answer.status_code, answer.json["totalCount"], answer.json["pmids"]) == (200, 0, [])
    assert "No items found" not in answer.json["notice"]


def test_search__page_cut_by_upstream_at_the_window(client, replay):
    message = "Restrictions achieved. start and count adjusted to 9998, 1"
    replay.answers["esearch"] = esearch(
        "<Count>250000</Count><RetMax>1</RetMax><RetStart>9998</RetStart><IdList><Id>90000001</Id></IdList>"
        f"<WarningList><OutputMessage>{message}</OutputMessage></WarningList>"
    )
    answer = search(client, offset=9998, maxResults=10)
    assert answer.json["pmids"] == ["90000001"]
    assert answer.json["hasMore"] is False
    assert "9999" in answer.json["notice"] or "9,999" in answer.json["notice"]
    assert message not in answer.json["notice"]


def test_search__unknown_tag_without_a_trace(client, replay):
    replay.answers["esearch"] = esearch("<Count>246024</Count>" + COUNTED)
    answer = search(client, query="asthma[foo]")
    assert answer.json["diagnostics"]["unknownTags"] == ["foo"]
    assert "[foo]" in answer.json["notice"]


@pytest.mark.parametrize(
    "summary",
    [
        (200, "text/xml", b"<eSummaryResult><ERROR>Empty id list - nothing todo</ERROR></eSummaryResult>"),
        (200, "text/xml", b"<eSummaryResult><ERROR>Unable to obtain query #1</ERROR></eSummaryResult>"),
        (200, "application/json", b'{"error":"Too many UIDs in request."}'),
        (200, "application/json", b'{"esummaryresult":["Empty id list - nothing todo"]}'),
        (200, "application/json", b'{"error":"Invalid uid abc at position= 0","result":{"uids":[]}}'),
        (503, "text/html", b"<html>busy</html>"),
        (429, "application/json", THROTTLE),
    ],
)
def test_search__failing_summaries_keep_the_pmids(client, replay, summary):
    replay.answers["esearch"] = esearch("<Count>1</Count>" + COUNTED)
    replay.answers["esummary"] = summary
    answer = search(client, summaryCount=1)
    assert answer.json["pmids"] == ["90000001"]
    assert answer.json["summaries"] == []
    assert "summar" in answer.json["notice"].lower()


def test_search__unknown_summary_is_dropped_alone(client, replay):
    replay.answers["esearch"] = esearch(
        "<Count>2</Count><RetMax>2</RetMax><RetStart>0</RetStart><IdList><Id>99999999</Id><Id>90000001</Id></IdList>"
    )
    replay.answers["esummary"] = (
        200,
        "text/xml",
        b"<eSummaryResult><DocumentSummarySet>"
        b'<DocumentSummary uid="99999999"><error>cannot get document summary</error></DocumentSummary>'
        b'<DocumentSummary uid="90000001"><Title>A title.</Title></DocumentSummary>'
        b"</DocumentSummarySet></eSummaryResult>",
    )
    answer = search(client, summaryCount=2)
    assert [summary["pmid"] for summary in answer.json["summaries"]] == ["90000001"]
    assert answer.json["pmids"] == ["99999999", "90000001"]
    assert "99999999" in answer.json["notice"]


@pytest.mark.parametrize(
    ("answer", "status", "reason"),
    [
        ((200, "text/xml", b"<eFetchResult><ERROR>Unable to obtain query #1</ERROR></eFetchResult>"), 410,
         "history_expired"),
        ((200, "text/xml", b"<eFetchResult><ERROR>x Status: Timeout y</ERROR></eFetchResult>"), 502,
         "ncbi_unreachable"),
        ((400, "text/xml", b"<eFetchResult><ERROR>x Status: Timeout y</ERROR></eFetchResult>"), 502,
         "ncbi_unreachable"),
        ((200, "text/xml", THROTTLE), 503, "ncbi_rate_limited"),
        ((200, "text/plain", b"\n  " + THROTTLE), 503, "ncbi_rate_limited"),
        ((429, "application/json", THROTTLE), 503, "ncbi_rate_limited"),
        ((429, "text/plain", b"", {"Retry-After": "54000"}), 503, "ncbi_rate_limited"),
        ((400, "application/json", b'{"error":"API key invalid","api-key":"SECRETKEY123"}'), 502, "ncbi_refused"),
        ((200, "text/html", b"<!DOCTYPE html><html><body>Too many requests</body></html>"), 502, "ncbi_unreachable"),
        ((200, "text/plain", b"1. Some journal. 2020."), 502, "ncbi_unreachable"),
        ((200, "text/xml", b'<?xml version="1.0"?><!DOCTYPE PubmedArticleSet SYSTEM "x.dtd">'), 502,
         "ncbi_unreachable"),
        ((200, "text/xml", b""), 502, "ncbi_unreachable"),
        ((200, "text/xml", b"<PubmedArticleSet><PubmedArticle><Abst"), 502, "ncbi_unreachable"),
        ((200, "text/xml", b"<PubmedArticleSet>", {"Content-Length": "900"}), 502, "ncbi_unreachable"),
        ((307, "text/html", b"", {"Location": "http://other.invalid/efetch.fcgi"}), 502, "ncbi_refused"),
        ((500, "text/html", b"<html>error</html>"), 502, "ncbi_unreachable"),
        ((504, "text/html", b"<html>error</html>"), 504, "ncbi_timeout"),
    ],
)  # fmt: skip
def test_fetch__fault(client, replay, answer, status, reason, caplog):
    replay.answers["efetch"] = answer
    with caplog.at_level(logging.DEBUG):
        got = fetch(client)
    assert (got.status_code, reason_of(got)) == (status, reason)
    for secret in (KEY, EMAIL, EGRESS):
        assert secret not in caplog.text


def test_fetch__fault_is_never_stored(client, replay):
    replay.answers["efetch"] = (200, "text/xml", b"<PubmedArticleSet><PubmedArticle>")
    assert fetch(client).status_code == 502
    replay.answers["efetch"] = (200, "text/xml", b"<PubmedArticleSet></PubmedArticleSet>")
    answer = fetch(client)
    assert answer.status_code == 200
    assert answer.headers["X-Cache"] == "miss"


@pytest.mark.parametrize(
    "answer",
    [
        (200, "text/xml", b"<PubmedArticleSet></PubmedArticleSet>"),
        (
            400,
            "text/xml",
            b"<eFetchResult><ERROR>ID list is empty! Possibly it has no correct IDs.</ERROR></eFetchResult>",
        ),
    ],
)
def test_fetch__empty_set_is_unavailable(client, replay, answer):
    replay.answers["efetch"] = answer
    got = fetch(client, "99999999")
    assert (got.status_code, got.json["unavailablePmids"], got.json["articles"]) == (200, ["99999999"], [])


def test_calls__carry_what_ncbi_needs(client, replay):
    replay.answers["efetch"] = (200, "text/xml", b"<PubmedArticleSet></PubmedArticleSet>")
    fetch(client)
    endpoint, params = replay.calls[-1]
    assert endpoint == "efetch"
    assert {
        "db": "pubmed",
        "retmode": "xml",
        "id": "90000001",
        "api_key": KEY,
        "email": EMAIL,
    }.items() <= params.items()
    assert params["tool"] == "pubmed-api"
    assert "rettype" not in params


def test_convert__integer_and_error_records(client, replay):
    replay.answers["idconv"] = (
        200,
        "application/json",
        b'{"status":"ok","records":[{"pmid":90000001,"pmcid":"PMC90000002","doi":"10.5555/a.B","requested-id":"90000001"},'
        b'{"requested-id":"99999999","status":"error","errmsg":"Identifier not found in PMC"}]}',
    )
    body = {"ids": ["00090000001", "99999999", "90000001"], "idType": "pmid"}
    records = client.post("/v1/ids/convert", json=body).json["records"]
    assert [record["requestedId"] for record in records] == body["ids"]
    assert records[0]["pmid"] == records[2]["pmid"] == "90000001"
    assert "errmsg" in records[1]
    assert "doi" not in records[1]


def test_convert__nothing_of_who_asked_is_stored(client, replay, tmp_path):
    """The converter repeats the request in a good answer."""
    body = (
        f'{{"request": "email={EMAIL};api_key={KEY}", "records": [{{"requested-id": "90000001", "pmid": 90000001}}]}}'
    )
    replay.answers["idconv"] = (200, "application/json", body.encode())
    ask = {"json": {"ids": ["90000001"], "idType": "pmid"}}
    assert client.post("/v1/ids/convert", **ask).headers["X-Cache"] == "miss"
    assert client.post("/v1/ids/convert", **ask).headers["X-Cache"] == "hit"
    items = b"".join(stored_items(tmp_path / "items.sqlite"))
    assert b"requested-id" in items
    files = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    for secret in (EMAIL.encode(), KEY.encode()):
        assert secret not in items + files


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ((200, "text/plain", b"Service is being restarted"), "ncbi_invalid_response"),
        ((200, "text/html", b"<html>x</html>"), "ncbi_unreachable"),
        ((502, "text/html", b"<html>x</html>"), "ncbi_unreachable"),
        ((400, "application/json", b'{"status":"error","errors":[{"message":"http://x","code":"invalid_pmids"}]}'),
         "invalid_arguments"),
    ],
)  # fmt: skip
def test_convert__fault(client, replay, answer, reason):
    replay.answers["idconv"] = answer
    assert reason_of(client.post("/v1/ids/convert", json={"ids": ["90000001"], "idType": "pmid"})) == reason
