"""JSON as the standard has it."""

import pytest

from pubmed_api.web.strict_json import read_strict


def test_read_strict__json():
    assert read_strict('{"a": [1, 2.5, "x", null, true]}') == {"a": [1, 2.5, "x", None, True]}


@pytest.mark.parametrize("text", ["NaN", "[-Infinity]", "1e400", "-1e999", '{"a": 1, "a": 2}', "9" * 401, "{", ""])
def test_read_strict__anything_else(text):
    with pytest.raises(ValueError, match=r"."):
        read_strict(text)


def test_read_strict__minus_zero_is_no_integer():
    assert isinstance(read_strict("-0"), float)
