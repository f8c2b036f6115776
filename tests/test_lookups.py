import json
from urllib.parse import parse_qs

import pytest
from support.validating import build_settings

from pubmed_api.clients import build_clients
from pubmed_api.exceptions import InvalidArguments, InvalidEfetchResponse, UpstreamRateLimited
from pubmed_api.lookups import articles_by_pmid, convert_ids, summaries_by_pmid


def article(pmid, version=1, title="Invented"):
    return (
        f"<PubmedArticle><MedlineCitation><PMID Version='{version}'>{pmid}</PMID>"
        f"<Article><ArticleTitle>{title}</ArticleTitle></Article></MedlineCitation></PubmedArticle>"
    )


def summary(pmid):
    return f"<DocumentSummary uid='{pmid}'><Title>Invented</Title></DocumentSummary>"


class Ncbi:
    """NCBI as a WSGI application: every call is answered with the same rows; ``calls`` has what was asked for.

    ``status`` and ``body`` replace the answer. The clients of the whole stack ask it.
    """

    def __init__(self, folder):
        self.rows, self.records, self.status, self.body = (), (), "200 OK", None
        self.calls = []
        self.clients = build_clients(build_settings(folder), self)

    def __call__(self, environ, start_response):
        sent = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0)).decode()
        params = {name: values[0] for name, values in parse_qs(environ["QUERY_STRING"] or sent).items()}
        self.calls.append((params.get("id", params.get("ids", "")).split(","), environ["REQUEST_METHOD"] == "POST"))
        start_response(self.status, [("Content-Type", "text/plain")])
        return [self.body or self.answer(environ["PATH_INFO"].rsplit("/", 1)[-1]).encode()]

    def answer(self, endpoint):
        rows = "".join(self.rows)
        if endpoint == "efetch.fcgi":
            return f"<PubmedArticleSet>{rows}</PubmedArticleSet>"
        if endpoint == "esummary.fcgi":
            documents = f"<DocumentSummarySet status='OK'>{rows}</DocumentSummarySet>"
            return f"<eSummaryResult>{documents}</eSummaryResult>"
        return json.dumps({"status": "ok", "records": self.records})

    def articles(self, *pmids, rows=(), **options):
        self.rows = rows
        return articles_by_pmid(pmids, eutils=self.clients.eutils, **options)

    def summaries(self, *pmids, rows=()):
        self.rows = rows
        return summaries_by_pmid(pmids, eutils=self.clients.eutils)

    def convert(self, *ids, id_type, records=()):
        self.records = records
        return convert_ids(ids, id_type, idconv=self.clients.idconv)


@pytest.fixture
def ncbi(tmp_path):
    return Ncbi(tmp_path)


def test_articles_by_pmid__order_of_the_request(ncbi):
    rows = [article("90000001"), article("90000002")]
    found = ncbi.articles("90000002", "99999999", "90000001", rows=rows).found
    assert list(found) == ["90000002", "90000001"]
    assert found["90000002"].pmid == "90000002"


def test_articles_by_pmid__each_id_is_sent_once_in_canonical_form(ncbi):
    found = ncbi.articles("0090000001", "90000001", "000", "1234567890", rows=[article("90000001")]).found
    assert ncbi.calls == [(["90000001"], False)]
    assert list(found) == ["90000001"]


@pytest.mark.parametrize("pmids", [[], ["0", "00000000", "1234567890"]])
def test_articles_by_pmid__nothing_to_ask(ncbi, pmids):
    looked_up = ncbi.articles(*pmids)
    assert (looked_up.found, looked_up.failed) == ({}, {})
    assert ncbi.calls == []


@pytest.mark.parametrize(("versions", "title"), [((1, 2), "second"), ((2, 1), "second")])
def test_articles_by_pmid__highest_version(ncbi, versions, title):
    rows = [article("90000001", version, {1: "first", 2: "second"}[version]) for version in versions]
    assert ncbi.articles("90000001", rows=rows).found["90000001"].title == title


def test_articles_by_pmid__records_not_asked_for_are_passed_over(ncbi):
    rows = [article("90000009"), article(""), article("90000001")]
    assert list(ncbi.articles("90000001", rows=rows).found) == ["90000001"]


@pytest.mark.parametrize(("count", "post"), [(99, False), (100, True), (200, True)])
def test_articles_by_pmid__post_for_long_lists(ncbi, count, post):
    ncbi.articles(*[str(90000001 + i) for i in range(count)])
    ((ids, posted),) = ncbi.calls
    assert (len(ids), posted) == (count, post)


def test_articles_by_pmid__another_threshold_for_post(ncbi):
    ncbi.articles(*[str(90000001 + i) for i in range(25)], post_from=25)
    assert ncbi.calls[0][1] is True


def test_articles_by_pmid__more_than_one_call_can_hold(ncbi):
    with pytest.raises(ValueError, match="at most 200"):
        ncbi.articles(*[str(90000001 + i) for i in range(201)])
    assert ncbi.calls == []


