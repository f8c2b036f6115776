"""Recorded answers of ESearch and ESummary are read to the values a person reads in them."""

import pytest

from pubmed_api.exceptions import UpstreamInvalidResponse, UpstreamUnreachable
from pubmed_api.models.entrez import History, SearchDiagnostics
from pubmed_api.parsers.esearch import parse_esearch
from pubmed_api.parsers.esummary import parse_document_summaries


@pytest.mark.parametrize(
    ("name", "count", "ids", "first_id"),
    [
        ("pubmed-biopython", 63, 20, "41282813"),
        ("pubmed-author-cassette", 34, 34, "40455089"),
        ("pubmed-usehistory-translationset", 42249, 100, "41297076"),
        ("pubmed-retstart-journal-jid", 2651, 6, "11121077"),
        ("medgen-cassette", 5, 5, "1054894"),
        ("nucleotide-translationstack", 1018, 20, "3069587804"),
        ("protein-translationstack", 330, 20, "3108048616"),
        ("pmc-stem-cells-translationstack", 5, 5, "6540636"),
        ("bioperl-translationstack", 534, 20, "6679096"),
        ("bioperl-usehistory", 534, 20, "6679096"),
        ("translationset-two", 6, 6, "19008416"),
    ],
)
def test_parse_esearch__recorded_pages(payloads, name, count, ids, first_id):
    result = parse_esearch((payloads / "esearch" / f"{name}.xml").read_bytes())
    assert (result.count, len(result.ids), result.ids[0]) == (count, ids, first_id)
    assert result.query_translation
    assert result.diagnostics == SearchDiagnostics()


def test_parse_esearch__recorded_history(payloads):
    result = parse_esearch((payloads / "esearch" / "pubmed-usehistory-translationset.xml").read_bytes())
    assert result.history == History("MCID_6927d6e7fee3e90f880ec190", "1")


def test_parse_esearch__recorded_second_page(payloads):
    result = parse_esearch((payloads / "esearch" / "pubmed-retstart-journal-jid.xml").read_bytes())
    assert (result.retstart, result.retmax) == (6, 6)
    assert result.query_translation == '"proc natl acad sci u s a"[Journal] AND "97"[Volume]'


@pytest.mark.parametrize(
    ("name", "count", "said"),
    [
        ("errorlist-fieldnotfound", 20, SearchDiagnostics(fields_not_found=("jungle", "pat"))),
        (
            "errorlist-phrasesnotfound",
            0,
            SearchDiagnostics(
                phrases_not_found=("nonjournal[journal]", "nonyear[date]"), messages=("No items found.",)
            ),
        ),
        (
            "protein-phrase-not-found",
            0,
            SearchDiagnostics(phrases_not_found=("abcXYZ",), messages=("No items found.",)),
        ),
    ],
)
def test_parse_esearch__recorded_remarks(payloads, name, count, said):
    result = parse_esearch((payloads / "esearch" / f"{name}.xml").read_bytes())
    assert (result.count, result.ids, result.diagnostics) == (count, (), said)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("error-empty-term", "Empty term and query_key - nothing todo"),
        ("error-invalid-db", "Invalid db name specified: pub"),
    ],
)
def test_parse_esearch__recorded_errors(payloads, name, message):
    with pytest.raises(UpstreamUnreachable) as caught:
        parse_esearch((payloads / "esearch" / f"{name}.xml").read_bytes())
    assert caught.value.data["ncbi_errors"] == [message]


def test_parse_esearch__recorded_json_is_not_what_was_asked_for(payloads):
    for path in sorted((payloads / "esearch").glob("json-*.json")):
        with pytest.raises(UpstreamInvalidResponse):
            parse_esearch(path.read_bytes())


def test_parse_document_summaries__recorded_version_1(payloads):
    first, second = parse_document_summaries((payloads / "esummary" / "pubmed-two.xml").read_bytes())
    assert (first.pmid, first.authors, first.source) == ("11850928", "LoPresti PJ, Hambrick GW Jr", "Arch Dermatol")
    assert first.title == "Zirconium granuloma following treatment of rhus dermatitis."
    assert (first.pub_date, first.e_pub_date, first.doi, first.pmc_id) == ("1965-08-01", None, None, None)
    assert second.author_names == ("Mantle D", "Gok MA", "Lennard TW")
    assert (second.pmid, second.authors, second.pub_date) == (
        "11482001",
        "Mantle D, Gok MA, Lennard TW",
        "2001-06-01",
    )


def test_parse_document_summaries__recorded_version_2(payloads):
    summaries = parse_document_summaries((payloads / "esummary" / "medgen-cassette.xml").read_bytes())
    assert (summaries[0].pmid, summaries[0].title) == ("336867", "Dent disease type 2")


@pytest.mark.parametrize("name", ["bioperl-1", "bioperl-2", "protein-docsum", "protein-go", "nucleotide-docsum"])
def test_parse_document_summaries__recorded_items_of_other_databases(payloads, name):
    body = (payloads / "esummary" / f"{name}.xml").read_bytes()
    assert len(parse_document_summaries(body)) == body.count(b"<DocSum>")


def test_parse_document_summaries__recorded_errors(payloads):
    names = ("error-no-arguments.xml", "error-api-rate-limit-25d28782.json", "json-error-invalid-db.json")
    for name in (*names, "json-error-invalid-uid.json"):
        with pytest.raises(UpstreamInvalidResponse):
            parse_document_summaries((payloads / "esummary" / name).read_bytes())
