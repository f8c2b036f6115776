"""An answer about many ids as one item for each of them, so that each can be kept, and handed out, alone.

Every function takes an answer's body and the canonical ids that were asked for, and gives an item for each of these
ids; what the answer holds besides is passed over. What an item's body means is the parsers' business.
"""

import contextlib
import json
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from typing import Any

from lxml import etree

from pubmed_api.clients.items import NOTHING, Item
from pubmed_api.exceptions import InvalidEfetchResponse, UpstreamInvalidResponse
from pubmed_api.models.identifiers import IdType, is_pmid, normalize_id, normalize_pmid
from pubmed_api.models.named_entities import resolve_named_entities

Splitter = Callable[[bytes, Iterable[str]], dict[str, Item]]

_RECORDS = ("PubmedArticle", "PubmedBookArticle")
_PMIDS = (
    "MedlineCitation/PMID",
    "BookDocument/PMID",
    "PubmedData/ArticleIdList/ArticleId[@IdType='pubmed']",
    "PubmedBookData/ArticleIdList/ArticleId[@IdType='pubmed']",
)
_VERSIONS = ("MedlineCitation/PMID", "BookDocument/PMID")


def split_records(body: bytes, ids: Iterable[str]) -> dict[str, Item]:
    """The record elements of an EFetch answer by PMID; of several versions of a record the highest.

    Deleted citations and records without a PMID are passed over. Raises ``UpstreamInvalidResponse`` for what is not
    XML and ``InvalidEfetchResponse`` for another document.
    """
    root = _parse(body)
    if root.tag != "PubmedArticleSet":
        raise InvalidEfetchResponse(f"EFetch answered <{root.tag!s}> in place of a PubmedArticleSet.")
    newest: dict[str, tuple[int, etree._Element]] = {}
    for node in root.iterchildren(*_RECORDS):
        pmid, version = _pmid_of(node), _version_of(node)
        if pmid is not None and (pmid not in newest or version > newest[pmid][0]):
            newest[pmid] = version, node
    return _each({pmid: Item(_bytes(node)) for pmid, (_, node) in newest.items()}, ids)


def split_summaries(body: bytes, ids: Iterable[str]) -> dict[str, Item]:
    """The document elements of an ESummary answer, of version 2.0 or the older one, by UID.

    A document that holds an error in place of a summary says that there is none. Raises ``UpstreamInvalidResponse``
    for what is not XML.
    """
    root = _parse(body)
    found: dict[str, Item] = {}
    for node in root.iter("DocumentSummary", "DocSum"):
        uid = (node.get("uid") or node.findtext("Id") or "").strip()
        if is_pmid(uid):
            found.setdefault(normalize_pmid(uid), NOTHING if _is_error(node) else Item(_bytes(node)))
    return _each(found, ids)


def split_id_rows(body: bytes, ids: Iterable[str], id_type: IdType) -> dict[str, Item]:
    """The rows of an ID Converter answer, as JSON, by the id each answers; the first where there are several.

    A row that reports an error is kept briefly: an article may come to PMC. Raises ``UpstreamInvalidResponse``
    where there is no list of rows.
    """
    wanted = dict.fromkeys(ids)
    found: dict[str, Item] = {}
    for row in _rows(body):
        answered = _id_of(row, id_type, wanted)
        if answered is not None:
            packed = json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
            found.setdefault(answered, Item(packed, lasting=row.get("status") != "error" and not row.get("errmsg")))
    return _each(found, wanted)


def _each(found: Mapping[str, Item], ids: Iterable[str]) -> dict[str, Item]:
    return {item_id: found.get(item_id, NOTHING) for item_id in ids}


def _pmid_of(node: etree._Element) -> str | None:
    texts = ((found.text or "").strip() for path in _PMIDS for found in node.iterfind(path))
    return next((normalize_pmid(text) for text in texts if is_pmid(text)), None)


def _version_of(node: etree._Element) -> int:
    """The version that a record's PMID names; 1 where it names none."""
    named = next((found.get("Version", "").strip() for path in _VERSIONS for found in node.iterfind(path)), "")
    return int(named) if is_pmid(named) and len(named) < 10 else 1


def _is_error(node: etree._Element) -> bool:
    """Whether an ``error`` with a text stands in place of the summary's fields, or among them."""
    for child in node:
        name = child.get("Name") if child.tag == "Item" else child.tag
        if str(name).casefold() == "error" and "".join(child.itertext()).strip():
            return True
    return False


def _bytes(node: etree._Element) -> bytes:
    """The element alone, in UTF-8, white space as it came, with whatever namespaces it uses declared on it."""
    return etree.tostring(node, encoding="utf-8", xml_declaration=False, with_tail=False)


def _parse(body: bytes) -> etree._Element:
    """The root element, without comments, which no reader looks at."""
    root: etree._Element | None = None
    parser = etree.XMLParser(
        resolve_entities="internal",
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    # Raised below and not from here, so that no part of the body hangs on to the error.
    with contextlib.suppress(etree.XMLSyntaxError):
        root = etree.fromstring(resolve_named_entities(body.lstrip()), parser)
    if root is None:
        raise UpstreamInvalidResponse("The answer is not well-formed XML.")
    return root


def _rows(body: bytes) -> Iterator[Mapping[str, Any]]:
    decoded: Any = None
    with contextlib.suppress(ValueError, RecursionError):
        # Lenient: NCBI writes raw control characters inside strings.
        decoded = json.loads(body, strict=False)
    records = decoded.get("records") if isinstance(decoded, Mapping) else None
    if not isinstance(records, list):
        raise UpstreamInvalidResponse("The PMC ID Converter's answer has no list of records.")
    yield from (record for record in records if isinstance(record, Mapping))


def _id_of(row: Mapping[str, Any], id_type: IdType, wanted: Container[str]) -> str | None:
    """The id this row answers: the echo of the request, else (an older service echoes nothing) its own."""
    for value in (row.get("requested-id"), row.get(id_type)):
        with contextlib.suppress(ValueError):
            named = normalize_id(str(value or "").strip(), id_type)
            if named in wanted:
                return named
    return None