def test_articles_by_pmid__failures_are_raised(ncbi):
    ncbi.body = b"<pmc-articleset/>"
    with pytest.raises(InvalidEfetchResponse):
        ncbi.articles("90000001")


def test_articles_by_pmid__only_what_is_not_stored_is_asked_for(ncbi):
    ncbi.articles("90000001", "90000002", rows=[article("90000001"), article("90000002")])
    found = ncbi.articles("90000001", "90000003", "90000002", rows=[article("90000003")]).found
    assert list(found) == ["90000001", "90000003", "90000002"]
    assert ncbi.calls[1] == (["90000003"], False)


def test_articles_by_pmid__some_fail(ncbi):
    """What was stored is found, the rest is failed, and nothing is missing."""
    ncbi.articles("90000001", "99999999", rows=[article("90000001")])
    ncbi.status = "503 Away"
    looked_up = ncbi.articles("0090000002", "90000001", "99999999")
    assert list(looked_up.found) == ["90000001"]
    (failed,) = looked_up.failed_ids({"90000002": "0090000002"})
    assert (failed.id, failed.reason, failed.retryable) == ("0090000002", "ncbi_unreachable", True)


def test_summaries_by_pmid__order_of_the_request(ncbi):
    rows = [summary("90000001"), summary("90000009"), summary("90000002")]
    found = ncbi.summaries("90000002", "0090000001", "99999999", "0", rows=rows).found
    assert list(found) == ["90000002", "90000001"]
    assert [ids for ids, _ in ncbi.calls] == [["90000002", "90000001", "99999999"]]


def test_summaries_by_pmid__nothing_to_ask(ncbi):
    assert ncbi.summaries("0").found == {}
    assert ncbi.calls == []


def test_convert_ids__pmcids_are_sent_in_one_form(ncbi):
    """A batch that mixes ``PMC123`` and ``123`` is refused as a whole."""
    rows = [{"requested-id": "PMC9900001", "pmcid": "PMC9900001", "pmid": 90000001}]
    found = ncbi.convert("pmc9900001", "9900001", "PMC0009900001", id_type="pmcid", records=rows).found
    assert ncbi.calls == [(["PMC9900001"], False)]
    assert found["PMC9900001"].pmid == "90000001"


def test_convert_ids__pmids_are_sent_without_leading_zeros(ncbi):
    assert ncbi.convert("0090000001", "90000001", id_type="pmid").found == {}
    assert ncbi.calls == [(["90000001"], False)]


def test_convert_ids__dois_are_compared_without_case(ncbi):
    rows = [{"requested-id": "10.5555/ABC", "doi": "10.5555/aBc", "pmid": 90000001}]
    found = ncbi.convert("10.5555/Abc", "10.5555/abc", id_type="doi", records=rows).found
    assert ncbi.calls == [(["10.5555/Abc"], False)]
    assert list(found) == ["10.5555/abc"]
    assert found["10.5555/abc"].doi == "10.5555/aBc"


@pytest.mark.parametrize(("ids", "id_type"), [(["0", "1234567890"], "pmid"), (["PMC0"], "pmcid"), ([], "doi")])
def test_convert_ids__nothing_to_ask(ncbi, ids, id_type):
    assert ncbi.convert(*ids, id_type=id_type).found == {}
    assert ncbi.calls == []


@pytest.mark.parametrize("echo", [{}, {"requested-id": "another text"}])
def test_convert_ids__answer_known_by_its_own_id(ncbi, echo):
    """The older service echoes nothing."""
    rows = [{"pmid": "90000001", **echo}]
    assert list(ncbi.convert("90000001", id_type="pmid", records=rows).found) == ["90000001"]


def test_convert_ids__rows_not_asked_for_are_passed_over(ncbi):
    rows = [{"requested-id": "90000009", "pmid": 90000009}, {"requested-id": "x"}]
    assert ncbi.convert("90000001", id_type="pmid", records=rows).found == {}


def test_convert_ids__more_than_one_call_can_hold(ncbi):
    with pytest.raises(ValueError, match="at most 200"):
        ncbi.convert(*[str(90000001 + i) for i in range(201)], id_type="pmid")


def test_convert_ids__failures_are_raised(ncbi):
    ncbi.status = "429 Slow down"
    with pytest.raises(UpstreamRateLimited):
        ncbi.convert("90000001", id_type="pmid")


def test_convert_ids__refused_ids_are_raised_whatever_is_stored(ncbi):
    """The caller can mend them; they are no failure of the upstream."""
    ncbi.convert("90000001", id_type="pmid", records=[{"requested-id": "90000001", "pmid": 90000001}])
    ncbi.status = "400 Bad"
    with pytest.raises(InvalidArguments) as caught:
        ncbi.convert("90000001", "90000002", id_type="pmid")
    assert caught.value.data["problems"][0]["value"] == ["90000002"]
