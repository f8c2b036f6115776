"""How gunicorn serves the application: worker model, limits, and what the master does before it forks.

``gunicorn.conf.py`` and ``pubmed-api serve`` both read this module, so the two ways to start are one.
"""

import contextlib
import logging
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from pubmed_api import metrics
from pubmed_api.clients import create_cache_file
from pubmed_api.clients.redis_link import open_redis
from pubmed_api.clients.upstream_mode import resolve_upstream
from pubmed_api.settings import Settings, SettingsError

log = logging.getLogger(__name__)

LOG_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"

# The files in which prometheus-client counts for one process, by their beginnings, and room for all our metrics.
_METRICS_FILES = ("counter", "histogram", "gauge_livesum")
_METRICS_BYTES = 256 * 1024


def load_settings() -> Settings:
    """The settings of the environment; where one cannot be used, a line for each on stderr and exit status 2."""
    try:
        settings = Settings.from_env()
        open_redis(settings)
    except SettingsError as error:
        for problem in error.problems:
            print(f"pubmed-api: {problem}", file=sys.stderr)
        raise SystemExit(2) from None
    return settings


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
        "post_fork": _post_fork,
        "post_worker_init": _post_worker_init,
        "child_exit": _child_exit,
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
    _share_metrics(settings)
    if settings.upstream == "sandbox":
        log.warning("SERVING THE SANDBOX, whose articles are all invented.")
    os.environ["PUBMED_API_UPSTREAM"] = resolve_upstream(settings)
    create_cache_file(Settings.from_env())


def _warn_of_settings_without_effect(settings: Settings) -> None:
    """Nobody should believe the service closed or limited when it is not."""
    for variable, value, effect in (
        ("PUBMED_API_KEYS", settings.api_keys, "anybody can call this service"),
        ("PUBMED_API_CALLER_LIMIT", settings.caller_limit, "callers are not limited"),
    ):
        if value:
            log.warning("%s is set but has no effect in this version: %s.", variable, effect)


def _share_metrics(settings: Settings) -> None:
    """Have workers count in files of one folder, emptied of an earlier run's; without it each counts for itself."""
    folder = Path(os.environ.get(metrics.FOLDER_VARIABLE) or settings.data_dir / "metrics")
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for file in folder.glob("*.db"):
            file.unlink()
    except OSError as error:
        log.warning("no folder for metrics (%s): each worker counts for itself", type(error).__name__)
        os.environ.pop(metrics.FOLDER_VARIABLE, None)
    else:
        os.environ[metrics.FOLDER_VARIABLE] = str(folder)


def _post_fork(server: Any, worker: Any) -> None:
    """In a new worker: take the room for its metrics. Without room, writing to a mapped file kills the process."""
    folder = os.environ.get(metrics.FOLDER_VARIABLE)
    if not folder:
        return
    try:
        for beginning in _METRICS_FILES:
            file = Path(folder, f"{beginning}_{os.getpid()}.db")
            if not file.exists():
                _write_whole(file, bytes(_METRICS_BYTES))
    except OSError as error:
        log.warning("no room for metrics (%s): this worker counts for itself", type(error).__name__)
        os.environ.pop(metrics.FOLDER_VARIABLE, None)


def _write_whole(file: Path, content: bytes) -> None:
    """Write a file that nobody sees half done, or none."""
    draft = file.with_suffix(".new")
    try:
        draft.write_bytes(content)
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)


def _post_worker_init(worker: Any) -> None:
    configure_logging(load_settings())


def _child_exit(server: Any, worker: Any) -> None:
    """In the master: a worker that was killed could not take its requests out of those in flight."""
    if os.environ.get(metrics.FOLDER_VARIABLE):
        with contextlib.suppress(OSError):
            metrics.forget_worker(worker.pid)


def configure_logging(settings: Settings) -> None:
    """Log to stderr at the level of the settings."""
    logging.basicConfig(format=LOG_FORMAT, level=settings.log_level, stream=sys.stderr, force=True)
    logging.getLogger("requests_cache").setLevel(logging.ERROR)
    logging.getLogger("urllib3").setLevel(logging.INFO)
