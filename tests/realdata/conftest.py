"""Where the recorded answers of the upstreams lie, for all tests of this folder."""

import os
from pathlib import Path

import pytest

BESIDE_THE_REPOSITORY = Path(__file__).parents[3] / "shared" / "upstream"


@pytest.fixture(scope="session")
def payloads() -> Path:
    """The folder of recordings: ``PUBMED_API_UPSTREAM_PAYLOADS``, else the one beside the repository."""
    folder = Path(os.environ.get("PUBMED_API_UPSTREAM_PAYLOADS") or BESIDE_THE_REPOSITORY)
    if not folder.is_dir():
        pytest.skip(f"no recorded answers at {folder}; PUBMED_API_UPSTREAM_PAYLOADS may name another folder")
    return folder
