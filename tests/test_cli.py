"""The command line and the ways to start: documents, refusals with exit status 2, one decision for all workers."""

import json
import subprocess
import sys
import time
import urllib.request
from datetime import datetime

import pytest
from support.processes import ROOT, build_environ, find_free_port, running

from pubmed_api.cli import main, render_document
from pubmed_api.clients.cache import STALE_SECONDS
from pubmed_api.clients.cache_file import CacheFile
from pubmed_api.serving import gunicorn_options
from pubmed_api.settings import Settings


def run(*module, **environ):
    return subprocess.run(
        [sys.executable, "-m", *module],
        cwd=ROOT,
        env=build_environ(**environ),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def read(url, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return answer.headers, answer.read().decode()


def test_openapi__prints_the_document(capsys):
    main(["openapi"])
    assert capsys.readouterr().out == render_document()


def test_openapi__writes_a_file(tmp_path):
    main(["openapi", "--output", str(tmp_path / "x.json")])
    assert (tmp_path / "x.json").read_text(encoding="utf-8") == render_document()


def test_openapi__does_not_depend_on_the_environment(monkeypatch):
    before = render_document()
    monkeypatch.setenv("PUBMED_API_MAX_BODY_BYTES", "2048")
    assert render_document() == before


def test_command__missing_is_status_2():
    with pytest.raises(SystemExit) as caught:
        main([])
    assert caught.value.code == 2


@pytest.fixture
def stored(tmp_path, monkeypatch):
    """A data directory with three fresh answers, two expired ones and one that is past its grace."""
    monkeypatch.setenv("PUBMED_API_DATA_DIR", str(tmp_path))
    file, now = CacheFile(tmp_path / "cache.sqlite", 10**9, grace=STALE_SECONDS), int(time.time())
    ages = [100, 200, 300, -100, -200]
    file.write_many([(str(age), b"x" * 1000, now + age) for age in ages])
    file.write("gone", b"x" * 1000, now - STALE_SECONDS - 1)
    yield tmp_path
    file.close()


def test_cache__nothing_stored(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("PUBMED_API_DATA_DIR", str(tmp_path))
    for action in ("stats", "prune", "clear"):
        main(["cache", action])
        assert capsys.readouterr().out == f"Nothing is stored in {tmp_path}.\n"
    assert list(tmp_path.iterdir()) == []


def test_cache_stats__what_is_stored(stored, capsys):
    main(["cache", "stats"])
    place, *lines = capsys.readouterr().out.splitlines()
    assert place == f"answers in {stored / 'cache.sqlite'}"
    figures = {line.split()[0]: line.split()[1:] for line in lines}
    assert figures["entries"] == ["6"]
    assert figures["bytes"][0] == "6,000"
    assert int(figures["bytes"][1].strip("(").replace(",", "")) > 6000
    oldest = datetime.fromisoformat(" ".join(figures["oldest"]))
    assert abs(oldest.timestamp() - time.time()) < 60
    assert figures["expired"] == ["3"]


def test_cache_prune__what_may_stand_in_stays(stored, capsys):
    main(["cache", "prune"])
    assert capsys.readouterr().out == f"answers in {stored / 'cache.sqlite'}: 1 deleted\n"
    main(["cache", "stats"])
    assert "entries  5" in capsys.readouterr().out


def test_cache_clear__all_of_it_while_another_has_the_file_open(stored, capsys):
    open_file = CacheFile(stored / "cache-sandbox.sqlite", 10**9)
    open_file.write("key", b"value", int(time.time()) + 100)
    main(["cache", "clear"])
    assert capsys.readouterr().out == (
        f"answers in {stored / 'cache.sqlite'}: 6 deleted\nanswers in {stored / 'cache-sandbox.sqlite'}: 1 deleted\n"
    )
    assert open_file.read("key") is None
    open_file.write("key", b"value", int(time.time()) + 100)
    assert open_file.read("key") == b"value"
    open_file.close()


def test_cache_stats__file_that_cannot_be_used_is_status_1(stored, capsys):
    (stored / "cache-sandbox.sqlite").write_bytes(b"this is no database" * 100)
    with pytest.raises(SystemExit) as caught:
        main(["cache", "stats"])
    assert caught.value.code == 1
    printed = capsys.readouterr()
    assert "entries  6" in printed.out
    assert "cache-sandbox.sqlite cannot be used" in printed.err


def test_cache__settings_refused_with_status_2(monkeypatch, capsys):
    monkeypatch.setenv("REDIS_URL", "redis://:secret@127.0.0.1:port")
    with pytest.raises(SystemExit) as caught:
        main(["cache", "stats"])
    assert caught.value.code == 2
    assert "REDIS_URL" in capsys.readouterr().err


def test_cache__unknown_action_is_status_2():
    with pytest.raises(SystemExit) as caught:
        main(["cache", "polish"])
    assert caught.value.code == 2


@pytest.mark.processes
@pytest.mark.parametrize("command", [("gunicorn", "wsgi:app"), ("pubmed_api", "serve")])
def test_start__settings_refused_with_status_2(command, tmp_path):
    result = run(*command, NCBI_TIMEOUT_MS="soon", PUBMED_API_PORT="http", PUBMED_API_DATA_DIR=str(tmp_path))
    assert result.returncode == 2
    lines = [line for line in result.stderr.splitlines() if line.startswith("pubmed-api: ")]
    assert [line.split()[1] for line in lines] == ["PUBMED_API_PORT", "NCBI_TIMEOUT_MS"]
    assert "Traceback" not in result.stderr


@pytest.mark.processes
def test_start__data_directory_cannot_be_made(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    result = run("gunicorn", "wsgi:app", PUBMED_API_UPSTREAM="sandbox", PUBMED_API_DATA_DIR=str(blocked / "x"))
    assert result.returncode == 2
    assert "pubmed-api: PUBMED_API_DATA_DIR" in result.stderr


def test_serving__timeout_above_the_longest_deadline():
    options = gunicorn_options(Settings(ncbi_total_deadline_ms=600_000))
    assert options["timeout"] > 600
    assert options["graceful_timeout"] > 600
    assert options["bind"] == "127.0.0.1:8000"


@pytest.mark.processes
def test_serve__from_any_folder_with_the_sandbox_as_upstream(tmp_path):
    emulated, served = find_free_port(), find_free_port()
    eutils = f"http://127.0.0.1:{emulated}/eutils.ncbi.nlm.nih.gov/entrez/eutils"
    settings = {
        "NCBI_EUTILS_BASE_URL": eutils,
        "PUBMED_API_PORT": str(served),
        "PUBMED_API_DATA_DIR": str(tmp_path / "data"),
        "PUBMED_API_UPSTREAM": "auto",
    }
    sandbox = running("pubmed_api", "sandbox", "--port", str(emulated), probe=f"{eutils}/einfo.fcgi")
    service = running("pubmed_api", "serve", probe=f"http://127.0.0.1:{served}/readyz", cwd=tmp_path, **settings)
    with sandbox, service:
        headers, text = read(f"http://127.0.0.1:{served}/v1/articles/search", {"query": "asthma", "maxResults": 1})
    # EInfo answered, so the upstream counts as live, whatever it serves.
    assert headers["X-Upstream"] == "live"
    assert json.loads(text)["totalCount"] > 5


@pytest.mark.processes
def test_serve__says_what_an_operator_must_know(tmp_path):
    served = find_free_port()
    settings = {
        "NCBI_EUTILS_BASE_URL": f"http://127.0.0.1:{find_free_port()}/",
        "PUBMED_API_PORT": str(served),
        "PUBMED_API_DATA_DIR": str(tmp_path),
        "PUBMED_API_UPSTREAM": "auto",
        "PUBMED_API_KEYS": "planted-secret",
    }
    with running("gunicorn", "wsgi:app", probe=f"http://127.0.0.1:{served}/readyz", **settings) as server:
        headers, _ = read(f"http://127.0.0.1:{served}/healthz")
        server.terminate()
        log = server.stderr.read().decode()
    assert headers["X-Upstream"] == "sandbox"
    assert log.count("SANDBOX") == 1
    assert "PUBMED_API_KEYS is set but has no effect" in log
    assert "planted-secret" not in log
