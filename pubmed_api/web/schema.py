"""The base of every schema: camelCase outside, snake_case inside, closed, absent things left out."""

from collections.abc import Mapping
from typing import Any, ClassVar

import marshmallow


def camel_case(name: str) -> str:
    """``max_results`` as ``maxResults``: the only place where the two spellings meet."""
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)


class Schema(marshmallow.Schema):
    """Output leaves out what a record does not have: ``None``, and empty lists and objects.

    ``keep_empty`` names the fields (camelCase) shown even when empty.
    """

    keep_empty: ClassVar[tuple[str, ...]] = ()

    class Meta:
        """Unknown keys are refused, so objects are closed in the document too."""

        unknown = marshmallow.RAISE

    def on_bind_field(self, field_name: str, field_obj: marshmallow.fields.Field) -> None:
        """Give the field its outside name."""
        field_obj.data_key = camel_case(field_obj.data_key or field_name)

    @marshmallow.post_dump
    def _drop_absent(self, data: Mapping[str, Any], **_: Any) -> dict[str, Any]:
        return {
            key: value
            for key, value in data.items()
            if value is not None and (key in self.keep_empty or not (value == [] or value == {}))
        }


class ArgsSchema(Schema):
    """An operation's input. ``aliases`` are other names callers use for a key: understood, never published."""

    aliases: ClassVar[dict[str, str]] = {}
