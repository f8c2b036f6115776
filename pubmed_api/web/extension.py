"""What the application keeps for its requests: settings, upstream mode and clients."""

from dataclasses import dataclass
from typing import Any

from flask import Flask, current_app

from pubmed_api.settings import Settings

_KEY = "pubmed_api"


@dataclass(frozen=True)
class Extension:
    """``upstream`` is ``live`` or ``sandbox``; ``clients`` is opaque to the web layer."""

    settings: Settings
    upstream: str
    clients: Any


def install(app: Flask, extension: Extension) -> None:
    """Keep the extension on the application."""
    app.extensions[_KEY] = extension


def extension() -> Extension:
    """The extension of the application that answers this request."""
    return current_app.extensions[_KEY]


def clients() -> Any:
    """The application's upstream clients (``pubmed_api.clients.Clients``)."""
    return extension().clients
