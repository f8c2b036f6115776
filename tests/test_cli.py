"""The command line and the ways to start: documents, refusals with exit status 2, one decision for all workers."""

import json
import subprocess
import sys
import urllib.request

import pytest
from support.processes import ROOT, build_environ, find_free_port, running

from pubmed_api.cli import main, render_document
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
