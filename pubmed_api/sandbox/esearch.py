"""ESearch: the PMIDs a query finds."""

from lxml.etree import _Element
from werkzeug.wrappers import Response

from pubmed_api.sandbox import history
from pubmed_api.sandbox.corpus import Corpus
from pubmed_api.sandbox.dates import slashed_day
from pubmed_api.sandbox.eutils import (
    LAST_START,
    MAX_RECORDS,
    START_TOO_LARGE,
    Parameters,
    ServiceError,
    element,
    read_number,
    xml_answer,
)
from pubmed_api.sandbox.evaluate import Notes
from pubmed_api.sandbox.matching import days_back
from pubmed_api.sandbox.search import (
    SearchOutcome,
    SearchRequest,
    UnreadableQueryError,
    known_sort,
    run_search,
)

ROOT = "eSearchResult"
_DEFAULT_PAGE = 20


def esearch(parameters: Parameters, corpus: Corpus) -> Response:
    """Answer a search, or a stored one where a history handle stands in for the term."""
    request = _read_request(parameters)
    start = read_number(parameters, "retstart", 0)
    if start > LAST_START:
        raise ServiceError(START_TOO_LARGE)
    outcome = _run(parameters, corpus, request)
    if parameters.get("rettype", "").lower() == "count":
        return xml_answer(element(ROOT, [element("Count", str(len(outcome.pmids)))]))
    size, messages = _page_size(parameters, start)
    page = outcome.pmids[start : start + size]
    messages += [] if outcome.pmids else ["No items found."]
    if not known_sort(request.sort):
        messages.append(f"Unknown sort schema '{request.sort.lower()}' ignored")
    handle = _handle(request, outcome) if parameters.get("usehistory", "").lower() == "y" else []
    return xml_answer(
        element(
            ROOT,
            [
                element("Count", str(len(outcome.pmids))),
                element("RetMax", str(len(page))),
                element("RetStart", str(start)),
                *handle,
                element("IdList", (element("Id", pmid) for pmid in page)),
                element("TranslationSet", (_translation(*pair) for pair in outcome.notes.translations)),
                element("QueryTranslation", outcome.translation),
                *_lists(outcome.notes, messages),
            ],
        )
    )


def _read_request(parameters: Parameters) -> SearchRequest:
    low, high = parameters.get("mindate", ""), parameters.get("maxdate", "")
    back = read_number(parameters, "reldate", 0)
    if back:
        low, high = slashed_day(days_back(back)), slashed_day(days_back(0))
    return SearchRequest(
        parameters.get("term", ""),
        parameters.get("sort", ""),
        parameters.get("field", ""),
        parameters.get("datetype", ""),
        low,
        high,
    )


def _run(parameters: Parameters, corpus: Corpus, request: SearchRequest) -> SearchOutcome:
    key, env = parameters.get("query_key", ""), parameters.get("WebEnv", "")
    stored: tuple[str, ...] | None = None
    if key:
        try:
            stored = history.resolve(corpus, env, key)
        except history.UnknownHistoryError as error:
            raise ServiceError(str(error)) from None
    if not request.term.strip():
        if stored is None:
            raise ServiceError("Empty term and query_key - nothing todo")
        return SearchOutcome(stored, f"#{key}", Notes())
    try:
        outcome = run_search(corpus, request)
    except UnreadableQueryError as error:
        raise ServiceError(f"Search Backend failed: {error}") from None
    if stored is None:
        return outcome
    pmids = tuple(pmid for pmid in outcome.pmids if pmid in stored)
    return SearchOutcome(pmids, f"#{key} AND ({outcome.translation})", outcome.notes)


def _page_size(parameters: Parameters, start: int) -> tuple[int, list[str]]:
    """How many ids fit, and the message that says so where the page crosses the end of PubMed's window."""
    asked = min(read_number(parameters, "retmax", _DEFAULT_PAGE), MAX_RECORDS)
    room = LAST_START + 1 - start
    if asked <= room:
        return asked, []
    return room, [f"Restrictions achieved. start and count adjusted to {start}, {room}"]


def _handle(request: SearchRequest, outcome: SearchOutcome) -> list[_Element]:
    if request.term.strip() and not outcome.translation.startswith("#"):
        web_env = history.store_search(request)
    else:
        web_env = history.store_pmids(outcome.pmids)
    return [element("QueryKey", history.QUERY_KEY), element("WebEnv", web_env)]


def _translation(source: str, target: str) -> _Element:
    return element("Translation", [element("From", source), element("To", target)])


def _lists(notes: Notes, messages: list[str]) -> list[_Element]:
    errors = [
        *(element("PhraseNotFound", text) for text in notes.phrases_not_found),
        *(element("FieldNotFound", text) for text in notes.fields_not_found),
    ]
    warnings = [
        *(element("PhraseIgnored", text) for text in notes.phrases_ignored),
        *(element("QuotedPhraseNotFound", text) for text in notes.quoted_phrases_not_found),
        *(element("OutputMessage", text) for text in messages),
    ]
    lists = (("ErrorList", errors), ("WarningList", warnings))
    return [element(tag, children) for tag, children in lists if children]
