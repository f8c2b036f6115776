"""Our Api: the OpenAPI 3.1 document and how it is made."""

from importlib.metadata import version
from typing import Any

import flask_smorest
from flask import Flask

from pubmed_api.web import error_answers
from pubmed_api.web.converter import Plugin

DESCRIPTION = """\
Search and read the biomedical literature: PubMed and its neighbours behind one door.

Every operation takes a JSON object and answers one. An id asked for is always accounted for: returned, or named as
missing with the reason. Errors have one shape, with a stable `reason` for programs and a `hint` that says what to do.
`X-Upstream: sandbox` marks invented data."""


class Api(flask_smorest.Api):
    """flask-smorest with our errors, without the components we do not use."""

    DEFAULT_ERROR_RESPONSE_NAME = None

    def __init__(self, app: Flask):
        app.config.update(
            API_TITLE="PubMed API",
            API_VERSION=version("pubmed-api"),
            OPENAPI_VERSION="3.1.1",
            OPENAPI_URL_PREFIX=None,
            API_SPEC_OPTIONS={
                "info": {"description": DESCRIPTION, "license": {"name": "MIT", "identifier": "MIT"}},
                "servers": [{"url": "/", "description": "This service."}],
            },
        )
        super().__init__(app, spec_kwargs={"marshmallow_plugin": Plugin()})

    def _register_error_handlers(self) -> None:
        error_answers.install(self._app)

    def _register_responses(self) -> None:
        """Nothing: every operation documents its own errors."""

    def _register_etag_headers(self) -> None:
        """Nothing: ETags are set for every GET alike."""

    def _register_pagination_header(self) -> None:
        """Nothing: paging is part of the contract, not of headers."""

    def document(self) -> dict[str, Any]:
        """The OpenAPI document of this application as plain data."""
        return self.spec.to_dict()
