"""Recorded EFetch answers: nothing of them is lost, and chosen records say what their XML says.

The pins were read from the XML by XPath and by eye, not taken from the parser.
"""

import gzip
import json
import re
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from xml.etree import ElementTree

import pytest

from pubmed_api.exceptions import InvalidEfetchResponse
from pubmed_api.models.article import Article, Author, Grant, Journal
from pubmed_api.parsers.pubmed.article import parse_pubmed_article_set

PINS = json.loads(Path(__file__).with_name("pubmed_articles.json").read_text("utf-8"))
OTHER_DOCUMENTS = {
    "error-unable-to-obtain-query.xml",
    "legacy-html-answer.html",
    "medline-2006-sample.xml",
    "pmid-30712376-medlinecitation-root-mathml.xml",
}
RECORDS = {"PubmedArticle": "journal-article", "PubmedBookArticle": "book"}
SCRIPTS = {"sup", "sub", "inf", "{http://www.w3.org/1998/Math/MathML}math"}


def read(path: Path) -> bytes:
    body = path.read_bytes()
    return gzip.decompress(body) if path.suffix == ".gz" else body


@pytest.fixture(scope="module")
def answers(payloads) -> dict[str, bytes]:
    """Bodies by file name."""
    return {path.name: read(path) for path in sorted((payloads / "efetch-pubmed").iterdir())}


@pytest.fixture(scope="module")
def article_sets(answers) -> dict[str, tuple[list[ElementTree.Element], tuple[Article, ...]]]:
    """The record elements of each answer, read by another parser, with the articles ours made of them."""
    sets = {name: body for name, body in answers.items() if name not in OTHER_DOCUMENTS}
    return {
        name: (
            [node for node in ElementTree.fromstring(body) if node.tag in RECORDS],
            parse_pubmed_article_set(body),
        )
        for name, body in sets.items()
    }


@pytest.fixture(scope="module")
def pairs(article_sets) -> list[tuple[ElementTree.Element, Article]]:
    return [pair for nodes, articles in article_sets.values() for pair in zip(nodes, articles, strict=True)]


def test_article_sets__every_record_is_there(article_sets):
    assert len(article_sets) >= 140
    for name, (nodes, articles) in article_sets.items():
        assert len(articles) == len(nodes), name


def test_article_sets__every_record_has_its_own_pmid_and_type(pairs):
    for node, article in pairs:
        pmid = node.find("MedlineCitation/PMID")
        if pmid is None:
            pmid = node.find("BookDocument/PMID")
        assert (article.pmid, article.version) == (pmid.text, int(pmid.get("Version", "1")))
        assert article.record_type.startswith(RECORDS[node.tag])


def test_article_sets__abstracts_lose_no_character(pairs):
    compared = 0
    for node, article in pairs:
        abstract = node.find("MedlineCitation/Article/Abstract")
        if abstract is None:
            assert article.abstract_text is None or node.tag == "PubmedBookArticle"
        elif not any(part.tag in SCRIPTS for part in abstract.iter()):
            assert without_space(article.abstract_text or "") == without_space("".join(labelled(abstract)))
            compared += 1
    assert compared >= 800


def labelled(abstract: ElementTree.Element) -> Iterator[str]:
    """Every part with its label, parts without text left out."""
    for part in abstract.iter("AbstractText"):
        text = "".join(part.itertext())
        if text.strip():
            yield f"{part.get('Label')}:" if part.get("Label") else ""
            yield text


def without_space(text: str) -> str:
    return re.sub(r"[\s\u00ad]", "", text)


def test_article_sets__people_affiliations_and_lists_are_all_there(pairs):
    for node, article in pairs:
        if node.tag == "PubmedArticle":
            authors = [a for a in node.iter("Author") if a.get("ValidYN") != "N"]
            assert len(article.authors) == len(authors), article.pmid
            assert len(article.investigators) == len(list(node.iter("Investigator")))
            assert len(article.mesh_terms) == len(list(node.iter("MeshHeading")))
            assert len(article.grant_list) == len(list(node.iter("Grant")))
            keywords = [k for k in node.iter("Keyword") if "".join(k.itertext()).strip()]
            assert len(article.keywords) == len(keywords)


def test_article_sets__affiliations_read_back_as_written(pairs):
    for node, article in pairs:
        authors = [a for a in node.iter("Author") if a.get("ValidYN") != "N"]
        for element, author in zip(authors, article.authors, strict=False):
            written = {without_space("".join(a.itertext())) for a in element.iter("Affiliation")}
            found = {without_space(article.affiliations[place]) for place in author.affiliation_indices}
            assert found == written, article.pmid


def test_article_sets__a_journal_article_has_a_year(pairs):
    for node, article in pairs:
        if node.tag == "PubmedArticle":
            assert re.fullmatch("[0-9]{4}", article.journal_info.publication_date.year), article.pmid


