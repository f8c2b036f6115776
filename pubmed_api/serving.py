"""How gunicorn serves the application: worker model, limits, and what the master does before it forks.

``gunicorn.conf.py`` and ``pubmed-api serve`` both read this module, so the two ways to start are one.
"""

import logging
import os
import sys
import tempfile
from typing import Any

from pubmed_api.clients import create_cache_file
from pubmed_api.clients.upstream_mode import resolve_upstream
from pubmed_api.settings import Settings, SettingsError

log = logging.getLogger(__name__)

LOG_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def load_settings() -> Settings:
    """The settings of the environment; where one cannot be used, a line for each on stderr and exit status 2."""
    try:
        return Settings.from_env()
    except SettingsError as error:
        for problem in error.problems:
            print(f"pubmed-api: {problem}", file=sys.stderr)
        raise SystemExit(2) from None


def gunicorn_options(settings: Settings) -> dict[str, Any]:
    """gunicorn's settings.

    Threads, because a worker mostly waits for upstreams; ``timeout`` only finds dead workers (a thread worker never
    kills a slow request) and lies above the longest deadline; no control socket, which instances of one user would
    take from each other.
    """
    longest = max(settings.ncbi_total_deadline_ms, settings.europepmc_total_deadline_ms) // 1000
    return {
        "bind": f"{settings.host}:{settings.port}",
        "worker_class": "gthread",
        "workers": 2,
        "threads": 16,
        "timeout": longest + 30,
        "graceful_timeout": longest + 5,
        "keepalive": 5,
        "limit_request_line": 8190,
        "worker_tmp_dir": "/dev/shm" if os.path.isdir("/dev/shm") else tempfile.gettempdir(),
        "control_socket_disable": True,
        "loglevel": settings.log_level.lower(),
        "on_starting": _on_starting,
        "post_worker_init": _post_worker_init,
    }


def _on_starting(server: Any) -> None:
    """In the master: make the cache file before workers fork, and decide ``auto`` once for all of them."""
    settings = load_settings()
    configure_logging(settings)
    try:
        settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        print(f"pubmed-api: PUBMED_API_DATA_DIR cannot be made: {error.strerror}", file=sys.stderr)
        raise SystemExit(2) from None
    _warn_of_settings_without_effect(settings)
    if settings.upstream == "sandbox":
        log.warning("SERVING THE SANDBOX, whose articles are all invented.")
    os.environ["PUBMED_API_UPSTREAM"] = resolve_upstream(settings)
    create_cache_file(Settings.from_env())


def _warn_of_settings_without_effect(settings: Settings) -> None:
    """Nobody should believe the service closed, limited or shared when it is not."""
    for variable, value, effect in (
        ("PUBMED_API_KEYS", settings.api_keys, "anybody can call this service"),
        ("PUBMED_API_CALLER_LIMIT", settings.caller_limit, "callers are not limited"),
        ("REDIS_URL", settings.redis_url, "nothing is shared between hosts"),
    ):
        if value:
            log.warning("%s is set but has no effect in this version: %s.", variable, effect)


def _post_worker_init(worker: Any) -> None:
    configure_logging(load_settings())


def configure_logging(settings: Settings) -> None:
    """Log to stderr at the level of the settings."""
    logging.basicConfig(format=LOG_FORMAT, level=settings.log_level, stream=sys.stderr, force=True)
    logging.getLogger("requests_cache").setLevel(logging.ERROR)
    logging.getLogger("urllib3").setLevel(logging.INFO)
