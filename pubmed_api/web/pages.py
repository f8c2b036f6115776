"""The pages beside the operations: what this is, the API reference, the document, health and metrics."""

import tempfile
from pathlib import Path
from typing import Any

import flask_swagger_ui
from flask import Blueprint, Flask, Response, jsonify, render_template, request, send_from_directory

from pubmed_api import metrics
from pubmed_api.web.api import Api
from pubmed_api.web.extension import extension

_PAGES = Path(__file__).with_name("pages")
_UI = Path(flask_swagger_ui.__file__).with_name("dist")
_ASSETS = {"pages.css", "docs.js"}


def install(app: Flask, api: Api) -> None:
    """Serve the pages of this application and its document."""
    blp = Blueprint("pages", __name__, template_folder=_PAGES)
    blp.add_url_rule("/", "index", _index)
    blp.add_url_rule("/docs", "docs", _docs)
    blp.add_url_rule("/openapi.json", "openapi_json", lambda: jsonify(api.document()))
    blp.add_url_rule("/healthz", "healthz", _healthz)
    blp.add_url_rule("/readyz", "readyz", _readyz)
    blp.add_url_rule("/metrics", "metrics", _metrics)
    blp.add_url_rule("/_ui/<path:name>", "ui", lambda name: send_from_directory(_UI, name, max_age=86400))
    blp.add_url_rule("/_pages/<any({}):name>".format(", ".join(f"'{a}'" for a in sorted(_ASSETS))), "asset", _asset)
    app.register_blueprint(blp)


def _index() -> str:
    return render_template("index.html", upstream=extension().upstream, root=request.url_root)


def _docs() -> str:
    return render_template("docs.html", upstream=extension().upstream)


def _asset(name: str) -> Response:
    return send_from_directory(_PAGES, name, max_age=86400)


def _healthz() -> dict[str, Any]:
    """The process is alive; nothing else is asked."""
    return {"status": "ok"}


def _readyz() -> tuple[dict[str, Any], int]:
    """Whether this can work: its data directory takes a file. No upstream call, so probes cost no allowance."""
    try:
        with tempfile.TemporaryFile(dir=extension().settings.data_dir) as probe:
            probe.write(b"ready")
    except OSError:
        return {"status": "unready", "problem": "the data directory (PUBMED_API_DATA_DIR) cannot be written"}, 503
    return {"status": "ready", "upstream": extension().upstream}, 200


def _metrics() -> Response:
    """What all workers have counted, for Prometheus. No upstream call."""
    response = Response(metrics.exposition(), content_type=metrics.CONTENT_TYPE)
    response.headers["Cache-Control"] = "no-store"
    return response
