"""ESearch's answer: one page of UIDs, the size of the whole set, and what NCBI has to say about the query."""

import re

from pubmed_api.exceptions import UpstreamInvalidResponse, UpstreamUnreachable
from pubmed_api.models.entrez import History, SearchDiagnostics, SearchResult
from pubmed_api.parsers.xml import Element, every, first, parse_xml, text_of

_COUNT = re.compile(r"[0-9]{1,18}\Z")


def parse_esearch(body: bytes) -> SearchResult:
    """The result of a search, of any database. UIDs and phrases stay strings, however they look.

    Raises ``UpstreamUnreachable`` for an ``ERROR`` in the answer and ``UpstreamInvalidResponse`` where it has no
    plain decimal ``Count``: either would else read as a search without hits. What ``ErrorList`` and
    ``WarningList`` say are remarks on a valid result.
    """
    root = parse_xml(body)
    if root.tag != "eSearchResult":
        raise UpstreamInvalidResponse(f"ESearch answered with a {root.tag!s} element.")
    errors = _texts(root, "ERROR")
    if errors:
        raise UpstreamUnreachable("ESearch answered with an error.", ncbi_errors=list(errors))
    count = text_of(root, "Count") or ""
    if _COUNT.match(count) is None:
        raise UpstreamInvalidResponse("ESearch's answer has no usable count of results.")
    return SearchResult(
        count=int(count),
        ids=_texts(root, "IdList/Id"),
        retstart=_number(root, "RetStart"),
        retmax=_number(root, "RetMax"),
        query_translation=text_of(root, "QueryTranslation"),
        history=parse_history(root),
        diagnostics=parse_diagnostics(root),
    )


def parse_history(root: Element) -> History | None:
    """The handle of the result set on the history server, which is a ``WebEnv`` and a ``QueryKey`` together."""
    web_env, query_key = text_of(root, "WebEnv"), text_of(root, "QueryKey")
    return History(web_env, query_key) if web_env and query_key else None


def parse_diagnostics(root: Element) -> SearchDiagnostics:
    """The members of ``ErrorList`` and ``WarningList``, each taken from whichever of the two has it."""
    return SearchDiagnostics(
        phrases_not_found=_remarks(root, "PhraseNotFound"),
        fields_not_found=_remarks(root, "FieldNotFound"),
        phrases_ignored=_remarks(root, "PhraseIgnored"),
        quoted_phrases_not_found=_remarks(root, "QuotedPhraseNotFound"),
        messages=_remarks(root, "OutputMessage"),
    )


def _remarks(root: Element, name: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_texts(root, f"ErrorList/{name}") + _texts(root, f"WarningList/{name}")))


def _texts(node: Element | None, path: str) -> tuple[str, ...]:
    return tuple(text for text in map(text_of, every(node, path)) if text is not None)


def _number(root: Element, path: str) -> int:
    text = text_of(first(root, path)) or ""
    return int(text) if _COUNT.match(text) else 0
