"""ESpell."""

from collections.abc import Callable

import pytest
from lxml.etree import _Element

from pubmed_api.sandbox.corpus import Corpus
from pubmed_api.sandbox.espell import edit_distance, suggest

Answer = Callable[..., _Element]


def test_espell__correction(answer: Answer) -> None:
    root = answer("espell", term="asthmaa OR alergies")
    assert [node.tag for node in root] == ["Database", "Query", "CorrectedQuery", "SpelledQuery", "ERROR"]
    assert root.findtext("Query") == "asthmaa OR alergies"
    assert root.findtext("CorrectedQuery") == "asthma or allergies"
    pieces = [(node.tag, node.text or "") for node in root.iterfind("SpelledQuery/*")]
    assert pieces == [("Original", ""), ("Replaced", "asthma"), ("Original", " OR "), ("Replaced", "allergies")]
    assert root.findtext("ERROR") == ""


def test_espell__rest_of_the_query_is_kept(answer: Answer) -> None:
    root = answer("espell", term="fiberblast cell grwth[tiab]")
    assert root.findtext("CorrectedQuery") == "fibroblast cell growth[tiab]"
    assert root.findtext("SpelledQuery/Original[last()]") == "[tiab]"


@pytest.mark.parametrize(
    "term", ["asthma", "12345678", "Mustermann", "xqzvwkjy", "the[tiabb]", "COVID-19x", "asthmaa*", "abc", ""]
)
def test_espell__nothing_to_correct(answer: Answer, term: str) -> None:
    root = answer("espell", term=term)
    assert (root.findtext("Query"), root.findtext("CorrectedQuery")) == (term, "")
    assert len(root.find("SpelledQuery")) == 0  # type: ignore[arg-type]
    assert root.find("ERROR") is not None


def test_suggest__nearest_then_most_frequent(corpus: Corpus) -> None:
    assert suggest("asthme", corpus) == "asthma"
    assert suggest("chidlren", corpus) == "children"
    assert suggest("dibaetes", corpus) == "diabetes"
    # "stories" and "story" stand in the corpus; one edit beats two
    assert suggest("storys", corpus) == "story"


def test_suggest__short_words_change_by_one_letter_only(corpus: Corpus) -> None:
    assert suggest("mise", corpus) == "mice"
    assert suggest("mxxe", corpus) is None


@pytest.mark.parametrize(
    ("left", "right", "distance"), [("abc", "abc", 0), ("abc", "acb", 1), ("abc", "abcd", 1), ("abc", "xyz", 3)]
)
def test_edit_distance__stops_above_the_limit(left: str, right: str, distance: int) -> None:
    assert edit_distance(left, right, 2) == distance
