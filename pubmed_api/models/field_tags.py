"""PubMed's search field tags: what may stand in brackets behind a search term.

PubMed drops a tag it does not know, or a modifier it does not support there, without a word; the list here is
what lets us say so. It joins the tags of PubMed's user guide, the names in its search builder and query
translations, and the codes of EInfo.
"""

import difflib
import re
from typing import Literal

TagFault = Literal["unknown", "modifier"]
"""Why PubMed ignores a tag: it has no such field, or the field does not take that ``:modifier``."""

_TITLE = ("ti", "titl", "title")
_TITLE_ABSTRACT = ("tiab", "title/abstract")
_AFFILIATION = ("ad", "affl", "affiliation")
_MESH_TERMS = ("mh", "mesh", "mesh terms")
_MESH_MAJOR_TOPIC = ("majr", "mesh major topic")
_MESH_SUBHEADING = ("sh", "subh", "mesh subheading", "mesh subheadings")
_PUBLICATION_TYPE = ("pt", "ptyp", "publication type")
_PHARMACOLOGICAL_ACTION = ("pa", "papx", "pharmacological action")
_JOURNAL = ("ta", "jo", "jour", "journal", "journal title", "issn")

_OTHERS = (
    *("all", "all fields"),
    *("aid", "article identifier", "doi", "pii", "publisher id"),
    *("au", "author", "author cluster id"),
    *("auid", "author identifier", "author - identifier"),
    *("book", "isbn"),
    *("dcom", "completion date", "date - completion"),
    *("cois", "conflict of interest statement", "conflict of interest statements"),
    *("cn", "corporate author", "author - corporate"),
    *("crdt", "create date", "date - create"),
    *("rn", "ec/rn number"),
    *("ed", "editor"),
    *("edat", "entry date", "entrez date", "date - entry", "date - entrez"),
    *("filter", "sb", "subset"),
    *("1au", "first author", "first author name", "author - first"),
    *("lastau", "last author", "last author name", "author - last"),
    *("fau", "full author name", "author - full"),
    *("fir", "full investigator name", "investigator - full", "ir", "investigator"),
    *("gr", "grant number", "grants and funding"),
    *("ip", "issue", "vi", "volume", "pg", "page", "pagination"),
    *("jid", "nlm unique id"),
    *("la", "language"),
    *("lid", "location id"),
    *("mhda", "mesh date", "date - mesh"),
    *("lr", "mdat", "modification date", "date - modification"),
    *("ot", "other term"),
    *("ps", "personal name as subject", "subject - personal name"),
    *("pl", "place of publication"),
    *("pmid", "uid", "extended pmid", "pmc", "pmcid", "mid"),
    *("dp", "pdat", "publication date", "date - publication"),
    *("epdat", "electronic publication date", "ppdat", "print publication date"),
    *("pubn", "publisher"),
    *("si", "secondary source id"),
    *("nm", "substance name", "supplementary concept"),
    *("tw", "text word", "text words"),
    *("tt", "transliterated title"),
)

# EInfo's codes of fields whose usual tag is another: understood by PubMed, and unlikely to be what a caller meant.
_CODES = frozenset(
    "titl affl subh ptyp papx jour pid auth aucl dso cdat coln p1dat ecno filt faut laut full finv grnt iss vol lang "
    "otrm cnty eid epdt ppdt subs word".split()
)

# "[tiab:~3]": the words of a quoted phrase within that many words of each other.
_TAKE_PROXIMITY = frozenset((*_TITLE, *_TITLE_ABSTRACT, *_AFFILIATION))
# "[mh:noexp]": without the narrower headings.
_TAKE_NO_EXPLOSION = frozenset(
    (*_MESH_TERMS, *_MESH_MAJOR_TOPIC, *_MESH_SUBHEADING, *_PUBLICATION_TYPE, *_PHARMACOLOGICAL_ACTION)
)
# "[Journal:__jid7505876]": how PubMed's query translations name a journal.
_TAKE_JOURNAL_ID = frozenset(_JOURNAL)
_KNOWN = _TAKE_PROXIMITY | _TAKE_NO_EXPLOSION | _TAKE_JOURNAL_ID | frozenset(_OTHERS) | _CODES
_SUGGESTED = sorted(_KNOWN - _CODES)

_PROXIMITY = re.compile(r"~ ?[0-9]+\Z")
_JOURNAL_ID = re.compile(r"__jid[0-9a-z]+\Z")


def find_tag_fault(tag: str) -> TagFault | None:
    """What is wrong with a tag (without its brackets; case and runs of spaces do not matter); ``None`` if nothing."""
    name, modifier = _split(tag)
    if name not in _KNOWN:
        return "unknown"
    return None if modifier is None or _takes(name, modifier) else "modifier"


def is_field_tag(text: str) -> bool:
    """Whether PubMed reads this text in brackets as a field, with any modifier (``mh``, ``mh:~3``)."""
    return _split(text)[0] in _KNOWN


def suggest_tag(tag: str) -> str | None:
    """The known tag nearest in spelling, where one is near."""
    name, _ = _split(tag)
    near = difflib.get_close_matches(name, _SUGGESTED, n=1, cutoff=0.75)
    return near[0] if near else None


def _split(tag: str) -> tuple[str, str | None]:
    name, colon, modifier = " ".join(tag.casefold().split()).partition(":")
    return name.rstrip(), (modifier.lstrip() if colon else None)


def _takes(name: str, modifier: str) -> bool:
    if _PROXIMITY.match(modifier):
        return name in _TAKE_PROXIMITY
    if _JOURNAL_ID.match(modifier):
        return name in _TAKE_JOURNAL_ID
    return modifier == "noexp" and name in _TAKE_NO_EXPLOSION
