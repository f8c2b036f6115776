"""The operation ``pubmed_database_info``: what PubMed holds and how it can be searched."""

from pubmed_api.operations.database_info.routes import blp

__all__ = ["blp"]
