"""A disk without room: answers are served and not kept, and what was kept stays whole."""

import resource
import sqlite3
from contextlib import contextmanager

import pytest
from support.replay import Replay, serve
from support.validating import ValidatingClient, build_settings

from pubmed_api.app import create_app
from pubmed_api.clients import create_cache_file

ROOM = 200_000


@contextmanager
def no_file_longer_than(size):
    """The process cannot write beyond this size in any file, as on a disk that is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def found(params):
    ids = "".join(f"<Id>{number}</Id>" for number in range(90_000_001, 90_001_001))
    return 200, "text/xml", f"<eSearchResult><Count>1000</Count><IdList>{ids}</IdList></eSearchResult>".encode()


def record(params):
    article = "<Article><ArticleTitle>T</ArticleTitle></Article>"
    records = "".join(
        f"<PubmedArticle><MedlineCitation><PMID>{pmid}</PMID>{article}</MedlineCitation></PubmedArticle>"
        for pmid in params["id"].split(",")
    )
    return 200, "text/xml", f"<PubmedArticleSet>{records}</PubmedArticleSet>".encode()


@pytest.fixture
def client(tmp_path):
    replay = Replay()
    replay.answers = {"esearch": found, "efetch": record}
    with serve(replay) as base:
        settings = build_settings(tmp_path, upstream="live", ncbi_eutils_base_url=f"{base}/eutils/")
        create_cache_file(settings)
        app = create_app(settings)
        app.test_client_class = ValidatingClient
        yield app.test_client()


def ask(client, number):
    found = client.post("/v1/articles/search", json={"query": f"asthma {number}", "maxResults": 1000})
    fetched = client.post("/v1/articles/fetch", json={"pmids": [str(90_000_001 + number)]})
    return found, fetched


def test_full_disk__answers_are_served_and_not_kept(client, tmp_path):
    with no_file_longer_than(ROOM):
        for number in range(30):
            found, fetched = ask(client, number)
            assert (found.status_code, len(found.json["pmids"])) == (200, 1000)
            assert fetched.json["totalReturned"] == 1
    assert [answer.headers["X-Cache"] for answer in ask(client, 29)] != ["hit", "hit"]
    assert [answer.headers["X-Cache"] for answer in ask(client, 29)] == ["hit", "hit"]
    for path in tmp_path.glob("*.sqlite"):
        with sqlite3.connect(path) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        connection.close()
