"""Searches with their limits and orders."""

import pytest

from pubmed_api.sandbox.corpus import Corpus
from pubmed_api.sandbox.search import SearchRequest, UnreadableQueryError, known_sort, relevance, run_search


def _order(corpus: Corpus, term: str, sort: str = "") -> str:
    """The last digits of the PMIDs in order."""
    return "".join(pmid[-1] for pmid in run_search(corpus, SearchRequest(term, sort)).pmids)


def test_relevance__title_counts_more_than_headings_more_than_abstract(corpus: Corpus) -> None:
    # 1: once in the title, two headings, once more in the abstract; the title is part of title/abstract too.
    assert relevance(corpus.entries["90000001"], ["asthma"]) == 8 + 2 * 4 + 2
    assert relevance(corpus.entries["90000002"], ["asthma"]) == 8 + 2 * 4 + 4


@pytest.mark.parametrize("sort", ["", "relevance", "nonsense"])
def test_run_search__relevance_is_the_default(corpus: Corpus, sort: str) -> None:
    assert _order(corpus, "stories", sort) == "14"


@pytest.mark.parametrize(
    ("sort", "order"), [("pub_date", "5213"), ("Author", "3125"), ("author", "3125"), ("JournalName", "5321")]
)
def test_run_search__sorts(corpus: Corpus, sort: str, order: str) -> None:
    assert _order(corpus, "asthma OR hypertension", sort) == order


def test_run_search__equal_records_run_by_pmid_downwards(corpus: Corpus) -> None:
    assert _order(corpus, "90000001 90000004", "JournalName") == "41"


@pytest.mark.parametrize(
    ("low", "high", "kind", "order"),
    [
        ("2020", "2020", "pdat", "14"),
        ("2021/05/21", "2021/05/21", "edat", "2"),
        ("2021/05/21", "2021/05/21", "", "2"),
        ("2020", "", "pdat", "124"),
        ("soon", "later", "pdat", "124"),
    ],
)
def test_run_search__date_limits_need_both_ends(corpus: Corpus, low: str, high: str, kind: str, order: str) -> None:
    request = SearchRequest("asthma OR stories", "", "", kind, low, high)
    assert "".join(sorted(pmid[-1] for pmid in run_search(corpus, request).pmids)) == order


def test_run_search__date_limit_is_part_of_the_translation(corpus: Corpus) -> None:
    request = SearchRequest("mouse", datetype="edat", mindate="2021", maxdate="2021/06")
    expected = '"mouse"[All Fields] AND 2021/01/01:2021/06/31[Date - Entry]'
    assert run_search(corpus, request).translation == expected


def test_run_search__field_of_the_request(corpus: Corpus) -> None:
    assert run_search(corpus, SearchRequest("mild", field="title")).pmids == ()
    assert run_search(corpus, SearchRequest("inhaled", field="title")).pmids == ("90000001",)


@pytest.mark.parametrize(("term", "translation"), [("zzz", "(zzz[All Fields])"), ("zzz AND yyy", "(zzz AND yyy)")])
def test_run_search__translation_where_nothing_was_found(corpus: Corpus, term: str, translation: str) -> None:
    assert run_search(corpus, SearchRequest(term)).translation == translation


@pytest.mark.parametrize("term", ["((", "AND", "(" * 5000 + "asthma"])
def test_run_search__unreadable(corpus: Corpus, term: str) -> None:
    with pytest.raises(UnreadableQueryError):
        run_search(corpus, SearchRequest(term))


def test_known_sort__names_in_any_case() -> None:
    assert all(known_sort(sort) for sort in ("", "relevance", "pub_date", "Author", "JournalName"))
    assert not known_sort("journal")


@pytest.mark.parametrize("term", ["[18F]", "[foo]", "*", "<"])
def test_run_search__only_signs_finds_nothing(corpus: Corpus, term: str) -> None:
    """An outage in its place would be tried again for a minute."""
    assert run_search(corpus, SearchRequest(term)).pmids == ()
