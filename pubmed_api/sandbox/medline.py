"""MEDLINE text: a record as tagged lines."""

import textwrap
from collections.abc import Iterable, Iterator

from lxml.etree import _Element

from pubmed_api.sandbox.dates import moment_text, read_day
from pubmed_api.sandbox.people import Person
from pubmed_api.sandbox.record import Heading, Record
from pubmed_api.sandbox.source import source_text
from pubmed_api.sandbox.text import plain_text

_WIDTH = 80
_INDENT = " " * 6
_APART = ("pubmed", "pmc", "mid")
_RELATIONS = {
    "AssociatedDataset": "DDIN",
    "AssociatedPublication": "DRIN",
    "CommentIn": "CIN",
    "CommentOn": "CON",
    "CorrectedandRepublishedFrom": "CRF",
    "CorrectedandRepublishedIn": "CRI",
    "ErratumFor": "EFR",
    "ErratumIn": "EIN",
    "ExpressionOfConcernFor": "ECF",
    "ExpressionOfConcernIn": "ECI",
    "OriginalReportIn": "ORI",
    "RepublishedFrom": "RPF",
    "RepublishedIn": "RPI",
    "RetractedandRepublishedFrom": "RRF",
    "RetractedandRepublishedIn": "RRI",
    "RetractionIn": "RIN",
    "RetractionOf": "ROF",
    "SummaryForPatientsIn": "SPIN",
    "UpdateIn": "UIN",
    "UpdateOf": "UOF",
}

Lines = Iterator[tuple[str, str]]


def medline_text(records: Iterable[Record]) -> str:
    """Records one after the other, a blank line before each; long lines go on after six spaces."""
    return "".join("\n" + "".join(_wrap(tag, text) for tag, text in _lines(record) if text) for record in records)


def _wrap(tag: str, text: str) -> str:
    return (
        textwrap.fill(
            text,
            _WIDTH,
            initial_indent=f"{tag:<4}- ",
            subsequent_indent=_INDENT,
            break_long_words=False,
            break_on_hyphens=False,
        )
        + "\n"
    )


def _lines(record: Record) -> Lines:
    yield "PMID", record.pmid
    yield "OWN", record.citation.get("Owner", "")
    yield "STAT", record.citation.get("Status", "Publisher" if record.is_book else "")
    yield from _book_head(record) if record.is_book else _journal_head(record)
    yield "AB", " ".join(record.abstract_parts)
    yield "CI", record.text("Abstract/CopyrightInformation")
    for person in record.editors:
        yield "FED", person.full_name
        yield "ED", person.short_name
    yield from _people(record.authors, "FAU", "AU", "AD")
    yield from (("LA", language) for language in record.languages)
    yield from _banks_and_grants(record)
    yield from (("PT", kind) for kind in record.publication_types)
    yield from _place_and_journal(record)
    yield from _subjects(record)
    yield from _identifiers_and_history(record)
    yield "SO", source_text(record)


def _journal_head(record: Record) -> Lines:
    yield "DCOM", _compact(record.citation.find("DateCompleted"))
    yield "LR", _compact(record.citation.find("DateRevised"))
    yield from (("IS", f"{number} ({kind})") for number, kind in record.issns)
    yield "VI", record.text("Journal/JournalIssue/Volume")
    yield "IP", record.text("Journal/JournalIssue/Issue")
    yield "DP", record.print_date.text if record.print_date else ""
    yield "TI", record.title
    yield "PG", record.pages
    yield from (("LID", f"{value} [{kind}]") for kind, value in record.locations)


def _book_head(record: Record) -> Lines:
    yield "CTDT", _compact(record.citation.find("ContributionDate"))
    yield "DRDT", _compact(record.citation.find("DateRevised"))
    yield "PB", record.text("Book/Publisher/PublisherName")
    yield "DP", record.print_date.text if record.print_date else ""
    yield "TI", record.title
    yield "BTI", record.book_title
    yield "CTI", record.text("Book/CollectionTitle")
    yield "VTI", record.text("Book/VolumeTitle")
    yield "VI", record.text("Book/Volume")
    yield "EN", record.text("Book/Edition")
    yield from (("ISBN", number) for number in record.texts("Book/Isbn"))
    yield "PG", record.pages


