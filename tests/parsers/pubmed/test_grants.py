import pytest

from pubmed_api.models.article import Grant
from pubmed_api.parsers.pubmed.grants import parse_grants


def grants(inner: str) -> str:
    return f"<GrantList><Grant>{inner}</Grant></GrantList>"


@pytest.mark.parametrize(
    ("inner", "grant"),
    [
        (
            "<GrantID>R01 1</GrantID><Acronym>CA</Acronym><Agency>NCI NIH</Agency><Country>United States</Country>",
            Grant("R01 1", "CA", "NCI NIH", "United States"),
        ),
        ("<Agency>NIH</Agency>", Grant(agency="NIH")),
        ("<Acronym>NIH</Acronym><GrantID/>", Grant(acronym="NIH")),
        ("<GrantID>007</GrantID>", Grant("007")),
    ],
)
def test_grant__parts(node, inner, grant):
    assert parse_grants(node(grants(inner))) == (grant,)


@pytest.mark.parametrize(
    ("source", "agency"),
    [
        ("CSR&amp;D", "CSR&D"),
        ("CSR&amp;amp;D", "CSR&D"),
        ("Santé &amp;#233;", "Santé é"),
        ("A&amp;notation", "A&notation"),
        ("x &amp;nosuch; y", "x &nosuch; y"),
    ],
)
def test_grant__entities_decoded_once_more(node, source, agency):
    assert parse_grants(node(grants(f"<Agency>{source}</Agency>"))) == (Grant(agency=agency),)


def test_grants__empty_left_out(node):
    assert parse_grants(node(grants("<Agency/>"))) == ()
    assert parse_grants(None) == ()
