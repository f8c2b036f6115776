"""The fields of every schema: strict on the way in, described on the way out.

Each takes its description first. JSON types are taken as they are: ``"7"`` is no integer and ``1`` no boolean.
Patterns are ECMAScript's, as JSON Schema has them, and are checked so: ``\\d`` is an ASCII digit and ``$`` the very
end of the text.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any

import marshmallow
from marshmallow import fields as ma
from marshmallow import validate

_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


def _options(doc: str, required: bool, default: Any, example: Any) -> dict[str, Any]:
    options: dict[str, Any] = {"required": required, "metadata": {"description": doc}}
    if default is not None:
        options["load_default"] = default
    if example is not None:
        options["metadata"]["examples"] = [example]
    return options


def _matches(pattern: str, message: str | None) -> Callable[[str], None]:
    compiled = re.compile(pattern.replace(r"\d", "[0-9]").replace("$", r"\Z"))

    def check(value: str) -> None:
        if compiled.search(value) is None:
            raise marshmallow.ValidationError(message or f"must match {pattern}")

    return check


def _plain(value: str) -> None:
    """Control characters and lone surrogates break URLs and logs, and no search term needs them."""
    if _FORBIDDEN.search(value):
        raise marshmallow.ValidationError("must not hold control characters or unpaired surrogates")


class Text(ma.String):
    """A string."""

    default_error_messages = {"invalid": "must be a string", "null": "must be a string, not null"}

    def __init__(
        self,
        doc: str,
        *,
        required: bool = False,
        default: str | None = None,
        min_length: int | None = None,
        max_length: int | None = None,
        pattern: str | None = None,
        pattern_message: str | None = None,
        choices: Sequence[str] = (),
        example: str | None = None,
    ):
        options = _options(doc, required, default, example)
        checks: list[Any] = [_plain]
        if min_length is not None or max_length is not None:
            checks.append(validate.Length(min=min_length, max=max_length, error=_length(min_length, max_length)))
        if pattern is not None:
            options["metadata"]["pattern"] = pattern
            checks.append(_matches(pattern, pattern_message))
        if choices:
            checks.append(validate.OneOf(choices, error="must be one of {choices}"))
        super().__init__(validate=checks, **options)


class Integer(ma.Integer):
    """A whole number; ``7.5``, ``"7"`` and ``true`` are none."""

    default_error_messages = {
        "invalid": "must be a whole number",
        "null": "must be a whole number, not null",
        "too_large": "must be a smaller number",
    }

    def __init__(
        self,
        doc: str,
        *,
        required: bool = False,
        default: int | None = None,
        minimum: int | None = None,
        maximum: int | None = None,
        example: int | None = None,
    ):
        checks = []
        if minimum is not None or maximum is not None:
            checks.append(validate.Range(min=minimum, max=maximum, error=_range(minimum, maximum)))
        super().__init__(strict=True, validate=checks, **_options(doc, required, default, example))

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> int:
        # JSON Schema counts 7.0 as an integer, so the document does too.
        if isinstance(value, float) and value.is_integer():
            return int(value)
        if not isinstance(value, int) or isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


class Boolean(ma.Boolean):
    """``true`` or ``false`` and nothing else."""

    default_error_messages = {"invalid": "must be true or false", "null": "must be true or false, not null"}

    def __init__(self, doc: str, *, required: bool = False, default: bool | None = None, example: bool | None = None):
        super().__init__(**_options(doc, required, default, example))

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


class Items(ma.List[Any]):
    """A list. With ``id_list`` a lone value in its place is read as a list of one."""

    default_error_messages = {"invalid": "must be a list", "null": "must be a list, not null"}

    def __init__(
        self,
        inner: ma.Field[Any],
        doc: str,
        *,
        required: bool = False,
        min_items: int | None = None,
        max_items: int | None = None,
        id_list: bool = False,
        example: Sequence[Any] | None = None,
    ):
        self.id_list = id_list
        checks = []
        if min_items is not None or max_items is not None:
            checks.append(validate.Length(min=min_items, max=max_items, error=_count(min_items, max_items)))
        super().__init__(inner, validate=checks, **_options(doc, required, None, example))


class Record(ma.Nested):
    """An object of a schema of its own."""

    default_error_messages = {"type": "must be an object", "null": "must be an object, not null"}

    def __init__(self, schema: type[marshmallow.Schema], doc: str, *, required: bool = False):
        super().__init__(schema, **_options(doc, required, None, None))


class Pmid(Text):
    """A PubMed ID at the door: digits, and nothing else."""

    def __init__(self, doc: str = "A PubMed ID: digits only.", *, required: bool = False):
        super().__init__(
            doc,
            required=required,
            pattern=r"^\d+$",
            pattern_message='must be a PubMed ID: digits only, such as "33300001"; no spaces, commas or letters',
        )


def _length(low: int | None, high: int | None) -> str:
    if high is None:
        return "must not be empty" if low == 1 else f"must have at least {low} characters"
    return f"must have {low or 0} to {high} characters"


def _range(low: int | None, high: int | None) -> str:
    if high is None:
        return f"must be {low} or more"
    return f"must be from {low} to {high}" if low is not None else f"must be {high} or less"


def _count(low: int | None, high: int | None) -> str:
    if high is None:
        return f"must have at least {low} element{'s' if low != 1 else ''}"
    return f"must have {low or 0} to {high} elements"
