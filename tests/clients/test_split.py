"""Answers taken apart: each id its own bytes, unknown ids nothing, and nothing of one in another."""

import json

import pytest
from lxml import etree

from pubmed_api.clients.items import NOTHING, Item
from pubmed_api.clients.split import split_id_rows, split_records, split_summaries
from pubmed_api.exceptions import InvalidEfetchResponse, UpstreamInvalidResponse


def article(pmid, inside="", version=1):
    return (
        f'<PubmedArticle><MedlineCitation><PMID Version="{version}">{pmid}</PMID>{inside}'
        "</MedlineCitation></PubmedArticle>"
    )


def book(pmid):
    return f"<PubmedBookArticle><BookDocument><PMID>{pmid}</PMID></BookDocument></PubmedBookArticle>"


def records(*parts, ids, prolog="", attributes=""):
    body = f"{prolog}<PubmedArticleSet{attributes}>{''.join(parts)}</PubmedArticleSet>"
    return split_records(body.encode(), ids)


def summaries(*parts, ids):
    body = f"<eSummaryResult><DocumentSummarySet status='OK'>{''.join(parts)}</DocumentSummarySet></eSummaryResult>"
    return split_summaries(body.encode(), ids)


def rows(*found, ids, id_type="pmid"):
    return split_id_rows(json.dumps({"status": "ok", "records": found}).encode(), ids, id_type)


def test_records__each_as_it_came():
    first = article("90000001", "<Article>\n  <ArticleTitle>A  title</ArticleTitle>\n\t</Article>")
    second = book("90000002")
    found = records(first, "\n  ", second, "\n", ids=["90000002", "99999999", "90000001"])
    assert list(found) == ["90000002", "99999999", "90000001"]
    assert found["90000001"] == Item(first.encode())
    assert found["90000002"] == Item(second.encode())
    assert found["99999999"] == NOTHING


def test_records__not_asked_for_deleted_or_nameless_are_passed_over():
    deleted = "<DeleteCitation><PMID Version='1'>90000003</PMID></DeleteCitation>"
    found = records(article("90000009"), article(""), article("none"), deleted, ids=["90000003"])
    assert found == {"90000003": NOTHING}


@pytest.mark.parametrize("order", [(1, 3, 2), (3, 2, 1)])
def test_records__highest_version(order):
    parts = [article("90000001", f"<Title>{version}</Title>", version) for version in order]
    assert b"<Title>3</Title>" in records(*parts, ids=["90000001"])["90000001"].body


@pytest.mark.parametrize("version", ["", "two", "0x3", "99999999999"])
def test_records__version_that_is_no_number_is_the_first(version):
    found = records(article("90000001", "odd", version), article("90000001", "second", 2), ids=["90000001"])
    assert b"second" in found["90000001"].body


def test_records__pmid_is_made_canonical_and_may_stand_in_the_id_list():
    listed = (
        "<PubmedArticle><MedlineCitation/><PubmedData><ArticleIdList><ArticleId IdType='doi'>10.5555/1</ArticleId>"
        "<ArticleId IdType='pubmed'>90000002</ArticleId></ArticleIdList></PubmedData></PubmedArticle>"
    )
    found = records(article(" 0090000001 "), listed, ids=["90000001", "90000002"])
    assert b"0090000001" in found["90000001"].body
    assert b"10.5555/1" in found["90000002"].body


def test_records__of_a_cited_article_name_nothing():
    reference = '<ReferenceList><Reference><ArticleIdList><ArticleId IdType="pubmed">90000008</ArticleId>'
    cited = f"<PubmedData>{reference}</ArticleIdList></Reference></ReferenceList></PubmedData>"
    part = article("90000001").replace("</PubmedArticle>", f"{cited}</PubmedArticle>")
    found = records(part, ids=["90000001", "90000008"])
    assert found["90000008"] == NOTHING
    assert found["90000001"].body == part.encode()


def test_records__entities_and_characters_are_kept():
    text = "&lt;i&gt; &amp;amp; &#945; &nbsp;&alpha; a &unknown; <![CDATA[1 < 2 &nbsp;]]>"
    body = records(article("90000001", f"<T>{text}</T>"), ids=["90000001"])["90000001"].body
    assert etree.fromstring(body).findtext(".//T") == "<i> &amp; α \u00a0α a &unknown; 1 < 2 &nbsp;"


def test_records__entities_of_the_documents_own():
    prolog = '<?xml version="1.0"?><!DOCTYPE PubmedArticleSet [<!ENTITY own "declared">]>'
    body = records(article("90000001", "<T>&own; &eacute;</T>"), ids=["90000001"], prolog=prolog)["90000001"].body
    assert etree.fromstring(body).findtext(".//T") == "declared é"


def test_records__namespace_of_the_set_is_declared_on_each():
    formula = "<T><mml:math><mml:mi>x</mml:mi></mml:math></T>"
    attributes = ' xmlns:mml="http://www.w3.org/1998/Math/MathML"'
    body = records(article("90000001", formula), ids=["90000001"], attributes=attributes)["90000001"].body
    assert etree.fromstring(body).find(".//{http://www.w3.org/1998/Math/MathML}mi").text == "x"


