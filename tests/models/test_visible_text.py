"""Blank and not blank, markup and comparison."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pubmed_api.models.visible_text import (
    decode_entities,
    has_visible_text,
    is_blank_filter,
    is_blank_query,
    is_visible,
    strip_markup,
)

INVISIBLE = [
    *("\u200b", "\u2060", "\ufeff", "\u00ad", "\u3164", "\ufe0f", "\U000e0100", "\u034f", "\u115f", "\u1160"),
    *("\u17b4", "\u180e", "\u180f", "\uffa0", "\ufff0", "\u202e", "\U0001d173", "\U000e0041", "\u2065"),
    *(" ", "\t", "\n", "\u00a0", "\u2003", "\u3000", "\u2028", "\u0085", "\x00", "\x1f", "\x7f"),
]


@pytest.mark.parametrize("character", INVISIBLE, ids=lambda character: f"U+{ord(character):04X}")
def test_is_visible__invisible_character(character):
    assert not is_visible(character)
    assert not has_visible_text(character * 3)
    assert is_blank_query(character)
    assert is_blank_filter(character)


@pytest.mark.parametrize("character", [*'a7é中-*[("<¿', "\u2800", "\u0301", "\U0001f600", "\u00ae"])
def test_is_visible__visible_character(character):
    assert is_visible(character)
    assert has_visible_text(f"\u200b{character}\u200b")


@given(st.characters(categories=("L", "N")))
def test_is_visible__letters_and_digits(character):
    hangul_filler = "FILLER" in unicodedata.name(character, "")
    assert is_visible(character) or hangul_filler


@pytest.mark.parametrize(
    "query",
    [
        *("", "   ", "\u200b", "()", "(( ))", "[pdat]", "[MeSH Terms]", "[mh:noexp]", "([tiab])", '""""', "“”"),
        *("AND", "NOT", "OR", "and", "AND OR", "AND\u200b", "(AND)", "<b></b>", "<b> </b>", "<x></x>", "<br/>"),
        *("&nbsp;", "&#8203;", "&#x200b;", "&lt;b&gt;&lt;/b&gt;", "[]", "[ ]", "<p>[pdat]</p> AND ()", "<!-- x -->"),
    ],
)
def test_is_blank_query__no_term(query):
    assert is_blank_query(query)


@pytest.mark.parametrize(
    "query",
    [
        *("asthma", "[18F]", "benzo[a]pyrene", '"[18F]FDG"[tiab]', "(x)", "AND x", "ANDROGEN", "NOT-1", "5"),
        *("[tiabb]", "<b>x</b>", "P<0.001", "&alpha;", "&", "a AND b", "中", "x[pdat]", "n<N"),
    ],
)
def test_is_blank_query__term(query):
    assert not is_blank_query(query)


@pytest.mark.parametrize("value", ["", " ", "()", "[]", '""', "( [ ] )", "<b></b>", "&nbsp;", "“”", "<p>"])
def test_is_blank_filter__no_term(value):
    assert is_blank_filter(value)


@pytest.mark.parametrize("value", ["Mond A", "AND", "[pdat]", "(x)", "&", "0", "<b>x</b>", "<5"])
def test_is_blank_filter__term(value):
    assert not is_blank_filter(value)


@pytest.mark.parametrize(
    ("text", "stripped"),
    [
        ("<b>asthma</b>", "asthma"),
        ("<i>in vitro</i> and <i>in vivo</i>", "in vitro and in vivo"),
        ("as<b>th</b>ma", "asthma"),
        ("asthma<br>copd", "asthma copd"),
        ("asthma <br/> copd", "asthma  copd"),
        ("<p>asthma</p>copd", " asthma copd"),
        ('<a href="https://x.example">asthma</a>', "asthma"),
        ("<jats:italic>x</jats:italic>", " x "),
        ("<custom>x</custom>", " x "),
        ('<custom x="1">y', " y"),
        ("<SCRIPT>x</SCRIPT>", " x "),
        ("x<!-- y -->z", "x z"),
    ],
)
def test_strip_markup__tags(text, stripped):
    assert strip_markup(text) == stripped


@pytest.mark.parametrize(
    "text",
    [
        *("P<0.001", "n<N", "<or= 20 or > 20", "a<b and c>d", "a < b > c", "age >65 AND bmi <30", "x<y>z", "a<b>c"),
        *("HuMab<CD20>", "<", ">", "<<>>", "< b>", "<1>", "p<b", "<script", "i<j AND k>l"),
    ],
)
def test_strip_markup__comparisons_stay(text):
    assert strip_markup(text) == text


@given(st.lists(st.from_regex(r"[a-z0-9.]{1,4} ?[<>] ?[a-z0-9.]{1,4}", fullmatch=True), max_size=5).map(" AND ".join))
def test_strip_markup__any_comparison_stays(text):
    if ">" not in text.partition("<")[2]:
        assert strip_markup(text) == text


@pytest.mark.parametrize(
    ("text", "decoded"),
    [
        ("Crohn&#39;s", "Crohn's"),
        ("x &amp; y", "x & y"),
        ("&alpha;&#x3b2;", "αβ"),
        ("&amp;lt;", "&lt;"),
        ("asthma&not copd", "asthma&not copd"),
        ("AT&T", "AT&T"),
        ("&nosuchentity;", "&nosuchentity;"),
    ],
)
def test_decode_entities(text, decoded):
    assert decode_entities(text) == decoded
