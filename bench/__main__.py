"""Run every measurement, or those named: ``python -m bench limiter merge``. Status 1 where a goal was missed."""

import sys

from bench import fairness, limiter, reading, serving, sharing, storing, trace
from bench.timing import MISSED

MEASUREMENTS = {
    "reading": reading.measure,
    "serving": serving.measure,
    "hit": storing.measure_hit,
    "coalesce": sharing.measure_coalescing,
    "merge": sharing.measure_merging,
    "fairness": fairness.measure,
    "trace": trace.measure,
    "cache": storing.measure_crowd,
    "limiter": limiter.measure,
    "strict": limiter.measure_strict,
    "refusals": limiter.measure_refusals,
    "redis": limiter.measure_redis,
    "redis-strict": limiter.measure_redis_strict,
}


def main(names: list[str]) -> int:
    """Print one line after another as they come."""
    unknown = [name for name in names if name not in MEASUREMENTS]
    if unknown:
        print(f"unknown: {', '.join(unknown)}; there are {', '.join(MEASUREMENTS)}", file=sys.stderr)
        return 2
    missed = False
    for name in names or MEASUREMENTS:
        for line in MEASUREMENTS[name]():
            print(line, flush=True)
            missed = missed or MISSED in line
    return int(missed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
