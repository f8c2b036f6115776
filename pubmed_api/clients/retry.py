"""The retry loop: one deadline for the whole call, and every attempt waits its turn like a new request."""

import logging
import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import NoReturn, TypeVar

from pubmed_api import metrics
from pubmed_api.clients.limiter import Slot
from pubmed_api.clients.schedule import SlotTooLate
from pubmed_api.clients.turns import Budget, Turn, Turns
from pubmed_api.clients.waiting import Clock, TimeUp
from pubmed_api.clients.wire import Sent
from pubmed_api.exceptions import (
    InvalidInput,
    QueueFull,
    UpstreamDeadlineExceeded,
    UpstreamError,
    UpstreamRateLimited,
    UpstreamTimeout,
)
from pubmed_api.models.call import Call, current_call

log = logging.getLogger(__name__)

T = TypeVar("T")

# A refusal that asks for a longer wait ends the call: the caller can wait better than a worker can.
LONGEST_RETRY_AFTER = 30.0
_FIRST_BACKOFF, _LONGEST_BACKOFF, _JITTER = 1.0, 30.0, 0.25


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How long and how often one call may try; times in milliseconds."""

    max_retries: int
    timeout_ms: int
    total_deadline_ms: int


def backoff(retry: int, jitter: Callable[[float, float], float] = random.uniform) -> float:
    """Seconds to wait before retry ``retry`` (from 0): 1, 2, 4 … 30, each give or take a quarter."""
    return min(_FIRST_BACKOFF * 2.0**retry, _LONGEST_BACKOFF) * jitter(1 - _JITTER, 1 + _JITTER)


class RetryLoop:
    """Attempts at one upstream."""

    def __init__(self, policy: RetryPolicy, budget: Budget, clock: Clock | None = None):
        self._policy = policy
        self._budget = budget
        self._clock = clock or Clock()

    def run(self, sent: Sent, attempt: Callable[[float], T]) -> T:
        """The first good result of ``attempt``, which is given the seconds it may take.

        Only transient errors of the upstream are tried again. Raises the last of them, with the number of attempts
        in message and data, where retries are used up or the next wait does not fit into the deadline;
        ``UpstreamDeadlineExceeded`` where the deadline falls into an attempt or the queue; ``QueueFull`` where the
        first turn would come too late; ``RequestCancelled``; anything else as it comes.
        """
        call = current_call()
        return _Run(self._policy, self._budget.turns_of(call), self._clock, sent, call).to_the_end(attempt)

    def pause(self, sent: Sent) -> Callable[[float], None]:
        """A sleep of so many seconds for the current call, while another one asks for it.

        Raises ``UpstreamDeadlineExceeded`` where the call's time with this upstream is over, ``RequestCancelled``.
        """
        call = current_call()
        run = _Run(self._policy, self._budget.turns_of(call), self._clock, sent, call)
        deadline = call.deadline(sent.provider, self._policy.total_deadline_ms / 1000)

        def pause(seconds: float) -> None:
            with call.spending("queue"):
                self._clock.wait_until(min(self._clock.now() + seconds, deadline), call)
            if self._clock.now() >= deadline:
                run._expired(None)

        return pause


@dataclass(slots=True)
class _Run:
    """One call on its way. ``refused`` is its slot where the upstream refused the latest attempt for its number."""

    policy: RetryPolicy
    turns: Turns
    clock: Clock
    sent: Sent
    call: Call
    last: UpstreamError | None = None
    attempts: int = 0
    refused: Slot | None = None

    def to_the_end(self, attempt: Callable[[float], T]) -> T:
        deadline = self.call.deadline(self.sent.provider, self.policy.total_deadline_ms / 1000)
        ncbi_errors: object = None
        for retry in count():
            try:
                return self._try(attempt, deadline)
            except SlotTooLate as refusal:
                self._shed(refusal, deadline)
            except TimeUp:
                self._expired(ncbi_errors)
            except UpstreamError as error:
                if not error.transient:
                    raise
                self.last = error
            ncbi_errors = self.last.data.get("ncbi_errors") or ncbi_errors
            if isinstance(self.last, UpstreamTimeout) and self.clock.now() >= deadline:
                self._expired(ncbi_errors)
            self._back_off(self.last, retry, deadline)
        raise AssertionError("unreachable")

    def _try(self, attempt: Callable[[float], T], deadline: float) -> T:
        """One attempt. What it meant for the pace of everybody is noted, whatever comes of this call."""
        asked = self.clock.now()
        with self.turns.turn(self.call, deadline, self.refused) as turn:
            metrics.note_wait(self.sent.provider, turn.began - asked)
            self.refused = None
            self.attempts += 1
            try:
                with self.call.spending("upstream"):
                    result = attempt(min(self.policy.timeout_ms / 1000, deadline - self.clock.now()))
            except UpstreamError as error:
                self._note_outcome(error.reason.removeprefix(f"{error.provider}_"), turn)
                if isinstance(error, UpstreamRateLimited):
                    self.refused = turn.slot
                    self.turns.limiter.close_gate(turn.began, error.retry_after)
                raise
            except InvalidInput as error:
                self._note_outcome(error.reason, turn)
                raise
        self._note_outcome("ok", turn)
        self.turns.limiter.note_success()
        return result

    def _note_outcome(self, outcome: str, turn: Turn) -> None:
        metrics.note_upstream_call(self.sent.host, outcome, self.clock.now() - turn.began)

    def _back_off(self, error: UpstreamError, retry: int, deadline: float) -> None:
        """Wait for the next attempt, or give up with the error at hand."""
        pause = backoff(retry) if error.retry_after is None else error.retry_after
        limited_for_long = isinstance(error, UpstreamRateLimited) and pause > LONGEST_RETRY_AFTER
        if retry >= self.policy.max_retries or limited_for_long or self.clock.now() + pause >= deadline:
            self._give_up(error)
        log.info(
            "%s %s: attempt %d failed (%s), next in %.1f s",
            self.sent.host,
            self.sent.endpoint,
            self.attempts,
            error.reason,
            pause,
        )
        metrics.note_retry(self.sent.host)
        self.clock.wait_until(self.clock.now() + pause, self.call)

    def _give_up(self, error: UpstreamError, retry_after: int | None = None) -> NoReturn:
        data = {**error.data, "attempts": self.attempts}
        if isinstance(error, UpstreamRateLimited):
            data.setdefault("retry_after", retry_after or max(1, math.ceil(self.turns.limiter.gate_left())))
        plural = "" if self.attempts == 1 else "s"
        message = f"{error.message} (failed after {self.attempts} attempt{plural})"
        raise type(error)(message, provider=error.provider, hint=error.hint, **data) from None

    def _shed(self, refusal: SlotTooLate, deadline: float) -> NoReturn:
        """The turn would come too late. What an earlier attempt met says more than that the queue is full."""
        retry_after = max(1, math.ceil(refusal.wait - (deadline - self.clock.now())))
        if self.last is not None:
            self._give_up(self.last, retry_after)
        message = f"Calls to {self.sent.host} are queued beyond this call's time limit."
        raise self.sent.failure(QueueFull, message, retry_after=retry_after) from None

    def _expired(self, ncbi_errors: object) -> NoReturn:
        raise self.sent.failure(
            UpstreamDeadlineExceeded,
            f"{self.sent.host} did not answer {self.sent.endpoint} within {self.policy.total_deadline_ms / 1000:g} s.",
            deadline_ms=self.policy.total_deadline_ms,
            attempts=self.attempts or None,
            ncbi_errors=ncbi_errors,
        ) from None
