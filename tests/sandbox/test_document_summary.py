"""One entry of ESummary."""

import pytest
from lxml.etree import _Element

from pubmed_api.sandbox.corpus import Corpus
from pubmed_api.sandbox.document_summary import document_summary

_ORDER = """PubDate EPubDate Source Authors LastAuthor Title SortTitle Volume Issue Pages Lang NlmUniqueID ISSN ESSN
PubType RecordStatus PubStatus ArticleIds History References Attributes PmcRefCount FullJournalName ELocationID DocType
SrcContribList BookTitle Medium Edition PublisherLocation PublisherName SrcDate ReportNumber AvailableFromURL
LocationLabel DocContribList DocDate BookName Chapter SortPubDate SortFirstAuthor VernacularTitle"""


def _summary(corpus: Corpus, pmid: str) -> _Element:
    return document_summary(corpus.entries[pmid].record)


def _texts(root: _Element, *paths: str) -> list[str]:
    return [root.findtext(path) or "" for path in paths]


def test_document_summary__has_every_element_in_order(corpus: Corpus) -> None:
    for pmid in ("90000001", "90000008"):
        assert [node.tag for node in _summary(corpus, pmid)] == _ORDER.split()


def test_document_summary__article(corpus: Corpus) -> None:
    root = _summary(corpus, "90000001")
    assert _texts(root, "PubDate", "EPubDate", "Source", "FullJournalName") == [
        "2020 Mar 14",
        "2020 Feb 2",
        "J Imag Med",
        "Journal of Imaginary Medicine",
    ]
    assert _texts(root, "Volume", "Issue", "Pages", "Lang/string") == ["12", "3", "101-9", "eng"]
    assert _texts(root, "DocType", "SortPubDate", "SortFirstAuthor") == ["citation", "2020/03/14 00:00", "Doe JA"]
    assert _texts(root, "ELocationID", "NlmUniqueID", "ISSN") == ["doi: 10.5555/JIM.2020.1", "F0000001", "0000-0011"]
    assert _texts(root, "RecordStatus", "PubStatus") == ["PubMed - indexed for MEDLINE", "256"]
    assert [node.text for node in root.findall("PubType/flag")] == ["Journal Article", "Randomized Controlled Trial"]
    assert _texts(root, "Attributes/flag") == ["Has Abstract"]


def test_document_summary__people(corpus: Corpus) -> None:
    people = [
        (node.findtext("Name"), node.findtext("AuthType"))
        for pmid in ("90000001", "90000004", "90000007")
        for node in _summary(corpus, pmid).findall("Authors/Author")
    ]
    assert people == [
        ("Doe JA", "Author"),
        ("Mustermann E", "Author"),
        ("Nowhere Reading Group", "CollectiveName"),
        ("Example EE", "Editor"),
        ("Hong G", "Author"),
    ]


def test_document_summary__identifiers(corpus: Corpus) -> None:
    nodes = _summary(corpus, "90000001").findall("ArticleIds/ArticleId")
    found = [tuple(node.findtext(tag) for tag in ("IdType", "IdTypeN", "Value")) for node in nodes]
    assert found == [
        ("pubmed", "1", "90000001"),
        ("pmc", "8", "PMC90000001"),
        ("doi", "3", "10.5555/JIM.2020.1"),
        ("pmcid", "5", "pmc-id: PMC90000001;"),
    ]


def test_document_summary__title_keeps_markup_as_text(corpus: Corpus) -> None:
    root = _summary(corpus, "90000002")
    assert root.findtext("Title") == "<i>Imag1</i> and T<sub>H</sub>2 cells &amp; asthma in a fictional mouse."
    assert root.findtext("SortTitle") == "imag1 and th2 cells & asthma in a fictional mouse"


def test_document_summary__history_and_relations(corpus: Corpus) -> None:
    root = _summary(corpus, "90000001")
    dates = [(node.findtext("PubStatus"), node.findtext("Date")) for node in root.findall("History/PubMedPubDate")]
    assert dates[0] == ("entrez", "2020/03/14 06:00")
    assert _texts(root, "References/Reference/RefType", "References/Reference/PMID") == ["Comment in", "90000004"]


def test_document_summary__ahead_of_print(corpus: Corpus) -> None:
    root = _summary(corpus, "90000006")
    assert _texts(root, "PubStatus", "VernacularTitle") == ["10", "Un conte de toux"]


@pytest.mark.parametrize(
    ("pmid", "values"),
    [
        ("90000007", ["chapter", "ImagReviews<sup>®</sup>", "University of Nowhereland", "2006 Feb 15", "1993"]),
        ("90000008", ["book", "A Handbook of Imaginary Medicine", "Fiktiv Verlag", "", "2011"]),
    ],
)
def test_document_summary__books(corpus: Corpus, pmid: str, values: list[str]) -> None:
    root = _summary(corpus, pmid)
    assert _texts(root, "DocType", "BookTitle", "PublisherName", "DocDate", "PubDate") == values
    assert root.findtext("Source") == ""
