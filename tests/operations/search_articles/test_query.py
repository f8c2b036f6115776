"""The effective query: what is sent, and what never is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pubmed_api.exceptions import BlankFilter, BlankQuery, InvalidDateRange
from pubmed_api.models.visible_text import is_blank_filter
from pubmed_api.operations.search_articles.model import AppliedFilters, DateRange, SearchRequest
from pubmed_api.operations.search_articles.query import build_effective_query, sanitize

SYNTAX = st.text(alphabet="ab 'ORANDT()[]\"“”„<>&;:#*|,/-\\", max_size=30).filter(
    lambda value: value == "" or not is_blank_filter(value)
)


def effective(query, **filters):
    return build_effective_query(SearchRequest(query, **filters)).text


def test_build_effective_query__worked_example():
    built = build_effective_query(
        SearchRequest(
            "asthma OR copd",
            date_range=DateRange("2020-01", "2021"),
            publication_types=("Review", ""),
            author="Smith J",
            mesh_terms=("Child", "Steroids"),
            free_full_text=True,
            has_abstract=False,
        )
    )
    assert built.text == (
        '(asthma OR copd) AND (2020/01[pdat] : 2021[pdat]) AND ("Review"[Publication Type]) AND Smith J[Author] '
        'AND ("Child"[MeSH Terms] AND "Steroids"[MeSH Terms]) AND free full text[filter]'
    )
    assert built.filters == AppliedFilters(
        date_range=DateRange("2020/01", "2021", "pdat"),
        publication_types=("Review",),
        author="Smith J",
        mesh_terms=("Child", "Steroids"),
        free_full_text=True,
    )


@pytest.mark.parametrize(
    ("query", "sent"),
    [
        ("asthma or copd", "(asthma or copd)"),
        ("(asthma OR copd)", "(asthma OR copd)"),
        ('"asthma OR copd"', '"asthma OR copd"'),
        ("(a OR b) AND (c OR d)", "(a OR b) AND (c OR d)"),
        ("(a OR b) OR c", "((a OR b) OR c)"),
        ("oral steroids", "oral steroids"),
    ],
)
def test_build_effective_query__or_is_enclosed_before_filters(query, sent):
    assert effective(query, has_abstract=True) == f"{sent} AND hasabstract[text word]"


@pytest.mark.parametrize("query", ["asthma OR copd", "(asthma", 'asthma "copd', "a] b"])
def test_build_effective_query__without_filters_the_query_is_left_alone(query):
    built = build_effective_query(SearchRequest(query, date_range=DateRange("", ""), has_abstract=False))
    assert (built.text, built.was_unbalanced) == (query, False)


def test_build_effective_query__open_quote_cannot_swallow_a_filter():
    built = build_effective_query(SearchRequest('asthma "copd', journal="Ann Invent"))
    assert built.text == 'asthma  copd AND "Ann Invent"[Journal]'
    assert built.was_unbalanced


@pytest.mark.parametrize(
    "query", ["", "   ", "\u200b", "()", "[pdat]", '""""', "AND", "NOT", "<b></b>", "&nbsp;", "[MeSH Terms]"]
)
def test_build_effective_query__blank_query(query):
    with pytest.raises(BlankQuery):
        effective(query, author=" ", date_range=DateRange("2025", "2020"))


def test_build_effective_query__blank_filters_before_dates():
    with pytest.raises(BlankFilter) as caught:
        effective("x", author=" ", mesh_terms=("x", "\u200b"), date_range=DateRange("2025", "2020"))
    assert caught.value.data == {"fields": ["author", "meshTerms.1"]}


def test_build_effective_query__dates_last():
    with pytest.raises(InvalidDateRange):
        effective("x", date_range=DateRange("2025", "2020"))


@pytest.mark.parametrize(
    ("query", "sent"),
    [
        (" <b>asthma</b> ", "asthma"),
        ("<p>asthma</p><p>AND copd</p>", "asthma  AND copd"),
        ("P<0.001 AND n>5", "P<0.001 AND n>5"),
        ("a<b and c>d", "a<b and c>d"),
        ("<or= 20 or > 20", "<or= 20 or > 20"),
        ("Crohn&#39;s &amp; colitis", "Crohn's & colitis"),
        ('"[18F]FDG"[tiab]', '"[18F]FDG"[tiab]'),
        ("intervent∗[ti]", "intervent∗[ti]"),
    ],
)
def test_sanitize(query, sent):
    assert sanitize(query) == sent


@given(st.lists(st.sampled_from(["P<0.001", "n > 5", "BMI >=30", "age <65", "x<y", "asthma"]), min_size=1, max_size=4))
def test_sanitize__comparisons_stay(parts):
    query = " AND ".join(parts)
    assert sanitize(query) == query


@given(
    author=SYNTAX,
    journal=SYNTAX,
    language=SYNTAX,
    mesh=st.lists(SYNTAX, max_size=3),
    types=st.lists(SYNTAX, max_size=3),
)
def test_build_effective_query__filters_never_break_the_balance(author, journal, language, mesh, types):
    text = effective(
        "asthma",
        author=author,
        journal=journal,
        language=language,
        mesh_terms=tuple(mesh),
        publication_types=tuple(types),
    )
    assert text.count('"') % 2 == 0
    assert text.count("(") == text.count(")")
    assert text.count("[") == text.count("]")
    assert not set(text) & set("“”„")


@given(author=SYNTAX.filter(bool), journal=SYNTAX.filter(bool))
def test_build_effective_query__filters_add_one_clause_each(author, journal):
    text = effective("asthma", author=author, journal=journal)
    outside_quotes = "".join(text.split('"')[::2])
    assert outside_quotes.split(" AND ")[0] == "asthma"
    assert outside_quotes.count(" AND ") == 2
    assert not {"OR", "NOT"} & set(outside_quotes.upper().split())
    assert outside_quotes.count("[") == 2
