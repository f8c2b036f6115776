import pytest

from pubmed_api.exceptions import UpstreamInvalidResponse
from pubmed_api.parsers.xml import attribute, every, first, parse_xml, squeeze, text_of

DOCTYPE = b'<!DOCTYPE a PUBLIC "-//NLM//DTD PubMedArticle//EN" "https://dtd.nlm.nih.gov/ncbi/pubmed/out/x.dtd">'


def test_parse_xml__utf_8_without_declaration():
    assert text_of(parse_xml("<a>17β-estradiol – é</a>".encode())) == "17β-estradiol – é"


def test_parse_xml__declared_encoding():
    body = '<?xml version="1.0" encoding="ISO-8859-1"?><a>é</a>'.encode("latin-1")
    assert text_of(parse_xml(body)) == "é"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_parse_xml__byte_order_mark(encoding):
    assert text_of(parse_xml("<a>βé</a>".encode(encoding))) == "βé"


def test_parse_xml__doctype_and_leading_white_space_tolerated():
    assert text_of(parse_xml(b'\n <?xml version="1.0"?>' + DOCTYPE + b"<a>x</a>")) == "x"


@pytest.mark.parametrize("doctype", [b"", DOCTYPE])
def test_parse_xml__html_named_entities(doctype):
    """No DTD is loaded, yet HTML's names occur; each is decoded once."""
    root = parse_xml(doctype + b'<a n="&eacute;">1&nbsp;&mu;g &lt;i&gt; &amp;amp; &NotEqualTilde;</a>')
    assert text_of(root) == "1\xa0μg <i> &amp; \u2242\u0338"
    assert attribute(root, "n") == "é"


def test_parse_xml__entity_nobody_declared_stays_as_written():
    assert text_of(parse_xml(b"<a>x &nosuch; y</a>")) == "x &nosuch; y"


def test_parse_xml__entity_in_cdata_is_text():
    assert text_of(parse_xml(b"<a>&nbsp;<![CDATA[&eacute; <i>]]>&eacute;</a>")) == "&eacute; <i>é"


def test_parse_xml__own_entity_declaration():
    body = b'<!DOCTYPE a [<!ENTITY beta2 "&#946;2">]><a>&beta2; &eacute;</a>'
    assert text_of(parse_xml(body)) == "β2 é"


def test_parse_xml__many_references():
    assert len(text_of(parse_xml(b"<a>" + b"&#8211;&amp;&mdash;" * 100_001 + b"</a>"))) == 300_003


def test_parse_xml__external_entity_refused(tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("top secret")
    body = f'<!DOCTYPE a [<!ENTITY e SYSTEM "{secret.as_uri()}">]><a>&e;</a>'.encode()
    with pytest.raises(UpstreamInvalidResponse):
        parse_xml(body)


def test_parse_xml__multiplying_entities_refused():
    levels = b"".join(b'<!ENTITY l%d "%s">' % (n, b"&l%d;" % (n - 1) * 10) for n in range(1, 9))
    with pytest.raises(UpstreamInvalidResponse):
        parse_xml(b'<!DOCTYPE a [<!ENTITY l0 "ha">' + levels + b"]><a>&l8;</a>")


@pytest.mark.parametrize("body", [b"", b"<a><b></a>", b"<a>AT & T</a>", b"not xml", b"<a>\xff</a>"])
def test_parse_xml__malformed(body):
    with pytest.raises(UpstreamInvalidResponse) as caught:
        parse_xml(body)
    assert caught.value.reason == "ncbi_invalid_response"


def test_parse_xml__undeclared_prefix():
    root = parse_xml(b'<a><mml:math x:href="u">b</mml:math></a>')
    assert (text_of(root), root[0].tag) == ("b", "mml:math")


@pytest.mark.parametrize("end", [b"<b></a>", b"", b"&</a>", b"</a><c/>", b"&e;</a>"])
def test_parse_xml__undeclared_prefixes_hide_no_other_fault(end):
    with pytest.raises(UpstreamInvalidResponse):
        parse_xml(b'<!DOCTYPE a [<!ENTITY e SYSTEM "file:///e">]><a>' + b"<m:x/>" * 500 + end)


def test_parse_xml__malformed_shows_200_bytes_and_names_provider():
    with pytest.raises(UpstreamInvalidResponse) as caught:
        parse_xml(b"x" * 500, provider="europepmc")
    assert caught.value.data["excerpt"] == "x" * 200
    assert caught.value.reason == "europepmc_invalid_response"


def test_parse_xml__comments_and_instructions_leave_text_whole():
    root = parse_xml(b"<?pi?><!-- c --><a>one<!-- c --> two<?pi x?> three<b/></a>")
    assert text_of(root) == "one two three"
    assert [child.tag for child in root] == ["b"]


def test_first_and_every__no_node():
    assert first(None, "a") is None
    assert every(None, "a") == []
    assert text_of(None, "a") is None
    assert attribute(None, "a") is None


def test_first_and_every__nested_path_in_document_order():
    root = parse_xml(b"<r><a><b>1</b><b>2</b></a><a><b>3</b></a></r>")
    assert text_of(first(root, "a/b")) == "1"
    assert [text_of(node) for node in every(root, "a/b")] == ["1", "2", "3"]
    assert first(root, "b") is None


def test_text_of__whole_content_in_document_order_without_tail():
    root = parse_xml(b"<r><a>one <i>two</i>\n\t three<i/></a>tail</r>")
    assert text_of(root, "a") == "one two three"


@pytest.mark.parametrize("inner", [b"<a/>", b"<a> \n </a>", b"<a><b/></a>", b""])
def test_text_of__blank_is_none(inner):
    assert text_of(parse_xml(b"<r>" + inner + b"</r>"), "a") is None


@pytest.mark.parametrize("text", ["007", "1e5", "0309605393", "1.50", "4002.e26"])
def test_text_of__never_a_number(text):
    assert text_of(parse_xml(f"<a>{text}</a>".encode())) == text


@pytest.mark.parametrize(("written", "value"), [(' n=" x "', "x"), (' n=" "', None), ("", None)])
def test_attribute(written, value):
    assert attribute(parse_xml(f"<a{written}/>".encode()), "n") == value


def test_squeeze__keeps_no_break_and_thin_spaces_inside():
    assert squeeze("\n 10\u2009000\xa0mg \t\n ok\xa0 ") == "10\u2009000\xa0mg ok"
    assert squeeze(" \xa0 ") is None
