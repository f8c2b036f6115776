"""What the E-utilities share."""

import pytest

from pubmed_api.sandbox.corpus import Corpus
from pubmed_api.sandbox.eutils import (
    IdList,
    ServiceError,
    check_database,
    element,
    error_answer,
    read_ids,
    read_number,
    stored_pmids,
)
from pubmed_api.sandbox.history import store_pmids


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1,2", IdList(("1", "2"), ())),
        ("00000001, 2", IdList(("1", "2"), ())),
        ("42.9", IdList(("42", "9"), (), True)),
        ("00000000", IdList((), ())),
        ("1,abc", IdList(("1",), ((1, "abc"),), True)),
        ("", IdList((), ())),
    ],
)
def test_read_ids__cut_as_ncbi_cuts_them(text: str, expected: IdList) -> None:
    assert read_ids(text) == expected


def test_read_number__falls_back() -> None:
    assert read_number({"retmax": "5"}, "retmax", 20) == 5
    assert read_number({"retmax": "x"}, "retmax", 20) == 20
    assert read_number({}, "retmax", 20) == 20
    assert read_number({"retstart": "-3"}, "retstart", 0) == 0


def test_check_database__refuses_others() -> None:
    check_database({})
    check_database({"db": "PubMed"})
    with pytest.raises(ServiceError, match="Invalid db name specified: nothing"):
        check_database({"db": "nothing"})


def test_stored_pmids__window(corpus: Corpus) -> None:
    handle = {"WebEnv": store_pmids(["1", "2", "3", "4"]), "query_key": "1"}
    assert stored_pmids({}, corpus) is None
    assert stored_pmids({**handle, "retstart": "1", "retmax": "2"}, corpus) == ("2", "3")
    assert stored_pmids({**handle, "retmax": "0"}, corpus) == ()
    with pytest.raises(ServiceError, match="cannot be larger than 9998") as refused:
        stored_pmids({**handle, "retstart": "9999"}, corpus)
    assert refused.value.status == 400


def test_error_answer__one_element_for_each_message() -> None:
    answer = error_answer("ePostResult", ServiceError("a", "b"))
    assert answer.status_code == 200
    body = answer.get_data(as_text=True)
    assert "<ERROR>a</ERROR>" in body
    assert "<ERROR>b</ERROR>" in body
    assert body.startswith('<?xml version="1.0" encoding="UTF-8" ?>\n<!DOCTYPE ePostResult PUBLIC "-//NLM//DTD epost')


def test_element__empty_has_no_text() -> None:
    assert element("ERROR").text is None
    assert element("a", [element("b", "c")])[0].text == "c"
