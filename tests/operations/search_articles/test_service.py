"""A search from request to answer, over a fake E-utilities client."""

import pytest

from pubmed_api.exceptions import (
    BlankFilter,
    BlankQuery,
    InvalidDateRange,
    NotInCache,
    RequestCancelled,
    UpstreamInvalidResponse,
    UpstreamNotFound,
    UpstreamTimeout,
    UpstreamUnreachable,
)
from pubmed_api.models.entrez import History
from pubmed_api.models.failed_id import FailedId
from pubmed_api.operations.search_articles.model import (
    AppliedFilters,
    DateRange,
    Diagnostics,
    SearchRequest,
)
from pubmed_api.operations.search_articles.service import search_articles

PMIDS = ("90000007", "90000003", "90000005")
HISTORY = "<QueryKey>1</QueryKey><WebEnv>MCID_invented</WebEnv>"


@pytest.fixture
def search(pubmed):
    """Run a search over this ESearch body; gives the answer and the fake client."""

    def run(body=None, *, query="asthma", eutils=None, **fields):
        eutils = eutils or pubmed.FakeEutils(body)
        return search_articles(SearchRequest(query, **fields), eutils=eutils), eutils

    return run


def test_search_articles__answer(search, pubmed):
    body = pubmed.search_body(PMIDS, count=2509, extra="<QueryTranslation>asthma[All Fields]</QueryTranslation>")
    answer, _ = search(body, query=" <b>asthma</b> OR copd", author="Mond A")
    assert answer.query == " <b>asthma</b> OR copd"
    assert answer.effective_query == "(asthma OR copd) AND Mond A[Author]"
    assert (
        answer.search_url
        == "https://pubmed.ncbi.nlm.nih.gov/?term=%28asthma%20OR%20copd%29%20AND%20Mond%20A%5BAuthor%5D"
    )
    assert (answer.total_count, answer.offset, answer.returned) == (2509, 0, 3)
    assert answer.pmids == PMIDS
    assert answer.summaries == ()
    assert answer.applied_filters == AppliedFilters(author="Mond A")
    assert answer.query_translation == "asthma[All Fields]"


def test_search_articles__what_is_sent(search):
    _, eutils = search(max_results=7, offset=14)
    assert eutils.searches == [
        {"term": "asthma", "retmax": 7, "retstart": 14, "sort": "relevance", "usehistory": False}
    ]


@pytest.mark.parametrize(
    ("sort", "sent"),
    [("relevance", "relevance"), ("pub_date", "pub_date"), ("author", "Author"), ("journal", "JournalName")],
)
def test_search_articles__sort_in_pubmeds_spelling(search, sort, sent):
    _, eutils = search(sort=sort)
    assert eutils.searches[0]["sort"] == sent


def test_search_articles__unknown_sort_is_told_and_logged(search, pubmed, caplog):
    message = "Unknown sort schema 'x' ignored"
    answer, _ = search(pubmed.search_body(PMIDS, extra=pubmed.warnings(OutputMessage=message)), max_results=3)
    assert message in caplog.text
    assert answer.notice == f"PubMed says: {message}."
    assert answer.diagnostics == Diagnostics(messages=(message,))


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"query": "[pdat]", "author": " "}, BlankQuery),
        ({"author": " ", "date_range": DateRange("2025", "2020")}, BlankFilter),
        ({"date_range": DateRange("2025", "2020")}, InvalidDateRange),
    ],
)
def test_search_articles__refused_before_any_call(search, pubmed, fields, error):
    eutils = pubmed.FakeEutils()
    with pytest.raises(error):
        search(eutils=eutils, **fields)
    assert eutils.searches == []


@pytest.mark.parametrize("error", [UpstreamUnreachable("down"), UpstreamTimeout("slow"), RequestCancelled("gone")])
def test_search_articles__failing_search_is_raised(search, pubmed, error):
    with pytest.raises(type(error)):
        search(eutils=pubmed.FakeEutils(search_error=error))


def test_search_articles__error_in_a_200_is_no_empty_result(search):
    with pytest.raises(UpstreamUnreachable):
        search(b"<eSearchResult><ERROR>Search Backend failed</ERROR></eSearchResult>")
    with pytest.raises(UpstreamInvalidResponse):
        search(b"<eSearchResult><Count>1e3</Count></eSearchResult>")


def test_search_articles__summaries_in_rank_order(search, pubmed):
    answer, eutils = search(pubmed.search_body(PMIDS), max_results=3, summary_count=2)
    assert [summary.pmid for summary in answer.summaries] == ["90000007", "90000003"]
    assert eutils.summarized == [["90000007", "90000003"]]
    assert answer.notice is None


def test_search_articles__more_summaries_than_results(search, pubmed):
    answer, eutils = search(pubmed.search_body(PMIDS), summary_count=50)
    assert len(answer.summaries) == 3
    assert eutils.summarized == [list(PMIDS)]


