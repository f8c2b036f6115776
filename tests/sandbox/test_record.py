"""The view of a stored record."""

import pytest
from lxml import etree

from pubmed_api.sandbox.corpus import Corpus
from pubmed_api.sandbox.record import Record, read_record


def _record(corpus: Corpus, pmid: str) -> Record:
    record = corpus.record(pmid)
    assert record is not None
    return record


def test_record__article(corpus: Corpus) -> None:
    record = _record(corpus, "90000001")
    assert not record.is_book
    assert record.title == "Inhaled stories for children with asthma."
    assert record.source == "J Imag Med"
    assert record.pages == "101-9"
    assert record.abstract_parts[1] == "RESULTS: Fewer nights with symptoms."
    assert (record.pmcid, record.doi) == ("PMC90000001", "10.5555/JIM.2020.1")
    assert record.headings[0].qualifiers == (("drug therapy", True),)
    assert record.keywords == (("bedtime stories", "NOTNLM"),)


def test_record__pages_from_their_ends(corpus: Corpus) -> None:
    assert _record(corpus, "90000002").pages == "7-11"


def test_record__invalid_doi_is_passed_over(corpus: Corpus) -> None:
    assert _record(corpus, "90000005").doi == "10.5555/afc.2022.55"


@pytest.mark.parametrize(
    ("pmid", "day"), [("90000001", (2020, 3, 14)), ("90000005", (2022, 6, 26)), ("90000008", (2011, 1, 1))]
)
def test_publication_day__web_first_journals_count_the_electronic_date(
    corpus: Corpus, pmid: str, day: tuple[int, int, int]
) -> None:
    assert _record(corpus, pmid).publication_day == day


def test_record__chapter(corpus: Corpus) -> None:
    record = _record(corpus, "90000007")
    assert record.is_book
    assert (record.title, record.book_title) == ("Cough of the IMAG1 type", "ImagReviews®")
    assert [person.last for person in record.authors] == ["Hong"]
    assert [person.last for person in record.editors] == ["Example"]
    assert record.article_ids == (("pubmed", "90000007"), ("bookaccession", "NBK99900007"))
    assert record.publication_types == ("Review",)


def test_record__whole_book_has_the_authors_of_the_book(corpus: Corpus) -> None:
    record = _record(corpus, "90000008")
    assert record.title == ""
    assert record.first_author == "Specimen P"


def test_read_record__ids_of_references_are_not_its_own() -> None:
    record = read_record(
        etree.fromstring(
            "<PubmedArticle><MedlineCitation><PMID>90000099</PMID><Article/></MedlineCitation><PubmedData>"
            "<ReferenceList><Reference><ArticleIdList><ArticleId IdType='pmc'>PMC1</ArticleId></ArticleIdList>"
            "</Reference></ReferenceList></PubmedData></PubmedArticle>"
        )
    )
    assert record.article_ids == (("pubmed", "90000099"),)
    assert record.pmcid is None


@pytest.mark.parametrize(
    "xml",
    [
        "<PubmedArticle><MedlineCitation><Article/></MedlineCitation></PubmedArticle>",
        "<PubmedArticle><MedlineCitation><PMID>1</PMID></MedlineCitation></PubmedArticle>",
    ],
)
def test_read_record__refuses_what_is_no_record(xml: str) -> None:
    with pytest.raises(ValueError, match=r"PMID|Article"):
        read_record(etree.fromstring(xml))
