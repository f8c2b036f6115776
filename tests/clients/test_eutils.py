"""What goes over the wire for each call. The mock takes the place of the socket; the stack above it is real."""

from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import pytest
import responses

from pubmed_api.clients import build_clients
from pubmed_api.clients.eutils import eutils_url

BASE = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils/"
ANSWERS = {
    "esearch": "<eSearchResult><Count>0</Count></eSearchResult>",
    "esummary": "<eSummaryResult><DocumentSummarySet/></eSummaryResult>",
    "efetch": "<PubmedArticleSet/>",
    "espell": "<eSpellResult/>",
    "einfo": "<eInfoResult><DbInfo/></eInfoResult>",
    "epost": "<ePostResult><QueryKey>1</QueryKey><WebEnv>M</WebEnv></ePostResult>",
}
IDENTITY = {"tool": "pubmed-api", "email": "operator@lab.test", "api_key": "SECRETKEY123"}


@pytest.fixture
def wire():
    with responses.RequestsMock(assert_all_requests_are_fired=False) as mock:
        for endpoint, body in ANSWERS.items():
            for method in (responses.GET, responses.POST):
                mock.add(method, f"{BASE}{endpoint}.fcgi", body=body, content_type="text/xml")
        yield mock


@pytest.fixture
def live(settings, clock):
    return build_clients(settings, clock=clock).eutils


def only_call(wire):
    assert len(wire.calls) == 1
    request = wire.calls[0].request
    address = urlsplit(request.url)
    sent = address.query if request.method == "GET" else request.body
    params = {name: values[0] for name, values in parse_qs(sent, keep_blank_values=True).items()}
    return request.method, address.path.rpartition("/")[2], params


@pytest.mark.parametrize(
    ("name", "arguments", "params"),
    [
        (
            "esearch",
            {"term": "asthma[ti]", "retmax": 5, "retstart": 10, "sort": "pub_date"},
            {"term": "asthma[ti]", "retmax": "5", "retstart": "10", "sort": "pub_date"},
        ),
        (
            "esearch",
            {"term": "x", "retmax": 0, "usehistory": True},
            {"term": "x", "retmax": "0", "retstart": "0", "usehistory": "y"},
        ),
        ("esummary", {"ids": ["1", "2"]}, {"id": "1,2", "version": "2.0"}),
        ("efetch", {"ids": ["1", "2"]}, {"id": "1,2"}),
        ("espell", {"term": "asthmaa"}, {"term": "asthmaa"}),
        ("einfo", {}, {}),
        ("epost", {"ids": ["1"]}, {"id": "1"}),
    ],
)
def test_call__sends_identity_modes_and_nothing_unset(live, wire, name, arguments, params):
    assert getattr(live, name)(**arguments) == ANSWERS[name].encode()
    method, path, sent = only_call(wire)
    assert (method, path) == ("GET", f"{name}.fcgi")
    assert sent == {**IDENTITY, "db": "pubmed", "retmode": "xml", **params}


@pytest.mark.parametrize(
    ("name", "path", "params"),
    [("records", "efetch.fcgi", {}), ("summaries", "esummary.fcgi", {"version": "2.0"})],
)
def test_look_up__sends_identity_modes_and_canonical_pmids(live, wire, name, path, params):
    looked_up = getattr(live, name)(["1", "0002", "01"])
    assert (looked_up.found, looked_up.failed) == ({}, {})
    assert only_call(wire) == ("GET", path, {**IDENTITY, "db": "pubmed", "retmode": "xml", "id": "1,2", **params})


@pytest.mark.parametrize(
    ("name", "count", "digits", "options", "method"),
    [
        ("records", 99, 1, {}, "GET"),
        ("records", 100, 1, {}, "POST"),
        ("records", 25, 1, {"post_from": 25}, "POST"),
        ("summaries", 150, 1, {}, "GET"),
        ("summaries", 200, 8, {}, "POST"),
    ],
)
def test_look_up__many_is_a_post(live, wire, name, count, digits, options, method):
    getattr(live, name)([f"{n + 10 ** (digits - 1)}" for n in range(count)], **options)
    chosen, _, sent = only_call(wire)
    assert (chosen, len(sent["id"].split(","))) == (method, count)


