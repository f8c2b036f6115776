"""Reading an E-utilities answer: order of the checks, cut and malformed bodies, the least each endpoint must hold."""

import pytest
from hypothesis import given
from hypothesis import settings as profile
from hypothesis import strategies as st
from requests.structures import CaseInsensitiveDict

from pubmed_api.clients.eutils_answer import read_eutils_answer
from pubmed_api.clients.wire import Answer, Sent
from pubmed_api.exceptions import (
    HistoryExpired,
    InvalidEfetchResponse,
    UpstreamError,
    UpstreamInvalidResponse,
    UpstreamNotFound,
    UpstreamRateLimited,
    UpstreamRefused,
    UpstreamTimeout,
    UpstreamUnreachable,
)

SECRET = "SECRETKEY123"
PROLOG = (
    b'<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, '
    b'1st January 2025//EN" "https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd">\n'
)
ARTICLES = (
    PROLOG
    + '<PubmedArticleSet><PubmedArticle a="é &amp;"><Abstract>M&#xfc;ller &lt; 5 – <i>x</i>&nbsp;<![CDATA[a<b]]>'
    "<!-- note --><?pi x?></Abstract></PubmedArticle></PubmedArticleSet>\n".encode()
)


def sent(endpoint="efetch", **params):
    return Sent("ncbi", "eutils.test", endpoint, {"db": "pubmed", "retmode": "xml", "api_key": SECRET, **params})


def read(body, endpoint="efetch", status=200, **params):
    return read_eutils_answer(sent(endpoint, **params), Answer(status, CaseInsensitiveDict(), body))


def fault(body, endpoint="efetch", status=200, **params):
    with pytest.raises(UpstreamError) as raised:
        read(body, endpoint, status, **params)
    error = raised.value
    assert SECRET not in error.message + repr(error.data)
    assert error.__context__ is None
    return error


GOOD = [
    ("efetch", ARTICLES),
    ("efetch", b"<PubmedArticleSet></PubmedArticleSet>"),
    ("efetch", b"\xef\xbb\xbf<PubmedArticleSet/>"),
    ("esearch", b"<eSearchResult><Count>0</Count><IdList/></eSearchResult>"),
    (
        "esearch",
        b"<eSearchResult><Count>0</Count><ErrorList><PhraseNotFound>x</PhraseNotFound></ErrorList></eSearchResult>",
    ),
    ("esummary", b"<eSummaryResult><DocumentSummarySet/></eSummaryResult>"),
    ("esummary", b"<eSummaryResult><DocSum/></eSummaryResult>"),
    ("espell", b"<eSpellResult><Query>007</Query><ERROR/></eSpellResult>"),
    ("einfo", b"<eInfoResult><DbInfo/></eInfoResult>"),
    ("epost", b"<ePostResult><QueryKey>1</QueryKey><WebEnv>MCID_1</WebEnv></ePostResult>"),
]


@pytest.mark.parametrize(("endpoint", "body"), GOOD)
def test_read__good_answer_is_returned_as_it_came(endpoint, body):
    assert read(body, endpoint) == body


def test_read__tens_of_thousands_of_character_references_are_no_fault():
    body = b"<PubmedArticleSet>" + b"&#xfc;&#x2013;&amp;" * 30_000 + b"</PubmedArticleSet>"
    assert read(body) == body


@pytest.mark.parametrize("count", ["", None, "12abc", "0x10", "1e3", "-1", "٣", "1,000", "5.0"])
def test_read__search_without_a_plain_count_is_a_fault(count):
    element = "" if count is None else f"<Count>{count}</Count>"
    error = fault(f"<eSearchResult>{element}<IdList/></eSearchResult>".encode(), "esearch")
    assert type(error) is UpstreamInvalidResponse


def test_read__nested_count_is_not_the_count():
    body = b"<eSearchResult><TranslationStack><TermSet><Count>9</Count></TermSet></TranslationStack></eSearchResult>"
    assert type(fault(body, "esearch")) is UpstreamInvalidResponse


@pytest.mark.parametrize("endpoint", ["esearch", "esummary", "espell", "einfo", "epost"])
def test_read__wrong_root_is_a_fault(endpoint):
    assert type(fault(b"<PubmedArticleSet/>", endpoint)) is UpstreamInvalidResponse


