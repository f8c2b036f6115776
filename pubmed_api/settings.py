"""Every environment variable once: its name, its range, its default.

``Settings.from_env`` reads and checks them all and reports every problem at once, each naming its variable.
A blank value and a whole-value placeholder (``${…}``, as desktop configurations leave behind) count as unset.
"""

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

_PLACEHOLDER = re.compile(r"\$\{[^}]*\}\Z")
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s.]+\Z")
_RESERVED_EMAIL = re.compile(r"@(?:.+\.)?(?:example(?:\.(?:com|net|org))?|test|invalid|localhost)\Z", re.IGNORECASE)
_TRUE, _FALSE = {"true", "1", "yes", "on"}, {"false", "0", "no", "off"}

Reader = Callable[[str], Any]


class SettingsError(Exception):
    """Settings that cannot be used; ``problems`` has one line for each, naming the variable."""

    def __init__(self, problems: list[str]):
        super().__init__("\n".join(problems))
        self.problems = problems


def _text(value: str) -> str:
    if any(ord(character) < 0x20 or ord(character) == 0x7F for character in value):
        raise ValueError("must not hold control characters")
    return value


def _integer(low: int, high: int) -> Reader:
    def read(value: str) -> int:
        if not re.fullmatch(r"-?[0-9]{1,18}", value) or not low <= int(value) <= high:
            raise ValueError(f"must be a whole number from {low} to {high}")
        return int(value)

    return read


def _rate(value: str) -> float:
    if not re.fullmatch(r"[0-9]{1,4}(\.[0-9]{1,3})?", value) or not 0.1 <= float(value) <= 1000:
        raise ValueError("must be a number of requests a second from 0.1 to 1000")
    return float(value)


def _boolean(value: str) -> bool:
    word = value.lower()
    if word not in _TRUE | _FALSE:
        raise ValueError("must be true, false, 1, 0, yes, no, on or off")
    return word in _TRUE


def _email(value: str) -> str:
    if not _EMAIL.match(value):
        raise ValueError("must be an e-mail address")
    return value


def _real_email(value: str) -> str:
    if _RESERVED_EMAIL.search(_email(value)):
        raise ValueError("must be a real e-mail address, not one of a reserved example domain")
    return value


def _url(value: str) -> str:
    if not re.fullmatch(r"https?://[^\s/?#@]+(/[^\s?#]*)?", value):
        raise ValueError("must be an http or https address without credentials, query or fragment")
    return value.rstrip("/") + "/"


def _redis_url(value: str) -> str:
    if not re.fullmatch(r"(redis|rediss|unix)://\S+", value):
        raise ValueError("must be a redis://, rediss:// or unix:// address")
    return value


