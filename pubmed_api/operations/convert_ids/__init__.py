"""The operation ``pubmed_convert_ids``: PMIDs, PMCIDs and DOIs into each other."""

from pubmed_api.operations.convert_ids.routes import blp

__all__ = ["blp"]
