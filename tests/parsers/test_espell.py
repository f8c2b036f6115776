import pytest

from pubmed_api.exceptions import UpstreamInvalidResponse
from pubmed_api.parsers.espell import parse_espell_result


def answer(query: str | None, corrected: str | None) -> bytes:
    parts = [
        "" if query is None else f"<Query>{query}</Query>",
        "" if corrected is None else f"<CorrectedQuery>{corrected}</CorrectedQuery>",
    ]
    return (
        '<?xml version="1.0"?><!DOCTYPE eSpellResult PUBLIC "-//NLM//DTD eSpellResult//EN" "eSpell.dtd">'
        f"<eSpellResult><Database>pubmed</Database>{''.join(parts)}"
        "<SpelledQuery><Original></Original><Replaced>other text</Replaced></SpelledQuery><ERROR/></eSpellResult>"
    ).encode()


def test_espell_result__correction():
    spelling = parse_espell_result(answer("fiberblast cell grwth", "fibroblast cell growth"), term="ignored")
    assert (spelling.original, spelling.corrected) == ("fiberblast cell grwth", "fibroblast cell growth")
    assert spelling.has_suggestion is True


@pytest.mark.parametrize("corrected", ["", None, "  \n "])
def test_espell_result__no_correction(corrected):
    spelling = parse_espell_result(answer("asthma", corrected), term="asthma")
    assert (spelling.original, spelling.corrected, spelling.has_suggestion) == ("asthma", "asthma", False)


def test_espell_result__correction_equal_to_the_query():
    spelling = parse_espell_result(answer("asthma", "asthma"), term="asthma")
    assert spelling.has_suggestion is False


@pytest.mark.parametrize("query", [None, ""])
def test_espell_result__no_query_echoed(query):
    spelling = parse_espell_result(answer(query, "asthma"), term="asthmaa")
    assert (spelling.original, spelling.corrected, spelling.has_suggestion) == ("asthmaa", "asthma", True)


@pytest.mark.parametrize("text", ["007", "1e5", "1.50", " spaced  out ", "a &lt; b &amp; c"])
def test_espell_result__text_is_verbatim(text):
    plain = text.replace("&lt;", "<").replace("&amp;", "&")
    spelling = parse_espell_result(answer(text, ""), term="x")
    assert (spelling.original, spelling.corrected) == (plain, plain)


@pytest.mark.parametrize(
    "body",
    [
        b'{"header":{"type":"espell"}}',
        b"<eInfoResult><Query>asthma</Query></eInfoResult>",
        b"<eSpellResult><Query>asth",
    ],
)
def test_espell_result__not_espell(body):
    with pytest.raises(UpstreamInvalidResponse) as caught:
        parse_espell_result(body, term="asthma")
    assert caught.value.reason == "ncbi_invalid_response"
