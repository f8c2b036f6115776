"""Handles of the history server."""

import re

import pytest

from pubmed_api.sandbox.corpus import Corpus
from pubmed_api.sandbox.history import UnknownHistoryError, resolve, store_pmids, store_search
from pubmed_api.sandbox.search import SearchRequest


def test_store_pmids__comes_back_in_order(corpus: Corpus) -> None:
    pmids = ("90000003", "99999999", "90000001")
    assert resolve(corpus, store_pmids(pmids), "1") == pmids


def test_store_search__is_run_again(corpus: Corpus) -> None:
    handle = store_search(SearchRequest("asthma OR hypertension", "Author"))
    assert resolve(corpus, handle, "1") == ("90000003", "90000001", "90000002", "90000005")


def test_store_search__handle_fits_into_an_address() -> None:
    handle = store_search(SearchRequest("ässthma AND " * 40))
    assert re.fullmatch(r"MCID_[A-Za-z0-9_-]+", handle)
    assert len(handle) < 300


@pytest.mark.parametrize("handle", ["", "MCID_", "MCID_6693abc", "NCID_1_2", "MCID_****", "MCID_ä"])
def test_resolve__unknown_handle(corpus: Corpus, handle: str) -> None:
    with pytest.raises(UnknownHistoryError, match="Unable to obtain query #1"):
        resolve(corpus, handle, "1")


def test_resolve__tampered_handle(corpus: Corpus) -> None:
    handle = store_pmids(["90000001"])
    middle = len(handle) // 2
    other = "A" if handle[middle] != "A" else "B"
    with pytest.raises(UnknownHistoryError):
        resolve(corpus, handle[:middle] + other + handle[middle + 1 :], "1")


def test_resolve__key_the_handle_does_not_have(corpus: Corpus) -> None:
    with pytest.raises(UnknownHistoryError, match="Unable to obtain query #2"):
        resolve(corpus, store_pmids(["90000001"]), "2")
