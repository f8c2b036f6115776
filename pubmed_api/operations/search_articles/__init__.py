"""The operation ``pubmed_search_articles``: PMIDs for a query."""

from pubmed_api.operations.search_articles.routes import blp

__all__ = ["blp"]
