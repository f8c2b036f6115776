from collections.abc import Callable

import pytest

from pubmed_api.parsers.xml import Element, parse_xml


@pytest.fixture
def node() -> Callable[[str], Element]:
    """Turns a piece of XML into its element."""
    return lambda text: parse_xml(text.encode())
