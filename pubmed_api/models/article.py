"""A PubMed record: journal article, book or book chapter."""

from dataclasses import dataclass
from typing import Literal

from pubmed_api.models.identifiers import pmc_url, pubmed_url

RecordType = Literal["journal-article", "book-chapter", "book"]


@dataclass(frozen=True, slots=True)
class Author:
    """A person (name parts) or a group (``collective_name``), never both.

    ``affiliation_indices`` are 0-based positions in the article's ``affiliations``.
    """

    last_name: str | None = None
    first_name: str | None = None
    initials: str | None = None
    suffix: str | None = None
    collective_name: str | None = None
    orcid: str | None = None
    affiliation_indices: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class PublicationDate:
    """A journal's cover date as NLM gives it: exact parts, a season, or free text (``MedlineDate``)."""

    year: str | None = None
    month: str | None = None
    day: str | None = None
    season: str | None = None
    medline_date: str | None = None


@dataclass(frozen=True, slots=True)
class Journal:
    """Where an article appeared."""

    title: str | None = None
    iso_abbreviation: str | None = None
    volume: str | None = None
    issue: str | None = None
    pages: str | None = None
    issn: str | None = None
    e_issn: str | None = None
    elocation_id: str | None = None
    elocation_id_type: str | None = None
    publication_date: PublicationDate | None = None


@dataclass(frozen=True, slots=True)
class MeshQualifier:
    """A subheading of a MeSH heading."""

    qualifier_name: str
    qualifier_ui: str | None = None
    is_major_topic: bool = False


@dataclass(frozen=True, slots=True)
class MeshHeading:
    """A MeSH descriptor with its qualifiers; major if it or any qualifier is."""

    descriptor_name: str | None
    descriptor_ui: str | None = None
    is_major_topic: bool = False
    qualifiers: tuple[MeshQualifier, ...] = ()


@dataclass(frozen=True, slots=True)
class Grant:
    """A grant; ``acronym`` is NLM's code of the institute."""

    grant_id: str | None = None
    acronym: str | None = None
    agency: str | None = None
    country: str | None = None


@dataclass(frozen=True, slots=True)
class ArticleDate:
    """A dated event in the life of a record; parts are strings as NLM gives them."""

    date_type: str | None = None
    year: str | None = None
    month: str | None = None
    day: str | None = None


@dataclass(frozen=True, slots=True)
class CommentCorrection:
    """A record linked to this one: erratum, retraction, comment, update …"""

    ref_type: str
    ref_source: str
    pmid: str | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Book:
    """The book of a book or chapter record; ``doi`` is the book's own, never the chapter's.

    Dates are years. ``editors`` carry names only. ``accession`` is NCBI Bookshelf's (``NBK…``).
    """

    title: str | None = None
    publisher: str | None = None
    publisher_location: str | None = None
    pub_date: str | None = None
    beginning_date: str | None = None
    ending_date: str | None = None
    medium: str | None = None
    edition: str | None = None
    collection_title: str | None = None
    isbns: tuple[str, ...] = ()
    doi: str | None = None
    editors: tuple[Author, ...] = ()
    accession: str | None = None


@dataclass(frozen=True, slots=True)
class Article:
    """One PubMed record. Tuples are in document order.

    ``affiliations`` are the authors'; ``investigator_affiliations`` are those of the investigators that no author
    has. An investigator's ``affiliation_indices`` count through the first and on into the second.
    """

    record_type: RecordType
    pmid: str | None
    title: str | None = None
    abstract_text: str | None = None
    authors: tuple[Author, ...] = ()
    affiliations: tuple[str, ...] = ()
    journal_info: Journal | None = None
    book: Book | None = None
    doi: str | None = None
    pmc_id: str | None = None
    publication_types: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    mesh_terms: tuple[MeshHeading, ...] = ()
    grant_list: tuple[Grant, ...] = ()
    article_dates: tuple[ArticleDate, ...] = ()
    comments_corrections: tuple[CommentCorrection, ...] = ()
    investigators: tuple[Author, ...] = ()
    investigator_affiliations: tuple[str, ...] = ()
    version: int = 1

    @property
    def pubmed_url(self) -> str | None:
        """The record's page on PubMed."""
        return pubmed_url(self.pmid) if self.pmid else None

    @property
    def pmc_url(self) -> str | None:
        """The article's page on PMC, where it has one."""
        return pmc_url(self.pmc_id) if self.pmc_id else None
