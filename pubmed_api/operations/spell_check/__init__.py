"""The operation ``pubmed_spell_check``: a better spelling for a query."""

from pubmed_api.operations.spell_check.routes import blp

__all__ = ["blp"]
