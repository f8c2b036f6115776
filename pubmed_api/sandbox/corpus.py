"""The corpus: all records of a folder, read once, with the look-ups the services need."""

import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path

from lxml import etree
from lxml.etree import _Element

from pubmed_api.sandbox.entry import Entry, build_entry
from pubmed_api.sandbox.record import Record, read_record
from pubmed_api.sandbox.text import normalize

DEFAULT_FOLDER = Path(__file__).parent / "corpus"
_RECORD_TAGS = ("PubmedArticle", "PubmedBookArticle")


class Corpus:
    """Records by PMID, in the order of the folder, with their index entries."""

    def __init__(self, records: Iterable[Record]) -> None:
        self.entries: dict[str, Entry] = {}
        for record in records:
            if record.pmid in self.entries:
                raise ValueError(f"record {record.pmid} stands in the corpus twice")
            self.entries[record.pmid] = build_entry(record)

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries.values())

    def record(self, pmid: str) -> Record | None:
        """The record of a PMID in canonical digits."""
        entry = self.entries.get(pmid)
        return entry.record if entry else None

    @cached_property
    def by_pmcid(self) -> dict[str, Record]:
        """Records in PubMed Central by PMCID."""
        return {entry.record.pmcid: entry.record for entry in self if entry.record.pmcid}

    @cached_property
    def by_doi(self) -> dict[str, Record]:
        """Records by DOI in lower case."""
        return {entry.record.doi.lower(): entry.record for entry in self if entry.record.doi}

    @cached_property
    def headings(self) -> frozenset[str]:
        """The normalized names of all MeSH descriptors in use."""
        return frozenset(normalize(heading.descriptor) for entry in self for heading in entry.record.headings)

    @cached_property
    def word_counts(self) -> Counter[str]:
        """How often each word stands in titles, abstracts and headings."""
        return Counter(word for entry in self for passage in entry.passages.get("WORD", ()) for word in passage)

    @cached_property
    def journal_ids(self) -> dict[str, tuple[str, str]]:
        """Abbreviation and NLM id of each journal, by the normalized abbreviation."""
        found: dict[str, tuple[str, str]] = {}
        for entry in self:
            jid = entry.record.citation.findtext("MedlineJournalInfo/NlmUniqueID") or ""
            found[normalize(entry.record.source)] = (entry.record.source, jid)
        return found


class LazyCorpus:
    """A corpus that is read at its first use, once, whichever thread comes first."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._corpus: Corpus | None = None

    def load(self) -> Corpus:
        """The corpus. Raises ``ValueError`` naming the file for one that cannot be read."""
        with self._lock:
            if self._corpus is None:
                self._corpus = Corpus(read_folder(self._folder))
            return self._corpus


def read_folder(folder: Path) -> Iterator[Record]:
    """Read the records of all XML files of a folder, files in order of name."""
    for path in sorted(folder.glob("*.xml")):
        try:
            yield from map(read_record, _elements(path.read_bytes()))
        except (etree.XMLSyntaxError, ValueError) as error:
            raise ValueError(f"{path.name}: {error}") from error


def _elements(body: bytes) -> Iterator[_Element]:
    # Comments in the corpus are notes to its keepers; no answer carries them.
    parser = etree.XMLParser(resolve_entities=False, no_network=True, remove_comments=True, remove_pis=True)
    return etree.fromstring(body, parser).iterchildren(*_RECORD_TAGS)
