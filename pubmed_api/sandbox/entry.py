"""What the search index holds of one record, field by field."""

from collections.abc import Iterable
from dataclasses import dataclass

from lxml.etree import _Element

from pubmed_api.sandbox.dates import Day, read_day
from pubmed_api.sandbox.languages import NAMES
from pubmed_api.sandbox.people import Person, read_people
from pubmed_api.sandbox.record import Record
from pubmed_api.sandbox.text import normalize, plain_text, words

Passages = tuple[tuple[str, ...], ...]

_STATUS_FILTERS = {
    "MEDLINE": "medline",
    "Publisher": "publisher",
    "In-Process": "inprocess",
    "In-Data-Review": "inprocess",
    "PubMed-not-MEDLINE": "pubmednotmedline",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One record's index entry; keys are field names, a field without content has no key.

    ``passages`` are runs of words that phrases are looked for in, ``values`` whole normalized values, ``names``
    the spellings of people, ``days`` what dates are compared with.
    """

    record: Record
    passages: dict[str, Passages]
    vocabulary: dict[str, frozenset[str]]
    values: dict[str, frozenset[str]]
    names: dict[str, tuple[str, ...]]
    days: dict[str, tuple[Day, ...]]


def build_entry(record: Record) -> Entry:
    """Index one record."""
    passages = {field: _passages(texts) for field, texts in _texts(record).items()}
    return Entry(
        record,
        passages,
        {field: frozenset(word for passage in runs for word in passage) for field, runs in passages.items()},
        {field: frozenset(value for value in found if value) for field, found in _values(record).items()},
        _names(record),
        _days(record),
    )


def _passages(texts: Iterable[str]) -> Passages:
    return tuple(passage for text in texts if (passage := words(text)))


def _texts(record: Record) -> dict[str, list[str]]:
    citation = record.citation
    collection = plain_text(record.article.find("Book/CollectionTitle"))
    keywords = [keyword for keyword, _ in record.keywords]
    title = [record.title, *([record.book_title] if record.is_book else []), collection]
    abstract = [*record.abstract_parts, *record.other_abstracts]
    headings = [text for heading in record.headings for text in (heading.descriptor, *dict(heading.qualifiers))]
    people = (*record.authors, *record.editors, *record.investigators)
    texts = {
        "TITL": title,
        "TIAB": [*title, *abstract, *keywords],
        "OTRM": keywords,
        "TT": [record.text("VernacularTitle")],
        "AFFL": [affiliation for person in people for affiliation in person.affiliations],
        "AUID": [f"{source} {value}" for person in people for source, value in person.identifiers],
        "COLN": [person.collective for person in record.authors if person.collective],
        "SI": [_bank_text(node) for node in citation.iter("DataBank")],
        "SUBS": [plain_text(node) for node in citation.iter("NameOfSubstance", "SupplMeshName")],
        "ECNO": [plain_text(node) for node in citation.iter("RegistryNumber")],
        "GRNT": [plain_text(node) for grant in citation.iter("Grant") for node in grant],
        "COIS": [plain_text(citation.find("CoiStatement"))],
        "CNTY": [plain_text(citation.find("MedlineJournalInfo/Country"))],
        "BOOK": [record.book_title, *_attributes(record.article, "Book/BookTitle", "book")],
        "ISBN": list(record.texts("Book/Isbn")),
        "PUBN": list(record.texts("Book/Publisher/PublisherName")),
    }
    texts["WORD"] = [
        *(text for field in ("TIAB", "SUBS", "COLN", "SI") for text in texts[field]),
        *headings,
        *record.publication_types,
        *_marks(record),
    ]
    texts["ALL"] = [*texts["WORD"], *_everywhere(record, people, texts)]
    return texts


def _everywhere(record: Record, people: tuple[Person, ...], texts: dict[str, list[str]]) -> list[str]:
    # Volume, issue and page numbers are left out: a bare number would find records by chance.
    names = [name for person in people for name in (person.short_name, person.full_name)]
    also = ("TT", "AFFL", "AUID", "ECNO", "GRNT", "COIS", "BOOK", "ISBN", "PUBN")
    languages = [NAMES.get(code, code) for code in record.languages]
    numbers = [value for _, value in (*record.article_ids, *record.locations, *record.issns)]
    return [*record.journal_names, *names, *languages, *numbers, *(text for field in also for text in texts[field])]


def _marks(record: Record) -> list[str]:
    """Search words for what a record has (``hasabstract``), searched without a tag or as text words."""
    marks = ["has" + str(node.get("RefType", "")).lower() for node in record.citation.iter("CommentsCorrections")]
    parts = record.article.findall("Abstract/AbstractText")
    marks += ["hasabstract"] if record.abstract_parts else []
    marks += ["hasstructuredabstract"] if any(part.get("Label") for part in parts) else []
    marks += ["hasnonenglishabstract"] if _attributes(record.citation, "OtherAbstract", "Language") - {"eng"} else []
    marks += ["haskeyword"] if record.keywords else []
    marks += ["hascois"] if record.citation.find("CoiStatement") is not None else []
    marks += ["hasdatabanklist"] if record.article.find("DataBankList") is not None else []
    if record.is_book:
        marks += ["pmcbook", "pmcbookchapter" if record.title else "pmcbooktitle"]
    return marks


def _attributes(node: _Element, path: str, name: str) -> set[str]:
    return {value for found in node.findall(path) if (value := found.get(name))}


def _bank_text(node: _Element) -> str:
    numbers = " ".join(plain_text(number) for number in node.iter("AccessionNumber"))
    return f"{plain_text(node.find('DataBankName'))} {numbers}"


def _values(record: Record) -> dict[str, Iterable[str]]:
    headings = [(normalize(heading.descriptor), heading) for heading in record.headings]
    pairs = [
        (f"{name}/{normalize(qualifier)}", major)
        for name, heading in headings
        for qualifier, major in heading.qualifiers
    ]
    main = {name for name, heading in headings if heading.major or any(dict(heading.qualifiers).values())}
    identifiers = [value.lower() for kind, value in record.article_ids if kind != "pubmed"]
    locations = [value.lower() for _, value in record.locations]
    jid = plain_text(record.citation.find("MedlineJournalInfo/NlmUniqueID"))
    return {
        "UID": [record.pmid],
        "FILT": _filters(record),
        "MESH": [*(name for name, _ in headings), *(pair for pair, _ in pairs)],
        "MAJR": [*main, *(pair for pair, major in pairs if major)],
        "SUBH": [pair.partition("/")[2] for pair, _ in pairs],
        "JOUR": map(normalize, (*record.journal_names, *dict(record.issns), jid)),
        "PTYP": map(normalize, record.publication_types),
        "LANG": [normalize(name) for code in record.languages for name in (code, NAMES.get(code, code))],
        "VOL": [normalize(record.text("Journal/JournalIssue/Volume"))],
        "ISS": [normalize(record.text("Journal/JournalIssue/Issue"))],
        "PAGE": [normalize(record.pages.partition("-")[0])],
        "PID": [*identifiers, *locations],
        "LID": locations,
    }


def _filters(record: Record) -> list[str]:
    status = _STATUS_FILTERS.get(record.citation.get("Status", ""))
    names = {
        "all": True,
        status or "": status is not None,
        "hasabstract": bool(record.abstract_parts),
        "free full text": record.pmcid is not None,
        "full text": record.pmcid is not None or record.doi is not None or record.is_book,
        "pubmed pmc": record.pmcid is not None,
        "pubmed books": record.is_book,
        "systematic": "Systematic Review" in record.publication_types,
    }
    also = [
        *(NAMES.get(code, code) for code in record.languages),
        *record.publication_types,
        *(heading.descriptor for heading in record.headings),
    ]
    return [*(name for name, holds in names.items() if holds), *map(normalize, also)]


def _names(record: Record) -> dict[str, tuple[str, ...]]:
    persons = [person for person in record.authors if not person.collective]
    subjects = read_people(record.citation.findall("PersonalNameSubjectList"))
    return {
        "FULL": _spellings(record.authors),
        "FAUT": _spellings(persons[:1]),
        "LAUT": _spellings(persons[-1:]),
        "FINV": _spellings(record.investigators),
        "ED": _spellings(record.editors),
        "PS": _spellings(subjects),
    }


def _spellings(people: Iterable[Person]) -> tuple[str, ...]:
    # The index keeps two initials; both lengths are found here, so that no spelling of a record fails.
    found = [
        name
        for person in people
        for name in (
            person.short_name,
            f"{person.last} {person.initials[:2]} {person.suffix}",
            person.full_name,
            f"{person.fore} {person.last} {person.suffix}",
        )
    ]
    return tuple(dict.fromkeys(spelling for name in found if (spelling := normalize(name))))


def _days(record: Record) -> dict[str, tuple[Day, ...]]:
    printed = record.print_date.day if record.print_date else None
    history = dict(record.history)
    found = {
        "PPDT": (printed,),
        "EPDT": (record.electronic_day,),
        "PDAT": (printed, record.electronic_day),
        "EDAT": (read_day(history.get("pubmed")),),
        "CRDT": (read_day(history.get("entrez")),),
        "MHDA": (read_day(history.get("medline")),),
        "MDAT": (read_day(record.citation.find("DateRevised")),),
        "CDAT": (read_day(record.citation.find("DateCompleted")),),
    }
    return {field: tuple(day for day in days if day is not None) for field, days in found.items()}
