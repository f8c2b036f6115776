"""What a healthy call pays for others that fail and are tried again."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from bench.load import search, send
from bench.processes import service, upstream
from bench.timing import verdict

FAILING = 8
HEALTHY = 10
RATE = 3
# A turn comes a third of a window after the one before; the window is a second and its margin of a twentieth.
TURN = 1.05 / RATE
SLOWEST_ANSWER, SLACK = 0.32, 0.4


def measure() -> Iterator[str]:
    """8 calls that fail for ever, and healthy ones, one after another, beside them on one worker."""
    with TemporaryDirectory() as folder, upstream() as asked:
        with service(asked, Path(folder), workers=1, threads=32) as address:
            for number in range(FAILING):
                threading.Thread(target=send, args=(address, search(f"fails {number}")), daemon=True).start()
            # By then every one of them has failed once and backs off.
            time.sleep(FAILING * TURN + SLOWEST_ANSWER)
            taken = []
            for number in range(HEALTHY):
                taken.append(send(address, search(f"healthy {number}")))
                time.sleep(1.0)
        seen = asked.report()
    waits = [one.seconds for one in taken]
    # At worst every failing call asks again just before.
    longest = (FAILING + 1) * TURN + SLOWEST_ANSWER + SLACK
    usual = TURN + SLOWEST_ANSWER + SLACK
    yield verdict(
        f"{FAILING} failing calls beside healthy ones",
        f"healthy wait: median {median(waits):.2f} s, longest {max(waits):.2f} s; "
        f"{seen['requests'] - HEALTHY} attempts of the failing meanwhile",
        ("all healthy answered", all(one.status == 200 for one in taken)),
        (f"longest under {longest:.1f} s", max(waits) < longest),
        (f"median under {usual:.1f} s", median(waits) < usual),
        ("the failing were tried again", seen["requests"] - HEALTHY > FAILING),
    )
