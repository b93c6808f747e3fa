"""Results: JSON and its schema follow from the fields of one frozen dataclass."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any, ClassVar, get_type_hints

import numpy as np
from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from gamedeid.reprs import Shown
from gamedeid.schema_names import KEY, SchemaName, schema_id


class Result(Shown):
    """A frozen dataclass whose fields are the keys of a JSON document.

    The types of the fields, and those that its properties return, are the types of the keys: `quantities` has those
    with a range and a unit.

    Attributes
    ----------
    document : the schema that the document names; None for a part of another document.
    keys : names of fields and properties, in the order of the document; all fields unless given. One that ends in "?"
        is left out where it is None or empty.
    """

    __slots__ = ()

    document: ClassVar[SchemaName | None] = None
    keys: ClassVar[tuple[str, ...]] = ()
    table_of = "facts"

    @property
    def facts(self) -> dict[str, Any]:
        """The same without names of schemas and without lists, parts of parts by both their names."""
        return dict(_flat(self.as_dict()))

    def as_dict(self) -> dict[str, Any]:
        """Return the same as plain values, for JSON."""
        found: dict[str, Any] = {} if self.document is None else {KEY: schema_id(self.document)}
        for key in _keys_of(type(self)):
            value = plain(getattr(self, key.removesuffix("?")))
            if not key.endswith("?") or (value is not None and value != {}):
                found[key.removesuffix("?")] = value
        return found

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return what checks a document of this kind, as pydantic asks for it."""
        hints = get_type_hints(cls, include_extras=True)
        keys = {}
        for key in _keys_of(cls):
            name = key.removesuffix("?")
            held = hints.get(name) or get_type_hints(getattr(cls, name).fget, include_extras=True)["return"]
            keys[name] = core_schema.typed_dict_field(handler.generate_schema(held), required=name == key)
        return core_schema.typed_dict_schema(keys)


def plain(value: Any) -> Any:
    """Return a value of a result as JSON has it."""
    if isinstance(value, Result):
        return value.as_dict()
    if isinstance(value, Mapping):
        return {str(name): plain(inside) for name, inside in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [plain(inside) for inside in value]
    return value.item() if isinstance(value, np.generic) else value


def _flat(content: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in content.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{above}{name} ")
        elif name != KEY and not isinstance(value, list):
            yield f"{above}{name}", value


def _keys_of(kind: type[Result]) -> tuple[str, ...]:
    return kind.keys or tuple(field.name for field in fields(kind))  # type: ignore[arg-type]
