"""ESearch's answers: counts, ids, and remarks that are not errors."""

import pytest

from pubmed_api.exceptions import UpstreamInvalidResponse, UpstreamUnreachable
from pubmed_api.models.entrez import History, SearchDiagnostics, SearchResult
from pubmed_api.parsers.esearch import parse_esearch


def answer(*parts, count="2"):
    head = f"<Count>{count}</Count><RetMax>2</RetMax><RetStart>4</RetStart>" if count is not None else ""
    return (
        '<?xml version="1.0" encoding="UTF-8" ?><!DOCTYPE eSearchResult PUBLIC "-//NLM//DTD esearch 20060628//EN" '
        f'"https://eutils.example/esearch.dtd"><eSearchResult>{head}{"".join(parts)}</eSearchResult>'
    ).encode()


def test_parse_esearch__page():
    body = answer(
        "<QueryKey>1</QueryKey><WebEnv>MCID_invented</WebEnv>",
        "<IdList><Id>90000007</Id><Id>90000003</Id></IdList>",
        '<QueryTranslation>"moonlight"[MeSH Terms] AND  tides[All Fields]</QueryTranslation>',
    )
    assert parse_esearch(body) == SearchResult(
        count=2,
        ids=("90000007", "90000003"),
        retstart=4,
        retmax=2,
        query_translation='"moonlight"[MeSH Terms] AND tides[All Fields]',
        history=History("MCID_invented", "1"),
    )


def test_parse_esearch__true_empty():
    body = answer("<IdList/><WarningList><OutputMessage>No items found.</OutputMessage></WarningList>", count="0")
    result = parse_esearch(body)
    assert (result.count, result.ids, result.history) == (0, (), None)
    assert result.diagnostics == SearchDiagnostics(messages=("No items found.",))


@pytest.mark.parametrize("count", ["", " ", "12abc", "0x10", "1e3", "-1", "1.0", "+1", "١٢", "null", "9" * 5000, None])
def test_parse_esearch__count_that_is_no_number(count):
    with pytest.raises(UpstreamInvalidResponse):
        parse_esearch(answer("<IdList/>", count=count))


def test_parse_esearch__ids_and_phrases_stay_strings():
    result = parse_esearch(
        answer("<IdList><Id>007</Id></IdList><ErrorList><PhraseNotFound>1e5</PhraseNotFound></ErrorList>")
    )
    assert result.ids == ("007",)
    assert result.diagnostics.phrases_not_found == ("1e5",)


def test_parse_esearch__remarks_in_either_list():
    body = answer(
        "<ErrorList><PhraseNotFound>the</PhraseNotFound><FieldNotFound>Titel</FieldNotFound>"
        "<OutputMessage>one</OutputMessage></ErrorList>"
        "<WarningList><PhraseIgnored>of</PhraseIgnored><PhraseNotFound>nosuchword</PhraseNotFound>"
        '<QuotedPhraseNotFound>"x y"</QuotedPhraseNotFound><FieldNotFound>jungle</FieldNotFound>'
        "<FieldNotFound>Titel</FieldNotFound><OutputMessage>two</OutputMessage></WarningList>"
    )
    assert parse_esearch(body).diagnostics == SearchDiagnostics(
        phrases_not_found=("the", "nosuchword"),
        fields_not_found=("Titel", "jungle"),
        phrases_ignored=("of",),
        quoted_phrases_not_found=('"x y"',),
        messages=("one", "two"),
    )


def test_parse_esearch__blank_members_are_absent():
    body = answer("<ErrorList><PhraseNotFound> </PhraseNotFound></ErrorList><QueryTranslation/><WebEnv>x</WebEnv>")
    result = parse_esearch(body)
    assert result.diagnostics == SearchDiagnostics()
    assert result.query_translation is None
    assert result.history is None


@pytest.mark.parametrize("number", ["<RetStart>x</RetStart>", "<RetStart/>", ""])
def test_parse_esearch__page_numbers_that_are_none(number):
    body = b"<eSearchResult><Count>3</Count><RetMax/>" + number.encode() + b"</eSearchResult>"
    assert (parse_esearch(body).retmax, parse_esearch(body).retstart) == (0, 0)


def test_parse_esearch__error_is_not_zero_hits():
    body = answer("<ERROR>Search Backend failed: something\n went wrong</ERROR>", count="0")
    with pytest.raises(UpstreamUnreachable) as caught:
        parse_esearch(body)
    assert caught.value.reason == "ncbi_unreachable"
    assert caught.value.data["ncbi_errors"] == ["Search Backend failed: something went wrong"]


def test_parse_esearch__empty_error_element_is_none():
    assert parse_esearch(answer("<ERROR/>")).count == 2


@pytest.mark.parametrize(
    "body", [b"<eLinkResult/>", b'{"esearchresult":{"count":"3","idlist":["1"]}}', b"<eSearchResult><Count>3"]
)
def test_parse_esearch__another_document(body):
    with pytest.raises(UpstreamInvalidResponse):
        parse_esearch(body)
