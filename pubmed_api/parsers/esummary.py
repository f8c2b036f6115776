"""ESummary's answer for PubMed: brief records, in its version 2.0 and in the older one.

    version 2.0   DocumentSummarySet/DocumentSummary[@uid], one element for each field
    version 1     DocSum with Id and Items, whose Name is the field; lists are Items within Items

An answer of either is read into the same fields first, keyed by their lower-case names: NCBI spells them
``IdType`` in XML and ``idtype`` in JSON.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from xml.sax.saxutils import escape, unescape

from pubmed_api.exceptions import UpstreamInvalidResponse
from pubmed_api.models.identifiers import is_pmcid, is_pmid, normalize_pmcid
from pubmed_api.models.summary import ArticleSummary
from pubmed_api.parsers.markup import display_text
from pubmed_api.parsers.summary_dates import parse_summary_date
from pubmed_api.parsers.xml import Element, attribute, every, first, parse_xml, squeeze, text_of

_SHOWN_AUTHORS = 3
_BOOK_TYPES = frozenset({"book", "chapter"})
_RETRACTED = "retracted publication"
_FORMATTING = re.compile(r"&(?:amp;)?lt;(/?)(b|em|i|inf|sc|strong|sub|sup|u)&(?:amp;)?gt;", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Person:
    name: str
    is_editor: bool = False


@dataclass(frozen=True, slots=True)
class _Fields:
    """A record's fields under their lower-case names, whichever version they came in."""

    texts: dict[str, str] = field(default_factory=dict)
    people: tuple[_Person, ...] = ()
    article_ids: dict[str, str] = field(default_factory=dict)
    publication_types: tuple[str, ...] = ()


def parse_document_summaries(body: bytes) -> tuple[ArticleSummary, ...]:
    """The summaries of an answer, in its order. A record that is marked as an error is left out, alone.

    Raises ``UpstreamInvalidResponse`` where the answer holds no set of summaries at all.
    """
    root = parse_xml(body)
    documents = every(root, ".//DocumentSummary") or every(root, ".//DocSum")
    if not documents and first(root, "DocumentSummarySet") is None:
        raise UpstreamInvalidResponse(
            text_of(root, "ERROR") or f"ESummary answered with a {root.tag!s} element and no summaries."
        )
    summaries = map(parse_document_summary, documents)
    return tuple(summary for summary in summaries if summary is not None)


def parse_summary(body: bytes) -> ArticleSummary | None:
    """The summary of one document element that stands alone; see ``parse_document_summary``."""
    return parse_document_summary(parse_xml(body))


def parse_document_summary(node: Element) -> ArticleSummary | None:
    """One ``DocumentSummary`` or ``DocSum``; ``None`` where it has no PMID, or an error in place of a record."""
    pmid = attribute(node, "uid") or text_of(node, "Id")
    fields = _read_items(node) if node.tag == "DocSum" else _read_elements(node)
    if pmid is None or not is_pmid(pmid) or "error" in fields.texts:
        return None
    texts = fields.texts
    doc_type = texts.get("doctype")
    is_book = (doc_type or "").casefold() in _BOOK_TYPES
    editors = tuple(person.name for person in fields.people if person.is_editor)
    authors = tuple(person.name for person in fields.people if not person.is_editor) or editors
    return ArticleSummary(
        pmid=pmid,
        title=texts.get("title"),
        authors=format_authors(authors),
        author_names=authors,
        source=None if is_book else texts.get("source") or texts.get("fulljournalname") or texts.get("so"),
        # A chapter's PubDate is the year its book was begun.
        pub_date=parse_summary_date(texts.get("docdate" if (doc_type or "").casefold() == "chapter" else "pubdate")),
        e_pub_date=parse_summary_date(texts.get("epubdate")),
        doi=texts.get("doi") or fields.article_ids.get("doi"),
        pmc_id=_pmcid(fields.article_ids.get("pmc")),
        book_title=texts.get("booktitle"),
        publisher_name=texts.get("publishername"),
        doc_type=doc_type,
        editors=editors,
        retracted=True if _RETRACTED in fields.publication_types else None,
    )


