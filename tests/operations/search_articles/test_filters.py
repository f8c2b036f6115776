"""Filters: which are blank, what they are sent as."""

import pytest

from pubmed_api.operations.search_articles.filters import build_clauses, find_blank_filters, normalize_filters
from pubmed_api.operations.search_articles.model import AppliedFilters, DateRange, SearchRequest


def request(**filters):
    return SearchRequest("asthma", **filters)


def clauses(**filters):
    return list(build_clauses(normalize_filters(request(**filters))))


def test_find_blank_filters__all_paths_at_once():
    blank = request(
        author=" ",
        journal="()",
        language='""',
        publication_types=("Review", "<b></b>"),
        mesh_terms=("x", "\u200b", "", "[]"),
    )
    assert find_blank_filters(blank) == [
        "author",
        "journal",
        "language",
        "publicationTypes.1",
        "meshTerms.1",
        "meshTerms.3",
    ]


def test_find_blank_filters__empty_is_no_filter():
    assert find_blank_filters(request(author="", journal="", publication_types=("", "x"), mesh_terms=("",))) == []


def test_normalize_filters__only_active_ones():
    filters = normalize_filters(request(author="", mesh_terms=("", "Asthma"), has_abstract=False))
    assert filters == AppliedFilters(mesh_terms=("Asthma",))


def test_build_clauses__order():
    assert clauses(
        species="animals",
        free_full_text=True,
        has_abstract=True,
        language="english",
        mesh_terms=("Child", "Steroids"),
        journal="Ann Invent",
        author="Mond A",
        publication_types=("Review", "Letter"),
        date_range=DateRange("2020-01", "2021", "mdat"),
    ) == [
        "(2020/01[mdat] : 2021[mdat])",
        '("Review"[Publication Type] OR "Letter"[Publication Type])',
        "Mond A[Author]",
        '"Ann Invent"[Journal]',
        '("Child"[MeSH Terms] AND "Steroids"[MeSH Terms])',
        "english[Language]",
        "hasabstract[text word]",
        "free full text[filter]",
        "(animals[MeSH Terms] NOT humans[MeSH Terms])",
    ]


def test_build_clauses__one_publication_type():
    assert clauses(publication_types=("Review",)) == ['("Review"[Publication Type])']


def test_build_clauses__humans():
    assert clauses(species="humans") == ["humans[MeSH Terms]"]


@pytest.mark.parametrize(
    ("value", "clause"),
    [
        ("O'Brien JC Jr", "O'Brien JC Jr[Author]"),
        ("Müller-Lüdenscheidt", "Müller-Lüdenscheidt[Author]"),
        ("Mond, Anna", "Mond, Anna[Author]"),
        ("Mond*", "Mond*[Author]"),
        ("  Mond \n A ", "Mond A[Author]"),
        ("<b>Mond</b> A", "Mond A[Author]"),
        ("Mond &amp;quot; A", '"Mond &quot; A"[Author]'),
        ('Mond" A', "Mond A[Author]"),
        ("Mond A[Author] OR tides[tiab]", '"Mond A Author OR tides tiab"[Author]'),
        ("Mond A) OR (tides", '"Mond A OR tides"[Author]'),
        ("Or R", '"Or R"[Author]'),
        ("Mond:Tide", '"Mond:Tide"[Author]'),
        ("#1", '"#1"[Author]'),
        ("Or-Tal N", "Or-Tal N[Author]"),
    ],
)
def test_build_clauses__author_says_no_more_than_its_field(value, clause):
    assert clauses(author=value) == [clause]


@pytest.mark.parametrize(
    ("value", "clause"),
    [
        ("Tides (London)", '"Tides (London)"[Journal]'),
        ('Tides" OR "x', '"Tides OR x"[Journal]'),
        ("Tides” OR “x", '"Tides OR x"[Journal]'),
        ("Tides) OR (x", '"Tides OR x"[Journal]'),
        ("Tides [Internet]", '"Tides [Internet]"[Journal]'),
        ("Tides [(x])", '"Tides x"[Journal]'),
        ("Ebb &amp; Flow", '"Ebb & Flow"[Journal]'),
        ("1234-5678", '"1234-5678"[Journal]'),
    ],
)
def test_build_clauses__journal_stays_in_its_quotes(value, clause):
    assert clauses(journal=value) == [clause]


def test_build_clauses__comma_and_slash_in_mesh_terms():
    assert clauses(mesh_terms=("Diabetes Mellitus, Type 2", "Asthma/drug therapy")) == [
        '("Diabetes Mellitus, Type 2"[MeSH Terms] AND "Asthma/drug therapy"[MeSH Terms])'
    ]
