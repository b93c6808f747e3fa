"""JSON Schemas: of a result from its fields; of a scenario from its model, so that an editor can check TOML."""

import ast
import inspect
import textwrap
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, cast

from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode
from pydantic_core import CoreSchema

from gamedeid.scenario.scenario import Scenario

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


def scenario_schema() -> dict[str, Any]:
    """Return the JSON Schema of a scenario's file.

    A key's description is what the source says below it. What depends on several keys, or on the data, is no part of
    the schema: a command says it.
    """
    found = Scenario.model_json_schema(schema_generator=SchemaGenerator)
    models = {model.__name__: model for model in _models(Scenario)}
    for name, part in [(Scenario.__name__, found), *found["$defs"].items()]:
        if name in models:
            _describe(models[name], part)
    return found


def _describe(model: type[BaseModel], part: dict[str, Any]) -> None:
    """Add what the source says of a section and of its keys."""
    part["description"] = (inspect.getdoc(model) or "").splitlines()[0]
    tree = ast.parse(textwrap.dedent(inspect.getsource(model)))
    body = tree.body[0].body if isinstance(tree.body[0], ast.ClassDef) else []
    for before, after in pairwise(body):
        match before, after:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(words))):
                if name in part["properties"]:
                    part["properties"][name]["description"] = inspect.cleandoc(words).replace("``", "`")


def _models(model: type[BaseModel]) -> Iterator[type[BaseModel]]:
    """Yield a model and those that its fields hold."""
    yield model
    for field in model.model_fields.values():
        for one in _types_in(field.annotation):
            if isinstance(one, type) and issubclass(one, BaseModel):
                yield from _models(one)


def _types_in(annotation: Any) -> Iterator[Any]:
    yield annotation
    for inside in getattr(annotation, "__args__", ()):
        yield from _types_in(inside)
