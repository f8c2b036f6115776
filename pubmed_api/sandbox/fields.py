"""The search fields of PubMed: names, tags, and what kind of content each holds."""

import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal["words", "value", "name", "mesh", "date"]


@dataclass(frozen=True, slots=True)
class Field:
    """A search field; ``name`` and ``full_name`` are PubMed's own and work as tags too."""

    name: str
    full_name: str
    description: str
    kind: Kind = "words"
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FieldUse:
    """A tag understood: its field, whether narrower headings count, and the distance of a proximity search."""

    field: Field
    explode: bool = True
    distance: int | None = None


FIELDS = (
    Field("ALL", "All Fields", "Every searchable field at once", tags=("all",)),
    Field("UID", "UID", "The record's PMID", "value", ("pmid",)),
    Field("FILT", "Filter", "Named sets of records, such as those with free full text", "value", ("sb", "subset")),
    Field("TITL", "Title", "Words of the title", tags=("ti",)),
    Field("MESH", "MeSH Terms", "MeSH headings, narrower ones included", "mesh", ("mh", "mesh")),
    Field("MAJR", "MeSH Major Topic", "MeSH headings marked as a main topic", "mesh", ("majr", "mesh major")),
    Field(
        "JOUR",
        "Journal",
        "The journal's title, abbreviation, ISSN or NLM id",
        "value",
        ("ta", "jour", "jo", "is", "issn", "jid", "nlm unique id"),
    ),
    Field("AFFL", "Affiliation", "Institutions and addresses of the authors", tags=("ad",)),
    Field("ECNO", "EC/RN Number", "Registry and enzyme numbers of substances", tags=("rn",)),
    Field("SUBS", "Supplementary Concept", "Names of substances", tags=("nm", "substance name")),
    Field(
        "PDAT",
        "Date - Publication",
        "The day of publication, in print or on the web",
        "date",
        ("dp", "publication date", "date of publication"),
    ),
    Field("EDAT", "Date - Entry", "The day the record came into PubMed", "date", ("entry date", "entrez date")),
    Field("VOL", "Volume", "The volume of the journal", "value", ("vi",)),
    Field("PAGE", "Pagination", "The first page", "value", ("pg",)),
    Field("PTYP", "Publication Type", "The kind of publication, narrower kinds included", "value", ("pt",)),
    Field("LANG", "Language", "The language of the article, by name or code", "value", ("la",)),
    Field("ISS", "Issue", "The issue of the journal", "value", ("ip",)),
    Field(
        "SUBH",
        "MeSH Subheading",
        "Qualifiers of MeSH headings",
        "value",
        ("sh", "mesh subheadings", "subheading"),
    ),
    Field("SI", "Secondary Source ID", "Accession numbers in data banks", tags=("si",)),
    Field("MHDA", "Date - MeSH", "The day MeSH headings were added", "date", ("mesh date",)),
    Field("TIAB", "Title/Abstract", "Words of title, abstract and keywords", tags=("tiab",)),
    Field("OTRM", "Other Term", "Keywords of the authors", tags=("ot",)),
    Field("COLN", "Author - Corporate", "Groups that wrote the article", tags=("cn", "corporate author")),
    Field("CNTY", "Place of Publication", "The country the journal is published in", tags=("pl",)),
    Field("PAPX", "Pharmacological Action", "Known actions of substances", tags=("pa",)),
    Field("GRNT", "Grants and Funding", "Grant numbers and funders", tags=("gr", "grant number", "grant")),
    Field("MDAT", "Date - Modification", "The day of the last revision", "date", ("lr", "modification date")),
    Field("CDAT", "Date - Completion", "The day indexing was completed", "date", ("dcom", "completion date")),
    Field("PID", "Publisher ID", "DOI and other identifiers", "value", ("aid", "doi", "article identifier")),
    Field("FAUT", "Author - First", "The first author", "name", ("1au", "first author name", "first author")),
    Field("FULL", "Author", "The authors, short or full names", "name", ("au", "auth", "fau", "full author name")),
    Field("FINV", "Investigator", "Members of groups", "name", ("ir", "fir", "full investigator name")),
    Field("TT", "Transliterated Title", "Words of the title in its own language", tags=("tt",)),
    Field("LAUT", "Author - Last", "The last author", "name", ("lastau", "last author name", "last author")),
    Field("PPDT", "Print Publication Date", "The day of the issue", "date", ("ppdat",)),
    Field("EPDT", "Electronic Publication Date", "The day of publication on the web", "date", ("epdat",)),
    Field("LID", "Location ID", "The identifier that stands in for page numbers", "value"),
    Field("CRDT", "Date - Create", "The day the record was first created", "date", ("create date",)),
    Field("BOOK", "Book", "The book a chapter belongs to"),
    Field("ED", "Editor", "Editors of the book", "name", ("editor",)),
    Field("ISBN", "ISBN", "The number of the book"),
    Field("PUBN", "Publisher", "The publisher of the book"),
    Field("AUCL", "Author Cluster ID", "Not used here"),
    Field("EID", "Extended PMID", "Not used here"),
    Field("DSO", "DSO", "Not used here"),
    Field("AUID", "Author - Identifier", "Identifiers of authors, such as ORCID", tags=("author identifier",)),
    Field("PS", "Subject - Personal Name", "People the article is about", "name", ("personal name as subject",)),
    Field("COIS", "Conflict of Interest Statements", "Statements of interest"),
    Field("WORD", "Text Word", "Words of title, abstract, headings, types, substances", tags=("tw", "text words")),
    Field("P1DAT", "P1DAT", "Not used here"),
)
"""All fields in the order EInfo lists them."""

_BY_TAG = {tag.lower(): field for field in FIELDS for tag in (field.name, field.full_name, *field.tags)}
_USE = re.compile(r"(?P<tag>[^:]+?)\s*(?::\s*(?P<mode>noexp|exp|~(?P<distance>\d+)))?\Z")
_WITH_DISTANCE = ("TITL", "TIAB", "AFFL")
_WITH_NARROWER = ("MESH", "MAJR", "PTYP", "SUBH")
_REPORTED_LETTERS = 5
_TYPO_STEM = 4


def find_field(tag: str) -> FieldUse | None:
    """The field a tag names, case and spacing ignored; ``None`` for a tag PubMed does not know.

    A mode the field does not have (``[mh:~3]``) makes the whole tag unknown, as it does there.
    """
    match = _USE.match(" ".join(tag.lower().split()))
    field = _BY_TAG.get(match["tag"]) if match else None
    if match is None or field is None:
        return None
    if match["distance"] is not None:
        return FieldUse(field, distance=int(match["distance"])) if field.name in _WITH_DISTANCE else None
    if match["mode"] and field.name not in _WITH_NARROWER:
        return None
    return FieldUse(field, explode=match["mode"] != "noexp")


def field_named(name: str) -> Field:
    """The field of one of PubMed's own names. Raises ``KeyError`` for any other."""
    return _BY_TAG[name.lower()]


def is_reported_unknown(tag: str) -> bool:
    """Whether an unknown tag is listed in ``FieldNotFound`` (``[Titel]``) or leaves no trace (``[tiabb]``).

    PubMed's own rule is not published. Here words of five letters and more are listed, slips of a tag are not.
    """
    letters = tag.strip().lower()
    slip = any(letters.startswith(known) for known in _BY_TAG if len(known) >= _TYPO_STEM)
    return len(letters) >= _REPORTED_LETTERS and letters.replace(" ", "").isalpha() and not slip
