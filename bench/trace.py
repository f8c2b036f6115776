"""Upstream requests that a usual mixture of calls takes, with the stack and without what saves requests."""

import random
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.literature import FIRST_PMID
from bench.load import Ask, drive, failures, fetch, search
from bench.processes import service, upstream
from bench.timing import verdict

CALLS, CALLERS = 1000, 32
SEARCHES, PMIDS, MOST_PMIDS = 300, 2000, 20
MOST = 0.25
_SEED = 3


def build_trace() -> list[Ask]:
    """The calls: half are searches, half fetch 1 to 20 records; the nth most popular is asked for 1/n as often."""
    draw = random.Random(_SEED)
    ranks = {size: list(accumulate(1 / rank for rank in range(1, size + 1))) for size in (SEARCHES, PMIDS)}
    calls = []
    for _ in range(CALLS):
        if draw.random() < 0.5:
            (number,) = draw.choices(range(SEARCHES), cum_weights=ranks[SEARCHES])
            calls.append(search(f"popular question {number}"))
        else:
            drawn = draw.choices(range(PMIDS), cum_weights=ranks[PMIDS], k=draw.randint(1, MOST_PMIDS))
            calls.append(fetch(FIRST_PMID + number for number in dict.fromkeys(drawn)))
    return calls


def measure() -> Iterator[str]:
    """The same trace at ten requests a second, with everything and with nothing."""
    full, full_line = _run("with the stack", "wsgi:app")
    bare, bare_line = _run("cache, store, sharing, merging off", "bench.bare:app")
    yield full_line
    yield bare_line
    share = full["requests"] / bare["requests"]
    records = full["records"] / bare["records"]
    yield verdict(
        "trace: with / without",
        f"requests {share:.3f}, records {records:.3f}",
        (f"at most {MOST:.2f} of the requests", share <= MOST),
    )


def _run(name: str, app: str) -> tuple[dict[str, Any], str]:
    with TemporaryDirectory() as folder, upstream() as asked:
        key = {"NCBI_API_KEY": "a-key-for-measuring"}
        with service(asked, Path(folder), workers=2, threads=16, app=app, **key) as address:
            taken = drive([address], build_trace(), callers=CALLERS, seconds=240)
        seen = asked.report()
    took = max(start[0] for start in seen["starts"]) - seen["starts"][0][0]
    line = verdict(
        f"trace: {name}",
        f"{len(taken)} calls, {seen['requests']} requests {dict(seen['endpoints'])}, {seen['records']} records asked "
        f"for, {took:.0f} s, most in 1 s {max(seen['worstWindows'])}, errors {len(failures(taken))}",
        ("every call answered", sum(one.status == 200 for one in taken) == CALLS),
    )
    return seen, line
