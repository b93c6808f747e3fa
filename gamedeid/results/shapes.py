"""The notation in which the keys of a JSON document stand once: it is checked when read, and shown as a JSON Schema."""

from collections.abc import Mapping
from typing import Any, TypeAlias, cast

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode
from pydantic_core import CoreConfig, CoreSchema, SchemaValidator, core_schema

from gamedeid.schema_names import KEY, SchemaName, schema_id

Shape: TypeAlias = Any
"""What a value must be.

``{"key": shape, ...: shape}`` : an object that has the key; its other keys have the second shape.
``{"key?": shape}`` : the same, where the key may be absent.
``{str: shape}`` : an object with any keys of a type.
``[shape]``, ``[shape, ...]`` : a list, and one that is not empty.
``(shape, shape)`` : the one or the other; None for null.

All else is a type as pydantic checks it.
"""

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def validator(shape: Shape, name: SchemaName) -> SchemaValidator:
    """Return what checks documents that name their schema. Keys that the shape does not have are let through unread."""
    return SchemaValidator(_named(_schema(shape), name), CoreConfig(extra_fields_behavior="allow"))


def json_schema(shape: Shape, name: SchemaName) -> dict[str, Any]:
    """Return a shape as the JSON Schema of this name. Objects whose keys it lists refuse all others."""
    return SchemaGenerator().generate(_named(_schema(shape), name))


def _named(schema: Any, name: SchemaName) -> CoreSchema:
    """Return a schema of which every object at the top names its schema first; a list names none."""
    if schema["type"] == "union":
        return {**schema, "choices": [_named(one, name) for one in schema["choices"]]}
    if schema["type"] != "typed-dict":
        return cast("CoreSchema", schema)
    key = core_schema.typed_dict_field(core_schema.literal_schema([schema_id(name)]), required=True)
    return {**schema, "fields": {KEY: key, **schema["fields"]}}


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


def _schema(shape: Shape) -> CoreSchema:
    match shape:
        case tuple():
            return _one_of(shape)
        case [inside, *rest]:
            return core_schema.list_schema(_schema(inside), min_length=len(rest) or None)
        case dict() if all(key is ... or isinstance(key, str) for key in shape):
            fields = {
                key.removesuffix("?"): core_schema.typed_dict_field(_schema(shape[key]), required=not key.endswith("?"))
                for key in shape
                if key is not ...
            }
            if ... in shape:
                others = _schema(shape[...])
                return core_schema.typed_dict_schema(fields, extras_schema=others, extra_behavior="allow")
            return core_schema.typed_dict_schema(fields)
        case dict():
            [(key, inside)] = shape.items()
            return core_schema.dict_schema(_schema(key), _schema(inside))
        case _:
            return TypeAdapter(shape).core_schema


def _one_of(shapes: tuple[Shape, ...]) -> CoreSchema:
    """Return a choice of shapes, null among them where one is None."""
    choices: list[CoreSchema | tuple[CoreSchema, str]] = [_schema(shape) for shape in shapes if shape is not None]
    found = core_schema.union_schema(choices)
    return core_schema.nullable_schema(found) if None in shapes else found
