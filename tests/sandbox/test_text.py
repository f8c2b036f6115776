"""Text made plain and cut into words."""

import pytest
from lxml import etree

from pubmed_api.sandbox.text import (
    inner_markup,
    near,
    normalize,
    pattern_words,
    phrase_matches,
    plain_text,
    word_matches,
    words,
)

_TITLE = etree.fromstring("<t>A <i>B</i>\n c<sub>2</sub> &amp; d</t>")


def test_plain_text__markup_and_line_breaks() -> None:
    assert plain_text(_TITLE) == "A B c2 & d"
    assert plain_text(None) == ""


def test_inner_markup__keeps_tags_and_entities_as_text() -> None:
    assert inner_markup(_TITLE) == "A <i>B</i> c<sub>2</sub> &amp; d"
    assert inner_markup(None) == ""


def test_inner_markup__drops_namespace_declarations() -> None:
    node = etree.fromstring('<t xmlns:mml="http://example.org/m">x <mml:mi>y</mml:mi></t>')
    assert inner_markup(node) == "x <mml:mi>y</mml:mi>"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Crohn's disease", ("crohn", "s", "disease")),
        ("β-Blockers", ("beta", "blockers")),
        ("Ørsted, Åse", ("orsted", "ase")),
        ("CO₂ ΣΩ", ("co2", "sigmaomega")),
        ("--", ()),
    ],
)
def test_words__are_folded(text: str, expected: tuple[str, ...]) -> None:
    assert words(text) == expected


def test_normalize__joins_words() -> None:
    assert normalize(" Infant,  Newborn ") == "infant newborn"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("asthm*", ("asthm*",)),
        ("ast*", ("ast",)),
        ("breast feed*", ("breast", "feed*")),
        ("organi*ation", ("organi*ation",)),
    ],
)
def test_pattern_words__asterisk_needs_four_letters(text: str, expected: tuple[str, ...]) -> None:
    assert pattern_words(text) == expected


def test_word_matches__wildcard() -> None:
    assert word_matches("asthm*", "asthmatic")
    assert not word_matches("asthm*", "bronchial")
    assert not word_matches("asthm", "asthma")


def test_phrase_matches__order_and_neighbourhood_count() -> None:
    passage = ("mild", "asthma", "heard", "stories")
    assert phrase_matches(("asthma", "heard"), passage)
    assert not phrase_matches(("heard", "asthma"), passage)
    assert not phrase_matches(("mild", "heard"), passage)


def test_near__counts_words_between_in_any_order() -> None:
    passage = ("children", "with", "asthma")
    assert near(("asthma", "children"), passage, 1)
    assert not near(("asthma", "children"), passage, 0)
