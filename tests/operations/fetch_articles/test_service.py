import pytest
from hypothesis import given
from hypothesis import strategies as st

from pubmed_api.exceptions import InvalidEfetchResponse, UpstreamRefused, UpstreamUnreachable
from pubmed_api.models.failed_id import FailedId
from pubmed_api.operations.fetch_articles.service import Parts, fetch_articles

EMPTY = b"<?xml version='1.0'?><!DOCTYPE PubmedArticleSet><PubmedArticleSet></PubmedArticleSet>"


def never(article):
    raise AssertionError("measured without a ceiling")


def pmids_of(answer):
    return [article.pmid for article in answer.articles]


def test_fetch_articles__request_order(pubmed):
    eutils = pubmed.FakeEutils(*map(pubmed.article, ["90000003", "90000001", "90000002"]))
    answer = fetch_articles(["90000002", "90000003", "90000001"], eutils=eutils, measure=never)
    assert pmids_of(answer) == ["90000002", "90000003", "90000001"]
    assert (answer.total_returned, answer.truncated, answer.deferred, answer.notice) == (3, None, None, None)


def test_fetch_articles__unknown_and_repeated(pubmed):
    eutils = pubmed.FakeEutils(pubmed.article("90000001"), pubmed.article("90000002"))
    asked = ["90000001", "99999999", "90000001", "90000002"]
    answer = fetch_articles(asked, eutils=eutils, measure=never)
    assert pmids_of(answer) == ["90000001", "90000002"]
    assert answer.unavailable_pmids == ("99999999",)
    assert answer.notice is None
    assert eutils.calls == [{"ids": ["90000001", "99999999", "90000002"], "post": False}]


def test_fetch_articles__leading_zeros_are_one_pmid(pubmed):
    eutils = pubmed.FakeEutils(pubmed.article("90000001"))
    asked = ["0090000001", "90000001", "099999999", "99999999"]
    answer = fetch_articles(asked, eutils=eutils, measure=never)
    assert pmids_of(answer) == ["90000001"]
    assert answer.unavailable_pmids == ("099999999",)


def test_fetch_articles__nothing_returned(pubmed):
    answer = fetch_articles(
        ["99999999", "99999998"], eutils=pubmed.FakeEutils(body=EMPTY), measure=never, max_response_characters=5
    )
    assert answer.articles == ()
    assert answer.unavailable_pmids == ("99999999", "99999998")
    assert "pubmed_search_articles" in answer.notice
    assert answer.deferred is None


def test_fetch_articles__pmids_that_cannot_exist_are_not_sent(pubmed):
    eutils = pubmed.FakeEutils()
    answer = fetch_articles(["00000000", "9783642403361"], eutils=eutils, measure=never)
    assert answer.unavailable_pmids == ("00000000", "9783642403361")
    assert answer.notice is not None
    assert eutils.calls == []


def test_fetch_articles__a_record_not_asked_for_hides_no_miss(pubmed):
    _, other = pubmed.article("90000009")
    _, nameless = pubmed.article("0")
    eutils = pubmed.FakeEutils(body=f"<PubmedArticleSet>{other}{nameless}</PubmedArticleSet>".encode())
    answer = fetch_articles(["90000001"], eutils=eutils, measure=never)
    assert answer.articles == ()
    assert answer.unavailable_pmids == ("90000001",)


def test_fetch_articles__deleted_record_is_unavailable(pubmed):
    body = b"<PubmedArticleSet><DeleteCitation><PMID Version='1'>90000001</PMID></DeleteCitation></PubmedArticleSet>"
    answer = fetch_articles(["90000001"], eutils=pubmed.FakeEutils(body=body), measure=never)
    assert answer.unavailable_pmids == ("90000001",)


def test_fetch_articles__books_are_found(pubmed):
    book = """<PubmedBookArticle><BookDocument><PMID Version="1">90000005</PMID><Book><BookTitle>A Book of Fiction
        </BookTitle></Book><ArticleTitle>A chapter</ArticleTitle></BookDocument></PubmedBookArticle>"""
    eutils = pubmed.FakeEutils(pubmed.article("90000001"), ("90000005", book))
    answer = fetch_articles(["90000005", "90000001"], eutils=eutils, measure=never)
    assert [article.record_type for article in answer.articles] == ["book-chapter", "journal-article"]
    assert answer.articles[0].book.title == "A Book of Fiction"
    assert answer.unavailable_pmids == ()


