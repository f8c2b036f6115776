"""Requests of one upstream whose content is decided when their turn has come; they pass beside the cache."""

import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar
from urllib.parse import urlsplit

import requests
from requests import PreparedRequest, Request

from pubmed_api.clients.adapter import Upstream
from pubmed_api.clients.retry import RetryLoop
from pubmed_api.clients.session import USER_AGENT
from pubmed_api.clients.transport import Transport
from pubmed_api.clients.wire import Sent, describe
from pubmed_api.exceptions import UpstreamRefused

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Question:
    """A request to be: ``params`` go into the query of a GET and the form of a POST."""

    method: str
    url: str
    params: Mapping[str, str] = field(repr=False)


class Exchange:
    """retry → limiter → transport → check, each in the hands of the caller."""

    def __init__(self, upstream: Upstream, retry: RetryLoop, transport: Transport):
        self._upstream = upstream
        self._retry = retry
        self._transport = transport
        # It sends nothing: it knows the usual headers, and which proxies the environment names.
        self._session = requests.Session()
        self._session.headers.update({"User-Agent": USER_AGENT})

    def describe(self, question: Question) -> Sent:
        """The question in the form that errors and metrics may see."""
        return self._describe(self._prepare(question))

    def pause(self, sent: Sent) -> Callable[[float], None]:
        """How the current call waits; see ``RetryLoop.pause``."""
        return self._retry.pause(sent)

    def run(self, sent: Sent, attempt: Callable[[float], T]) -> T:
        """The first good result of ``attempt``, each made when its turn has come; see ``RetryLoop.run``."""
        return self._retry.run(sent, attempt)

    def send(self, question: Question, seconds: float) -> bytes:
        """Send it now: the body of a good answer. Raises the errors of ``exceptions``."""
        request = self._prepare(question)
        sent = self._describe(request)
        found = self._session.merge_environment_settings(request.url, {}, None, None, None)
        answer = self._transport.exchange(
            request, sent, seconds, verify=found["verify"], cert=found["cert"], proxies=found["proxies"]
        )
        return self._upstream.check(sent, answer)

    def _describe(self, request: PreparedRequest) -> Sent:
        return describe(request, self._upstream.provider, self._upstream.endpoint)

    def _prepare(self, question: Question) -> PreparedRequest:
        is_get = question.method == "GET"
        prepared: PreparedRequest | None = None
        with contextlib.suppress(requests.RequestException):
            prepared = self._session.prepare_request(
                Request(
                    question.method,
                    question.url,
                    params=dict(question.params) if is_get else None,
                    data=None if is_get else dict(question.params),
                )
            )
        # Outside the handler: the library's exceptions hold the URL.
        if prepared is None:
            raise UpstreamRefused(f"No request can be sent to {urlsplit(question.url).hostname}.")
        return prepared
