import pytest

from pubmed_api.exceptions import InvalidEfetchResponse, UpstreamRateLimited
from pubmed_api.lookups import articles_by_pmid, convert_ids, summaries_by_pmid


def article(pmid, version=1, title="Invented"):
    return (
        f"<PubmedArticle><MedlineCitation><PMID Version='{version}'>{pmid}</PMID>"
        f"<Article><ArticleTitle>{title}</ArticleTitle></Article></MedlineCitation></PubmedArticle>"
    )


def summary(pmid):
    return f"<DocumentSummary uid='{pmid}'><Title>Invented</Title></DocumentSummary>"


class FakeEutils:
    """Answers every call with the same rows; calls are kept."""

    def __init__(self, *rows):
        self.rows = "".join(rows)
        self.calls = []

    def efetch(self, *, ids, db="pubmed", rettype=None, retmode="xml", post=False):
        self.calls.append((list(ids), post))
        return f"<PubmedArticleSet>{self.rows}</PubmedArticleSet>".encode()

    def esummary(self, *, ids, db="pubmed"):
        self.calls.append(list(ids))
        rows = f"<DocumentSummarySet status='OK'>{self.rows}</DocumentSummarySet>"
        return f"<eSummaryResult>{rows}</eSummaryResult>".encode()


class FakeIdconv:
    def __init__(self, *records):
        self.records = list(records)
        self.calls = []

    def convert(self, *, ids, idtype):
        self.calls.append((list(ids), idtype))
        return {"status": "ok", "records": self.records}


def test_articles_by_pmid__order_of_the_request():
    eutils = FakeEutils(article("90000001"), article("90000002"))
    found = articles_by_pmid(["90000002", "99999999", "90000001"], eutils=eutils)
    assert list(found) == ["90000002", "90000001"]
    assert found["90000002"].pmid == "90000002"


def test_articles_by_pmid__each_id_is_sent_once_in_canonical_form():
    eutils = FakeEutils(article("90000001"))
    found = articles_by_pmid(["0090000001", "90000001", "000", "1234567890"], eutils=eutils)
    assert eutils.calls == [(["90000001"], False)]
    assert list(found) == ["90000001"]


@pytest.mark.parametrize("pmids", [[], ["0", "00000000", "1234567890"]])
def test_articles_by_pmid__nothing_to_ask(pmids):
    eutils = FakeEutils()
    assert articles_by_pmid(pmids, eutils=eutils) == {}
    assert eutils.calls == []


@pytest.mark.parametrize(("versions", "title"), [((1, 2), "second"), ((2, 1), "second")])
def test_articles_by_pmid__highest_version(versions, title):
    rows = [article("90000001", version, {1: "first", 2: "second"}[version]) for version in versions]
    found = articles_by_pmid(["90000001"], eutils=FakeEutils(*rows))
    assert found["90000001"].title == title


def test_articles_by_pmid__records_not_asked_for_are_passed_over():
    eutils = FakeEutils(article("90000009"), article(""), article("90000001"))
    assert list(articles_by_pmid(["90000001"], eutils=eutils)) == ["90000001"]


@pytest.mark.parametrize(("count", "post"), [(99, False), (100, True), (200, True)])
def test_articles_by_pmid__post_for_long_lists(count, post):
    eutils = FakeEutils()
    articles_by_pmid([str(90000001 + i) for i in range(count)], eutils=eutils)
    ((ids, posted),) = eutils.calls
    assert (len(ids), posted) == (count, post)


def test_articles_by_pmid__another_threshold_for_post():
    eutils = FakeEutils()
    articles_by_pmid([str(90000001 + i) for i in range(25)], eutils=eutils, post_from=25)
    assert eutils.calls[0][1] is True


def test_articles_by_pmid__more_than_one_call_can_hold():
    with pytest.raises(ValueError, match="at most 200"):
        articles_by_pmid([str(90000001 + i) for i in range(201)], eutils=FakeEutils())


def test_articles_by_pmid__failures_are_raised():
    class Broken:
        def efetch(self, **_):
            return b"<eFetchResult/>"

    with pytest.raises(InvalidEfetchResponse):
        articles_by_pmid(["90000001"], eutils=Broken())


def test_summaries_by_pmid__order_of_the_request():
    eutils = FakeEutils(summary("90000001"), summary("90000009"), summary("90000002"))
    found = summaries_by_pmid(["90000002", "0090000001", "99999999", "0"], eutils=eutils)
    assert list(found) == ["90000002", "90000001"]
    assert eutils.calls == [["90000002", "90000001", "99999999"]]


def test_summaries_by_pmid__nothing_to_ask():
    eutils = FakeEutils()
    assert summaries_by_pmid(["0"], eutils=eutils) == {}
    assert eutils.calls == []


def test_convert_ids__pmcids_are_sent_in_one_form():
    """A batch that mixes ``PMC123`` and ``123`` is refused as a whole."""
    idconv = FakeIdconv({"requested-id": "PMC9900001", "pmcid": "PMC9900001", "pmid": 90000001})
    found = convert_ids(["pmc9900001", "9900001", "PMC0009900001"], "pmcid", idconv=idconv)
    assert idconv.calls == [(["PMC9900001"], "pmcid")]
    assert found["PMC9900001"].pmid == "90000001"


def test_convert_ids__pmids_are_sent_without_leading_zeros():
    idconv = FakeIdconv()
    assert convert_ids(["0090000001", "90000001"], "pmid", idconv=idconv) == {}
    assert idconv.calls == [(["90000001"], "pmid")]


def test_convert_ids__dois_are_compared_without_case():
    idconv = FakeIdconv({"requested-id": "10.5555/ABC", "doi": "10.5555/aBc", "pmid": 90000001})
    found = convert_ids(["10.5555/Abc", "10.5555/abc"], "doi", idconv=idconv)
    assert idconv.calls == [(["10.5555/Abc"], "doi")]
    assert list(found) == ["10.5555/abc"]
    assert found["10.5555/abc"].doi == "10.5555/aBc"


@pytest.mark.parametrize(("ids", "id_type"), [(["0", "1234567890"], "pmid"), (["PMC0"], "pmcid"), ([], "doi")])
def test_convert_ids__nothing_to_ask(ids, id_type):
    idconv = FakeIdconv()
    assert convert_ids(ids, id_type, idconv=idconv) == {}
    assert idconv.calls == []


@pytest.mark.parametrize("echo", [{}, {"requested-id": "another text"}])
def test_convert_ids__answer_known_by_its_own_id(echo):
    """The older service echoes nothing."""
    found = convert_ids(["90000001"], "pmid", idconv=FakeIdconv({"pmid": "90000001", **echo}))
    assert list(found) == ["90000001"]


def test_convert_ids__rows_not_asked_for_are_passed_over():
    idconv = FakeIdconv({"requested-id": "90000009", "pmid": 90000009}, {"requested-id": "x"})
    assert convert_ids(["90000001"], "pmid", idconv=idconv) == {}


def test_convert_ids__failures_are_raised():
    class Broken:
        def convert(self, **_):
            raise UpstreamRateLimited("Too often.")

    with pytest.raises(UpstreamRateLimited):
        convert_ids(["90000001"], "pmid", idconv=Broken())
