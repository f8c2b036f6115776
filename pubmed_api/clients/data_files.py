"""Where the transport stack keeps its files, all of them in ``PUBMED_API_DATA_DIR``."""

import hashlib
from pathlib import Path

from pubmed_api.settings import Settings


def make_data_dir(settings: Settings) -> None:
    """Make the data directory, readable by its owner alone. Raises ``OSError`` where that cannot be done."""
    settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)


def cache_path(settings: Settings, *, sandbox: bool) -> Path:
    """The cache file. The sandbox has its own: fiction must never be served as literature."""
    return settings.data_dir / f"cache{_suffix(sandbox)}.sqlite"


def limiter_path(settings: Settings, upstream: str, *, key: str | None = None, sandbox: bool) -> Path:
    """The reservations with an upstream; each API key has an allowance, and so a file, of its own."""
    owner = f"-{hashlib.sha256(key.encode()).hexdigest()[:12]}" if key else ""
    return settings.data_dir / f"limiter-{upstream}{owner}{_suffix(sandbox)}.slots"


def _suffix(sandbox: bool) -> str:
    return "-sandbox" if sandbox else ""
