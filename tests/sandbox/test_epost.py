"""EPost."""

from collections.abc import Callable

import pytest
from lxml.etree import _Element

Answer = Callable[..., _Element]


def test_epost__handle(answer: Answer) -> None:
    root = answer("epost", id="90000001,99999999")
    assert [node.tag for node in root] == ["QueryKey", "WebEnv"]
    assert root.findtext("QueryKey") == "1"


def test_epost__other_separators_are_told(answer: Answer) -> None:
    root = answer("epost", id="90000001;90000002")
    assert root.findtext("ERROR") == "IDs contain invalid characters which was treated as delimiters."
    assert root.findtext("WebEnv")


@pytest.mark.parametrize(("ids", "errors"), [("", 1), ("x", 2), ("0", 2)])
def test_epost__nothing_to_store(answer: Answer, ids: str, errors: int) -> None:
    messages = [node.text for node in answer("epost", id=ids).findall("ERROR")]
    assert messages[0] == "Empty ID list; Nothing to store"
    assert len(messages) == errors
