import pytest

from pubmed_api.models.article import MeshHeading, MeshQualifier
from pubmed_api.parsers.pubmed.mesh_headings import parse_mesh_headings


def heading(descriptor: str = "N", qualifiers: str = "", own: str = "") -> str:
    name = f'<DescriptorName UI="D000001" MajorTopicYN="{descriptor}">Calcimycin</DescriptorName>'
    marks = (f'<QualifierName UI="Q{n}" MajorTopicYN="{m}">q{n}</QualifierName>' for n, m in enumerate(qualifiers))
    mark = f' MajorTopicYN="{own}"' if own else ""
    return f"<MeshHeadingList><MeshHeading{mark}>{name}{''.join(marks)}</MeshHeading></MeshHeadingList>"


def test_mesh_heading__with_qualifiers(node):
    assert parse_mesh_headings(node(heading("N", "NY"))) == (
        MeshHeading(
            "Calcimycin",
            "D000001",
            True,
            (MeshQualifier("q0", "Q0", False), MeshQualifier("q1", "Q1", True)),
        ),
    )


@pytest.mark.parametrize(
    ("text", "major"),
    [
        (heading("N", "NN"), False),
        (heading("Y", "NN"), True),
        (heading("N", "NY"), True),
        (heading("N", own="Y"), True),
        (heading("N"), False),
    ],
)
def test_mesh_heading__major_if_any_part_is(node, text, major):
    (found,) = parse_mesh_headings(node(text))
    assert found.is_major_topic is major


def test_mesh_heading__without_attributes(node):
    inner = "<MeshHeading><DescriptorName>Rats</DescriptorName><QualifierName>x</QualifierName></MeshHeading>"
    assert parse_mesh_headings(node(f"<MeshHeadingList>{inner}</MeshHeadingList>")) == (
        MeshHeading("Rats", qualifiers=(MeshQualifier("x"),)),
    )


@pytest.mark.parametrize("inner", ["", "<MeshHeading/>", "<MeshHeading><DescriptorName/></MeshHeading>"])
def test_mesh_headings__none(node, inner):
    assert parse_mesh_headings(node(f"<MeshHeadingList>{inner}</MeshHeadingList>")) == ()
    assert parse_mesh_headings(None) == ()
