"""Everything that can go wrong, as one tree.

    PubmedApiError
    ├─ InvalidInput            the caller must change the request
    │  ├─ InvalidArguments     every problem of the arguments at once
    │  ├─ BlankQuery
    │  ├─ BlankFilter
    │  ├─ InvalidDateRange
    │  └─ MalformedId
    ├─ HttpError               refused before it reached an operation (body, media type, route …)
    ├─ NotInCache              only-if-cached, and it is not
    ├─ RequestCancelled        the caller has gone
    └─ UpstreamError           an upstream failed us
       ├─ UpstreamUnreachable      network, 5xx, or an outage told inside a 200      transient
       ├─ UpstreamTimeout          one attempt took too long                          transient
       ├─ UpstreamRateLimited      the upstream said we ask too often                 transient
       ├─ UpstreamDeadlineExceeded the whole call's time is up
       ├─ UpstreamInvalidResponse  the body could not be read
       ├─ InvalidEfetchResponse    EFetch answered without a PubmedArticleSet
       ├─ UpstreamRefused          a 4xx that no rule explains
       ├─ UpstreamNotFound         the upstream says there is no such record
       ├─ HistoryExpired           the WebEnv is gone
       └─ QueueFull                the call could not start in time

An error knows its ``reason``; what that reason means as a status, a code and a hint stands in ``errors.py``.
"""

from collections.abc import Mapping, Sequence


class PubmedApiError(Exception):
    """The base. ``data`` goes out to the caller with camelCase keys: never put a secret or an address in it.

    ``hint`` replaces the usual hint of the reason where this case knows better.
    """

    reason = "internal_error"

    def __init__(self, message: str, *, reason: str | None = None, hint: str | None = None, **data: object):
        super().__init__(message)
        self.message = message
        self.reason = reason or type(self).reason
        self.hint = hint
        self.data = {key: value for key, value in data.items() if value is not None}


class InvalidInput(PubmedApiError):
    """The request is understood and cannot be met as it stands."""

    reason = "invalid_arguments"


class InvalidArguments(InvalidInput):
    """Arguments that break the schema. ``problems`` are ``{path, message, value}``, all of them."""

    def __init__(self, problems: Sequence[Mapping[str, object]], *, hint: str | None = None):
        shown = "; ".join(f"{p['path'] or 'body'}: {p['message']}" for p in problems[:5])
        rest = len(problems) - 5
        super().__init__(shown + (f"; and {rest} more" if rest > 0 else ""), hint=hint, problems=list(problems))


class BlankQuery(InvalidInput):
    """The query holds no search term."""

    reason = "blank_query"


class BlankFilter(InvalidInput):
    """Filters that hold no term; ``fields`` are their paths."""

    reason = "blank_filter"

    def __init__(self, fields: Sequence[str]):
        super().__init__(f"No search term in: {', '.join(fields)}.", fields=list(fields))


class InvalidDateRange(InvalidInput):
    """A bound is not a calendar date, or the bounds are in the wrong order."""

    reason = "invalid_date_range"


class MalformedId(InvalidInput):
    """Identifiers that do not have the form of their declared type."""

    reason = "malformed_id"


class HttpError(PubmedApiError):
    """Refused by HTTP itself; the reason says why (``malformed_json``, ``no_such_endpoint`` …)."""


class NotInCache(PubmedApiError):
    """The caller wanted a stored answer only, and there is none."""

    reason = "not_in_cache"


class RequestCancelled(PubmedApiError):
    """The caller closed the connection; nobody reads the answer."""

    reason = "request_cancelled"


class UpstreamError(PubmedApiError):
    """An upstream failed. ``transient`` tells the retry loop that another attempt may help, ``says_no`` that the
    upstream is well and refused: nothing that is stored may stand in for such an answer.

    ``data`` may hold ``host``, ``endpoint``, ``status``, ``attempts``, ``ncbi_errors``, ``retry_after``
    (seconds), ``deadline_ms``. ``provider`` is ``ncbi``, ``europepmc``, …; the reason is made of it and ``kind``.
    """

    transient = False
    says_no = False
    kind = "unreachable"

    def __init__(self, message: str, *, provider: str = "ncbi", hint: str | None = None, **data: object):
        super().__init__(message, reason=self.reason_for(provider), hint=hint, **data)
        self.provider = provider

    @classmethod
    def reason_for(cls, provider: str) -> str:
        """The reason of this failure for a provider."""
        return f"{provider}_{cls.kind}"

    @property
    def retry_after(self) -> float | None:
        """Seconds the upstream asked us to wait, where it said."""
        value = self.data.get("retry_after")
        return float(value) if isinstance(value, int | float) else None


class UpstreamUnreachable(UpstreamError):
    """No usable answer: network failure, 5xx, HTML in place of data, an outage told inside a 200."""

    transient = True


class UpstreamTimeout(UpstreamError):
    """One attempt took longer than a request may."""

    transient = True
    kind = "timeout"


class UpstreamRateLimited(UpstreamError):
    """The upstream refused us for asking too often."""

    transient = True
    kind = "rate_limited"


class UpstreamDeadlineExceeded(UpstreamError):
    """The call's total time is up."""

    kind = "deadline_exceeded"


class UpstreamInvalidResponse(UpstreamError):
    """A complete answer that cannot be read."""

    kind = "invalid_response"


class InvalidEfetchResponse(UpstreamInvalidResponse):
    """EFetch answered well-formed XML that is not a PubmedArticleSet."""

    @classmethod
    def reason_for(cls, provider: str) -> str:
        """One fixed reason: only NCBI has EFetch."""
        return "invalid_efetch_response"


class UpstreamRefused(UpstreamError):
    """A refusal (4xx, a redirect) that no rule explains."""

    says_no = True
    kind = "refused"


class UpstreamNotFound(UpstreamError):
    """The upstream says there is no such record."""

    says_no = True
    kind = "resource_not_found"


class HistoryExpired(UpstreamError):
    """NCBI no longer has this result set; a search makes a new one."""

    says_no = True

    @classmethod
    def reason_for(cls, provider: str) -> str:
        """One fixed reason: only NCBI keeps histories."""
        return "history_expired"


class QueueFull(UpstreamError):
    """The call was shed: its turn with the upstream would come after its deadline."""

    @classmethod
    def reason_for(cls, provider: str) -> str:
        """One reason for every upstream's queue."""
        return "queue_full"
