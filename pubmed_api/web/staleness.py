"""What an answer says when an upstream failed and stored data stood in for it."""

from typing import Any

from pubmed_api.models.call import Call

_UNITS = (("day", 86400), ("hour", 3600), ("minute", 60))


def add_stale_notice(body: dict[str, Any], call: Call) -> dict[str, Any]:
    """The answer, its ``notice`` followed by the sentence on stale data where the call has used any."""
    if call.cache_state != "stale":
        return body
    age = max(part.age for part in call.parts if part.cache == "stale")
    sentence = f"An upstream failed, so this answer uses what was stored {word_age(age)} ago."
    return {**body, "notice": f"{body['notice']} {sentence}" if body.get("notice") else sentence}


def word_age(seconds: int) -> str:
    """An age in its largest whole unit: ``50 seconds``, ``1 minute``, ``3 hours``, ``2 days``."""
    unit, length = next(((unit, length) for unit, length in _UNITS if seconds >= length), ("second", 1))
    count = seconds // length
    return f"{count} {unit}" if count == 1 else f"{count} {unit}s"
