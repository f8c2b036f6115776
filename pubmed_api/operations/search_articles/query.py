"""The effective query: the caller's query made safe, and the filters bound to all of it."""

from pubmed_api.exceptions import BlankFilter, BlankQuery
from pubmed_api.models.visible_text import decode_entities, is_blank_query, strip_markup
from pubmed_api.operations.search_articles.filters import build_clauses, find_blank_filters, normalize_filters
from pubmed_api.operations.search_articles.model import EffectiveQuery, SearchRequest
from pubmed_api.operations.search_articles.syntax import balance, has_top_level_or, tokenize


def build_effective_query(request: SearchRequest) -> EffectiveQuery:
    """What to send to PubMed.

    Raises, in this order, ``BlankQuery``, ``BlankFilter`` (with all paths) and ``InvalidDateRange``.
    """
    if is_blank_query(request.query):
        raise BlankQuery("The query holds no search term.")
    blank = find_blank_filters(request)
    if blank:
        raise BlankFilter(blank)
    filters = normalize_filters(request)
    query = sanitize(request.query)
    clauses = list(build_clauses(filters))
    if not clauses:
        return EffectiveQuery(query, filters)
    balanced = balance(query)
    return EffectiveQuery(" AND ".join([_enclosed(balanced), *clauses]), filters, was_unbalanced=balanced != query)


def sanitize(query: str) -> str:
    """The query without HTML: entities decoded, tags removed with their content kept, outer white space gone.

    ``<`` and ``>`` that compare stay. Everything else is PubMed's to read.
    """
    return strip_markup(decode_entities(query)).strip()


def _enclosed(query: str) -> str:
    """The query, in parentheses where an ``OR`` would else take the filters for its second half alone."""
    return f"({query})" if has_top_level_or(tokenize(query)) else query
