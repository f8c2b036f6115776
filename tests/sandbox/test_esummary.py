"""ESummary."""

from collections.abc import Callable

import pytest
from lxml.etree import _Element

Answer = Callable[..., _Element]


def _uids(root: _Element) -> list[str | None]:
    return [node.get("uid") for node in root.findall("DocumentSummarySet/DocumentSummary")]


def test_esummary__in_the_order_asked(answer: Answer) -> None:
    root = answer("esummary", id="90000003,090000001,90000003", version="2.0")
    assert root.tag == "eSummaryResult"
    assert root.find("DocumentSummarySet").get("status") == "OK"  # type: ignore[union-attr]
    assert _uids(root) == ["90000003", "90000001"]


def test_esummary__unknown_id_among_others(answer: Answer) -> None:
    root = answer("esummary", id="90000001,99999999")
    assert _uids(root) == ["90000001", "99999999"]
    assert root.findtext("DocumentSummarySet/DocumentSummary[2]/error") == "cannot get document summary"


@pytest.mark.parametrize(
    ("parameters", "messages"),
    [
        ({"id": "99999999"}, ["UID=99999999: cannot get document summary"]),
        ({"id": "abc"}, ["Invalid uid abc at position=0"]),
        ({"id": "90000001,abc"}, ["Invalid uid abc at position=1"]),
        ({"id": ""}, ["Empty id list - nothing todo"]),
        ({}, ["Neither query_key nor id specified"]),
        ({"WebEnv": "MCID_x", "query_key": "1"}, ["Unable to obtain query #1"]),
        ({"id": "1", "db": "nothing"}, ["Invalid db name specified: nothing"]),
    ],
)
def test_esummary__errors(answer: Answer, parameters: dict[str, str], messages: list[str]) -> None:
    root = answer("esummary", **parameters)
    assert [node.text for node in root.findall("ERROR")] == messages
    assert root.find("DocumentSummarySet") is None


def test_esummary__of_a_handle(answer: Answer) -> None:
    post = answer("epost", id="90000003,90000001,90000002")
    handle = {"WebEnv": post.findtext("WebEnv"), "query_key": "1"}
    assert _uids(answer("esummary", retstart=1, retmax=1, **handle)) == ["90000001"]


def test_esummary__json_is_refused(call: Callable[..., object], answer: Answer) -> None:
    assert call("esummary", id="90000001", retmode="json").status_code == 400  # type: ignore[attr-defined]
