"""The one table: what each reason is as an HTTP status, a JSON-RPC code and a hint.

Statuses and reasons are fixed by the service's HTTP conventions; the codes are those a JSON-RPC (MCP) client
knows. No other module holds a number.
"""

from dataclasses import dataclass

from pubmed_api.exceptions import PubmedApiError

INVALID_REQUEST = -32600
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
SERVICE_UNAVAILABLE = -32000
NOT_FOUND = -32001
RATE_LIMITED = -32003
TIMEOUT = -32004
VALIDATION_ERROR = -32007
REQUEST_CANCELLED = -32011
SERIALIZATION_ERROR = -32070


@dataclass(frozen=True, slots=True)
class Failure:
    """What a reason means to the caller; ``hint`` says what to do next."""

    status: int
    code: int
    retryable: bool
    hint: str


FAILURES: dict[str, Failure] = {
    "malformed_json": Failure(
        400,
        INVALID_REQUEST,
        False,
        "Send one JSON object, UTF-8 encoded, with each key once and plain numbers.",
    ),
    "no_such_endpoint": Failure(
        404, NOT_FOUND, False, "The endpoints are listed in /openapi.json and, to read, at /docs."
    ),
    "method_not_allowed": Failure(
        405, INVALID_REQUEST, False, "Use one of the methods in the Allow header of this answer."
    ),
    "not_acceptable": Failure(
        406, INVALID_REQUEST, False, "Ask for one of the media types in data.available, or leave Accept out."
    ),
    "body_too_large": Failure(413, INVALID_REQUEST, False, "Send less in one request; split long lists."),
    "unsupported_media_type": Failure(415, INVALID_REQUEST, False, "Send the body as Content-Type: application/json."),
    "invalid_arguments": Failure(
        422,
        INVALID_PARAMS,
        False,
        "Correct each entry of data.problems; /docs shows every argument and an example.",
    ),
    "blank_query": Failure(
        422,
        VALIDATION_ERROR,
        False,
        "Give a query with at least one word to search for; this one will be refused again.",
    ),
    "blank_filter": Failure(
        422, VALIDATION_ERROR, False, "Give each filter in data.fields a value, or leave it out (or empty)."
    ),
    "invalid_date_range": Failure(
        422,
        VALIDATION_ERROR,
        False,
        "Use real calendar dates (YYYY, YYYY/MM or YYYY/MM/DD) with minDate not after maxDate.",
    ),
    "malformed_id": Failure(422, VALIDATION_ERROR, False, "Put one identifier of the declared type in each element."),
    "ncbi_resource_not_found": Failure(
        404, NOT_FOUND, False, "Check the identifier; asking again will not bring a record."
    ),
    "history_expired": Failure(
        410,
        NOT_FOUND,
        False,
        "Search again with useHistory to get a fresh handle; this one will not come back.",
    ),
    "request_cancelled": Failure(499, REQUEST_CANCELLED, False, "Send the request again if it is still wanted."),
    "internal_error": Failure(
        500, INTERNAL_ERROR, False, "Report this with the requestId; the fault is in this service."
    ),
    "ncbi_unreachable": Failure(
        502, SERVICE_UNAVAILABLE, True, "Try again after a short wait; NCBI failed on every attempt."
    ),
    "ncbi_refused": Failure(
        502,
        SERVICE_UNAVAILABLE,
        False,
        "NCBI refuses this call; the operator should check the NCBI settings.",
    ),
    "ncbi_invalid_response": Failure(
        502, SERIALIZATION_ERROR, True, "Try again; NCBI's answer could not be read this time."
    ),
    "invalid_efetch_response": Failure(
        502, SERIALIZATION_ERROR, True, "Try again once; if it stays, ask for fewer PMIDs at a time."
    ),
    "queue_full": Failure(
        503,
        RATE_LIMITED,
        True,
        "Wait data.retryAfter seconds and try again; this service's turn at NCBI is taken.",
    ),
    "ncbi_rate_limited": Failure(
        503,
        RATE_LIMITED,
        True,
        "Wait data.retryAfter seconds (or a few) and try again; an NCBI_API_KEY lets the operator send more.",
    ),
    "ncbi_timeout": Failure(504, TIMEOUT, True, "Try again; NCBI was too slow on every attempt."),
    "ncbi_deadline_exceeded": Failure(
        504, TIMEOUT, True, "Try again; for a large batch send fewer identifiers at a time."
    ),
    "not_in_cache": Failure(
        504, TIMEOUT, False, "Leave out Cache-Control: only-if-cached to let the service ask the upstream."
    ),
}


# What any operation may answer: refusals of HTTP, and our own faults.
HTTP_REASONS = (
    "malformed_json",
    "not_acceptable",
    "body_too_large",
    "unsupported_media_type",
    "invalid_arguments",
    "internal_error",
)

# What any operation that asks NCBI may answer.
NCBI_REASONS = (
    "ncbi_resource_not_found",
    "history_expired",
    "ncbi_unreachable",
    "ncbi_refused",
    "ncbi_invalid_response",
    "queue_full",
    "ncbi_rate_limited",
    "ncbi_timeout",
    "ncbi_deadline_exceeded",
    "not_in_cache",
)


def failure_of(error: PubmedApiError) -> Failure:
    """What this error means; a reason that is not in the table is a fault of ours."""
    return FAILURES.get(error.reason, FAILURES["internal_error"])
