"""The door to every upstream: what is stored, what is under way already, and else the rest of the stack.

A stored answer is read before anything is made of the question. Otherwise equal questions meet in one flight, and
its leader goes through the cached session, which looks once more, asks and stores. Where the upstream fails, an answer
past its age stands in, marked ``stale``; not for a caller who wants a new one (``no_cache``): the error is
what that caller can act on.
"""

import contextlib
import functools
import hashlib
import json
import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from operator import itemgetter
from typing import Any, TypeVar, cast
from urllib.parse import SplitResult, parse_qsl, urlsplit

import requests
from requests import PreparedRequest, Request, Response
from requests_cache import DO_NOT_CACHE, CachedSession

from pubmed_api import metrics
from pubmed_api.clients.adapter import UpstreamAdapter
from pubmed_api.clients.cache import AnswerCache
from pubmed_api.clients.coalescing import Flight, Flights
from pubmed_api.clients.wire import IDENTITY, is_form, sent_params
from pubmed_api.exceptions import NotInCache, UpstreamError, UpstreamRefused
from pubmed_api.models.call import Call, Part, current_call

log = logging.getLogger(__name__)

USER_AGENT = f"pubmed-api/{version('pubmed-api')}"

# The longest age of an answer that says there is nothing, in seconds: what is missing now may come soon.
NEGATIVE_SECONDS = 300

T = TypeVar("T")

Negative = Callable[[bytes], bool]


@dataclass(frozen=True, slots=True)
class _Question:
    """What to ask; an ``age`` of 0 means that the answer is not to be kept."""

    method: str
    url: str
    params: Mapping[str, str] = field(repr=False)
    age: int
    negative: Negative | None
    key: str


class UpstreamSession:
    """Sends requests through cache, flights and adapters; safe to share between threads.

    ``adapters`` maps base URLs to what is mounted there; nothing else can be reached.
    """

    def __init__(self, cache: AnswerCache, flights: Flights, adapters: Mapping[str, UpstreamAdapter]):
        self._cache = cache
        self._flights = flights
        self._session = _build_session(cache, adapters)

    def fetch(
        self, method: str, url: str, params: Mapping[str, str], *, age: int | None, negative: Negative | None = None
    ) -> bytes:
        """The body of the answer, from the cache if it is there, else asked for and kept for ``age`` seconds.

        ``params`` go into the query of a GET and the form of a POST. With an age of 0 or ``None`` the cache is
        neither read nor written, and the request is not shared. An answer of which ``negative`` is true is kept
        for ``NEGATIVE_SECONDS`` at most. The current call's wishes count before all that, and what was used is noted
        in its ``parts``. Raises ``NotInCache`` and the errors of the adapters.
        """
        call = current_call()
        question = _Question(method, url, params, age or 0, negative, key_of(method, url, params))
        if age and not call.no_cache and (body := self._find(question, call)) is not None:
            return body
        if call.only_if_cached:
            raise NotInCache("This answer is not stored, and only a stored one was asked for.")
        if not age:
            metrics.note_cache("skipped")
            asked: bytes = self._send(question, self._prepare(question), call).content
            call.parts.append(Part("miss"))
            return asked
        try:
            return self._share(question, call)
        except UpstreamError as error:
            body = None if call.no_cache or error.says_no else self._find(question, call, failure=error)
            if body is None:
                raise
            return body

    def _find(self, question: _Question, call: Call, failure: UpstreamError | None = None) -> bytes | None:
        """What is stored and fresh or, after a ``failure``, of use at least."""
        stored = self._cache.find(question.key)
        if stored is not None and stored.is_fresh:
            return _note(call, Part("hit", stored.age), stored.body)
        if stored is None or failure is None or not stored.is_of_use:
            return None
        log.warning("%s: an answer stored %d s ago stands in", failure.reason, stored.age)
        return _note(call, Part("stale", stored.age), stored.body)

    def _share(self, question: _Question, call: Call) -> bytes:
        """What the flight of this question brings, led or waited for.

        A flight that began before this call is good for an answer, but not for a failure, which may have befallen
        it before we came, nor for a caller who wants a new answer. The next flight is good for both: of many equal
        calls that fail, two ask, and not all of them one after the other. A failure under a caller's own key
        concerns that caller alone.
        """
        request = self._prepare(question)
        adapter = cast(UpstreamAdapter, self._session.get_adapter(request.url or ""))
        sent = adapter.describe(request)
        pause = adapter.pause(sent)
        began_after = False
        while True:
            with self._flights.join(question.key, pause) as flight:
                if flight.leads:
                    return self._lead(flight, question, request, call)
            answer, failure = flight.answer, flight.failure
            if answer is not None and (began_after or not call.no_cache):
                metrics.note_coalesced(sent.endpoint)
                return _note(call, Part("miss"), answer)
            if failure is not None and began_after and call.ncbi_api_key is None:
                metrics.note_coalesced(sent.endpoint)
                raise failure
            began_after = True

    def _lead(self, flight: Flight, question: _Question, request: PreparedRequest, call: Call) -> bytes:
        try:
            response = self._send(question, request, call)
        except UpstreamError as error:
            if call.ncbi_api_key is None:
                flight.leave_failure(error)
            raise
        if response.from_cache:
            # Stored since we looked: asked for before this flight began, so it is not what the flight brought.
            stored_for = (datetime.now(UTC) - response.created_at).total_seconds()
            return _note(call, Part("hit", max(0, int(stored_for))), response.content)
        flight.leave_answer(response.content)
        return _note(call, Part("miss"), response.content)

    def _prepare(self, question: _Question) -> PreparedRequest:
        """The request, for an address that is mounted."""

        def prepare() -> PreparedRequest:
            sent_as = {"params" if question.method == "GET" else "data": question.params}
            hooks = {"response": functools.partial(_shorten_age, question)}
            request = self._session.prepare_request(Request(question.method, question.url, hooks=hooks, **sent_as))
            self._session.get_adapter(request.url or "")
            return request

        return _without_address(question.url, prepare)

    def _send(self, question: _Question, request: PreparedRequest, call: Call) -> Any:
        """The library's answer: it looks into the cache, else sends the request and stores what comes."""
        options = self._session.merge_environment_settings(request.url or "", {}, None, None, None)
        return _without_address(
            question.url,
            lambda: self._session.send(
                request,
                allow_redirects=False,
                expire_after=question.age or DO_NOT_CACHE,
                force_refresh=call.no_cache,
                **options,
            ),
        )


