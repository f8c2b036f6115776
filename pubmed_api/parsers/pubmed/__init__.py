"""PubMed records: one module for each part of the document, put together in ``article``."""
