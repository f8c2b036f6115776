"""The five operations against a loopback server that replays recorded answers of the real services."""

import gzip
import json

import pytest
from lxml import etree
from support.replay import Replay, serve
from support.validating import ValidatingClient, build_settings

from pubmed_api.app import create_app

OTHER_ROOTS = {
    "error-unable-to-obtain-query.xml": (410, "history_expired"),
    "legacy-html-answer.html": (502, "ncbi_unreachable"),
    "medline-2006-sample.xml": (502, "invalid_efetch_response"),
    "pmid-30712376-medlinecitation-root-mathml.xml": (502, "invalid_efetch_response"),
}


@pytest.fixture(scope="module")
def replay():
    return Replay()


@pytest.fixture(scope="module")
def client(replay, tmp_path_factory):
    with serve(replay) as base:
        settings = build_settings(
            tmp_path_factory.mktemp("replay"),
            upstream="live",
            ncbi_eutils_base_url=f"{base}/entrez/eutils/",
            pmc_idconv_base_url=f"{base}/tools/idconv/",
        )
        app = create_app(settings)
        app.test_client_class = ValidatingClient
        yield app.test_client()


def xml(body):
    return (200, "text/xml; charset=UTF-8", body)


def read(path):
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()


def records_of(body):
    """The PMIDs of a document's records, each once, and the document cut down to some of them."""
    root = etree.fromstring(body, etree.XMLParser(load_dtd=False, no_network=True, huge_tree=True))
    found = {}
    for record in root:
        if record.tag in ("PubmedArticle", "PubmedBookArticle"):
            found.setdefault(record.findtext("./*/PMID"), []).append(record)
    return found


def answer_with(body, found):
    """Whole recorded bytes for a file that one call can ask for, the records asked for else."""

    def answer(params):
        if len(found) <= 200:
            return xml(body)
        wanted = [etree.tostring(r, with_tail=False) for pmid in params["id"].split(",") for r in found[pmid]]
        return xml(b"<PubmedArticleSet>" + b"".join(wanted) + b"</PubmedArticleSet>")

    return answer


def test_fetch__every_record_once_in_request_order(client, replay, payloads):
    files = sorted((payloads / "efetch-pubmed").iterdir())
    total = 0
    for path in files:
        if path.name in OTHER_ROOTS:
            continue
        body = read(path)
        found = records_of(body)
        replay.answers["efetch"] = answer_with(body, found)
        asked = list(reversed(found))
        for start in range(0, len(asked), 200):
            part = asked[start : start + 200]
            answer = client.post("/v1/articles/fetch", json={"pmids": part}, headers={"Cache-Control": "no-cache"})
            assert answer.status_code == 200, (path.name, answer.text[:300])
            assert [article["pmid"] for article in answer.json["articles"]] == part, path.name
            assert "unavailablePmids" not in answer.json, path.name
        total += len(asked)
    assert total > 1000


def test_fetch__deleted_citations_are_unavailable(client, replay, payloads):
    body = read(payloads / "efetch-pubmed" / "mixed-7-records-deletecitation.xml")
    deleted = etree.fromstring(body).xpath("//DeleteCitation/PMID/text()")
    assert deleted
    replay.answers["efetch"] = xml(body)
    answer = client.post("/v1/articles/fetch", json={"pmids": deleted[:3]}, headers={"Cache-Control": "no-cache"})
    assert answer.json["unavailablePmids"] == deleted[:3]
    assert answer.json["articles"] == []


@pytest.mark.parametrize("name", sorted(OTHER_ROOTS))
def test_fetch__other_root_is_its_documented_error(client, replay, payloads, name):
    status, reason = OTHER_ROOTS[name]
    kind = "text/html" if name.endswith("html") else "text/xml"
    replay.answers["efetch"] = (200, kind, read(payloads / "efetch-pubmed" / name))
    answer = client.post("/v1/articles/fetch", json={"pmids": ["30712376"]}, headers={"Cache-Control": "no-cache"})
    assert (answer.status_code, answer.json["error"]["data"]["reason"]) == (status, reason)


def test_search__recorded_page(client, replay, payloads):
    replay.answers["esearch"] = xml(read(payloads / "esearch" / "pubmed-usehistory-translationset.xml"))
    answer = client.post("/v1/articles/search", json={"query": "recorded page", "maxResults": 100})
    assert answer.json["totalCount"] == 42249
    assert answer.json["pmids"][:2] == ["41297076", "41297074"]
    assert len(answer.json["pmids"]) == answer.json["returned"] == 100
    assert answer.json["hasMore"] is True


def test_search__phrases_not_found(client, replay, payloads):
    replay.answers["esearch"] = xml(read(payloads / "esearch" / "errorlist-phrasesnotfound.xml"))
    answer = client.post("/v1/articles/search", json={"query": "nonjournal[journal] AND nonyear[dp]"})
    assert answer.json["totalCount"] == 0
    assert answer.json["diagnostics"]["phrasesNotFound"] == ["nonjournal[journal]", "nonyear[date]"]
    assert "nonjournal[journal]" in answer.json["notice"]


@pytest.mark.parametrize("name", ["error-empty-term.xml", "error-invalid-db.xml", "json-error-invalid-db.json"])
def test_search__failure_is_never_zero_hits(client, replay, payloads, name):
    replay.answers["esearch"] = (200, "text/xml", read(payloads / "esearch" / name))
    answer = client.post("/v1/articles/search", json={"query": f"failure {name}"})
    assert answer.status_code == 502
    assert "totalCount" not in answer.json


def test_spell_check__recorded_correction(client, replay, payloads):
    replay.answers["espell"] = xml(read(payloads / "espell" / "asthmaa-alergies.xml"))
    answer = client.post("/v1/spelling/check", json={"query": "asthmaa OR alergies"})
    assert answer.json == {
        "original": "asthmaa OR alergies",
        "corrected": "asthma or allergies",
        "hasSuggestion": True,
    }


def test_convert_ids__recorded_records(client, replay, payloads):
    replay.answers["idconv"] = (200, "application/json", read(payloads / "idconv" / "new-api-record-error.json"))
    answer = client.post("/v1/ids/convert", json={"ids": ["99999999", "23193287"], "idType": "pmid"})
    first, second = answer.json["records"]
    assert first["requestedId"] == "99999999"
    assert "pubmed_search_articles" in first["errmsg"]
    assert second == {
        "requestedId": "23193287",
        "pmid": "23193287",
        "pmcid": "PMC3531190",
        "doi": "10.1093/nar/gks1195",
    }
    assert (answer.json["totalConverted"], answer.json["totalSubmitted"]) == (1, 2)


def test_database_info__recorded_description(client, replay, payloads):
    replay.answers["einfo"] = xml(read(payloads / "einfo" / "pubmed.xml"))
    answer = client.get("/v1/database/info")
    assert answer.json["dbName"] == "pubmed"
    assert answer.json["count"].isdigit()
    assert {"name": "TIAB", "fullName": "Title/Abstract"}.items() <= next(
        entry for entry in answer.json["fields"] if entry["name"] == "TIAB"
    ).items()


def test_throttle__told_inside_a_200(client, replay, payloads):
    body = read(payloads / "esummary" / "error-api-rate-limit-25d28782.json")
    assert json.loads(body)["error"].startswith("API rate limit exceeded")
    replay.answers["esearch"] = (200, "application/json", body)
    answer = client.post("/v1/articles/search", json={"query": "throttled"})
    assert answer.status_code == 503
    assert answer.json["error"]["data"]["reason"] == "ncbi_rate_limited"
    assert "Retry-After" in answer.headers