def test_fetch_articles__failure_is_the_error_of_the_call(pubmed):
    eutils = pubmed.FakeEutils(error=UpstreamUnreachable("NCBI is away."))
    with pytest.raises(UpstreamUnreachable):
        fetch_articles(["90000001"], eutils=eutils, measure=never)


def test_fetch_articles__failed_is_not_unavailable(pubmed):
    eutils = pubmed.FakeEutils(
        pubmed.article("90000001"),
        failed={"90000002": UpstreamUnreachable("away"), "90000003": UpstreamRefused("no")},
    )
    asked = ["90000001", "0090000002", "99999999", "90000003"]
    answer = fetch_articles(asked, eutils=eutils, measure=never)
    assert pmids_of(answer) == ["90000001"]
    assert answer.unavailable_pmids == ("99999999",)
    assert answer.failed == (
        FailedId("0090000002", "ncbi_unreachable", True),
        FailedId("90000003", "ncbi_refused", False),
    )
    assert "2 of the PMIDs (ncbi_unreachable, ncbi_refused)" in answer.notice
    assert "Ask for them again" in answer.notice


def test_fetch_articles__nothing_found_and_some_failed(pubmed):
    eutils = pubmed.FakeEutils(failed={"90000002": UpstreamRefused("no")})
    answer = fetch_articles(["99999999", "90000002"], eutils=eutils, measure=never)
    assert answer.unavailable_pmids == ("99999999",)
    assert "the PMID asked for" in answer.notice
    assert "1 of the PMIDs (ncbi_refused)" in answer.notice
    assert "again" not in answer.notice


def test_fetch_articles__ceiling_and_failures_are_both_told(pubmed):
    eutils = pubmed.FakeEutils(
        *map(pubmed.article, ["90000001", "90000002"]), failed={"90000003": UpstreamUnreachable("away")}
    )
    answer = fetch_articles(
        ["90000001", "90000002", "90000003"], eutils=eutils, measure=lambda _: 100, max_response_characters=150
    )
    assert answer.deferred.ids == ("90000002",)
    assert [entry.id for entry in answer.failed] == ["90000003"]
    assert answer.notice.index("100 of 150") < answer.notice.index("NCBI failed for 1")


def test_fetch_articles__answer_without_an_article_set(pubmed):
    with pytest.raises(InvalidEfetchResponse):
        fetch_articles(["90000001"], eutils=pubmed.FakeEutils(body=b"<pmc-articleset/>"), measure=never)


@pytest.fixture
def trial(pubmed):
    """A record with every part that can be left out."""
    return pubmed.article(
        "90000001",
        inside=f"<AuthorList>{pubmed.author('Inventa', 'First House')}</AuthorList>"
        "<GrantList><Grant><GrantID>G-1</GrantID><Agency>Fund</Agency></Grant></GrantList>",
        citation="<MeshHeadingList><MeshHeading><DescriptorName UI='D000001' MajorTopicYN='N'>Fiction"
        "</DescriptorName></MeshHeading></MeshHeadingList><InvestigatorList>"
        + pubmed.author("Memberly", "Second House", "Investigator")
        + pubmed.author("Partmann", "First House", "Investigator")
        + "</InvestigatorList>",
    )


@pytest.mark.parametrize(
    ("parts", "shown"),
    [
        (Parts(), (1, 0, 0)),
        (Parts(mesh=False), (0, 0, 0)),
        (Parts(grants=True), (1, 1, 0)),
        (Parts(investigators=True), (1, 0, 2)),
    ],
)
def test_fetch_articles__parts(pubmed, trial, parts, shown):
    answer = fetch_articles(["90000001"], eutils=pubmed.FakeEutils(trial), measure=never, parts=parts)
    (article,) = answer.articles
    assert (len(article.mesh_terms), len(article.grant_list), len(article.investigators)) == shown


