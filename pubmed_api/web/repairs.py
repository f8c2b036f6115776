"""Recoverable slips of callers, put right before validation and never published.

Language models and hand-written clients send ``max_results`` for ``maxResults``, a JSON list inside a string,
a number for an identifier, one identifier for a list of them. Each has exactly one meaning, so it is taken.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import marshmallow
from marshmallow import fields as ma_fields

from pubmed_api.web.schema import ArgsSchema
from pubmed_api.web.strict_json import read_strict

_SAFE_INTEGER = 2**53 - 1


@dataclass(slots=True)
class Repaired:
    """The repaired arguments and, for the hint, which keys were read under another name."""

    data: Any
    renamed: dict[str, str] = field(default_factory=dict)


def repair(data: Any, schema: marshmallow.Schema) -> Repaired:
    """The arguments as the caller meant them. Anything that is not a recoverable slip is left as it is."""
    result = Repaired(data)
    result.data = _repair_object(data, schema, result.renamed)
    return result


def _fold(key: str) -> str:
    return key.replace("_", "").replace("-", "").casefold()


def _repair_object(data: Any, schema: marshmallow.Schema, renamed: dict[str, str]) -> Any:
    if not isinstance(data, Mapping):
        return data
    known = {f.data_key or name: f for name, f in schema.fields.items()}
    aliases = schema.aliases if isinstance(schema, ArgsSchema) else {}
    repaired: dict[str, Any] = {}
    for key, value in data.items():
        target = _target_of(key, known, aliases)
        # The target's own key wins: an alias beside it stays and is refused as unknown.
        if target is not None and target != key and target not in data and target not in repaired:
            renamed[key] = target
            key = target
        repaired[key] = _repair_value(value, known[key], renamed) if key in known else value
    return repaired


def _target_of(key: str, known: Mapping[str, Any], aliases: Mapping[str, str]) -> str | None:
    if key in known:
        return key
    if key in aliases:
        return aliases[key]
    candidates = {name for name in known if _fold(name) == _fold(key)}
    candidates |= {target for alias, target in aliases.items() if _fold(alias) == _fold(key)}
    return candidates.pop() if len(candidates) == 1 else None


def _repair_value(value: Any, expected: ma_fields.Field, renamed: dict[str, str]) -> Any:
    if isinstance(expected, ma_fields.List):
        return _repair_list(value, expected, renamed)
    if isinstance(expected, ma_fields.Nested):
        return _repair_object(_parsed(value, dict), expected.schema, renamed)
    if isinstance(expected, ma_fields.String):
        return _digits_of(value)
    return value


def _repair_list(value: Any, expected: ma_fields.List, renamed: dict[str, str]) -> Any:
    value = _parsed(value, list)
    if getattr(expected, "id_list", False) and isinstance(_digits_of(value), str):
        value = [value]
    if not isinstance(value, list):
        return value
    return [_repair_value(item, expected.inner, renamed) for item in value]


def _parsed(value: Any, kind: type) -> Any:
    """A JSON list or object that came inside a string."""
    opening = "[" if kind is list else "{"
    if not isinstance(value, str) or not value.lstrip().startswith(opening):
        return value
    try:
        parsed = read_strict(value)
    except (ValueError, RecursionError):
        return value
    return parsed if isinstance(parsed, kind) else value


def _digits_of(value: Any) -> Any:
    """A whole number as its digits, where JSON keeps it exact; never a boolean or a fraction."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _SAFE_INTEGER:
        return str(value)
    return value
