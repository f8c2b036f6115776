"""The addresses of the sandbox."""

from pathlib import Path

import pytest
from lxml import etree
from werkzeug.test import Client

from pubmed_api.sandbox import create_sandbox
from pubmed_api.sandbox.corpus import DEFAULT_FOLDER

_EUTILS = "/eutils.ncbi.nlm.nih.gov/entrez/eutils"
_IDCONV = "/pmc.ncbi.nlm.nih.gov/tools/idconv/api/v1/articles"


@pytest.mark.parametrize(
    "address",
    [
        f"{_EUTILS}/esearch.fcgi?term=asthma",
        f"{_EUTILS}/efetch.fcgi?id=0",
        f"{_IDCONV}?ids=90000001",
        f"{_IDCONV}/?ids=90000001",
        "/",
        "/example.org/entrez/eutils/esearch.fcgi",
    ],
)
def test_create_sandbox__every_answer_is_marked(client: Client, address: str) -> None:
    assert client.get(address).headers["X-Sandbox"] == "1"


@pytest.mark.parametrize("address", ["/", "/eutils.ncbi.nlm.nih.gov/entrez/eutils/none.fcgi", "/esearch.fcgi"])
def test_create_sandbox__other_addresses(client: Client, address: str) -> None:
    answer = client.get(address)
    assert (answer.status_code, answer.mimetype) == (404, "text/plain")


def test_create_sandbox__converter_with_and_without_the_slash(client: Client) -> None:
    answers = [client.get(address, query_string={"ids": "90000001"}).json for address in (_IDCONV, f"{_IDCONV}/")]
    assert answers[0] == answers[1]


def test_create_sandbox__form_and_repeated_ids(client: Client) -> None:
    form = {"db": "pubmed", "retmode": "xml", "id": ["90000001", "90000002"]}
    posted = client.post(f"{_EUTILS}/efetch.fcgi", data=form)
    assert len(etree.fromstring(posted.data)) == 2
    many = client.post(f"{_EUTILS}/efetch.fcgi", data={"id": "90000001," * 100_000, "retmode": "xml"})
    assert len(etree.fromstring(many.data)) == 1


def test_create_sandbox__form_too_large(client: Client) -> None:
    answer = client.post(f"{_EUTILS}/efetch.fcgi", data={"id": "1," * 9_000_000})
    assert (answer.status_code, answer.headers["X-Sandbox"]) == (413, "1")


def test_create_sandbox__other_methods(client: Client) -> None:
    answer = client.delete(f"{_EUTILS}/esearch.fcgi")
    assert (answer.status_code, answer.headers["Allow"]) == (405, "GET, HEAD, POST")


def test_create_sandbox__characters_no_xml_can_hold(client: Client) -> None:
    answer = client.get(f"{_EUTILS}/espell.fcgi", query_string={"term": "as\x00thma\x1b\ufffe"})
    assert etree.fromstring(answer.data).findtext("Query") == "asthma"


def test_create_sandbox__json_is_refused(client: Client) -> None:
    answer = client.get(f"{_EUTILS}/esearch.fcgi?term=asthma&retmode=json")
    assert answer.status_code == 400
    assert etree.fromstring(answer.data).findtext("ERROR") == "retmode=json is not part of the sandbox"


def test_create_sandbox__reads_nothing_before_the_first_request(tmp_path: Path) -> None:
    application = create_sandbox(tmp_path / "later")
    (tmp_path / "later").mkdir()
    (tmp_path / "later" / "a.xml").write_text("<broken", "utf-8")
    assert Client(application).get("/").status_code == 404
    with pytest.raises(ValueError, match=r"a\.xml"):
        Client(application).get(f"{_EUTILS}/einfo.fcgi?db=pubmed")


needs_corpus = pytest.mark.skipif(not any(DEFAULT_FOLDER.glob("*.xml")), reason="the package has no corpus yet")


@pytest.fixture(scope="module")
def shipped() -> Client:
    return Client(create_sandbox())


@needs_corpus
def test_shipped_corpus__every_record_has_every_form(shipped: Client) -> None:
    found = etree.fromstring(shipped.get(f"{_EUTILS}/esearch.fcgi?term=all[sb]&retmax=9999").data)
    pmids = [node.text or "" for node in found.findall("IdList/Id")]
    assert len(pmids) == int(found.findtext("Count") or 0) > 0
    ids = ",".join(pmids)
    summaries = etree.fromstring(shipped.post(f"{_EUTILS}/esummary.fcgi", data={"id": ids}).data)
    assert [node.get("uid") for node in summaries.iter("DocumentSummary")] == pmids
    assert summaries.find(".//error") is None
    text = shipped.post(f"{_EUTILS}/efetch.fcgi", data={"id": ids, "rettype": "medline", "retmode": "text"}).text
    assert [line[6:] for line in text.splitlines() if line.startswith("PMID- ")] == pmids


@needs_corpus
@pytest.mark.parametrize("query", ["asthma", "free full text[filter]", "humans[mh]", "review[pt]", "english[la]"])
def test_shipped_corpus__filters_divide_it(shipped: Client, query: str) -> None:
    def count(term: str) -> int:
        answer = shipped.get(f"{_EUTILS}/esearch.fcgi", query_string={"term": term})
        return int(etree.fromstring(answer.data).findtext("Count") or 0)

    assert 0 < count(query) < count("all[sb]")
    assert count(query) + count(f"all[sb] NOT ({query})") == count("all[sb]")