def key_of(method: str, url: str, params: Mapping[str, str]) -> str:
    """The cache key of a request that need not be made for it: what is asked, and nothing of who asks."""
    address = _address(url)
    return _hash(method, address, [*parse_qsl(address.query, keep_blank_values=True), *params.items()])


def build_key(request: PreparedRequest, **_: Any) -> str:
    """The same key of a request that is made.

    The library's own key differs with and without an API key, drops blank parameters and sorts lists.
    """
    body = b"" if is_form(request) else request.body or b""
    return _hash(request.method or "", urlsplit(request.url or ""), sent_params(request), body)


def _hash(method: str, address: SplitResult, params: Iterable[tuple[str, str]], body: bytes | str = b"") -> str:
    asked = [(name, value) for name, value in params if name not in IDENTITY]
    parts = [
        method.upper(),
        address.scheme,
        address.netloc.lower(),
        address.path,
        # By name only: the values of a repeated parameter have an order of their own.
        sorted(asked, key=itemgetter(0)),
        body.decode("utf-8", "replace") if isinstance(body, bytes) else body,
    ]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


@functools.lru_cache(maxsize=256)
def _address(url: str) -> SplitResult:
    """The address in the form that the library sends it."""
    prepared = PreparedRequest()
    with contextlib.suppress(requests.RequestException):
        prepared.prepare_url(url, None)
    return urlsplit(prepared.url or url)


def _build_session(cache: AnswerCache, adapters: Mapping[str, UpstreamAdapter]) -> CachedSession:
    # It writes URLs, which hold keys and addresses, into the log.
    logging.getLogger("requests_cache").setLevel(logging.ERROR)
    session = CachedSession(
        backend=cache,
        key_fn=build_key,
        ignored_parameters=IDENTITY,
        allowable_codes=(200,),
        allowable_methods=("GET", "POST"),
        cache_control=True,
    )
    session.headers.update({"User-Agent": USER_AGENT})
    session.adapters.clear()
    for base, adapter in adapters.items():
        session.mount(_address(base).geturl(), adapter)
    return session


def _shorten_age(question: _Question, response: Response, **_: Any) -> Response:
    """Tell the cache to keep an answer that says there is nothing for a short while only."""
    if question.negative is not None and question.negative(response.content):
        response.headers["Cache-Control"] = f"max-age={min(question.age, NEGATIVE_SECONDS)}"
    return response


def _without_address(url: str, do: Callable[[], T]) -> T:
    """What ``do`` returns. The library's own exceptions hold the whole address, so they end here."""
    with contextlib.suppress(requests.RequestException):
        return do()
    raise UpstreamRefused(f"No request can be sent to {urlsplit(url).hostname}.")


def _note(call: Call, part: Part, body: bytes) -> bytes:
    """The body, entered into what the call has used."""
    metrics.note_cache(part.cache)
    call.parts.append(part)
    return body
