"""EInfo."""

from collections.abc import Callable

from lxml import etree
from lxml.etree import _Element
from werkzeug.test import Client

Answer = Callable[..., _Element]


def test_einfo__describes_the_sandbox(answer: Answer) -> None:
    root = answer("einfo")
    info = {tag: root.findtext(f"DbInfo/{tag}") for tag in ("DbName", "MenuName", "Count", "LastUpdate")}
    # The newest date of the records is the revision of the chapter.
    assert info == {
        "DbName": "pubmed",
        "MenuName": "PubMed (sandbox)",
        "Count": "8",
        "LastUpdate": "2024/12/19 00:00",
    }
    assert "Sandbox" in (root.findtext("DbInfo/Description") or "")


def test_einfo__fields(answer: Answer) -> None:
    fields = answer("einfo").findall("DbInfo/FieldList/Field")
    flags = {
        node.findtext("Name"): [
            node.findtext(tag) for tag in ("FullName", "IsDate", "SingleToken", "Hierarchy", "IsHidden")
        ]
        for node in fields
    }
    assert len(flags) == 50
    assert flags["TIAB"] == ["Title/Abstract", "N", "N", "N", "N"]
    assert flags["PDAT"] == ["Date - Publication", "Y", "Y", "N", "N"]
    assert flags["MESH"] == ["MeSH Terms", "N", "Y", "Y", "N"]
    assert flags["UID"] == ["UID", "N", "Y", "N", "Y"]
    assert all(node.findtext("Description") for node in fields)


def test_einfo__list_of_databases(client: Client) -> None:
    root = etree.fromstring(client.get("/eutils.ncbi.nlm.nih.gov/entrez/eutils/einfo.fcgi").data)
    assert [node.text for node in root.findall("DbList/DbName")] == ["pubmed"]


def test_einfo__unknown_database(answer: Answer) -> None:
    assert answer("einfo", db="blah").findtext("ERROR") == "Can not retrieve DbInfo for db=blah"
