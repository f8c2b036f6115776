"""How many callers one upstream request serves: equal calls at once, and different records at once."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.literature import FIRST_PMID
from bench.load import Ask, Taken, fetch, search, send_at_once
from bench.processes import service, upstream
from bench.timing import verdict

EQUAL_CALLS = 50
CALLERS, SECONDS = 100, 4.0


def measure_coalescing() -> Iterator[str]:
    """50 equal calls at once, to one worker and to four."""
    for workers, threads in ((1, 64), (4, 16)):
        for ask in (search("a question of the day"), fetch([FIRST_PMID, FIRST_PMID + 1])):
            taken, seen = _ask_at_once([ask] * EQUAL_CALLS, workers, threads)
            yield verdict(
                f"{EQUAL_CALLS} equal calls, {workers} x {threads}, {_name(ask)}",
                f"{seen} upstream request{'s' * (seen != 1)}, {_answered(taken)} answered, slowest {_slowest(taken)}",
                ("one request", seen == 1),
                ("all answered", _answered(taken) == EQUAL_CALLS),
            )


def measure_merging() -> Iterator[str]:
    """100 callers, each with two records nobody else asks for, at three requests a second."""
    asks = [fetch([FIRST_PMID + 2 * n, FIRST_PMID + 2 * n + 1]) for n in range(CALLERS)]
    for workers, threads, most in ((1, 128, 3), (4, 32, 8)):
        taken, seen = _ask_at_once(asks, workers, threads)
        yield verdict(
            f"{CALLERS} callers x 2 PMIDs, {workers} x {threads}",
            f"{seen} EFetch requests (at most {most}), {_answered(taken)} answered, slowest {_slowest(taken)}",
            (f"at most {most}", seen <= most),
            ("all answered", _answered(taken) == CALLERS),
            (f"within {SECONDS:g} s", max(one.seconds for one in taken) <= SECONDS),
        )


def _ask_at_once(asks: list[Ask], workers: int, threads: int) -> tuple[list[Taken], int]:
    """How the calls ended and the upstream requests they took, of a service that has stored nothing yet."""
    with TemporaryDirectory() as folder, upstream() as asked:
        with service(asked, Path(folder), workers=workers, threads=threads) as address:
            taken = send_at_once(address, asks)
        return taken, asked.report()["requests"]


def _answered(taken: list[Taken]) -> int:
    return sum(one.status == 200 for one in taken)


def _slowest(taken: list[Taken]) -> str:
    return f"{max(one.seconds for one in taken):.2f} s"


def _name(ask: Ask) -> str:
    return ask.path.rsplit("/", 1)[-1]
