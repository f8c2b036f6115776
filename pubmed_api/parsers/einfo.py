"""EInfo's answer: the description of an Entrez database."""

from pubmed_api.exceptions import UpstreamInvalidResponse
from pubmed_api.models.entrez import DatabaseField, DatabaseInfo
from pubmed_api.parsers.xml import Element, every, first, parse_xml, text_of


def parse_einfo_result(body: bytes, *, db: str = "pubmed") -> DatabaseInfo:
    """The database that EInfo describes; ``db``, the one asked for, stands in for a missing name.

    Counts and dates stay strings, as NCBI writes them. Raises ``UpstreamInvalidResponse`` where the body
    describes no database: without ``db`` EInfo answers with a list of names.
    """
    root = parse_xml(body)
    info = first(root, "DbInfo") if root.tag == "eInfoResult" else None
    if info is None:
        raise UpstreamInvalidResponse("EInfo's answer does not describe a database.")
    fields = (parse_field(node) for node in every(info, "FieldList/Field"))
    return DatabaseInfo(
        db_name=text_of(info, "DbName") or db,
        description=text_of(info, "Description"),
        count=text_of(info, "Count"),
        last_update=text_of(info, "LastUpdate"),
        fields=tuple(field for field in fields if field is not None),
    )


def parse_field(node: Element) -> DatabaseField | None:
    """One search field; ``None`` where it has no tag to search by."""
    name = text_of(node, "Name")
    if name is None:
        return None
    return DatabaseField(name, text_of(node, "FullName"), text_of(node, "Description"))
