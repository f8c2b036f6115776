"""Waiting that ends when the caller goes away."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from pubmed_api.exceptions import RequestCancelled
from pubmed_api.models.call import Call

# How long a cancelled call may go on waiting, in seconds.
SLICE = 0.1


class TimeUp(Exception):
    """The call's time is over; the retry loop turns this into the error the caller sees."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The time, in monotonic seconds, and a way to let it pass. Tests bring their own.

    On one host the monotonic clock is the same for every process and is never set, so moments may be shared
    between processes; after a reboot it starts again.
    """

    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep

    def wait_until(self, moment: float, call: Call) -> None:
        """Sleep until ``moment``. Raises ``RequestCancelled`` soon after the caller has gone."""
        while True:
            check_cancelled(call)
            left = moment - self.now()
            if left <= 0:
                return
            self.sleep(min(left, SLICE))


def check_cancelled(call: Call) -> None:
    """Raise ``RequestCancelled`` where nobody waits for the answer any more."""
    if call.cancelled():
        raise RequestCancelled("The caller has closed the connection.")
