"""The command ``pubmed-api``: serve, print the document, run the sandbox alone, look after what is stored."""

import argparse
import json
import sqlite3
import sys
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from gunicorn.app.base import BaseApplication
from werkzeug.serving import run_simple

from pubmed_api.app import build_document, create_app
from pubmed_api.clients.cache_admin import StoreInUse, stores_in_use, sweep
from pubmed_api.sandbox import create_sandbox
from pubmed_api.serving import gunicorn_options, load_settings
from pubmed_api.settings import Settings

_CACHE_ACTIONS = {
    "stats": "what is stored where",
    "prune": "delete what is of no use any more",
    "clear": "delete everything that is stored",
}


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command line. Exit status 2 where an argument or a setting cannot be used."""
    parser = argparse.ArgumentParser(prog="pubmed-api", description="A REST API over PubMed and its neighbours.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    serve = commands.add_parser("serve", help="serve the API (settings come from the environment)")
    serve.set_defaults(run=lambda _: _serve())
    document = commands.add_parser("openapi", help="print the OpenAPI document")
    document.add_argument("--output", type=Path, help="write it to this file instead")
    document.set_defaults(run=lambda args: _print_document(args.output))
    sandbox = commands.add_parser("sandbox", help="serve the emulated upstreams alone, for tests of other programs")
    sandbox.add_argument("--host", default="127.0.0.1")
    sandbox.add_argument("--port", type=int, default=8100)
    sandbox.set_defaults(run=lambda args: run_simple(args.host, args.port, create_sandbox(), threaded=True))
    cache = commands.add_parser("cache", help="look after what is stored, also while the service runs")
    cache.add_argument("action", choices=_CACHE_ACTIONS, help="; ".join(f"{a}: {t}" for a, t in _CACHE_ACTIONS.items()))
    cache.set_defaults(run=lambda args: _manage_cache(args.action))
    args = parser.parse_args(argv)
    args.run(args)


class _Server(BaseApplication):
    """gunicorn with the options of ``serving``, whatever folder it is started in."""

    def load_config(self) -> None:
        for name, value in gunicorn_options(load_settings()).items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        return create_app()


def _serve() -> None:
    _Server(prog="pubmed-api").run()


def render_document() -> str:
    """The OpenAPI document at default settings, as the text that ``openapi/openapi.json`` holds."""
    return json.dumps(build_document(Settings()), indent=2, ensure_ascii=False) + "\n"


def _print_document(output: Path | None) -> None:
    text = render_document()
    if output is None:
        sys.stdout.write(text)
    else:
        output.write_text(text, encoding="utf-8")


def _manage_cache(action: str) -> None:
    """Do it to every store there is; exit status 1 where one of them cannot be used."""
    settings, failed = load_settings(), False
    stores = list(stores_in_use(settings))
    if not stores:
        print(f"Nothing is stored in {settings.data_dir}.")
    for used in stores:
        try:
            with closing(used.store):
                print(_manage_store(action, used))
        except (sqlite3.Error, OSError) as error:
            failed = True
            print(f"{used.place} cannot be used: {error}", file=sys.stderr)
    if action != "stats":
        sweep(settings)
    if failed:
        raise SystemExit(1)


def _manage_store(action: str, used: StoreInUse) -> str:
    if action != "stats":
        deleted = used.store.prune() if action == "prune" else used.store.clear()
        return f"{used.place}: {deleted:,} deleted"
    there = used.store.contents()
    on_disk = "" if used.disk_bytes is None else f" ({used.disk_bytes:,} on disk)"
    oldest = "-" if there.oldest is None else datetime.fromtimestamp(there.oldest, UTC).isoformat(" ", "seconds")
    return "\n".join(
        (
            used.place,
            f"    entries  {there.entries:,}",
            f"    bytes    {there.bytes:,}{on_disk}",
            f"    oldest   {oldest}",
            f"    expired  {there.expired:,}",
        )
    )
