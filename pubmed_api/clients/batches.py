"""Ids of calls that wait at the same time go out in one request, and what comes back is split among the callers.

Each batch goes out on a thread of its own, under a deadline and a cancellation made of all its callers'; every caller
waits in its own thread for no longer than its own, so none is bound to another. The ids are collected when the turn
is there, inside the retry loop.

An error becomes a caller's own only when the request that met it was made for that caller. A batch for several that
fails is cut in halves, which go separately and are cut again, so that a bad id costs its caller alone, and nobody
joins what is in trouble but who wants the same; not after a refusal for our pace, which says nothing of ids.
"""

import functools
import logging
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence

from pubmed_api import metrics
from pubmed_api.clients.claims import Claim
from pubmed_api.clients.exchange import Exchange, Question
from pubmed_api.clients.gathering import Gathering, may_be_an_id
from pubmed_api.clients.items import Item
from pubmed_api.clients.tickets import Batch, Outcome, Ticket
from pubmed_api.clients.waiting import check_cancelled
from pubmed_api.exceptions import RequestCancelled, UpstreamDeadlineExceeded, UpstreamError
from pubmed_api.models.call import Call, current_call, open_call

log = logging.getLogger(__name__)

MOST_IDS = 200
# Ids that come in an address, commas included: servers refuse addresses of 8 kB.
MOST_CHARACTERS = 4000

# The request for these ids, as a POST where that is wanted; one answer as an item for each id; what to do with them.
Ask = Callable[[Sequence[str], bool], Question]
Split = Callable[[bytes, Iterable[str]], dict[str, Item]]
Keep = Callable[[Mapping[str, Item]], None]

# How long a cancelled caller may go on waiting, and how long after its deadline one waits for the reason, in seconds.
_SLICE = 0.1
_LAST_WORD = 0.2


class Batches:
    """The merging of calls for one kind of item; safe to share between threads. For ``gap`` see ``Gathering``."""

    def __init__(self, exchange: Exchange, ask: Ask, split: Split, keep: Keep, gap: float = 0.0):
        self._exchange = exchange
        self._ask = ask
        self._split = split
        self._keep = keep
        self._gathering = Gathering(MOST_IDS, MOST_CHARACTERS, gap)

    def fetch(self, wanted: Mapping[str, str], *, post_from: int, claim: Claim | None = None) -> dict[str, Outcome]:
        """An item or the reason why there is none, for each key of ``wanted``, whose values are the ids as sent.

        From ``post_from`` ids on the request is a POST. A ``claim`` of these ids is renewed during the wait, and
        released when a request for them fails: other processes need not wait for what may come to nothing. Raises
        ``RequestCancelled`` and nothing else; a caller whose time is over gets ``UpstreamDeadlineExceeded`` for the
        ids that are missing.
        """
        with open_call(current_call()) as call:
            check_cancelled(call)
            sent = self._exchange.describe(self._ask((), False))
            pause = self._exchange.pause(sent)
            ticket = Ticket(frozenset(wanted), call.deadlines[sent.provider], call.ncbi_api_key)
            began = time.monotonic()
            try:
                for batch in self._gathering.join(ticket, wanted, post_from):
                    self._start(batch)
                self._wait(ticket, pause, claim)
            finally:
                self._gathering.leave(ticket)
                _note_time(call, ticket, time.monotonic() - began)
        if not ticket.brings_ids:
            metrics.note_coalesced(sent.endpoint)
        return ticket.outcomes

    def pause(self) -> Callable[[float], None]:
        """A sleep of so many seconds for the current call; see ``RetryLoop.pause`` for what ends it."""
        return self._exchange.pause(self._exchange.describe(self._ask((), False)))

    def note_shared(self) -> None:
        """Count a call that waited for what another process asked for."""
        metrics.note_coalesced(self._exchange.describe(self._ask((), False)).endpoint)

    def _wait(self, ticket: Ticket, pause: Callable[[float], None], claim: Claim | None) -> None:
        while not self._gathering.wait_for(ticket, _SLICE):
            if claim is not None:
                claim.release() if ticket.in_trouble else claim.renew()
            try:
                pause(0)
            except UpstreamDeadlineExceeded as late:
                # The batch, which ends in the same moment, knows more: attempts made, what NCBI said.
                self._gathering.wait_for(ticket, _LAST_WORD)
                for item_id in ticket.wanted - ticket.outcomes.keys():
                    ticket.outcomes[item_id] = late
                return

    def _start(self, batch: Batch) -> None:
        try:
            threading.Thread(target=self._carry, args=(batch,), name="batch", daemon=True).start()
        except RuntimeError:
            log.warning("no thread can be started: a batch is carried by its caller")
            self._carry(batch)

    def _carry(self, batch: Batch) -> None:
        """Take a batch through to its end; whatever happens, nobody is left waiting."""
        try:
            with open_call(batch.call):
                self._gathering.wait_until_full(batch)
                while self._run(batch):
                    pass
        except BaseException as error:
            log.error("a batch broke (%s)", type(error).__name__)
            self._gathering.give_up(batch, error if isinstance(error, Exception) else RuntimeError("interrupted"))

    def _run(self, batch: Batch) -> bool:
        """One run of attempts; whether there must be another."""
        sent = self._exchange.describe(self._ask((), False))
        batch.call.deadlines[sent.provider] = self._gathering.begin_run(batch)
        try:
            body, ids = self._exchange.run(sent, functools.partial(self._attempt, batch))
            items = self._split(body, ids)
        except RequestCancelled:
            return self._gathering.is_wanted(batch)
        except Exception as error:
            return self._failed(batch, error)
        # Before they are handed out, so that whoever asks next finds them.
        self._keep(items)
        self._gathering.serve(batch, items)
        return False

    def _attempt(self, batch: Batch, seconds: float) -> tuple[bytes, list[str]]:
        with self._gathering.departure(batch) as sent:
            if not sent:
                raise RequestCancelled("Nobody waits for this batch any more.")
            question = self._ask(list(sent.values()), len(sent) >= batch.post_from)
            if batch.is_shared:
                metrics.note_merged(self._exchange.describe(question).endpoint, len(batch.callers()), len(sent))
            try:
                return self._exchange.send(question, seconds), list(sent)
            except UpstreamError as error:
                if error.transient and may_be_an_id(error):
                    self._part(batch)
                raise

    def _failed(self, batch: Batch, error: Exception) -> bool:
        """What becomes of a batch that failed for good; whether it goes again."""
        if not batch.is_shared or not may_be_an_id(error):
            return self._gathering.fail(batch, error)
        if not (isinstance(error, UpstreamError) and error.transient):
            # After a transient error the attempt has done so.
            self._part(batch)
        return self._gathering.is_wanted(batch)

    def _part(self, batch: Batch) -> None:
        other = self._gathering.part(batch)
        if other is not None:
            self._start(other)


def _note_time(call: Call, ticket: Ticket, waited: float) -> None:
    """The caller waited for its turn except while its request was under way."""
    upstream = min(ticket.upstream, waited)
    for name, seconds in (("upstream", upstream), ("queue", waited - upstream)):
        call.timings[name] = call.timings.get(name, 0.0) + seconds
