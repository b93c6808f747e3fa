"""The JSON Schema of a result, from the fields of its class."""

from collections.abc import Mapping
from typing import Any, cast

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode
from pydantic_core import CoreSchema

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def json_schema(kind: Any) -> dict[str, Any]:
    """Return the JSON Schema of a result, or of several together. Objects whose keys it lists refuse all others."""
    return SchemaGenerator().generate(TypeAdapter(kind).core_schema)


class SchemaGenerator(GenerateJsonSchema):
    """Makes JSON Schemas without titles that only repeat a key, and with bounds in words of JSON Schema."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002  (called by pydantic)
        """Return whether a key's title is made of the key."""
        return False

    def generate(self, schema: CoreSchema, mode: JsonSchemaMode = "validation") -> dict[str, Any]:
        """Return the JSON Schema of what pydantic's core checks."""
        return cast("dict[str, Any]", _translated(super().generate(schema, mode)))


_BOUNDS = {"ge": "minimum", "gt": "exclusiveMinimum", "le": "maximum", "lt": "exclusiveMaximum"}
"""What pydantic calls a bound that stands behind a check of its own, which it does not translate."""


def _translated(part: Any) -> Any:
    """Return a schema with bounds in its own words; where keys have a pattern, keys without it are refused."""
    if isinstance(part, list):
        return [_translated(inside) for inside in part]
    if not isinstance(part, Mapping):
        return part
    listed = part.get("type") == "object" and ("properties" in part or "patternProperties" in part)
    closed = {"additionalProperties": False} if listed else {}
    return closed | {
        _BOUNDS.get(key, key) if isinstance(inside, int | float) else key: _translated(inside)
        for key, inside in part.items()
    }