@pytest.mark.parametrize("body", [b"<eFetchResult/>", b"<eFetchResult><ERROR/></eFetchResult>", b"<other/>"])
def test_read__efetch_without_an_article_set(body):
    assert type(fault(body)) is InvalidEfetchResponse
    assert type(fault(body, db="pmc")) is UpstreamInvalidResponse


@pytest.mark.parametrize(
    ("endpoint", "body"),
    [
        ("esummary", b"<eSummaryResult/>"),
        ("einfo", b"<eInfoResult/>"),
        ("epost", b"<ePostResult><QueryKey>1</QueryKey></ePostResult>"),
        ("epost", b"<ePostResult><InvalidIdList><Id>1</Id></InvalidIdList></ePostResult>"),
    ],
)
def test_read__hollow_answer_is_a_fault(endpoint, body):
    assert type(fault(body, endpoint)) is UpstreamInvalidResponse


@pytest.mark.parametrize(
    ("endpoint", "body", "kind"),
    [
        ("esearch", b"<eSearchResult><ERROR>Search Backend failed: down</ERROR></eSearchResult>", UpstreamUnreachable),
        ("esearch", b"<eSearchResult><ERROR>Unable to obtain query #1</ERROR></eSearchResult>", HistoryExpired),
        ("esummary", b"<eSummaryResult><ERROR>Unable to obtain query #1</ERROR></eSummaryResult>", HistoryExpired),
        ("efetch", b"<eFetchResult><ERROR>Unable to obtain query #1</ERROR></eFetchResult>", HistoryExpired),
        ("esummary", b"<eSummaryResult><ERROR>Empty id list - nothing todo</ERROR></eSummaryResult>", UpstreamNotFound),
        ("efetch", b"<eFetchResult><ERROR>Status: Timeout</ERROR></eFetchResult>", UpstreamUnreachable),
        ("epost", b"<ePostResult><ERROR>Empty ID list; Nothing to store</ERROR></ePostResult>", UpstreamNotFound),
        (
            "epost",
            b"<ePostResult><QueryKey>1</QueryKey><WebEnv>M</WebEnv><ERROR>Some IDs were omitted</ERROR></ePostResult>",
            UpstreamUnreachable,
        ),
        (
            "esearch",
            b"<eSearchResult><ERROR>Exception:\n'retstart' cannot be larger than 9998</ERROR></eSearchResult>",
            UpstreamRefused,
        ),
    ],
)
def test_read__error_element_in_a_200(endpoint, body, kind):
    assert type(fault(body, endpoint)) is kind


def test_read__cxx_trace_is_replaced():
    body = b"<eSearchResult><ERROR>NCBI C++ Exception: CTxRawClient: Read failed: EOF</ERROR></eSearchResult>"
    error = fault(body, "esearch")
    assert error.data["ncbi_errors"] == ["temporarily unavailable (connection reset)"]
    assert "CTxRawClient" not in error.message


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"  \n",
        PROLOG,
        b'<?xml version="1.0"?>',
        b"<html>Busy</html>",
        b"<!DOCTYPE html><p>",
        b"Error: server busy",
    ],
)
def test_read__nothing_or_a_notice_in_place_of_xml_is_transient(body):
    assert type(fault(body)) is UpstreamUnreachable


@given(cut=st.integers(1, len(ARTICLES) - 2))
@profile(deadline=None, max_examples=150)
def test_read__body_cut_anywhere_is_transient(cut):
    assert type(fault(ARTICLES[:cut])) is UpstreamUnreachable


@pytest.mark.parametrize(
    "body",
    [
        b"<PubmedArticleSet><b></PubmedArticleSet>",
        b"<PubmedArticleSet>x & y</PubmedArticleSet>",
        b"<PubmedArticleSet>\x00</PubmedArticleSet>",
        b"<PubmedArticleSet/>junk",
        b"<PubmedArticleSet a=b></PubmedArticleSet>",
    ],
)
def test_read__malformed_body_is_not_tried_again(body):
    error = fault(body)
    assert type(error) is UpstreamInvalidResponse
    assert len(error.data["excerpt"]) <= 200


