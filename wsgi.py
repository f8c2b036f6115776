"""The WSGI entry point."""

from pubmed_api.app import create_app

app = create_app()
