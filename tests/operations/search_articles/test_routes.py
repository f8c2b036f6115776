"""The search endpoint over the sandbox, in the contract's words."""

import pytest

PATH = "/v1/articles/search"


@pytest.fixture
def search(client):
    def run(**body):
        return client.post(PATH, json=body)

    return run


def test_search__page_with_summaries(search):
    answer = search(query="asthma", maxResults=5, summaryCount=3)
    body = answer.json
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "no-store"
    assert (body["query"], body["offset"], body["returned"], body["hasMore"]) == ("asthma", 0, 5, True)
    assert len(body["pmids"]) == 5
    assert [summary["pmid"] for summary in body["summaries"]] == body["pmids"][:3]
    assert body["summaries"][0]["pubmedUrl"] == f"https://pubmed.ncbi.nlm.nih.gov/{body['pmids'][0]}/"
    assert body["appliedFilters"] == {}
    assert body["queryTranslation"]
    assert {"notice", "diagnostics", "history", "failed"}.isdisjoint(body)


def test_search__pages_join_to_the_whole(search):
    whole = search(query="asthma", maxResults=1000).json
    pages = [search(query="asthma", maxResults=7, offset=offset).json for offset in range(0, whole["totalCount"], 7)]
    assert [pmid for page in pages for pmid in page["pmids"]] == whole["pmids"]
    assert [page["hasMore"] for page in pages] == [True] * (len(pages) - 1) + [False]


def test_search__empty_lists_are_shown_when_nothing_matches(search):
    body = search(query="nosuchwordanywhere").json
    assert (body["pmids"], body["summaries"], body["appliedFilters"], body["totalCount"]) == ([], [], {}, 0)
    assert body["diagnostics"] == {"phrasesNotFound": ["nosuchwordanywhere"]}


def test_search__every_filter(search):
    dates = {"minDate": "1000", "maxDate": "3000-12", "dateType": "edat"}
    body = search(
        query="asthma",
        sort="pub_date",
        dateRange=dates,
        publicationTypes=["Journal Article", ""],
        author="",
        journal="",
        meshTerms=[""],
        language="english",
        hasAbstract=True,
        freeFullText=False,
        species="humans",
    ).json
    assert body["appliedFilters"] == {
        "language": "english",
        "species": "humans",
        "dateRange": {"minDate": "1000", "maxDate": "3000/12", "dateType": "edat"},
        "publicationTypes": ["Journal Article"],
        "hasAbstract": True,
    }
    assert body["totalCount"] > 0


def test_search__history(search):
    assert set(search(query="asthma", useHistory=True).json["history"]) == {"webEnv", "queryKey"}


@pytest.mark.parametrize(
    "body",
    [
        {"term": "asthma", "retmax": 5},
        {"query": "asthma", "max_results": 5},
        {"query": "asthma", "limit": 5},
        {"query": "asthma", "pageSize": 5, "retstart": 0, "publicationTypes": '["Journal Article"]'},
    ],
)
def test_search__repaired_arguments(search, body):
    assert search(**body).json["returned"] == 5


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({}, "query"),
        ({"query": ""}, "query"),
        ({"query": "x", "offset": 9999}, "offset"),
        ({"query": "x", "maxResults": 1001}, "maxResults"),
        ({"query": "x", "summaryCount": 51}, "summaryCount"),
        ({"query": "x", "sort": "date"}, "sort"),
        ({"query": "x", "dateRange": {"minDate": "not-a-date", "maxDate": "2024"}}, "dateRange.minDate"),
        ({"query": "x", "dateRange": {"minDate": "2024"}}, "dateRange.maxDate"),
        ({"query": "x", "dateRange": {"minDate": "2024", "maxDate": "2025", "type": "pdat"}}, "dateRange.type"),
        ({"query": "x", "meshTerms": ["a", 1.5]}, "meshTerms.1"),
    ],
)
def test_search__invalid_arguments(search, body, path):
    answer = search(**body)
    data = answer.json["error"]["data"]
    assert (answer.status_code, data["reason"]) == (422, "invalid_arguments")
    assert [problem["path"] for problem in data["problems"]] == [path]


def test_search__offset_beyond_the_window_names_the_way_out(search):
    (problem,) = search(query="x", offset=10000).json["error"]["data"]["problems"]
    assert "9998" in problem["message"]
    assert "dateRange" in problem["message"]


@pytest.mark.parametrize(
    ("body", "reason", "fields"),
    [
        ({"query": "[pdat]"}, "blank_query", None),
        ({"query": "\u200b"}, "blank_query", None),
        ({"query": "x", "author": " ", "meshTerms": ["x", "\u200b"]}, "blank_filter", ["author", "meshTerms.1"]),
        (
            {"query": "x", "dateRange": {"minDate": "2023/02/29", "maxDate": "2024"}},
            "invalid_date_range",
            ["dateRange.minDate"],
        ),
    ],
)
def test_search__refusals(search, body, reason, fields):
    answer = search(**body)
    data = answer.json["error"]["data"]
    assert (answer.status_code, data["reason"], data.get("fields")) == (422, reason, fields)
