"""One record of the corpus: its XML element, and what its two layouts (article, book) have in common."""

import re
from dataclasses import dataclass
from functools import cached_property

from lxml.etree import _Element

from pubmed_api.sandbox.dates import Day, PublicationDate, read_day, read_publication_date
from pubmed_api.sandbox.people import Person, read_people
from pubmed_api.sandbox.text import plain_text


@dataclass(frozen=True, slots=True)
class Heading:
    """A MeSH heading: a descriptor with its qualifiers, each with its major-topic mark."""

    descriptor: str
    major: bool
    qualifiers: tuple[tuple[str, bool], ...] = ()


@dataclass(frozen=True)
class Record:
    """A record as stored. ``element`` is the ``PubmedArticle`` or ``PubmedBookArticle`` and is never changed."""

    pmid: str
    element: _Element

    @cached_property
    def is_book(self) -> bool:
        """Whether this is a book or a chapter of one."""
        return self.element.tag == "PubmedBookArticle"

    @cached_property
    def citation(self) -> _Element:
        """``MedlineCitation``, or ``BookDocument``, which is the citation of a book."""
        return self._child(self.element, "BookDocument" if self.is_book else "MedlineCitation")

    @cached_property
    def article(self) -> _Element:
        """Where title, abstract, authors and languages stand: ``Article``, or ``BookDocument`` itself."""
        return self.citation if self.is_book else self._child(self.citation, "Article")

    @cached_property
    def title_node(self) -> _Element | None:
        """The title of the article or chapter; a whole book has none."""
        return self.article.find("ArticleTitle")

    @cached_property
    def title(self) -> str:
        """The title without markup; the vernacular one stays apart."""
        return plain_text(self.title_node)

    @cached_property
    def book_title(self) -> str:
        """The title of the book, for books and chapters."""
        return plain_text(self.article.find("Book/BookTitle"))

    @cached_property
    def abstract_parts(self) -> tuple[str, ...]:
        """The parts of the abstract, each led by its label where it has one."""
        return self.labelled("Abstract/AbstractText", self.article)

    @cached_property
    def other_abstracts(self) -> tuple[str, ...]:
        """The parts of abstracts in other languages or for other readers."""
        return self.labelled("OtherAbstract/AbstractText", self.citation)

    @cached_property
    def journal_names(self) -> tuple[str, ...]:
        """Abbreviation, full title and ISO abbreviation, as far as given."""
        paths = ("MedlineJournalInfo/MedlineTA", "Article/Journal/Title", "Article/Journal/ISOAbbreviation")
        return tuple(name for path in paths if (name := plain_text(self.citation.find(path))))

    @cached_property
    def source(self) -> str:
        """The journal's abbreviation; empty for books."""
        return self.journal_names[0] if self.journal_names else ""

    @cached_property
    def issns(self) -> tuple[tuple[str, str], ...]:
        """Pairs of ISSN and its kind: ``Print``, ``Electronic``, ``Linking``."""
        found = [(plain_text(node), node.get("IssnType", "")) for node in self.article.findall("Journal/ISSN")]
        linking = plain_text(self.citation.find("MedlineJournalInfo/ISSNLinking"))
        return (*found, (linking, "Linking")) if linking else tuple(found)

    @cached_property
    def pages(self) -> str:
        """The pages as cited, or first and last page joined."""
        cited = self.text("Pagination/MedlinePgn")
        ends = (self.text("Pagination/StartPage"), self.text("Pagination/EndPage"))
        return cited or "-".join(page for page in ends if page)

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """Three-letter codes."""
        return self.texts("Language")

    @cached_property
    def publication_types(self) -> tuple[str, ...]:
        """Publication types in order; books carry them without a list around them."""
        return self.texts("PublicationType" if self.is_book else "PublicationTypeList/PublicationType")

    @cached_property
    def headings(self) -> tuple[Heading, ...]:
        """The MeSH headings in order."""
        return tuple(_read_heading(node) for node in self.citation.findall("MeshHeadingList/MeshHeading"))

    @cached_property
    def keywords(self) -> tuple[tuple[str, str], ...]:
        """Pairs of a keyword and its list's owner."""
        return tuple(
            (plain_text(node), owner.get("Owner", "NLM"))
            for owner in self.citation.findall("KeywordList")
            for node in owner.findall("Keyword")
        )

    @cached_property
    def authors(self) -> tuple[Person, ...]:
        """People and groups that wrote it, in order; of a whole book, the book's authors."""
        own = [node for node in self.article.findall("AuthorList") if node.get("Type") != "editors"]
        book = [node for node in self.article.findall("Book/AuthorList") if node.get("Type") != "editors"]
        return read_people(own or book)

    @cached_property
    def editors(self) -> tuple[Person, ...]:
        """The editors of a book."""
        lists = self.article.findall("Book/AuthorList") + self.article.findall("AuthorList")
        return read_people(node for node in lists if node.get("Type") == "editors")

    @cached_property
    def investigators(self) -> tuple[Person, ...]:
        """Members of the groups that wrote it."""
        return read_people(self.citation.findall("InvestigatorList"))

    @cached_property
    def article_ids(self) -> tuple[tuple[str, str], ...]:
        """Pairs of an identifier's kind and value, the PMID first; never those of cited references."""
        lists = self.element.findall("PubmedData/ArticleIdList") + self.element.findall("PubmedBookData/ArticleIdList")
        own = self.citation.findall("ArticleIdList") if self.is_book else []
        found = [
            (node.get("IdType", "pubmed"), plain_text(node))
            for part in own + lists
            for node in part.findall("ArticleId")
        ]
        others = [pair for pair in dict.fromkeys(found) if pair[0] != "pubmed" and pair[1]]
        return (("pubmed", self.pmid), *others)

    @cached_property
    def locations(self) -> tuple[tuple[str, str], ...]:
        """Pairs of an electronic location's kind (``doi``, ``pii``) and value, invalid ones left out."""
        return tuple(
            (node.get("EIdType", ""), plain_text(node))
            for node in self.article.iter("ELocationID")
            if node.get("ValidYN") != "N"
        )

    @cached_property
    def doi(self) -> str | None:
        """The record's own DOI, wherever it is given."""
        return next((value for kind, value in (*self.locations, *self.article_ids) if kind == "doi"), None)

    @cached_property
    def pmcid(self) -> str | None:
        """The article in PubMed Central, with its prefix."""
        value = next((value for kind, value in self.article_ids if kind == "pmc"), None)
        return None if value is None else "PMC" + re.sub(r"\D", "", value)

    @cached_property
    def print_date(self) -> PublicationDate | None:
        """The date of the issue or of the book."""
        return read_publication_date(
            self.article.find("Book/PubDate" if self.is_book else "Journal/JournalIssue/PubDate")
        )

    @cached_property
    def electronic_day(self) -> Day | None:
        """The day of publication on the web."""
        return read_day(next(iter(self.article.findall("ArticleDate[@DateType='Electronic']")), None))

    @cached_property
    def publication_day(self) -> Day:
        """The day that orders records: the electronic one where the journal publishes on the web first."""
        printed = self.print_date.day if self.print_date else None
        web_first = self.article.get("PubModel", "").startswith("Electronic")
        return (self.electronic_day if web_first else None) or printed or self.electronic_day or (0, 0, 0)

    @cached_property
    def history(self) -> tuple[tuple[str, _Element], ...]:
        """Pairs of a status (``received``, ``entrez`` …) and its date node."""
        nodes = self.element.findall("*/History/PubMedPubDate")
        return tuple((node.get("PubStatus", ""), node) for node in nodes)

    @cached_property
    def first_author(self) -> str:
        """The short name of the first author, or editor where a book has no authors."""
        people = self.authors or self.editors
        return people[0].short_name if people else ""

    def text(self, path: str) -> str:
        """The plain text of the first node at a path below the article; empty where there is none."""
        return plain_text(self.article.find(path))

    def texts(self, path: str) -> tuple[str, ...]:
        """The plain texts of all nodes at a path below the article, empty ones left out."""
        return tuple(text for node in self.article.findall(path) if (text := plain_text(node)))

    @staticmethod
    def labelled(path: str, node: _Element) -> tuple[str, ...]:
        """The parts at a path, each as ``LABEL: text`` where it has a label."""
        parts = [(part.get("Label"), plain_text(part)) for part in node.findall(path)]
        return tuple(f"{label}: {text}" if label else text for label, text in parts if text)

    def _child(self, node: _Element, tag: str) -> _Element:
        child = node.find(tag)
        if child is None:
            raise ValueError(f"record {self.pmid} has no {tag}")
        return child


def _read_heading(node: _Element) -> Heading:
    descriptor = node.find("DescriptorName")
    return Heading(
        plain_text(descriptor),
        descriptor is not None and descriptor.get("MajorTopicYN") == "Y",
        tuple((plain_text(part), part.get("MajorTopicYN") == "Y") for part in node.findall("QualifierName")),
    )


def read_record(element: _Element) -> Record:
    """Wrap a stored element. Raises ``ValueError`` where it has no PMID or misses a part every record has."""
    pmid = plain_text(
        element.find("BookDocument/PMID" if element.tag == "PubmedBookArticle" else "MedlineCitation/PMID")
    )
    if not pmid.isdigit():
        raise ValueError("a record without a PMID")
    record = Record(pmid, element)
    _ = record.article
    return record