def _host(value: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?|\[?[0-9A-Fa-f:.]+\]?", value):
        raise ValueError("must be a host name or an IP address")
    return value


def _choice(*names: str) -> Reader:
    def read(value: str) -> str:
        if value.lower() not in names:
            raise ValueError(f"must be one of {', '.join(names)}")
        return value.lower()

    return read


def _log_level(value: str) -> str:
    if value.upper() not in {"DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"}:
        raise ValueError("must be DEBUG, INFO, WARNING, ERROR or CRITICAL")
    return value.upper()


def _list(value: str) -> tuple[str, ...]:
    return tuple(part for part in (piece.strip() for piece in value.split(",")) if part)


def _origins(value: str) -> tuple[str, ...]:
    origins = _list(value)
    for origin in origins:
        if origin != "*" and not re.fullmatch(r"https?://[^\s/?#@]+", origin):
            raise ValueError("must be * or a comma-separated list of origins such as https://app.example.org")
    return origins


def _caller_limit(value: str) -> str:
    if not re.fullmatch(r"[1-9][0-9]{0,6}/(second|minute|hour|day)", value.lower()):
        raise ValueError("must be a count and a unit, such as 60/minute")
    return value.lower()


def _path(value: str) -> Path:
    return Path(value).expanduser()


def _setting(variable: str, read: Reader, default: Any = None) -> Any:
    """A field of ``Settings`` read from a variable."""
    return field(default=default, metadata={"variable": variable, "read": read})


def _secret(variable: str, read: Reader, default: Any = None) -> Any:
    """A field that ``repr`` never shows."""
    return field(default=default, repr=False, metadata={"variable": variable, "read": read})


def _default_data_dir(environ: Mapping[str, str]) -> Path:
    base = environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(base) / "pubmed-api"


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The service's settings; each field names its variable. Times are in the unit of their name."""

    upstream: str = _setting("PUBMED_API_UPSTREAM", _choice("live", "sandbox", "auto"), "live")
    data_dir: Path = _setting("PUBMED_API_DATA_DIR", _path, Path())
    host: str = _setting("PUBMED_API_HOST", _host, "127.0.0.1")
    port: int = _setting("PUBMED_API_PORT", _integer(1, 65535), 8000)
    log_level: str = _setting("PUBMED_API_LOG_LEVEL", _log_level, "INFO")
    max_body_bytes: int = _setting("PUBMED_API_MAX_BODY_BYTES", _integer(1024, 104857600), 1048576)
    cache_max_bytes: int = _setting("PUBMED_API_CACHE_MAX_BYTES", _integer(1048576, 1099511627776), 1073741824)
    cors_origins: tuple[str, ...] = _setting("PUBMED_API_CORS_ORIGINS", _origins, ("*",))
    api_keys: tuple[str, ...] = _secret("PUBMED_API_KEYS", _list, ())
    hosts: int = _setting("PUBMED_API_HOSTS", _integer(1, 1000), 1)
    trusted_proxies: int = _setting("PUBMED_API_TRUSTED_PROXIES", _integer(0, 10), 0)
    caller_limit: str | None = _setting("PUBMED_API_CALLER_LIMIT", _caller_limit)
    redis_url: str | None = _secret("REDIS_URL", _redis_url)

    age_search: int = _setting("PUBMED_API_AGE_SEARCH", _integer(0, 31536000), 3600)
    age_records: int = _setting("PUBMED_API_AGE_RECORDS", _integer(0, 31536000), 86400)
    age_fulltext: int = _setting("PUBMED_API_AGE_FULLTEXT", _integer(0, 31536000), 604800)
    age_lookups: int = _setting("PUBMED_API_AGE_LOOKUPS", _integer(0, 31536000), 86400)

    ncbi_api_key: str | None = _secret("NCBI_API_KEY", _text)
    ncbi_tool_identifier: str = _setting("NCBI_TOOL_IDENTIFIER", _text, "pubmed-api")
    ncbi_admin_email: str | None = _secret("NCBI_ADMIN_EMAIL", _email)
    ncbi_requests_per_second: float | None = _setting("NCBI_REQUESTS_PER_SECOND", _rate)
    ncbi_request_delay_ms: int | None = _setting("NCBI_REQUEST_DELAY_MS", _integer(50, 5000))
    ncbi_max_concurrent: int = _setting("NCBI_MAX_CONCURRENT", _integer(1, 16), 8)
    ncbi_max_retries: int = _setting("NCBI_MAX_RETRIES", _integer(0, 10), 6)
    ncbi_timeout_ms: int = _setting("NCBI_TIMEOUT_MS", _integer(1000, 120000), 30000)
    ncbi_total_deadline_ms: int = _setting("NCBI_TOTAL_DEADLINE_MS", _integer(5000, 600000), 60000)

    europepmc_enabled: bool = _setting("EUROPEPMC_ENABLED", _boolean, True)
    europepmc_email: str | None = _secret("EUROPEPMC_EMAIL", _email)
    europepmc_requests_per_second: float | None = _setting("EUROPEPMC_REQUESTS_PER_SECOND", _rate)
    europepmc_request_delay_ms: int | None = _setting("EUROPEPMC_REQUEST_DELAY_MS", _integer(50, 5000))
    europepmc_max_retries: int = _setting("EUROPEPMC_MAX_RETRIES", _integer(0, 10), 3)
    europepmc_timeout_ms: int = _setting("EUROPEPMC_TIMEOUT_MS", _integer(1000, 120000), 20000)
    europepmc_total_deadline_ms: int = _setting("EUROPEPMC_TOTAL_DEADLINE_MS", _integer(5000, 600000), 60000)

    unpaywall_email: str | None = _secret("UNPAYWALL_EMAIL", _real_email)
    unpaywall_timeout_ms: int = _setting("UNPAYWALL_TIMEOUT_MS", _integer(1000, 120000), 20000)
    openalex_api_key: str | None = _secret("OPENALEX_API_KEY", _text)

    ncbi_eutils_base_url: str = _setting("NCBI_EUTILS_BASE_URL", _url, "https://eutils.ncbi.nlm.nih.gov/entrez/eutils/")
    pmc_idconv_base_url: str = _setting(
        "PMC_IDCONV_BASE_URL", _url, "https://pmc.ncbi.nlm.nih.gov/tools/idconv/api/v1/articles/"
    )
    europepmc_base_url: str = _setting("EUROPEPMC_BASE_URL", _url, "https://www.ebi.ac.uk/europepmc/webservices/rest/")
    unpaywall_base_url: str = _setting("UNPAYWALL_BASE_URL", _url, "https://api.unpaywall.org/v2/")
    openalex_base_url: str = _setting("OPENALEX_BASE_URL", _url, "https://api.openalex.org/")
    oa_fetch_base_url: str | None = _setting("OA_FETCH_BASE_URL", _url)

    @classmethod
    def from_env(cls, environ: Mapping[str, str] | None = None) -> "Settings":
        """The settings of an environment (the process's own by default).

        Raises ``SettingsError`` with one line per variable that cannot be used.
        """
        environ = os.environ if environ is None else environ
        values: dict[str, Any] = {"data_dir": _default_data_dir(environ)}
        problems: list[str] = []
        for entry in fields(cls):
            variable, read = entry.metadata["variable"], entry.metadata["read"]
            raw = environ.get(variable, "").strip()
            if not raw or _PLACEHOLDER.match(raw):
                continue
            try:
                values[entry.name] = read(raw)
            except ValueError as problem:
                problems.append(f"{variable} {problem}")
        if problems:
            raise SettingsError(problems)
        return cls(**values)

    @property
    def ncbi_rate(self) -> float:
        """NCBI requests a second: 3, or 10 with a key; a set rate or gap replaces that, the lower one winning."""
        allowance = 10.0 if self.ncbi_api_key else 3.0
        return _lower_rate(self.ncbi_requests_per_second, self.ncbi_request_delay_ms, allowance)

    @property
    def europepmc_rate(self) -> float:
        """Europe PMC requests a second: 5, or what is set."""
        return _lower_rate(self.europepmc_requests_per_second, self.europepmc_request_delay_ms, 5.0)


def _lower_rate(rate: float | None, delay_ms: int | None, default: float) -> float:
    rates = [rate] if rate else []
    if delay_ms:
        rates.append(1000 / delay_ms)
    return min(rates, default=default)
