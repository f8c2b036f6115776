"""HTML's named entities, without their DTD."""

import pytest

from pubmed_api.models.named_entities import resolve_named_entities


@pytest.mark.parametrize(
    ("text", "resolved"),
    [
        ("no entity &#945; &amp; &lt; &quot;", "no entity &#945; &amp; &lt; &quot;"),
        ("&nbsp;&alpha;", "&#160;&#945;"),
        ("&amp;nbsp; &NotEqualTilde;", "&amp;nbsp; &#8770;&#824;"),
        ("a &unknown; b", "a &amp;unknown; b"),
        ("<![CDATA[&nbsp;]]>&nbsp;<![CDATA[&nbsp;", "<![CDATA[&nbsp;]]>&#160;<![CDATA[&nbsp;"),
        ("<!DOCTYPE a [<!ENTITY own 'x'>]><a>&own; &nbsp;</a>", "<!DOCTYPE a [<!ENTITY own 'x'>]><a>&own; &#160;</a>"),
        ("a & b &; &1; &nbsp", "a & b &; &1; &nbsp"),
    ],
)
def test_resolve_named_entities(text, resolved):
    assert resolve_named_entities(text.encode()) == resolved.encode()
