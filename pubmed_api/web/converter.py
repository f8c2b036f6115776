"""Schemas as JSON Schema 2020-12, with what apispec leaves out put back."""

from typing import Any

import marshmallow
from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.openapi import OpenAPIConverter


class Converter(OpenAPIConverter):
    """Objects stay closed, and an enum of one value is a constant."""

    def schema2jsonschema(self, schema: Any) -> dict[str, Any]:
        """The JSON Schema of one marshmallow schema."""
        document = super().schema2jsonschema(schema)
        unknown = getattr(schema, "unknown", marshmallow.EXCLUDE)
        if unknown == marshmallow.RAISE:
            document["additionalProperties"] = False
        for prop in document["properties"].values():
            if isinstance(prop.get("enum"), list) and len(prop["enum"]) == 1:
                prop["const"] = prop.pop("enum")[0]
        return document


class Plugin(MarshmallowPlugin):
    """apispec's marshmallow plugin with our converter."""

    Converter = Converter