def _people(people: Iterable[Person], full: str, short: str, address: str) -> Lines:
    for person in people:
        if person.collective:
            yield "CN", person.collective
        else:
            yield full, person.full_name
            yield short, person.short_name
        yield from (("AUID", f"{source}: {value}") for source, value in person.identifiers)
        yield from ((address, affiliation) for affiliation in person.affiliations)


def _banks_and_grants(record: Record) -> Lines:
    for bank in record.article.findall("DataBankList/DataBank"):
        name = plain_text(bank.find("DataBankName"))
        yield from (("SI", f"{name}/{plain_text(number)}") for number in bank.iter("AccessionNumber"))
    for grant in record.article.findall("GrantList/Grant"):
        yield "GR", "/".join(text for part in grant if (text := plain_text(part)))


def _place_and_journal(record: Record) -> Lines:
    yield "TT", record.text("VernacularTitle")
    day = record.electronic_day
    yield "DEP", "" if day is None else f"{day[0]:04}{day[1]:02}{day[2]:02}"
    if record.is_book:
        yield "PL", record.text("Book/Publisher/PublisherLocation")
        return
    yield "PL", plain_text(record.citation.find("MedlineJournalInfo/Country"))
    yield "TA", record.source
    yield "JT", record.text("Journal/Title")
    yield "JID", plain_text(record.citation.find("MedlineJournalInfo/NlmUniqueID"))


def _subjects(record: Record) -> Lines:
    citation = record.citation
    for chemical in citation.findall("ChemicalList/Chemical"):
        number, name = (plain_text(chemical.find(tag)) for tag in ("RegistryNumber", "NameOfSubstance"))
        yield "RN", f"{number} ({name})"
    yield from (("NM", plain_text(node)) for node in citation.findall("SupplMeshList/SupplMeshName"))
    yield from (("SB", plain_text(node)) for node in citation.findall("CitationSubset"))
    for node in citation.findall("CommentsCorrectionsList/CommentsCorrections"):
        yield _RELATIONS.get(node.get("RefType", ""), ""), _relation(node)
    yield from (("MH", _heading(heading)) for heading in record.headings)
    yield "OAB", " ".join(record.other_abstracts)
    yield "COIS", plain_text(citation.find("CoiStatement"))
    owner_shown = ""
    for keyword, owner in record.keywords:
        if owner != owner_shown:
            yield "OTO", owner
        owner_shown = owner
        yield "OT", keyword
    yield from (("GN", plain_text(node)) for node in citation.findall("GeneralNote"))
    yield from _people(record.investigators, "FIR", "IR", "IRAD")


def _relation(node: _Element) -> str:
    if node.get("RefType") not in _RELATIONS:
        return ""
    pmid = plain_text(node.find("PMID"))
    source = plain_text(node.find("RefSource")).rstrip(".")
    return f"{source}. PMID: {pmid}" if pmid else f"{source}."


def _heading(heading: Heading) -> str:
    parts = [(heading.descriptor, heading.major), *heading.qualifiers]
    return "/".join(("*" if major else "") + name for name, major in parts)


def _identifiers_and_history(record: Record) -> Lines:
    identifiers = record.article_ids
    yield "PMC", record.pmcid or ""
    yield from (("MID", value) for kind, value in identifiers if kind == "mid")
    dates = dict(record.history)
    for tag, status in (("EDAT", "pubmed"), ("MHDA", "medline"), ("CRDT", "entrez")):
        yield tag, moment_text(dates[status]) if status in dates else ""
    yield from (("PHST", f"{moment_text(node)} [{status}]") for status, node in record.history)
    yield from (("AID", f"{value} [{kind}]") for kind, value in identifiers if kind not in _APART)
    yield "PST", plain_text(record.element.find("*/PublicationStatus"))


def _compact(node: _Element | None) -> str:
    day = read_day(node)
    return "" if day is None else f"{day[0]:04}{day[1]:02}{day[2]:02}"