@pytest.mark.parametrize("count", [0, 5])
def test_search_articles__nothing_to_summarize(search, pubmed, count):
    body = pubmed.search_body(() if count else PMIDS)
    answer, eutils = search(body, summary_count=count)
    assert answer.summaries == ()
    assert eutils.summarized == []


def test_search_articles__missing_summary_is_told(search, pubmed):
    eutils = pubmed.FakeEutils(pubmed.search_body(PMIDS), without=("90000003",))
    answer, _ = search(eutils=eutils, summary_count=3)
    assert [summary.pmid for summary in answer.summaries] == ["90000007", "90000005"]
    assert answer.failed == ()
    assert "no summary for PMID 90000003" in answer.notice


@pytest.mark.parametrize(
    ("error", "reason", "retryable"),
    [
        (UpstreamTimeout("slow"), "ncbi_timeout", True),
        (UpstreamNotFound("none"), "ncbi_resource_not_found", False),
        (UpstreamInvalidResponse("odd"), "ncbi_invalid_response", True),
    ],
)
def test_search_articles__failing_summaries_leave_the_pmids(search, pubmed, error, reason, retryable):
    eutils = pubmed.FakeEutils(pubmed.search_body(PMIDS), summary_error=error)
    answer, _ = search(eutils=eutils, summary_count=2)
    assert answer.pmids == PMIDS
    assert answer.summaries == ()
    assert answer.failed == tuple(FailedId(pmid, reason, retryable) for pmid in PMIDS[:2])
    assert reason in answer.notice


def test_search_articles__some_summaries_fail(search, pubmed):
    """The others are there, and a failed one is not told as missing."""
    eutils = pubmed.FakeEutils(
        pubmed.search_body(PMIDS), without=("90000003",), failed={"90000005": UpstreamTimeout("slow")}
    )
    answer, _ = search(eutils=eutils, summary_count=3)
    assert [summary.pmid for summary in answer.summaries] == ["90000007"]
    assert answer.failed == (FailedId("90000005", "ncbi_timeout", True),)
    assert "1 of their summaries could not be fetched (ncbi_timeout)" in answer.notice
    assert "no summary for PMID 90000003." in answer.notice


@pytest.mark.parametrize("error", [RequestCancelled("gone"), NotInCache("not here")])
def test_search_articles__cancelled_summaries_are_raised(search, pubmed, error):
    eutils = pubmed.FakeEutils(pubmed.search_body(PMIDS), summary_error=error)
    with pytest.raises(type(error)):
        search(eutils=eutils, summary_count=2)


@pytest.mark.parametrize(
    ("total", "offset", "returned", "has_more"),
    [
        (2509, 0, 20, True),
        (20, 0, 20, False),
        (21, 0, 20, True),
        (25, 20, 5, False),
        (0, 0, 0, False),
        (10, 50, 0, False),
        (9999, 9979, 20, False),
        (20000, 9979, 20, False),
        (20000, 9978, 20, True),
        (20000, 9998, 1, False),
    ],
)
def test_search_articles__has_more(search, pubmed, total, offset, returned, has_more):
    ids = [str(90000000 + number) for number in range(returned)]
    answer, _ = search(pubmed.search_body(ids, count=total), offset=offset)
    assert (answer.has_more, answer.returned, answer.total_count) == (has_more, returned, total)


def test_search_articles__count_only(search, pubmed):
    answer, eutils = search(pubmed.search_body(count=2509), max_results=0)
    assert (answer.total_count, answer.pmids, answer.has_more, answer.notice) == (2509, (), True, None)
    assert eutils.searches[0]["retmax"] == 0


def test_search_articles__page_cut_at_the_window(search, pubmed):
    message = "Restrictions achieved. start and count adjusted to 9998, 1"
    body = pubmed.search_body(["90000001"], count=20000, extra=pubmed.warnings(OutputMessage=message))
    answer, _ = search(body, offset=9998, max_results=10)
    assert "1 of the 10 asked for" in answer.notice
    assert "dateRange" in answer.notice
    assert "Restrictions" not in answer.notice
    assert (answer.diagnostics, answer.has_more) == (Diagnostics(), False)


def test_search_articles__window_that_holds_all(search, pubmed):
    body = pubmed.search_body([str(90000000 + number) for number in range(20)], count=9999)
    answer, _ = search(body, offset=9979)
    assert answer.notice is None


def test_search_articles__past_the_end(search, pubmed):
    answer, _ = search(pubmed.search_body(count=10), offset=50)
    assert answer.notice == "Offset 50 is past the last of 10 results. Lower the offset, or start again from 0."


def test_search_articles__page_that_came_short(search, pubmed):
    answer, _ = search(pubmed.search_body(PMIDS, count=100))
    assert "3 of the 20 PMIDs" in answer.notice
    assert answer.has_more


