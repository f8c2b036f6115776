"""Tokens of a query, and what can be told from them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pubmed_api.operations.search_articles.syntax import balance, has_top_level_or, tokenize

QUERY_TEXT = st.text(alphabet='ab OR()[]"“”: ', max_size=40)


def kinds(query):
    return [token.kind for token in tokenize(query)]


@given(QUERY_TEXT)
def test_tokenize__keeps_every_character(query):
    assert "".join(token.text for token in tokenize(query)) == query


def test_tokenize__kinds():
    assert kinds('("x y"[ti] OR z)') == ["open", "quoted", "bracket", "space", "word", "space", "word", "close"]
    assert kinds("“x y”[ti]") == ["quoted", "bracket"]
    assert kinds('x" [y') == ["word", "stray", "space", "stray", "word"]
    assert kinds("benzo[a]pyrene") == ["word", "bracket", "word"]


@pytest.mark.parametrize(
    "query",
    [
        "asthma OR copd",
        "a or b",
        "(a)OR(b)",
        '"a" OR "b"',
        "(a AND b) OR c",
        "a[ti]OR b[ti]",
        "a\tOr\nb",
        "a OR (b OR c)",
    ],
)
def test_has_top_level_or__yes(query):
    assert has_top_level_or(tokenize(query))


@pytest.mark.parametrize(
    "query",
    [
        *(
            "asthma",
            "(a OR b)",
            "((a) OR (b))",
            '"a OR b"',
            "“a OR b”",
            "a[x OR y]",
            "ORAL",
            "a AND b",
            "OR-1",
            "xOR b",
        ),
        "(a OR b) AND (c OR d)",
    ],
)
def test_has_top_level_or__no(query):
    assert not has_top_level_or(tokenize(query))


@pytest.mark.parametrize(
    ("query", "balanced"),
    [
        ("asthma", "asthma"),
        ('("a b"[ti] OR c) AND [18F]', '("a b"[ti] OR c) AND [18F]'),
        ("(a OR (b", "(a OR (b))"),
        ("a) OR b", "a  OR b"),
        ('asthma "copd', "asthma  copd"),
        ('"(" AND (a', '"(" AND (a)'),
        ("asthma[tiab", "asthma tiab"),
        ("a] b", "a  b"),
    ],
)
def test_balance(query, balanced):
    assert balance(query) == balanced


@given(QUERY_TEXT)
def test_balance__leaves_nothing_unpaired(query):
    tokens = tokenize(balance(query))
    assert all(token.kind != "stray" for token in tokens)
    depth = 0
    for token in tokens:
        depth += {"open": 1, "close": -1}.get(token.kind, 0)
        assert depth >= 0
    assert depth == 0


@given(QUERY_TEXT)
def test_balance__once_is_enough(query):
    assert balance(balance(query)) == balance(query)
