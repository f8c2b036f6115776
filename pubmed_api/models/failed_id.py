"""An identifier that nobody could look up."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FailedId:
    """An id whose upstream call failed, as the caller spelled it; ``reason`` is one that an error can have."""

    id: str
    reason: str
    retryable: bool
