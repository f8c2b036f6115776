"""Index entries."""

from lxml import etree

from pubmed_api.sandbox.corpus import Corpus
from pubmed_api.sandbox.entry import build_entry
from pubmed_api.sandbox.record import read_record


def test_build_entry__title_words_stay_out_of_other_fields(corpus: Corpus) -> None:
    entry = corpus.entries["90000002"]
    assert "mouse" in entry.vocabulary["TITL"]
    assert "mouse" in entry.vocabulary["ALL"]
    assert "mouse" not in entry.vocabulary["OTRM"]


def test_build_entry__marks_are_searched_as_text_words_only(corpus: Corpus) -> None:
    entry = corpus.entries["90000001"]
    assert {"hasabstract", "hasstructuredabstract", "haskeyword"} <= entry.vocabulary["WORD"]
    assert "hasabstract" not in entry.vocabulary["TIAB"]
    assert "hasabstract" not in corpus.entries["90000003"].vocabulary["WORD"]


def test_build_entry__qualified_headings_are_values_of_their_own(corpus: Corpus) -> None:
    values = corpus.entries["90000001"].values
    assert values["MESH"] == {"asthma", "asthma/drug therapy", "child", "humans"}
    assert values["MAJR"] == {"asthma", "asthma/drug therapy"}


def test_build_entry__two_initials_are_enough() -> None:
    author = "<Author><LastName>Doe</LastName><ForeName>A B C</ForeName><Initials>ABC</Initials></Author>"
    entry = build_entry(
        read_record(
            etree.fromstring(
                "<PubmedArticle><MedlineCitation><PMID>90000099</PMID><Article><AuthorList>"
                f"{author}</AuthorList></Article></MedlineCitation></PubmedArticle>"
            )
        )
    )
    assert {"doe abc", "doe ab", "doe a b c", "a b c doe"} <= set(entry.names["FULL"])


def test_build_entry__days(corpus: Corpus) -> None:
    days = corpus.entries["90000001"].days
    assert days["PDAT"] == ((2020, 3, 14), (2020, 2, 2))
    assert days["EDAT"] == ((2020, 3, 15),)
    assert days["MDAT"] == ((2021, 1, 9),)
