"""ESearch."""

from collections.abc import Callable

import pytest
from lxml.etree import _Element
from werkzeug.test import TestResponse

Answer = Callable[..., _Element]


def _texts(root: _Element, path: str) -> list[str]:
    return [node.text or "" for node in root.findall(path)]


def test_esearch__a_result(answer: Answer) -> None:
    root = answer("esearch", term="asthma", sort="pub_date")
    assert [node.tag for node in root] == [
        "Count",
        "RetMax",
        "RetStart",
        "IdList",
        "TranslationSet",
        "QueryTranslation",
    ]
    assert (root.findtext("Count"), root.findtext("RetMax"), root.findtext("RetStart")) == ("2", "2", "0")
    assert _texts(root, "IdList/Id") == ["90000002", "90000001"]
    assert _texts(root, "TranslationSet/Translation/From") == ["asthma"]
    assert root.findtext("QueryTranslation") == '"asthma"[MeSH Terms] OR "asthma"[All Fields]'


def test_esearch__pages(answer: Answer) -> None:
    root = answer("esearch", term="all[sb]", sort="pub_date", retstart=2, retmax=3)
    assert (root.findtext("Count"), root.findtext("RetMax"), root.findtext("RetStart")) == ("8", "3", "2")
    assert _texts(root, "IdList/Id") == ["90000002", "90000004", "90000001"]


def test_esearch__count_only(answer: Answer) -> None:
    root = answer("esearch", term="asthma", retmax=0)
    assert (root.findtext("Count"), root.findtext("RetMax")) == ("2", "0")
    assert _texts(root, "IdList/Id") == []
    assert [node.tag for node in answer("esearch", term="asthma", rettype="count")] == ["Count"]


def test_esearch__diagnostics(answer: Answer) -> None:
    root = answer("esearch", term='the asthma zzz AND mouse[Titel] OR "no such"[ti]', sort="journal")
    assert _texts(root, "ErrorList/PhraseNotFound") == ["zzz"]
    assert _texts(root, "ErrorList/FieldNotFound") == ["Titel"]
    assert _texts(root, "WarningList/PhraseIgnored") == ["the"]
    assert _texts(root, "WarningList/QuotedPhraseNotFound") == ['"no such"[ti]']
    assert _texts(root, "WarningList/OutputMessage") == ["Unknown sort schema 'journal' ignored"]


def test_esearch__clean_query_has_no_lists(answer: Answer) -> None:
    root = answer("esearch", term="asthma[foo]")
    assert root.findtext("Count") == "2"
    assert root.find("ErrorList") is None
    assert root.find("WarningList") is None


def test_esearch__no_hits(answer: Answer) -> None:
    root = answer("esearch", term="zzz")
    assert (root.findtext("Count"), root.findtext("RetMax")) == ("0", "0")
    assert _texts(root, "ErrorList/PhraseNotFound") == ["zzz"]
    assert _texts(root, "WarningList/OutputMessage") == ["No items found."]
    assert root.findtext("QueryTranslation") == "(zzz[All Fields])"


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"term": " "}, "Empty term and query_key - nothing todo"),
        ({}, "Empty term and query_key - nothing todo"),
        ({"term": "x", "db": "pub"}, "Invalid db name specified: pub"),
        ({"WebEnv": "MCID_x", "query_key": "1"}, "Unable to obtain query #1"),
        ({"term": "(("}, "Search Backend failed: the query holds no search term"),
    ],
)
def test_esearch__errors_come_with_status_200(
    call: Callable[..., TestResponse], answer: Answer, parameters: dict[str, str], message: str
) -> None:
    assert call("esearch", **parameters).status_code == 200
    root = answer("esearch", **parameters)
    assert root.findtext("ERROR") == message
    assert root.find("Count") is None


def test_esearch__position_out_of_reach(answer: Answer) -> None:
    message = answer("esearch", term="asthma", retstart=9999).findtext("ERROR") or ""
    assert message.startswith("Search Backend failed: Exception:\n'retstart' cannot be larger than 9998.")


@pytest.mark.parametrize(
    ("start", "size", "messages"),
    [
        (9998, 10, ["Restrictions achieved. start and count adjusted to 9998, 1"]),
        (0, 100_000, ["Restrictions achieved. start and count adjusted to 0, 9999"]),
        (9998, 1, []),
    ],
)
def test_esearch__page_over_the_edge_is_cut_with_a_message(
    answer: Answer, start: int, size: int, messages: list[str]
) -> None:
    root = answer("esearch", term="asthma", retstart=start, retmax=size)
    assert _texts(root, "WarningList/OutputMessage") == messages


def test_esearch__history_handle_serves_the_other_utilities(answer: Answer) -> None:
    root = answer("esearch", term="asthma", sort="pub_date", usehistory="y", retmax=0)
    handle = {"query_key": root.findtext("QueryKey"), "WebEnv": root.findtext("WebEnv")}
    assert handle["query_key"] == "1"
    records = answer("efetch", retmode="xml", **handle)
    assert _texts(records, "PubmedArticle/MedlineCitation/PMID") == ["90000002", "90000001"]
    again = answer("esearch", term="mouse", **handle)
    assert _texts(again, "IdList/Id") == ["90000002"]
    assert _texts(answer("esearch", **handle), "IdList/Id") == ["90000002", "90000001"]


def test_esearch__relative_dates(answer: Answer) -> None:
    root = answer("esearch", term="asthma", reldate=1, datetype="edat")
    assert root.findtext("Count") == "0"
    assert (root.findtext("QueryTranslation") or "").endswith("[Date - Entry]")