@pytest.mark.parametrize(
    "body",
    [b'{"header":{},"esearchresult":{"ERROR":"Search Backend failed"}}', b'["x"]', b'{"esearchresult":{"count":"5"}}'],
)
def test_read__json_for_an_xml_call_is_a_fault(body):
    assert type(fault(body, "esearch")) is UpstreamInvalidResponse


def test_read__excerpt_of_a_malformed_body_holds_no_secret():
    error = fault(b"<a>https://eutils.test/?api_key=SECRETKEY123 &bad SECRETKEY123</a>")
    assert type(error) is UpstreamInvalidResponse


@pytest.mark.parametrize("status", [200, 400])
@pytest.mark.parametrize(
    "text",
    [
        b"External viewer error: something",
        b"Error: &lt;b&gt;Status:  Timeout&lt;/b&gt;",
        b"<html>Status: Timeout<br></html>",
        b"nph-proxy: proxy_stream() failed",
    ],
)
@pytest.mark.parametrize("end", [b"</ERROR></eFetchResult>", b"</ERROR>", b""])
def test_read__relayed_back_end_failure_is_transient(status, text, end):
    error = fault(b"<eFetchResult><ERROR>" + text + end, status=status)
    assert type(error) is UpstreamUnreachable
    if status == 400:
        assert error.data["status"] == 400
        assert error.data["ncbi_errors"]


@pytest.mark.parametrize(("db", "empty"), [("pubmed", b"<PubmedArticleSet/>"), ("pmc", b"<pmc-articleset/>")])
def test_read__list_of_impossible_ids_is_the_empty_set(db, empty):
    body = b"<eFetchResult><ERROR>ID list is empty! Possibly it has no correct IDs.</ERROR></eFetchResult>"
    assert read(body, status=400, db=db) == empty


@pytest.mark.parametrize(("endpoint", "db"), [("efetch", "mesh"), ("esummary", "pubmed")])
def test_read__empty_id_list_elsewhere_stays_an_error(endpoint, db):
    error = fault(b"<eFetchResult><ERROR>ID list is empty</ERROR></eFetchResult>", endpoint, 400, db=db)
    assert type(error) is UpstreamRefused


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (400, b"<eFetchResult><ERROR>Unable to obtain query #1</ERROR></eFetchResult>", HistoryExpired),
        (400, b"<eFetchResult><ERROR>Cannot process ID list</ERROR></eFetchResult>", UpstreamRefused),
        (400, b"<html>Bad request</html>", UpstreamRefused),
        (400, b'{"error":"API key invalid","api-key":"SECRETKEY123"}', UpstreamRefused),
        (403, b"API key invalid: SECRETKEY123", UpstreamRefused),
        (404, b"<html>", UpstreamNotFound),
        (429, b"", UpstreamRateLimited),
        (500, b"<ERROR>SECRETKEY123 broke it</ERROR>", UpstreamUnreachable),
        (501, b"", UpstreamRefused),
        (504, b"", UpstreamTimeout),
        (307, b"", UpstreamRefused),
    ],
)
def test_read__other_statuses(status, body, kind):
    assert type(fault(body, status=status)) is kind


@pytest.mark.parametrize("status", [200, 400, 429])
def test_read__throttling_comes_first(status):
    body = b' {"error":"API rate limit exceeded","api-key":"203.0.113.9","count":"4","limit":"3"}'
    error = fault(body, status=status)
    assert type(error) is UpstreamRateLimited
    assert "203.0.113.9" not in repr(error.data) + error.message


def test_read__text_is_taken_as_it_is():
    medline = b"\nPMID- 99000001\nTI  - A <b>title</b> & more\n"
    assert read(medline, retmode="text") == medline


@pytest.mark.parametrize("body", [b"", b"<html>Busy</html>"])
def test_read__text_mode_knows_a_page_from_data(body):
    assert type(fault(body, retmode="text")) is UpstreamUnreachable


def test_read__text_mode_knows_the_error_envelope():
    body = b'<?xml version="1.0"?>\n<eFetchResult><ERROR>Unable to obtain query #1</ERROR></eFetchResult>'
    assert type(fault(body, retmode="text")) is HistoryExpired