def test_fetch_articles__affiliations_without_investigators(pubmed, trial):
    (article,) = fetch_articles(["90000001"], eutils=pubmed.FakeEutils(trial), measure=never).articles
    assert article.affiliations == ("First House",)


def test_fetch_articles__affiliations_of_investigators_follow(pubmed, trial):
    parts = Parts(investigators=True)
    (article,) = fetch_articles(["90000001"], eutils=pubmed.FakeEutils(trial), measure=never, parts=parts).articles
    assert article.affiliations == ("First House", "Second House")
    places = [article.affiliations[i] for person in article.investigators for i in person.affiliation_indices]
    assert places == ["Second House", "First House"]
    assert article.authors[0].affiliation_indices == (0,)


def test_fetch_articles__ceiling(pubmed):
    """Sizes 100, 300 and 50 under 250: the first is kept, the small one behind the large one is not pulled ahead."""
    sizes = {"90000001": 100, "90000002": 300, "90000003": 50}
    eutils = pubmed.FakeEutils(*map(pubmed.article, sizes))
    asked = ["90000001", "0090000002", "99999999", "90000003"]
    answer = fetch_articles(
        asked, eutils=eutils, measure=lambda article: sizes[article.pmid], max_response_characters=250
    )
    assert pmids_of(answer) == ["90000001"]
    assert (answer.total_returned, answer.truncated) == (1, True)
    assert answer.unavailable_pmids == ("99999999",)
    deferred = answer.deferred
    assert (deferred.max_response_characters, deferred.returned_characters) == (250, 100)
    assert (deferred.deferred_count, deferred.ids) == (2, ("0090000002", "90000003"))
    assert deferred.next_deferred_characters == 300
    assert "100 of 250" in answer.notice


def test_fetch_articles__ceiling_below_the_first_record(pubmed):
    eutils = pubmed.FakeEutils(pubmed.article("90000001"))
    answer = fetch_articles(
        ["90000001", "99999999"], eutils=eutils, measure=lambda article: 100, max_response_characters=50
    )
    assert (answer.articles, answer.deferred.ids, answer.deferred.returned_characters) == ((), ("90000001",), 0)
    assert "first record alone exceeds" in answer.notice
    assert "no record" not in answer.notice


def test_fetch_articles__all_under_the_ceiling(pubmed):
    eutils = pubmed.FakeEutils(pubmed.article("90000001"))
    args = {"eutils": eutils, "measure": lambda article: 100}
    assert fetch_articles(["90000001"], **args, max_response_characters=100) == fetch_articles(["90000001"], **args)


KNOWN = [str(90000001 + i) for i in range(8)]
ASKED = st.tuples(st.sampled_from([*KNOWN, "99999999", "99999998", "0", "1234567890"]), st.integers(0, 2))


@given(
    st.lists(ASKED.map(lambda pair: "0" * pair[1] + pair[0]), min_size=1, max_size=25),
    st.none() | st.integers(1, 900),
    st.sets(st.sampled_from(["99999998", *KNOWN[:3]])),
)
def test_fetch_articles__every_pmid_once(pubmed, asked, ceiling, failed):
    eutils = pubmed.FakeEutils(*map(pubmed.article, KNOWN), failed=dict.fromkeys(failed, UpstreamUnreachable("away")))
    answer = fetch_articles(
        asked,
        eutils=eutils,
        measure=lambda article: 10 * int(article.pmid[-1]),
        max_response_characters=ceiling,
    )
    deferred = answer.deferred.ids if answer.deferred else ()
    without = [entry.id for entry in answer.failed]
    accounted = [*pmids_of(answer), *deferred, *answer.unavailable_pmids, *without]
    canonical = [pmid.lstrip("0") for pmid in accounted]
    assert sorted(canonical) == sorted({pmid.lstrip("0") for pmid in asked})
    assert {*deferred, *answer.unavailable_pmids, *without} <= set(asked)
    assert {pmid.lstrip("0") for pmid in without} == failed & set(canonical)
    assert {pmid.lstrip("0") for pmid in answer.unavailable_pmids}.isdisjoint(KNOWN)
