"""The application factory: settings → clients → api → operations. Nothing works at import time."""

from typing import Any

from flask import Flask

from pubmed_api.clients import build_clients
from pubmed_api.clients.upstream_mode import resolve_upstream
from pubmed_api.operations import OPERATIONS
from pubmed_api.sandbox import create_sandbox
from pubmed_api.settings import Settings
from pubmed_api.web.application import build_app


def create_app(settings: Settings | None = None, clients: Any = None) -> Flask:
    """The WSGI application. ``settings`` come from the environment and ``clients`` from the settings by default.

    Raises ``SettingsError`` where a setting cannot be used, and ``OSError`` where the data directory cannot be made.
    """
    settings = settings or Settings.from_env()
    settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    upstream = resolve_upstream(settings)
    if clients is None:
        clients = build_clients(settings, create_sandbox() if upstream == "sandbox" else None)
    app, _ = build_app(settings, upstream, clients, OPERATIONS)
    return app


def build_document(settings: Settings) -> dict[str, Any]:
    """The OpenAPI document that an application with these settings serves."""
    _, api = build_app(settings, "sandbox", None, OPERATIONS)
    return api.document()
