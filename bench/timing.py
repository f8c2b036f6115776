"""The one clock of the measurements."""

import time
from collections.abc import Callable
from statistics import median


def milliseconds(work: Callable[[], object], times: int = 15) -> float:
    """The median of several runs, in milliseconds."""
    taken = []
    for _ in range(times):
        started = time.perf_counter()
        work()
        taken.append((time.perf_counter() - started) * 1000)
    return median(taken)


def ratio(name: str, ours: float, other: float, against: str) -> str:
    """A line of the report."""
    return f"{name:<44} {ours:9.2f} ms  {ours / other:7.2f} x {against} ({other:.2f} ms)"


MISSED = "NOT MET"


def verdict(name: str, figures: str, *goals: tuple[str, bool]) -> str:
    """A line of the report that says whether its goals were met, and which were not."""
    missed = [goal for goal, met in goals if not met]
    return f"{name:<34} {figures}  [{f'{MISSED}: ' + '; '.join(missed) if missed else 'ok'}]"