@pytest.mark.parametrize("name", sorted(OTHER_DOCUMENTS))
def test_other_documents__are_refused(answers, name):
    with pytest.raises(InvalidEfetchResponse):
        parse_pubmed_article_set(answers[name])


def test_pins__are_many():
    assert len(PINS) >= 32


@pytest.mark.parametrize("pin", PINS, ids=lambda pin: pin["file"])
def test_pinned_record(answers, pin):
    assert facts(article_of(answers, pin)) == {name: fact for name, fact in pin.items() if name != "file"}


@pytest.mark.parametrize(
    ("name", "formulas"),
    [
        ("pmid-29963580-mathml-collective.xml", ["³He/¹²⁹Xe MRI", "echo-time ¹H MRI"]),
        ("pmid-30108519-mathml-title-markup.xml", ["uptake ( V.O_2max )", " ml·kg⁻¹", "LE_min+1mM"]),
        ("pmid-32759406-mathml.xml", ["η_p²", "(a+1)/b", "y=³√x²"]),
    ],
)
def test_recorded_formulas(answers, name, formulas):
    (article,) = parse_pubmed_article_set(answers[name])
    assert [formula for formula in formulas if formula not in article.abstract_text] == []


def article_of(answers: dict[str, bytes], pin: dict) -> Article:
    articles = parse_pubmed_article_set(answers[pin["file"]])
    return next(article for article in articles if article.pmid == pin["pmid"])


def facts(article: Article) -> dict:
    """What a pin holds of an article; absent facts left out."""
    identity = {"pmid": article.pmid, "recordType": article.record_type, "title": article.title}
    if article.book is not None:
        return identity | {"bookTitle": article.book.title}
    return present(
        identity
        | people(article)
        | {
            "journal": journal(article.journal_info),
            "doi": article.doi,
            "pmcid": article.pmc_id,
            "publicationTypes": list(article.publication_types),
            "mesh": mesh(article),
            "grants": grants(article.grant_list),
            "commentsCorrections": comments(article),
            "keywords": present({"count": len(article.keywords), "first": next(iter(article.keywords), None)}),
            "articleDates": [[d.date_type, d.year, d.month, d.day] for d in article.article_dates],
            "abstract": abstract(article.abstract_text),
        }
    )


def present(facts: dict) -> dict:
    return {name: fact for name, fact in facts.items() if fact not in (None, 0, [], {})}


def people(article: Article) -> dict:
    authors, investigators = article.authors, article.investigators
    return {
        "authorCount": len(authors),
        "firstAuthor": person(authors[0]) if authors else None,
        "lastAuthor": person(authors[-1]) if authors else None,
        "affiliationCount": len(article.affiliations),
        "lastAuthorAffiliations": list(authors[-1].affiliation_indices) if authors else [],
        "investigators": present(
            {"count": len(investigators), "last": person(investigators[-1]) if investigators else None}
        ),
    }


def person(author: Author) -> dict:
    return present(
        {
            "lastName": author.last_name,
            "firstName": author.first_name,
            "initials": author.initials,
            "suffix": author.suffix,
            "collectiveName": author.collective_name,
            "orcid": author.orcid,
        }
    )


def journal(found: Journal) -> dict:
    date = asdict(found.publication_date)
    date["medlineDate"] = date.pop("medline_date")
    return present(
        {
            "title": found.title,
            "iso": found.iso_abbreviation,
            "issn": found.issn,
            "eIssn": found.e_issn,
            "volume": found.volume,
            "issue": found.issue,
            "pages": found.pages,
            "elocation": [found.elocation_id_type, found.elocation_id] if found.elocation_id else None,
            "date": present(date),
        }
    )


def mesh(article: Article) -> dict:
    """Counts, with the first heading that has qualifiers (else the first of all)."""
    terms = article.mesh_terms
    shown = next((term for term in terms if term.qualifiers), next(iter(terms), None))
    heading = []
    if shown is not None:
        majors = [part.is_major_topic for part in shown.qualifiers]
        heading = [[q.qualifier_ui, q.qualifier_name, q.is_major_topic] for q in shown.qualifiers]
        heading.insert(0, [shown.descriptor_ui, shown.descriptor_name, shown.is_major_topic and not any(majors)])
    return present({"count": len(terms), "major": sum(t.is_major_topic for t in terms), "heading": heading})


def grants(found: tuple[Grant, ...]) -> dict:
    if not found:
        return {}
    names = {"grantId": found[0].grant_id, "acronym": found[0].acronym}
    first = present(names | {"agency": found[0].agency, "country": found[0].country})
    return {"count": len(found), "first": first}


def comments(article: Article) -> list[dict]:
    return [
        present({"refType": link.ref_type, "refSource": link.ref_source, "pmid": link.pmid, "note": link.note})
        for link in article.comments_corrections
    ]


def abstract(text: str | None) -> dict | None:
    return text and {"length": len(text), "start": " ".join(text.split()[:3])}