def test_call__without_email_and_key_sends_neither(settings, clock, wire):
    bare = replace(settings, ncbi_api_key=None, ncbi_admin_email=None)
    build_clients(bare, clock=clock).eutils.einfo()
    assert only_call(wire)[2] == {"tool": "pubmed-api", "db": "pubmed", "retmode": "xml"}


def test_efetch__text_says_so(live, wire):
    assert live.efetch(ids=["1"], rettype="medline", retmode="text")
    assert only_call(wire)[2] == {**IDENTITY, "db": "pubmed", "id": "1", "rettype": "medline", "retmode": "text"}


@pytest.mark.parametrize(
    ("name", "arguments", "method"),
    [
        ("efetch", {"ids": ["1"] * 200}, "GET"),
        ("efetch", {"ids": ["1"] * 201}, "POST"),
        ("efetch", {"ids": ["1"], "post": True}, "POST"),
        ("esummary", {"ids": ["99000001"] * 500}, "POST"),
        ("esearch", {"term": "x" * 1800, "retmax": 1}, "GET"),
        ("esearch", {"term": "x" * 2001, "retmax": 1}, "POST"),
        ("esearch", {"term": "é" * 400, "retmax": 1}, "POST"),
        ("esearch", {"term": "x" * 6300, "retmax": 1}, "POST"),
    ],
)
def test_call__long_or_many_is_a_post_with_the_same_parameters(live, wire, name, arguments, method):
    getattr(live, name)(**arguments)
    chosen, _, sent = only_call(wire)
    assert chosen == method
    assert {**sent, **IDENTITY} == sent
    assert "?" not in wire.calls[0].request.url or method == "GET"


def test_call__special_characters_arrive_as_written(live, wire):
    term = 'a&b=c+d "e" é #[ti] 100%'
    live.esearch(term=term, retmax=1)
    assert only_call(wire)[2]["term"] == term


@pytest.mark.parametrize("base", ["http://127.0.0.1:9/x/eutils.test/", "https://eutils.test/"])
def test_eutils_url__base_is_taken_as_written(settings, base):
    moved = replace(settings, ncbi_eutils_base_url=base)
    assert eutils_url(moved, "esearch") == base + "esearch.fcgi"
    assert eutils_url(moved, "ecitmatch.cgi") == base + "ecitmatch.cgi"


def test_call__goes_to_the_base_address_of_the_settings(settings, clock):
    moved = replace(settings, ncbi_eutils_base_url="http://Mirror.test:8080/a b/")
    with responses.RequestsMock() as mock:
        mock.add(responses.GET, "http://mirror.test:8080/a%20b/einfo.fcgi", body=ANSWERS["einfo"])
        build_clients(moved, clock=clock).eutils.einfo()


@pytest.mark.parametrize(
    ("name", "arguments", "age"),
    [
        ("esearch", {"term": "x", "retmax": 1}, "age_search"),
        ("esummary", {"ids": ["1"]}, "age_records"),
        ("efetch", {"ids": ["1"]}, "age_records"),
        ("espell", {"term": "x"}, "age_lookups"),
        ("einfo", {}, "age_lookups"),
        ("records", {"pmids": ["1"]}, "age_records"),
        ("summaries", {"pmids": ["1"]}, "age_records"),
    ],
)
def test_call__is_kept_for_the_age_of_its_kind(settings, clock, wire, name, arguments, age):
    """With that age at 0 it is asked twice, with the others at 0 once."""
    ages = dict.fromkeys(("age_search", "age_records", "age_lookups"), 0)
    kept = build_clients(replace(settings, **{**ages, age: 60}), clock=clock).eutils
    for _ in range(2):
        getattr(kept, name)(**arguments)
    assert len(wire.calls) == 1
    forgotten = build_clients(replace(settings, data_dir=settings.data_dir / "other", **{age: 0}), clock=clock).eutils
    for _ in range(2):
        getattr(forgotten, name)(**arguments)
    assert len(wire.calls) == 3
