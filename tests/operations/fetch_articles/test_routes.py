import json

import pytest

URL = "/v1/articles/fetch"


def characters(article):
    return len(json.dumps(article, ensure_ascii=False, separators=(",", ":")))


def problem_of(answer):
    assert answer.status_code == 422
    error = answer.json["error"]
    assert error["data"]["reason"] == "invalid_arguments"
    (problem,) = error["data"]["problems"]
    return problem


def test_fetch__records_and_misses(client):
    answer = client.post(URL, json={"pmids": ["90000002", "99999999", "0090000001", "90000002"]})
    assert answer.status_code == 200
    assert [article["pmid"] for article in answer.json["articles"]] == ["90000002", "90000001"]
    assert answer.json["totalReturned"] == 2
    assert answer.json["unavailablePmids"] == ["99999999"]
    assert not {"deferred", "truncated", "notice"} & set(answer.json)


def test_fetch__record(client):
    (article,) = client.post(URL, json={"pmids": ["90000001"]}).json["articles"]
    assert article["recordType"] == "journal-article"
    assert article["pubmedUrl"] == "https://pubmed.ncbi.nlm.nih.gov/90000001/"
    assert article["pmcId"] == "PMC90000002"
    assert article["authors"][0]["lastName"] == "Doe"
    assert article["journalInfo"]["publicationDate"] == {"year": "2023", "month": "Mar", "day": "14"}
    assert article["meshTerms"]
    assert not {"grantList", "investigators"} & set(article)


def test_fetch__parts_are_asked_for(client):
    plain = client.post(URL, json={"pmids": ["90000006"], "includeMesh": False}).json["articles"][0]
    whole = client.post(URL, json={"pmids": ["90000006"], "includeInvestigators": True}).json["articles"][0]
    assert not {"meshTerms", "investigators"} & set(plain)
    assert len(whole["investigators"]) == 15
    assert whole["affiliations"][: len(plain["affiliations"])] == plain["affiliations"]
    places = {i for person in whole["investigators"] for i in person.get("affiliationIndices", ())}
    assert max(places) < len(whole["affiliations"])


def test_fetch__ceiling(client):
    pmids = ["90000001", "90000002", "90000003"]
    whole = client.post(URL, json={"pmids": pmids}).json["articles"]
    sizes = [characters(article) for article in whole]
    body = {"pmids": pmids, "maxResponseCharacters": sizes[0] + sizes[1] - 1}
    answer = client.post(URL, json=body).json
    assert answer["articles"] == whole[:1]
    assert answer["truncated"] is True
    assert answer["deferred"] == {
        "maxResponseCharacters": sizes[0] + sizes[1] - 1,
        "returnedCharacters": sizes[0],
        "deferredCount": 2,
        "ids": ["90000002", "90000003"],
        "nextDeferredCharacters": sizes[1],
    }
    rest = client.post(URL, json={"pmids": answer["deferred"]["ids"], "maxResponseCharacters": sum(sizes)}).json
    assert answer["articles"] + rest["articles"] == whole


def test_fetch__nothing_fits(client):
    answer = client.post(URL, json={"pmids": ["90000001"], "maxResponseCharacters": 1}).json
    assert (answer["articles"], answer["totalReturned"]) == ([], 0)
    assert answer["deferred"]["returnedCharacters"] == 0
    assert "90000001" in answer["notice"]


def test_fetch__nothing_found(client):
    answer = client.post(URL, json={"pmids": ["99999999", "0"]}).json
    assert (answer["articles"], answer["unavailablePmids"]) == ([], ["99999999", "0"])
    assert "pubmed_search_articles" in answer["notice"]


def test_fetch__other_spellings_of_the_arguments(client):
    answer = client.post(URL, json={"ids": 90000001, "include_mesh": False})
    assert answer.json["articles"][0]["pmid"] == "90000001"
    assert "meshTerms" not in answer.json["articles"][0]


@pytest.mark.parametrize(
    "pmid", ["123 ", "42.9", "12 34", "34320281,1", "1:2", "1e5", "-5", "PMID:123", "１２３", "1\n"]
)
def test_fetch__malformed_pmid(client, pmid):
    problem = problem_of(client.post(URL, json={"pmids": ["90000001", pmid]}))
    assert problem["path"] == "pmids.1"
    assert "digits" in problem["message"]


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"pmids": []}, "pmids"),
        ({"pmids": ["1"] * 201}, "pmids"),
        ({"pmids": ["1"], "maxResponseCharacters": 0}, "maxResponseCharacters"),
        ({"pmids": ["1"], "includeMesh": "yes"}, "includeMesh"),
        ({}, "pmids"),
    ],
)
def test_fetch__refused(client, body, path):
    assert problem_of(client.post(URL, json=body))["path"] == path
