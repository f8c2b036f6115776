"""NCBI's error messages: found in whatever body holds them, classed, and made fit to be seen."""

import pytest
from lxml import etree

from pubmed_api.clients.eutils_errors import messages_in, messages_of, presentable, reported_failure
from pubmed_api.clients.wire import Sent
from pubmed_api.exceptions import HistoryExpired, UpstreamNotFound, UpstreamRefused, UpstreamUnreachable

SENT = Sent(
    "ncbi", "eutils.test", "esearch", {"api_key": "SECRET KEY/123", "email": "operator@lab.test", "term": "asthma"}
)
TRACE = (
    'NCBI C++ Exception: Error: TXCLIENT(CException::eUnknown) "/src/internal/txclient/TxClient.cpp", line 1014: '
    "CTxRawClient::readAll() --- Read failed: EOF (the other side has unexpectedly closed connection), "
    "peer: 130.14.18.48:5555"
)


@pytest.mark.parametrize(
    ("xml", "messages"),
    [
        ("<eSearchResult><ERROR>Down</ERROR></eSearchResult>", ["Down"]),
        ("<eFetchResult><ERROR>404</ERROR><ERROR> true </ERROR></eFetchResult>", ["404", "true"]),
        ('<eLinkResult><ERROR code="7">A <b>bold</b>\n word</ERROR></eLinkResult>', ["A bold word"]),
        ("<ERROR>Alone</ERROR>", ["Alone"]),
        ("<pmc-articleset><ERROR>Down</ERROR></pmc-articleset>", ["Down"]),
        (
            "<PubmedArticleSet><ErrorList><CannotRetrievePMID>9</CannotRetrievePMID></ErrorList></PubmedArticleSet>",
            ["9"],
        ),
        ("<eSpellResult><ERROR/></eSpellResult>", []),
        ("<eSpellResult><ERROR> \n </ERROR></eSpellResult>", []),
        ("<eSearchResult><ErrorList><PhraseNotFound>x</PhraseNotFound></ErrorList></eSearchResult>", []),
        ('<pmc-articleset><error id="1">not available</error></pmc-articleset>', []),
    ],
)
def test_messages_of__error_elements_with_visible_text(xml, messages):
    assert messages_of(etree.fromstring(xml)) == messages


@pytest.mark.parametrize(
    ("body", "messages"),
    [
        (b"<eFetchResult><ERROR>External viewer error: Status: Timeout", ["External viewer error: Status: Timeout"]),
        (b"<ERROR>a &lt;b&gt;bold&lt;/b&gt;  word</ERROR>", ["a bold word"]),
        (b"<ERROR><html><p>proxy_stream()</p></html></ERROR>", ["proxy_stream()"]),
        (b"no error here", []),
        (b"<ERROR></ERROR>", []),
    ],
)
def test_messages_in__bodies_that_are_not_well_formed(body, messages):
    assert messages_in(body) == messages


def test_messages_in__takes_linear_time():
    assert messages_in(b"<ERROR" * 200_000) == []
    assert len(messages_in(b"<ERROR>" + b"<" * 1_000_000)) == 1


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("cannot get document summary", UpstreamNotFound),
        ("UID=99999999: Not found", UpstreamNotFound),
        ("Empty id list - nothing todo", UpstreamNotFound),
        ("Unable to obtain query #1", HistoryExpired),
        ("WebEnv parameter has expired", HistoryExpired),
        ("Search Backend failed: Exception:\n'retstart' cannot be larger than 9998.", UpstreamRefused),
        ("API key invalid: SECRET KEY/123", UpstreamRefused),
        ("Search Backend failed: Database is not supported", UpstreamUnreachable),
        ("External viewer error: Status: Timeout", UpstreamUnreachable),
        ("Couldn't resolve #exLinkSrv2, the address table is empty.", UpstreamUnreachable),
    ],
)
def test_reported_failure__by_message(message, kind):
    assert type(reported_failure(SENT, [message])) is kind


def test_reported_failure__carries_every_message():
    failure = reported_failure(SENT, ["One.", "Two."], status=400)
    assert failure.data["ncbi_errors"] == ["One.", "Two."]
    assert failure.data["status"] == 400
    assert "One.; Two." in failure.message


def test_reported_failure__past_the_window_names_a_way_out():
    failure = reported_failure(SENT, ["'retstart' cannot be larger than 9998"])
    assert not failure.transient
    assert "date" in failure.hint


def test_reported_failure__refused_key_says_nothing_of_it():
    failure = reported_failure(SENT, ["API key invalid: SECRET KEY/123"])
    assert "SECRET" not in failure.message + repr(failure.data)


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        (TRACE, "temporarily unavailable (connection reset)"),
        ("NCBI C++ Exception: Error: unexpected", "internal error"),
        (
            "key SECRET KEY/123 and SECRET%20KEY%2F123 and SECRET+KEY%2F123",
            "key [withheld] and [withheld] and [withheld]",
        ),
        ("mail operator@lab.test or operator%40lab.test", "mail [withheld] or [withheld]"),
        ("see https://eutils.test/x?api_key=1 now", "see [address] now"),
        ("peer 130.14.18.48:5555 gone", "peer [address] gone"),
        ("tree C04.588.274.476 and 1.2.3", "tree C04.588.274.476 and 1.2.3"),
    ],
)
def test_presentable__withholds_what_is_nobodys_business(message, shown):
    assert presentable(message, SENT) == shown


def test_presentable__is_short():
    assert len(presentable("x" * 5000, SENT)) == 300


def test_presentable__trace_goes_to_the_log_without_addresses(caplog):
    presentable(TRACE + " email=operator@lab.test", SENT)
    assert "CTxRawClient" in caplog.text
    assert "130.14.18.48" not in caplog.text
    assert "operator@lab.test" not in caplog.text
