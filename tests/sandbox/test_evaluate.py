"""Query trees evaluated, and what is said about them."""

import pytest

from pubmed_api.sandbox.corpus import Corpus
from pubmed_api.sandbox.evaluate import Evaluation, Notes
from pubmed_api.sandbox.query import parse_query


def _evaluate(corpus: Corpus, query: str) -> tuple[str | None, str, Notes]:
    """The last digits of the PMIDs found (``None`` where nothing is left of the query), translation and notes."""
    evaluation = Evaluation(corpus)
    tree = parse_query(query)
    assert tree is not None
    found = evaluation.find(tree)
    if found is None:
        return None, "", evaluation.notes
    return "".join(sorted(pmid[-1] for pmid in found.pmids)), found.translation, evaluation.notes


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("asthma", "12"),
        ("asthma children", "1"),
        ("asthma OR hypertension", "1235"),
        ("stroke OR asthma AND mouse", "2"),
        ("asthma NOT mouse", "1"),
        ("asthma NOT (mouse OR children)", ""),
        ("ASTHMA and Mouse", "2"),
        ('"mild asthma"', "1"),
        ("asthm* AND voorbeeld OR exemple", "6"),
        ("hasabstract AND asthma", "12"),
        ("doe asthma", "1"),
        ("J Imag Med stories", "14"),
        ("10.5555/jim.2020.1", "1"),
        ("90000001 90000003", "13"),
        ("90000001 99999999", "1"),
        ("99999999[uid]", ""),
        ("high blood pressure", "35"),
        ("asthma/drug therapy", "1"),
        ("(animals[MeSH Terms] NOT humans[MeSH Terms])", "2"),
        ("(2020/01[pdat] : 2021[pdat]) AND free full text[filter]", "1"),
        ("2022/06:2022/07[pdat]", "5"),
        ("asthma[tiabb]", "12"),
    ],
)
def test_find__records(corpus: Corpus, query: str, found: str) -> None:
    assert _evaluate(corpus, query)[0] == found


def test_find__unknown_word_is_dropped_and_reported(corpus: Corpus) -> None:
    found, translation, notes = _evaluate(corpus, "asthma[ti] AND zzzqqq AND yyyqqq[tiab]")
    assert found == "12"
    assert translation == '"asthma"[Title]'
    assert notes.phrases_not_found == ["zzzqqq", "yyyqqq"]


def test_find__nothing_left_of_the_query(corpus: Corpus) -> None:
    found, _, notes = _evaluate(corpus, "zzzqqq NOT asthma")
    assert found is None
    assert notes.phrases_not_found == ["zzzqqq"]


def test_find__stop_words_are_ignored(corpus: Corpus) -> None:
    found, _, notes = _evaluate(corpus, "the asthma of a mouse")
    assert found == "2"
    assert notes.phrases_ignored == ["the", "of", "a"]


def test_find__lower_case_operators_are_stop_words(corpus: Corpus) -> None:
    found, _, notes = _evaluate(corpus, "asthma or hypertension")
    assert found == ""
    assert notes.phrases_ignored == ["or"]


def test_find__stop_word_with_a_tag_is_not_found(corpus: Corpus) -> None:
    found, _, notes = _evaluate(corpus, "the[tiab] AND asthma[tiab]")
    assert found == "12"
    assert notes.phrases_not_found == ["the"]


def test_find__quoted_phrase_falls_back_to_its_words(corpus: Corpus) -> None:
    found, _, notes = _evaluate(corpus, '"asthma mild"')
    assert found == "1"
    assert notes.quoted_phrases_not_found == ['"asthma mild"']


def test_find__quoted_phrase_with_an_unknown_word_finds_nothing(corpus: Corpus) -> None:
    found, _, notes = _evaluate(corpus, '"asthma zzzqqq"')
    assert found == ""
    assert notes.quoted_phrases_not_found == ['"asthma zzzqqq"']
    assert notes.phrases_not_found == []


def test_find__quoted_phrase_with_a_tag_finds_nothing(corpus: Corpus) -> None:
    found, _, notes = _evaluate(corpus, 'asthma AND "Nope"[Journal]')
    assert found == ""
    assert notes.quoted_phrases_not_found == ['"Nope"[Journal]']


def test_find__tagged_words_that_are_no_phrase_are_searched_apart(corpus: Corpus) -> None:
    found, translation, notes = _evaluate(corpus, "asthma mild[tiab]")
    assert found == "1"
    assert translation == '"asthma"[Title/Abstract] AND "mild"[Title/Abstract]'
    assert notes.phrases_not_found == []


def test_find__part_of_a_name_may_be_dropped(corpus: Corpus) -> None:
    found, translation, notes = _evaluate(corpus, "Zzzqqq doe[au]")
    assert found == "13"
    assert translation == "doe[Author]"
    assert notes.phrases_not_found == ["Zzzqqq"]


def test_find__unknown_tag_is_dropped(corpus: Corpus) -> None:
    found, _, notes = _evaluate(corpus, "mouse[Titel]")
    assert found == "2"
    assert notes.fields_not_found == ["Titel"]
    found, _, notes = _evaluate(corpus, "mouse[foo]")
    assert found == "2"
    assert notes == Notes(ranking=["mouse"])


def test_find__default_tag_counts_for_terms_without_one(corpus: Corpus) -> None:
    tree = parse_query("mild OR blood[tiab]")
    assert tree is not None
    found = Evaluation(corpus, "ti").find(tree)
    assert found is not None
    assert found.pmids == {"90000005"}


@pytest.mark.parametrize(
    ("query", "translation"),
    [
        ("mouse", '"mouse"[All Fields]'),
        ("asthma", '"asthma"[MeSH Terms] OR "asthma"[All Fields]'),
        (
            "high blood pressure",
            '"hypertension"[MeSH Terms] OR "hypertension"[All Fields] OR ("high"[All Fields] AND '
            '"blood"[All Fields] AND "pressure"[All Fields]) OR "high blood pressure"[All Fields]',
        ),
        ("(mouse OR cells) AND stories", '("mouse"[All Fields] OR "cells"[All Fields]) AND "stories"[All Fields]'),
        ("2020[dp]", "2020/01/01:2020/12/31[Date - Publication]"),
        ("Doe J[au]", "doe j[Author]"),
        ("asthma[mh:noexp]", '"asthma"[MeSH Terms:noexp]'),
        ("mouse NOT (cells NOT asthma[ti])", '"mouse"[All Fields] NOT ("cells"[All Fields] NOT "asthma"[Title])'),
    ],
)
def test_find__translation(corpus: Corpus, query: str, translation: str) -> None:
    assert _evaluate(corpus, query)[1] == translation


def test_find__notes_translations_of_subjects_and_journals(corpus: Corpus) -> None:
    notes = _evaluate(corpus, "stroke AND Acta Fict Cardiol[ta]")[2]
    assert notes.translations == [
        ("stroke", '"stroke"[MeSH Terms] OR "stroke"[All Fields]'),
        ("Acta Fict Cardiol[Journal]", '"Acta Fict Cardiol"[Journal:__jidF0000002]'),
    ]


def test_find__excluded_words_do_not_count_for_relevance(corpus: Corpus) -> None:
    assert _evaluate(corpus, "cells NOT stories")[2].ranking == ["cells"]


def test_find__thousands_of_terms_in_a_row(corpus: Corpus) -> None:
    query = " OR ".join(f"{number}[uid]" for number in range(90000000, 90003000))
    assert _evaluate(corpus, query)[0] == "12345678"