def test_records__another_encoding():
    text = '<?xml version="1.0" encoding="ISO-8859-1"?><PubmedArticleSet>' + article("90000001", "<T>é</T>")
    found = split_records((text + "</PubmedArticleSet>").encode("latin-1"), ["90000001"])
    assert "<T>é</T>".encode() in found["90000001"].body


def test_records__empty_set():
    assert records(ids=["99999999"]) == {"99999999": NOTHING}


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"<pmc-articleset/>", InvalidEfetchResponse),
        (b"<PubmedArticle/>", InvalidEfetchResponse),
        (b"<PubmedArticleSet>", UpstreamInvalidResponse),
        (b"text", UpstreamInvalidResponse),
        (b"", UpstreamInvalidResponse),
    ],
)
def test_records__of_another_document(body, kind):
    with pytest.raises(kind) as caught:
        split_records(body, ["90000001"])
    assert caught.value.__cause__ is None


def test_summaries__each_as_it_came():
    first = '<DocumentSummary uid="90000001"><Title>A &lt;i&gt;title&lt;/i&gt;</Title>\n\t</DocumentSummary>'
    found = summaries(first, '<DocumentSummary uid="90000009"/>', ids=["99999999", "90000001"])
    assert found == {"99999999": NOTHING, "90000001": Item(first.encode())}


@pytest.mark.parametrize(
    "error",
    [
        '<DocumentSummary uid="99999999"><error>cannot get document summary</error></DocumentSummary>',
        '<DocumentSummary uid="99999999"><ERROR>cannot get document summary</ERROR></DocumentSummary>',
        '<DocSum><Id>99999999</Id><Item Name="error" Type="String">cannot get document summary</Item></DocSum>',
    ],
)
def test_summaries__error_in_place_of_one(error):
    good = '<DocumentSummary uid="90000001"><Title>T</Title><error> </error></DocumentSummary>'
    found = summaries(error, good, ids=["99999999", "90000001"])
    assert found == {"99999999": NOTHING, "90000001": Item(good.encode())}


def test_summaries__older_version():
    document = '<DocSum><Id>90000001</Id><Item Name="Title" Type="String">T</Item></DocSum>'
    found = split_summaries(f"<eSummaryResult>{document}</eSummaryResult>".encode(), ["90000001"])
    assert found == {"90000001": Item(document.encode())}


def test_summaries__not_xml():
    with pytest.raises(UpstreamInvalidResponse):
        split_summaries(b'{"result": {}}', ["90000001"])


KNOWN = {"requested-id": "90000001", "pmid": 90000001, "pmcid": "PMC9900001", "doi": "10.5555/Inv.1"}


def test_id_rows__by_the_echo_of_the_request():
    missing = {"requested-id": "90000002", "status": "error", "errmsg": "Identifier not found in PMC"}
    found = rows(missing, KNOWN, {"requested-id": "90000009"}, ids=["90000001", "90000002", "90000003"])
    assert json.loads(found["90000001"].body) == KNOWN
    assert found["90000001"].lasting
    assert json.loads(found["90000002"].body) == missing
    assert not found["90000002"].lasting
    assert found["90000003"] == NOTHING
    assert list(found) == ["90000001", "90000002", "90000003"]


@pytest.mark.parametrize(
    ("id_type", "wanted", "echo"),
    [
        ("doi", "10.5555/inv.1", "10.5555/INV.1"),
        ("pmcid", "PMC9900001", "pmc9900001"),
        ("pmcid", "PMC9900001", "9900001"),
        ("pmid", "90000001", 90000001),
        ("pmid", "90000001", " 0090000001"),
        ("pmid", "90000001", None),
        ("pmid", "90000001", "another text"),
        ("doi", "10.5555/inv.1", None),
    ],
)
def test_id_rows__echo_in_another_spelling_or_none(id_type, wanted, echo):
    found = rows({**KNOWN, "requested-id": echo}, ids=[wanted], id_type=id_type)
    assert json.loads(found[wanted].body)["pmcid"] == "PMC9900001"


def test_id_rows__first_of_several():
    found = rows(KNOWN, {**KNOWN, "pmcid": "PMC9900002"}, ids=["90000001"])
    assert json.loads(found["90000001"].body)["pmcid"] == "PMC9900001"


def test_id_rows__raw_control_characters_and_lone_surrogates():
    body = b'{"records":["odd",{"requested-id":"90000001","errmsg":"two\nlines \\ud800"}]}'
    found = split_id_rows(body, ["90000001"], "pmid")
    assert json.loads(found["90000001"].body)["errmsg"] == "two\nlines \ud800"


@pytest.mark.parametrize("body", [b"", b"[]", b'{"records":{}}', b"[" * 100_000, b"\xff\xfe\x00"])
def test_id_rows__no_list(body):
    with pytest.raises(UpstreamInvalidResponse):
        split_id_rows(body, ["90000001"], "pmid")
