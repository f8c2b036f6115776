"""EFetch."""

from collections.abc import Callable

import pytest
from lxml import etree
from lxml.etree import _Element
from werkzeug.test import TestResponse

from pubmed_api.sandbox.corpus import Corpus

Call = Callable[..., TestResponse]


def _pmids(root: _Element) -> list[str | None]:
    return [node.text for node in root.xpath("*/*/PMID")]  # type: ignore[union-attr]


def test_efetch__xml_in_the_order_asked(call: Call) -> None:
    answer = call("efetch", id="90000007,090000002,90000007,99999999,90000001", retmode="xml")
    assert answer.content_type == "text/xml; charset=UTF-8"
    root = etree.fromstring(answer.data)
    assert root.tag == "PubmedArticleSet"
    assert _pmids(root) == ["90000007", "90000002", "90000001"]


def test_efetch__record_as_stored(call: Call, corpus: Corpus) -> None:
    root = etree.fromstring(call("efetch", id="90000002", retmode="xml").data)
    stored = etree.tostring(corpus.entries["90000002"].record.element, with_tail=False, method="c14n")
    assert etree.tostring(root[0], with_tail=False, method="c14n") == stored
    assert b"<!--" not in call("efetch", id="90000001", retmode="xml").data


def test_efetch__unknown_id_is_an_empty_set(call: Call) -> None:
    answer = call("efetch", id="99999999", retmode="xml")
    assert answer.status_code == 200
    assert answer.get_data(as_text=True).endswith("<PubmedArticleSet></PubmedArticleSet>")


@pytest.mark.parametrize("ids", ["00000000", "abc", ""])
def test_efetch__list_without_an_id_is_status_400(call: Call, ids: str) -> None:
    answer = call("efetch", id=ids, retmode="xml")
    assert answer.status_code == 400
    assert etree.fromstring(answer.data).findtext("ERROR") == "ID list is empty! Possibly it has no correct IDs."


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({}, "Empty id list - nothing todo"),
        ({"WebEnv": "MCID_x", "query_key": "1"}, "Unable to obtain query #1"),
        ({"id": "1", "db": "pmcx"}, "Invalid db name specified: pmcx"),
    ],
)
def test_efetch__errors_with_status_200(call: Call, parameters: dict[str, str], message: str) -> None:
    answer = call("efetch", retmode="xml", **parameters)
    assert answer.status_code == 200
    root = etree.fromstring(answer.data)
    assert (root.tag, root.findtext("ERROR")) == ("eFetchResult", message)


def test_efetch__window_of_ids_and_of_a_handle(call: Call) -> None:
    root = etree.fromstring(call("efetch", id="90000003,90000002,90000001", retmode="xml", retstart=1, retmax=1).data)
    assert _pmids(root) == ["90000002"]
    post = etree.fromstring(call("epost", id="90000003,99999999,90000001").data)
    handle = {"WebEnv": post.findtext("WebEnv"), "query_key": "1"}
    root = etree.fromstring(call("efetch", retmode="xml", retstart=1, retmax=2, **handle).data)
    assert _pmids(root) == ["90000001"]
    refused = call("efetch", retmode="xml", retstart=9999, **handle)
    assert refused.status_code == 400


def test_efetch__text_forms(call: Call) -> None:
    medline = call("efetch", id="90000001", rettype="medline", retmode="text")
    assert medline.content_type == "text/plain; charset=UTF-8"
    assert medline.get_data(as_text=True).startswith("\nPMID- 90000001\n")
    plain = call("efetch", id="90000001")
    assert plain.content_type == "text/plain; charset=UTF-8"
    assert plain.get_data(as_text=True).startswith("1. J Imag Med. 2020 Mar 14")
    assert call("efetch", id="90000001", rettype="full").data == b""
