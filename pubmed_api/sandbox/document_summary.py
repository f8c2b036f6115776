"""One entry of ESummary, version 2.0."""

from collections.abc import Iterable

from lxml.etree import _Element

from pubmed_api.sandbox.dates import citation_day, moment_text, read_publication_date, slashed_day
from pubmed_api.sandbox.eutils import element
from pubmed_api.sandbox.people import Person
from pubmed_api.sandbox.record import Record
from pubmed_api.sandbox.text import inner_markup, plain_text

_ID_NUMBERS = {"pubmed": "1", "doi": "3", "pii": "4", "pmcid": "5"}
_OTHER_ID = "8"
_RECORD_STATUS = {
    "MEDLINE": "PubMed - indexed for MEDLINE",
    "Publisher": "PubMed - as supplied by publisher",
    "In-Process": "PubMed - in process",
    "In-Data-Review": "PubMed - in process",
}
_PUBLICATION_STATUS = {
    "Print": "4",
    "Print-Electronic": "256",
    "Electronic": "3",
    "Electronic-Print": "258",
    "Electronic-eCollection": "258",
}
_AHEAD_OF_PRINT = "10"


def document_summary(record: Record) -> _Element:
    """The summary of a record; what it does not have is an empty element, as in the real answer.

    Titles keep their markup as text, so it arrives escaped. A book has no ``Source``.
    """
    parts = [*_citation(record), *_identity(record), *_relations(record), *_book(record), *_order(record)]
    return element("DocumentSummary", parts)


def _texts(pairs: Iterable[tuple[str, str]]) -> list[_Element]:
    return [element(tag, text) for tag, text in pairs]


def _citation(record: Record) -> list[_Element]:
    day = record.electronic_day
    people = [*((person, "Editor") for person in record.editors), *((person, "Author") for person in record.authors)]
    return [
        element("PubDate", record.print_date.text if record.print_date else ""),
        element("EPubDate", citation_day(day) if day else ""),
        element("Source", record.source),
        element("Authors", (_author(*pair) for pair in people)),
        element("LastAuthor", people[-1][0].short_name if people else ""),
        element("Title", inner_markup(record.title_node)),
        element("SortTitle", record.title.lower().rstrip(".")),
        element("Volume", record.text("Journal/JournalIssue/Volume") or record.text("Book/Volume")),
        element("Issue", record.text("Journal/JournalIssue/Issue")),
        element("Pages", record.pages),
        element("Lang", (element("string", code) for code in record.languages)),
    ]


def _author(person: Person, kind: str) -> _Element:
    shown = "CollectiveName" if person.collective else kind
    return element("Author", _texts([("Name", person.short_name), ("AuthType", shown), ("ClusterID", "")]))


def _identity(record: Record) -> list[_Element]:
    numbers = {kind: number for number, kind in record.issns}
    status = record.citation.get("Status", "Publisher" if record.is_book else "")
    return [
        element("NlmUniqueID", plain_text(record.citation.find("MedlineJournalInfo/NlmUniqueID"))),
        element("ISSN", numbers.get("Print") or numbers.get("Linking", "")),
        element("ESSN", numbers.get("Electronic", "")),
        element("PubType", (element("flag", kind) for kind in record.publication_types)),
        element("RecordStatus", _RECORD_STATUS.get(status, "PubMed")),
        element("PubStatus", _publication_status(record)),
        element("ArticleIds", (_article_id(*pair) for pair in _listed_ids(record))),
        element("History", (_moment(status, node) for status, node in record.history)),
    ]


def _publication_status(record: Record) -> str:
    if plain_text(record.element.find("*/PublicationStatus")) == "aheadofprint":
        return _AHEAD_OF_PRINT
    return _PUBLICATION_STATUS.get(record.article.get("PubModel", ""), "4")


def _listed_ids(record: Record) -> list[tuple[str, str]]:
    # PubMed lists an article of PMC twice, the second time in this wording.
    also = [("pmcid", f"pmc-id: {record.pmcid};")] if record.pmcid else []
    return [*record.article_ids, *also]


def _article_id(kind: str, value: str) -> _Element:
    number = _ID_NUMBERS.get(kind, _OTHER_ID)
    return element("ArticleId", _texts([("IdType", kind), ("IdTypeN", number), ("Value", value)]))


def _moment(status: str, node: _Element) -> _Element:
    return element("PubMedPubDate", _texts([("PubStatus", status), ("Date", moment_text(node))]))


def _relations(record: Record) -> list[_Element]:
    nodes = record.citation.findall("CommentsCorrectionsList/CommentsCorrections")
    shown = [node for node in nodes if node.get("RefType") != "Cites"]
    attributes = ["Has Abstract"] if record.abstract_parts else []
    locations = [f"{kind}: {value}" for kind, value in record.locations]
    return [
        element("References", map(_reference, shown)),
        element("Attributes", (element("flag", name) for name in attributes)),
        element("PmcRefCount"),
        element("FullJournalName", record.text("Journal/Title")),
        element("ELocationID", ". ".join(locations)),
    ]


def _reference(node: _Element) -> _Element:
    kind = "".join(" " + letter.lower() if letter.isupper() else letter for letter in node.get("RefType", ""))
    texts = [
        ("RefSource", plain_text(node.find("RefSource"))),
        ("RefType", kind.strip().capitalize()),
        ("PMID", plain_text(node.find("PMID"))),
        ("Note", plain_text(node.find("Note"))),
    ]
    return element("Reference", _texts(texts))


def _book(record: Record) -> list[_Element]:
    title = record.article.find("Book/BookTitle")
    kind = "citation" if not record.is_book else "chapter" if record.title else "book"
    revised = record.citation.find("ContributionDate") if record.is_book else None
    written = read_publication_date(revised)
    printed = record.print_date.text if record.is_book and record.print_date else ""
    return _texts(
        [
            ("DocType", kind),
            ("SrcContribList", ""),
            ("BookTitle", inner_markup(title)),
            ("Medium", record.text("Book/Medium")),
            ("Edition", record.text("Book/Edition")),
            ("PublisherLocation", record.text("Book/Publisher/PublisherLocation")),
            ("PublisherName", record.text("Book/Publisher/PublisherName")),
            ("SrcDate", printed),
            ("ReportNumber", record.text("Book/ReportNumber")),
            ("AvailableFromURL", ""),
            ("LocationLabel", record.text("LocationLabel")),
            ("DocContribList", ""),
            ("DocDate", written.text if written else ""),
            ("BookName", "" if title is None else title.get("book", "")),
            ("Chapter", "" if record.title_node is None else record.title_node.get("part", "")),
        ]
    )


def _order(record: Record) -> list[_Element]:
    return _texts(
        [
            ("SortPubDate", f"{slashed_day(record.publication_day)} 00:00"),
            ("SortFirstAuthor", record.first_author),
            ("VernacularTitle", record.text("VernacularTitle")),
        ]
    )
