"""What goes over the wire and back, in the form that checks, logs and errors may see."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar
from urllib.parse import parse_qsl, urlsplit

from requests import PreparedRequest

from pubmed_api.exceptions import UpstreamError

# Parameters that say who asks and not what is asked: never in a cache key, a stored answer, a log or an error.
IDENTITY = ("api_key", "email", "tool")

_FORM = "application/x-www-form-urlencoded"

Failure = TypeVar("Failure", bound=UpstreamError)


@dataclass(frozen=True, slots=True)
class Sent:
    """A request: ``host`` and ``endpoint`` may be shown to anybody, ``params`` never."""

    provider: str
    host: str
    endpoint: str
    params: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def secrets(self) -> tuple[str, ...]:
        """The values in this request that an upstream could echo and nobody may read."""
        return tuple(value for name in ("api_key", "email") if (value := self.params.get(name)))

    def failure(self, kind: type[Failure], message: str, *, hint: str | None = None, **data: Any) -> Failure:
        """An error of this request, naming its host and endpoint and nothing else of it."""
        return kind(message, provider=self.provider, hint=hint, host=self.host, endpoint=self.endpoint, **data)


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back; ``headers`` are looked up in any case, ``body`` is decoded and whole."""

    status: int
    headers: Mapping[str, str]
    body: bytes = field(repr=False)


def describe(request: PreparedRequest, provider: str, endpoint: str | None = None) -> Sent:
    """The request as ``Sent``; without a given name the endpoint is the last part of the path."""
    address = urlsplit(request.url or "")
    last = address.path.rstrip("/").rpartition("/")[2]
    return Sent(
        provider=provider,
        host=address.hostname or "",
        endpoint=endpoint or last.partition(".")[0],
        params=dict(sent_params(request)),
    )


def sent_params(request: PreparedRequest) -> list[tuple[str, str]]:
    """Every parameter of query and form body, decoded, blank ones included, in the order sent."""
    params = parse_qsl(urlsplit(request.url or "").query, keep_blank_values=True)
    if is_form(request):
        body = request.body or b""
        text = body.decode("utf-8", "replace") if isinstance(body, bytes) else str(body)
        params += parse_qsl(text, keep_blank_values=True)
    return params


def is_form(request: PreparedRequest) -> bool:
    """Whether the body is a form."""
    return str(request.headers.get("Content-Type", "")).partition(";")[0].strip().lower() == _FORM
