"""The README tells the truth: its curl lines answer as shown, its settings are all there are."""

import json
import re
import shlex
import shutil
import subprocess
from dataclasses import fields

import pytest
from support.processes import ROOT, find_free_port, running

from pubmed_api.settings import Settings

README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```console\n\$ (.*?)\n```", README, flags=re.S)
CURLS = [block for block in BLOCKS if block.startswith("curl ")]


def split(block):
    """The command (lines that end in a backslash go on) and the answer shown below it."""
    lines = block.split("\n")
    end = next(i for i, line in enumerate(lines) if not line.endswith("\\"))
    return " ".join(line.rstrip("\\") for line in lines[: end + 1]), "\n".join(lines[end + 1 :])


@pytest.fixture(scope="module")
def port(tmp_path_factory):
    number = find_free_port()
    folder = str(tmp_path_factory.mktemp("data"))
    settings = {"PUBMED_API_UPSTREAM": "sandbox", "PUBMED_API_PORT": str(number), "PUBMED_API_DATA_DIR": folder}
    with running("gunicorn", "wsgi:app", probe=f"http://127.0.0.1:{number}/readyz", **settings):
        yield number


def test_readme__shows_three_questions():
    assert len(CURLS) == 3


@pytest.mark.processes
@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
@pytest.mark.parametrize("block", CURLS)
def test_curl__answers_as_shown(block, port):
    command, shown = split(block)
    result = subprocess.run(
        [*shlex.split(command.replace(":8000", f":{port}"))], capture_output=True, text=True, check=True, timeout=60
    )
    assert json.loads(result.stdout) == json.loads(shown)


def test_commands__only_those_that_ci_runs():
    others = [block for block in BLOCKS if block not in CURLS]
    assert others == ["make run", "make test", "gunicorn wsgi:app"]


def test_settings__all_in_the_table():
    rows = set(re.findall(r"^\| `([A-Z_]+)` \|", README, flags=re.M))
    assert rows == {entry.metadata["variable"] for entry in fields(Settings)}


def test_links__point_at_something():
    for target in re.findall(r"\]\((?!http)([^)#]+)\)", README):
        assert (ROOT / target).exists(), target
