"""What is mounted below the cache for one upstream: attempts, each admitted, sent and checked."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from requests import PreparedRequest, Response
from requests.adapters import BaseAdapter
from requests.structures import CaseInsensitiveDict

from pubmed_api.clients.retry import RetryLoop
from pubmed_api.clients.transport import Transport
from pubmed_api.clients.wire import Answer, Sent, describe

# Reads an answer: the body to keep, or the error that it is.
Checker = Callable[[Sent, Answer], bytes]

# Written by the cache for itself; the upstream need not see how long we keep its answers.
_CACHE_HEADERS = ("Cache-Control", "X-ACTUAL-NO-CACHE")


@dataclass(frozen=True, slots=True)
class Upstream:
    """One service of a provider. ``endpoint`` names it in errors where its address does not."""

    provider: str
    check: Checker
    endpoint: str | None = None


class UpstreamAdapter(BaseAdapter):
    """retry → limiter → transport → check, as the requests library mounts it. Whatever it returns is a good answer."""

    def __init__(self, upstream: Upstream, retry: RetryLoop, transport: Transport):
        super().__init__()
        self._upstream = upstream
        self._retry = retry
        self._transport = transport

    def send(
        self,
        request: PreparedRequest,
        stream: bool = False,
        timeout: Any = None,
        verify: bool | str = True,
        cert: Any = None,
        proxies: Mapping[str, str] | None = None,
    ) -> Response:
        """The answer as a 200 with nothing but its content type and body. Raises the errors of ``exceptions``."""
        sent = self.describe(request)
        outgoing = request.copy()
        for name in _CACHE_HEADERS:
            outgoing.headers.pop(name, None)

        def attempt(seconds: float) -> Response:
            answer = self._transport.exchange(outgoing, sent, seconds, verify=verify, cert=cert, proxies=proxies)
            return _good(request, answer, self._upstream.check(sent, answer))

        return self._retry.run(sent, attempt)

    def describe(self, request: PreparedRequest) -> Sent:
        """The request in the form that errors and metrics may see."""
        return describe(request, self._upstream.provider, self._upstream.endpoint)

    def pause(self, sent: Sent) -> Callable[[float], None]:
        """How the current call waits for another that asks the same; see ``RetryLoop.pause``."""
        return self._retry.pause(sent)

    def close(self) -> None:
        """Nothing is held here."""


def _good(request: PreparedRequest, answer: Answer, body: bytes) -> Response:
    """A response without the upstream's headers: validators, ``Vary`` and cookies would steer the cache."""
    response = Response()
    response.status_code = 200
    response.reason = "OK"
    response.headers = CaseInsensitiveDict({"Content-Type": answer.headers.get("Content-Type", "")})
    response.url = request.url or ""
    response.request = request
    response._content = body
    response._content_consumed = True  # type: ignore[attr-defined]
    return response
