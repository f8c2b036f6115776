"""Abstract text: a record as a person reads it, which is what EFetch sends when no form is asked for."""

import textwrap
from collections.abc import Iterable

from pubmed_api.sandbox.record import Record
from pubmed_api.sandbox.source import source_text

_WIDTH = 80


def abstract_text(records: Iterable[Record]) -> str:
    """Numbered records with source, title, authors, abstract and identifiers, two blank lines between them."""
    return "\n\n".join(_record_text(number, record) for number, record in enumerate(records, 1))


def _record_text(number: int, record: Record) -> str:
    book = " ".join((record.book_title, record.print_date.text if record.print_date else "")).strip()
    blocks = [
        f"{number}. {source_text(record) or book}",
        record.title or record.book_title,
        ", ".join(person.short_name for person in record.authors or record.editors),
        *record.abstract_parts,
        record.text("Abstract/CopyrightInformation"),
    ]
    identifiers = [("DOI", record.doi), ("PMCID", record.pmcid), ("PMID", record.pmid)]
    filled = [textwrap.fill(block, _WIDTH, break_long_words=False) for block in blocks if block]
    return "\n\n".join([*filled, "\n".join(f"{name}: {value}" for name, value in identifiers if value)]) + "\n"
