"""The limit as the upstream sees it, over processes, over instances that share a Redis, and after refusals."""

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.load import Taken, distinct_searches, drive, failures, longest_and_median
from bench.processes import redis_server, service, upstream
from bench.timing import verdict

SECONDS = 60.0
CALLERS = 64
# The least part of the allowance that must be used; of what refusals leave of it, less: it takes an answer to learn
# of one, and Retry-After speaks in whole seconds.
USED, USED_BETWEEN_REFUSALS = 0.94, 0.90
# How long a strict upstream refuses everything once a limit was passed, in seconds.
PENALTY = 5.0
# The run with refusals: its length, when the upstream closes, and for how long (it says so in Retry-After).
REFUSED_SECONDS = 45.0
CLOSINGS = ((10.0, 3.0), (25.0, 4.0))

_KEYED = {"NCBI_API_KEY": "a-key-for-measuring"}


def measure() -> Iterator[str]:
    """4 workers × 16 threads, all of them asking without end."""
    yield from _side_by_side(_one_service)


def measure_strict() -> Iterator[str]:
    """The same with an upstream that refuses everything until ``Retry-After`` is over once a limit was passed."""
    yield from _side_by_side(lambda rate, key: _one_service(rate, key, penalty=PENALTY))


def measure_redis() -> Iterator[str]:
    """The same with the workers spread over two instances with data directories of their own and one Redis."""
    yield from _side_by_side(_two_services)


def measure_redis_strict() -> Iterator[str]:
    """These with the strict upstream."""
    yield from _side_by_side(lambda rate, key: _two_services(rate, key, penalty=PENALTY))


def measure_refusals() -> Iterator[str]:
    """The same while the upstream, for reasons of its own, now and then refuses everything for some seconds."""
    yield from _side_by_side(_refused_service)


def _side_by_side(run: Callable[[int, dict[str, str]], str]) -> Iterator[str]:
    """Without and with a key at the same time: both mostly wait, and they share nothing but the machine."""
    lines: dict[int, str] = {}
    threads = [
        threading.Thread(target=lambda rate=rate, key=key: lines.update({rate: run(rate, key)}))
        for rate, key in ((3, {}), (10, _KEYED))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for rate in (3, 10):
        yield lines.get(rate) or verdict(f"limiter, {rate}/s", "the run broke off", ("a result", False))


def _one_service(rate: int, key: dict[str, str], **options: float) -> str:
    with TemporaryDirectory() as folder, upstream(**options) as asked:
        with service(asked, Path(folder), workers=4, threads=16, **key) as address:
            taken = drive([address], distinct_searches(f"limit {rate}"), callers=CALLERS, seconds=SECONDS)
        return _judge(f"limiter{_strict(options)}, {rate}/s, 4 x 16", rate, asked.report(), taken)


def _two_services(rate: int, key: dict[str, str], **options: float) -> str:
    with ExitStack() as stack:
        asked = stack.enter_context(upstream(**options))
        folders = [Path(stack.enter_context(TemporaryDirectory())) for _ in range(3)]
        key = {**key, "REDIS_URL": stack.enter_context(redis_server(folders[2]))}
        addresses = [
            stack.enter_context(service(asked, folder, workers=2, threads=16, **key)) for folder in folders[:2]
        ]
        taken = drive(addresses, distinct_searches(f"limit {rate}"), callers=CALLERS, seconds=SECONDS)
        return _judge(f"limiter{_strict(options)}, {rate}/s, 2 x (2 x 16) on Redis", rate, asked.report(), taken)


def _refused_service(rate: int, key: dict[str, str]) -> str:
    with TemporaryDirectory() as folder, upstream() as asked:
        with service(asked, Path(folder), workers=4, threads=16, **key) as address:
            timers = [threading.Timer(after, asked.control, [f"refuse?seconds={long}"]) for after, long in CLOSINGS]
            for timer in timers:
                timer.start()
            taken = drive([address], distinct_searches(f"refuse {rate}"), callers=CALLERS, seconds=REFUSED_SECONDS)
        return _judge(f"limiter with refusals, {rate}/s", rate, asked.report(), taken, REFUSED_SECONDS, CLOSINGS)


def _strict(options: dict[str, float]) -> str:
    return " with a strict upstream" if options else ""


def _judge(
    name: str,
    rate: int,
    seen: dict[str, Any],
    taken: list[Taken],
    seconds: float = SECONDS,
    closings: tuple[tuple[float, float], ...] = (),
) -> str:
    moments = [start[0] for start in seen["starts"] if start[3] == "served"]
    open_seconds = seconds - sum(long for _, long in closings)
    used = sum(moment < moments[0] + seconds for moment in moments) / (rate * open_seconds)
    longest, middle = longest_and_median(taken)
    refused, over = seen["outcomes"].get("closed", 0), seen["outcomes"].get("over", 0)
    # Calls under way when the upstream closes are refused too: those of the second that the first answer may take.
    allowed = rate * len(closings)
    least = USED_BETWEEN_REFUSALS if closings else USED
    return verdict(
        name,
        f"most in 1 s {max(seen['worstWindows'])}/{rate}, 429 over the limit {over}, while closed {refused}, "
        f"used {used:.1%} of {rate * open_seconds:.0f}, longest/median wait {longest:.1f}/{middle:.1f} s "
        f"= {longest / middle:.2f}, errors {len(failures(taken))}, "
        f"upstream late by {1000 * seen['longestStall']:.0f} ms at most",
        (f"at most {rate} in any second", max(seen["worstWindows"]) <= rate),
        ("no 429 over the limit", over == 0),
        (f"at most {allowed} refused", refused <= allowed),
        (f"{least:.0%} used", used >= least),
        ("longest under twice the median", longest < 2 * middle),
        ("no error", not failures(taken)),
    )