def test_search_articles__nothing_found(search, pubmed):
    body = pubmed.search_body(extra=pubmed.warnings(OutputMessage="No items found."))
    answer, _ = search(body)
    assert "pubmed_spell_check" in answer.notice
    assert "No items found" not in answer.notice
    assert answer.diagnostics == Diagnostics()


def test_search_articles__nothing_found_with_filters(search):
    answer, _ = search(species="humans")
    assert "filters" in answer.notice
    assert "MeSH" in answer.notice


def test_search_articles__unmatched_phrase_in_place_of_general_advice(search, pubmed):
    answer, _ = search(pubmed.search_body(extra=pubmed.warnings(PhraseNotFound="1e5")), author="Mond A")
    assert answer.notice.startswith('PubMed found nothing for "1e5".')
    assert "filters" not in answer.notice
    assert answer.diagnostics == Diagnostics(phrases_not_found=("1e5",))


def test_search_articles__one_bound(search, pubmed):
    dates = DateRange("2024", "")
    answer, eutils = search(pubmed.search_body(PMIDS), date_range=dates, max_results=3)
    assert eutils.term == "asthma"
    assert answer.applied_filters == AppliedFilters()
    assert 'minDate "2024"' in answer.notice


def test_search_articles__both_bounds_empty(search, pubmed):
    answer, eutils = search(pubmed.search_body(PMIDS), date_range=DateRange("", ""))
    assert (eutils.term, answer.notice) == ("asthma", None)


def test_search_articles__tag_that_pubmed_drops(search, pubmed):
    answer, eutils = search(pubmed.search_body(PMIDS), query="asthma[tiabb] AND (a OR b)[ti]")
    assert eutils.term == "asthma[tiabb] AND (a OR b)[ti]"
    assert "[tiabb]" in answer.notice
    assert "[ti]" in answer.notice
    assert answer.diagnostics == Diagnostics(unknown_tags=("tiabb",))


def test_search_articles__clean_query_has_no_notice(search, pubmed):
    answer, _ = search(pubmed.search_body(PMIDS), query='"[18F]FDG"[tiab] OR benzo[a]pyrene')
    assert (answer.notice, answer.diagnostics) == (None, Diagnostics())


def test_search_articles__all_diagnostics(search, pubmed):
    said = pubmed.warnings(
        FieldNotFound="Titel", PhraseIgnored="the", QuotedPhraseNotFound='"x y"', OutputMessage=("One", "Two!")
    )
    answer, _ = search(pubmed.search_body(PMIDS, extra=said))
    assert answer.diagnostics == Diagnostics(
        fields_not_found=("Titel",),
        phrases_ignored=("the",),
        quoted_phrases_not_found=('"x y"',),
        messages=("One", "Two!"),
    )
    assert answer.notice.index("Titel") < answer.notice.index('"x y"') < answer.notice.index("PubMed says: One.")
    assert answer.notice.endswith("PubMed says: Two!")


def test_search_articles__order(search, pubmed):
    said = pubmed.warnings(FieldNotFound="Titel", PhraseNotFound="nosuch", OutputMessage="Careful.")
    answer, _ = search(pubmed.search_body(count=3, extra=said), offset=9, date_range=DateRange("", "2020"))
    places = [answer.notice.index(part) for part in ("maxDate", "Titel", "nosuch", "Offset 9", "Careful.")]
    assert places == sorted(places)


def test_search_articles__look_alike_is_sent_and_told(search, pubmed):
    answer, eutils = search(pubmed.search_body(PMIDS), query="intervent∗[ti]")
    assert eutils.term == "intervent∗[ti]"
    assert "U+2217" in answer.notice


def test_search_articles__unpaired_quote_with_a_filter(search, pubmed):
    answer, eutils = search(pubmed.search_body(PMIDS), query='"asthma', journal="Ann Invent")
    assert eutils.term == 'asthma AND "Ann Invent"[Journal]'
    assert "effectiveQuery" in answer.notice


def test_search_articles__several_authors_in_one_value(search, pubmed):
    answer, eutils = search(pubmed.search_body(PMIDS), author="Mond A OR Flut B")
    assert eutils.term == 'asthma AND "Mond A OR Flut B"[Author]'
    assert "one exact phrase" in answer.notice


def test_search_articles__history(search, pubmed):
    answer, eutils = search(pubmed.search_body(PMIDS, extra=HISTORY), use_history=True)
    assert eutils.searches[0]["usehistory"] is True
    assert answer.history == History("MCID_invented", "1")


def test_search_articles__history_only_when_asked_for(search, pubmed):
    answer, _ = search(pubmed.search_body(PMIDS, extra=HISTORY))
    assert answer.history is None


def test_search_articles__history_that_did_not_come(search, pubmed):
    answer, _ = search(pubmed.search_body(PMIDS), use_history=True)
    assert answer.history is None
    assert "history" in answer.notice
