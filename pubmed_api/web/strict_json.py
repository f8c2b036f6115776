"""JSON as the standard has it: each key once, and numbers that are numbers."""

import json
import math
from typing import Any, NoReturn

_SHOWN = 100


def read_strict(text: str) -> Any:
    """The value of a JSON text.

    Raises ``ValueError`` for anything else, for ``NaN``, a number too large to hold and a key that stands twice in one
    object, and ``RecursionError`` where it nests too deeply.
    """
    return json.loads(
        text,
        object_pairs_hook=_unique_keys,
        parse_constant=_refuse_constant,
        parse_float=_finite,
        parse_int=_integer,
    )


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key {key[:_SHOWN]!r} stands twice in one object")
        found[key] = value
    return found


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError("a number is too large")
    return number


def _integer(digits: str) -> float | int:
    if len(digits) > 400:
        raise ValueError("a number has too many digits")
    # Minus zero is not an integer a caller can mean as an identifier or a count.
    return -0.0 if digits == "-0" else int(digits)
