"""Where the transport stack keeps things: files, all of them in ``PUBMED_API_DATA_DIR``, and keys of Redis."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

from pubmed_api.settings import Settings

_CALLERS = "limiter-caller-"


def make_data_dir(settings: Settings) -> None:
    """Make the data directory, readable by its owner alone. Raises ``OSError`` where that cannot be done."""
    settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)


def cache_path(settings: Settings, *, sandbox: bool) -> Path:
    """The cache file. The sandbox has its own: fiction must never be served as literature."""
    return settings.data_dir / f"cache{_suffix(sandbox)}.sqlite"


def items_path(settings: Settings, *, sandbox: bool) -> Path:
    """The file of items that are kept one by one."""
    return settings.data_dir / f"items{_suffix(sandbox)}.sqlite"


def claims_path(settings: Settings, *, sandbox: bool) -> Path:
    """The file on which processes mark what they are asking for."""
    return settings.data_dir / f"claims{_suffix(sandbox)}.locks"


def limiter_path(settings: Settings, upstream: str, *, key: str | None = None, sandbox: bool) -> Path:
    """The reservations with an upstream; each API key has an allowance, and so a file, of its own."""
    owner = f"-{hashlib.sha256(key.encode()).hexdigest()[:12]}" if key else ""
    return settings.data_dir / f"limiter-{upstream}{owner}{_suffix(sandbox)}.slots"


def caller_limiter_path(settings: Settings, upstream: str, name: str, *, sandbox: bool) -> Path:
    """The reservations of a caller's own API key, which goes by a name that does not tell it."""
    return settings.data_dir / f"{_CALLERS}{upstream}-{name}{_suffix(sandbox)}.slots"


def caller_limiter_paths(settings: Settings) -> Iterator[Path]:
    """All of these files."""
    return settings.data_dir.glob(f"{_CALLERS}*.slots")


def secret_path(settings: Settings) -> Path:
    """The secret that the names of callers' keys are made with."""
    return settings.data_dir / "key-names.secret"


def flights_path(settings: Settings, *, sandbox: bool) -> Path:
    """The folder in which equal calls meet."""
    return settings.data_dir / f"flights{_suffix(sandbox)}"


def redis_prefix(name: str, *, sandbox: bool) -> str:
    """What the keys of one sort begin with in Redis, where there are no files."""
    return f"pubmed-api{_suffix(sandbox)}:{name}:"


def _suffix(sandbox: bool) -> str:
    return "-sandbox" if sandbox else ""
