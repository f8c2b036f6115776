"""The Flask application around whatever operations it is given."""

from collections.abc import Iterable
from typing import Any

import flask_smorest
from flask import Flask
from flask.json.provider import DefaultJSONProvider
from werkzeug.middleware.proxy_fix import ProxyFix

from pubmed_api.settings import Settings
from pubmed_api.web import extension, headers, pages
from pubmed_api.web.api import Api


class _Json(DefaultJSONProvider):
    """JSON in the order of the schemas, in UTF-8, without padding."""

    sort_keys = False
    ensure_ascii = False
    compact = True


def build_app(
    settings: Settings, upstream: str, clients: Any, operations: Iterable[flask_smorest.Blueprint]
) -> tuple[Flask, Api]:
    """The WSGI application that serves these operations, and its Api."""
    app = Flask("pubmed_api", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = settings.max_body_bytes
    app.json = _Json(app)
    # A superfluous final slash is the same address: a redirect would turn a POST into a GET.
    app.url_map.strict_slashes = False
    if settings.trusted_proxies:
        hops = settings.trusted_proxies
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=hops, x_proto=hops, x_host=hops, x_prefix=hops)  # type: ignore[method-assign]
    extension.install(app, extension.Extension(settings, upstream, clients))
    headers.install(app)
    api = Api(app)
    for blp in operations:
        api.register_blueprint(blp)
    pages.install(app, api)
    return app, api