def format_authors(names: tuple[str, ...]) -> str | None:
    """The display string: at most three names, and ``et al.`` for the others."""
    if not names:
        return None
    return ", ".join((*names[:_SHOWN_AUTHORS], *(("et al.",) if len(names) > _SHOWN_AUTHORS else ())))


def _read_elements(node: Element) -> _Fields:
    """The fields of version 2.0."""
    children = {_name(child): child for child in node}
    texts = ((name, _text(child)) for name, child in children.items())
    article_ids = (_members(entry) for entry in children.get("articleids", ()))
    return _Fields(
        texts={name: text for name, text in texts if text is not None},
        people=tuple(_read_people(children.get("authors"))),
        article_ids={
            entry["idtype"].casefold(): entry["value"] for entry in article_ids if {"idtype", "value"} <= entry.keys()
        },
        publication_types=tuple((text_of(flag) or "").casefold() for flag in children.get("pubtype", ())),
    )


def _read_items(node: Element) -> _Fields:
    """The fields of version 1."""
    items = {_item_name(item): item for item in every(node, "Item")}
    texts = ((name, _text(item)) for name, item in items.items())
    article_ids = ((_item_name(entry), text_of(entry)) for entry in every(items.get("articleids"), "Item"))
    authors = [text_of(item) for item in every(items.get("authorlist"), ".//Item")]
    return _Fields(
        texts={name: text for name, text in texts if text is not None},
        people=tuple(_Person(name) for name in authors if name is not None),
        article_ids={name: text for name, text in article_ids if text is not None},
        publication_types=tuple(
            (text_of(item) or "").casefold() for item in every(items.get("pubtypelist"), ".//Item")
        ),
    )


def _read_people(authors: Element | None) -> Iterator[_Person]:
    """Authors come as elements with a name and a type, as elements with a text, or all in one text."""
    if authors is None:
        return
    if len(authors) == 0:
        yield from _people_in(text_of(authors) or "")
    for author in authors:
        members = _members(author) if len(author) else {"name": text_of(author) or ""}
        yield from _person(members.get("name"), members.get("authtype"))


def _people_in(text: str) -> Iterator[_Person]:
    """The people of a JSON list, or of names that ``;`` or else ``,`` separates."""
    try:
        entries: Any = json.loads(text)
    except (ValueError, RecursionError):
        entries = None
    if not isinstance(entries, list):
        entries = re.split(";" if ";" in text else ",", text)
    for entry in entries:
        members = entry if isinstance(entry, dict) else {"name": entry}
        members = {str(key).casefold(): value for key, value in members.items()}
        yield from _person(members.get("name"), members.get("authtype"))


def _person(name: Any, auth_type: Any) -> Iterator[_Person]:
    shown = squeeze(name) if isinstance(name, str) else None
    if shown is not None:
        yield _Person(shown, is_editor=isinstance(auth_type, str) and auth_type.strip().casefold() == "editor")


def _members(node: Element) -> dict[str, str]:
    texts = ((_name(child), text_of(child)) for child in node)
    return {name: text for name, text in texts if text is not None}


def _text(node: Element) -> str | None:
    """A field's text. Formatting, which ESummary escapes once more (``&lt;sup&gt;``), is written as in records."""
    text = display_text(node)
    if text is None or _FORMATTING.search(escape(text)) is None:
        return text
    fragment = _FORMATTING.sub(lambda tag: f"<{tag[1]}{tag[2].lower()}>", escape(text))
    try:
        return display_text(parse_xml(f"<text>{fragment}</text>".encode()))
    except UpstreamInvalidResponse:
        return squeeze(unescape(_FORMATTING.sub("", escape(text))))


def _name(node: Element) -> str:
    return str(node.tag).casefold()


def _item_name(item: Element) -> str:
    return (attribute(item, "Name") or "").casefold()


def _pmcid(text: str | None) -> str | None:
    return normalize_pmcid(text) if text and is_pmcid(text) else None
