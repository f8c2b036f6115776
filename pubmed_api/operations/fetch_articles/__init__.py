"""The operation ``pubmed_fetch_articles``: whole PubMed records by PMID."""

from pubmed_api.operations.fetch_articles.routes import blp

__all__ = ["blp"]
