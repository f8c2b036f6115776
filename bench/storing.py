"""The cache under the whole service: what a hit costs, and whether a crowd of processes and threads ever breaks it."""

import sqlite3
from collections import Counter
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from flask import Flask, jsonify
from flask.testing import FlaskClient

from bench.literature import FIRST_PMID
from bench.load import Ask, answered, drive, failures, search
from bench.processes import service, upstream
from bench.timing import milliseconds, verdict
from pubmed_api.app import create_app
from pubmed_api.settings import Settings

MOST_MS = 2.0
# Of several rounds the quickest counts: the others tell what else the machine does.
ROUNDS = 5
SECONDS = 45.0
WORKERS, THREADS = 4, 8
KNOWN, FRESH = 100, 0.1

_HITS = (
    ("search", "/v1/articles/search", {"query": "asthma"}),
    ("spelling", "/v1/spelling/check", {"query": "asthma"}),
    ("fetch of 1 record", "/v1/articles/fetch", {"pmids": [str(FIRST_PMID)]}),
    ("conversion of 1 id", "/v1/ids/convert", {"ids": [str(FIRST_PMID)], "idType": "pmid"}),
)


def measure_hit() -> Iterator[str]:
    """Answers that are stored, through the whole application, beside a Flask route that does nothing."""
    with TemporaryDirectory() as folder, upstream(fastest=0, slowest=0, jitter=0, limit=1000) as asked:
        settings = Settings(
            data_dir=Path(folder),
            ncbi_requests_per_second=1000.0,
            ncbi_eutils_base_url=f"{asked.url}/eutils/",
            pmc_idconv_base_url=f"{asked.url}/idconv/",
        )
        client = create_app(settings).test_client()
        empty = _empty_route()
        for name, path, body in _HITS:
            assert client.post(path, json=body).status_code == 200
            assert client.post(path, json=body).headers["X-Cache"] == "hit"
            hit, bare = min(
                (milliseconds(lambda path=path, body=body: client.post(path, json=body), times=41), _bare(empty))
                for _ in range(ROUNDS)
            )
            figures = f"{hit:.2f} ms, {hit / bare:.1f} x an empty route ({bare:.2f} ms), {hit - bare:.2f} ms over it"
            yield verdict(f"hit: {name}", figures, (f"at most {MOST_MS:g} ms over", hit - bare <= MOST_MS))


def measure_crowd() -> Iterator[str]:
    """4 processes × 8 threads on one cache for 45 s: answers of 20 kB, every tenth a new one."""
    with TemporaryDirectory() as folder, upstream(fastest=0, slowest=0.01, jitter=0, limit=100_000) as asked:
        rate = {"NCBI_REQUESTS_PER_SECOND": "1000"}
        with service(asked, Path(folder), workers=WORKERS, threads=THREADS, **rate) as address:
            taken = drive([address], _crowd(), callers=WORKERS * THREADS, seconds=SECONDS)
        whole = [integrity(path) for path in sorted(Path(folder).glob("*.sqlite"))]
    done, bad = answered(taken), Counter(f"{one.status} {one.reason}" for one in failures(taken))
    hits = sum(one.cache == "hit" for one in done) / len(done)
    yield verdict(
        f"cache, {WORKERS} x {THREADS}, {SECONDS:g} s",
        f"{len(done)} answers ({len(done) / SECONDS:.0f}/s, {hits:.0%} hits), errors {dict(bad) or 0}, "
        f"files {', '.join(whole)}",
        ("no error", not bad),
        ("files whole", all(state == "ok" for state in whole)),
    )


def _crowd() -> Iterator[Ask]:
    draw, fresh = Random(1), count(1)
    while True:
        new = draw.random() < FRESH
        name = f"new {next(fresh)}" if new else f"known {draw.randrange(KNOWN)}"
        yield search(name, maxResults=1000)


def integrity(path: Path) -> str:
    """``ok``, or what SQLite finds wrong with the file."""
    connection = sqlite3.connect(path)
    try:
        return str(connection.execute("PRAGMA integrity_check").fetchone()[0])
    finally:
        connection.close()


def _empty_route() -> FlaskClient:
    app = Flask("empty")
    app.add_url_rule("/", view_func=lambda: jsonify({}), methods=["POST"])
    return app.test_client()


def _bare(empty: FlaskClient) -> float:
    return milliseconds(lambda: empty.post("/", json={}), times=41)
