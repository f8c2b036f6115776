"""Characters that silently change a search."""

import pytest

from pubmed_api.operations.search_articles.look_alikes import find_look_alikes


@pytest.mark.parametrize(
    ("query", "described"),
    [
        ("intervent∗[ti]", '"∗" (U+2217) for "*"'),
        ('"randomized trial∗"[tiab]', '"∗" (U+2217) for "*"'),
        ("COVID‐19", '"‐" (U+2010) for "-"'),
        ("COVID–19", '"–" (U+2013) for "-"'),
        ("lung\u00a0cancer", "U+00A0 for a space"),
        ("lung\u3000cancer", "U+3000 for a space"),
        ("asthma［ti", '"［" (U+FF3B) for "["'),
        ("（asthma", '"（" (U+FF08) for "("'),
        ("asth\u200bma", "U+200B, which cannot be seen"),
        ("＂asthma", '"＂" (U+FF02) for \'"\''),
    ],
)
def test_find_look_alikes__described(query, described):
    assert find_look_alikes(query) == (described,)


@pytest.mark.parametrize(
    "query", ["intervent*[ti]", "“lung cancer”", "O’Brien", "Müller α-synuclein", "a\nb\tc", "中文"]
)
def test_find_look_alikes__clean(query):
    assert find_look_alikes(query) == ()


def test_find_look_alikes__each_once():
    assert len(find_look_alikes("a∗ b∗ c‐d")) == 2
