"""MeSH headings: descriptors with the qualifiers they have on this record."""

from pubmed_api.models.article import MeshHeading, MeshQualifier
from pubmed_api.parsers.xml import Element, attribute, every, first, text_of


def parse_mesh_headings(node: Element | None) -> tuple[MeshHeading, ...]:
    """The headings of a ``<MeshHeadingList>``."""
    headings = (parse_mesh_heading(heading) for heading in every(node, "MeshHeading"))
    return tuple(heading for heading in headings if heading is not None)


def parse_mesh_heading(node: Element) -> MeshHeading | None:
    """A heading; it is a major topic if it, its descriptor or any of its qualifiers is marked so."""
    descriptor = first(node, "DescriptorName")
    qualifiers = every(node, "QualifierName")
    heading = MeshHeading(
        descriptor_name=text_of(descriptor),
        descriptor_ui=attribute(descriptor, "UI"),
        is_major_topic=any(_is_major(part) for part in (node, descriptor, *qualifiers)),
        qualifiers=tuple(
            MeshQualifier(qualifier_name=name, qualifier_ui=attribute(part, "UI"), is_major_topic=_is_major(part))
            for part in qualifiers
            if (name := text_of(part)) is not None
        ),
    )
    return None if heading.descriptor_name is None and not heading.qualifiers else heading


def _is_major(node: Element | None) -> bool:
    return attribute(node, "MajorTopicYN") == "Y"
