"""Results: JSON, its schema and the checks of its reader are derived from the fields of one frozen dataclass.

The types of their fields come first, with ranges and units for the schemas.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, fields
from types import UnionType
from typing import Annotated, Any, ClassVar, TypeAlias, Union, get_args, get_origin, get_type_hints

import numpy as np
from pydantic import Field, GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from gamedeid.reprs import Shown
from gamedeid.schema_names import KEY, schema_id

_LARGEST = 1e100  # far above any amount, and far below an overflow

_Finite: TypeAlias = Annotated[float, Field(strict=True, allow_inf_nan=False)]
_Whole: TypeAlias = Annotated[int, Field(strict=True)]

Number: TypeAlias = Annotated[_Finite, Field(ge=-_LARGEST, le=_LARGEST)]
Amount: TypeAlias = Annotated[Number, Field(description="Dollars; below 0 for a loss.")]
Dollars: TypeAlias = Annotated[_Finite, Field(gt=0, le=_LARGEST, description="Dollars, more than 0.")]
Share: TypeAlias = Annotated[_Finite, Field(ge=0, le=1, description="A share or a chance, from 0 to 1.")]
Mean: TypeAlias = Annotated[_Finite, Field(ge=0, le=_LARGEST, description="A mean or an expected number.")]
Seconds: TypeAlias = Annotated[_Finite, Field(ge=0, description="Seconds.")]
Milliseconds: TypeAlias = Annotated[_Finite, Field(ge=0, description="Milliseconds.")]
Count: TypeAlias = Annotated[_Whole, Field(ge=0, le=2**63, description="How many there are.")]
OneOrMore: TypeAlias = Annotated[_Whole, Field(ge=1, le=2**63, description="How many there are, one at least.")]
Level: TypeAlias = Annotated[
    _Whole, Field(ge=0, le=2**63, description="A level of a hierarchy: 0 is the value itself.")
]
Flag: TypeAlias = Annotated[bool, Field(strict=True)]
Text: TypeAlias = Annotated[str, Field(strict=True)]
FilePath: TypeAlias = Annotated[str, Field(strict=True, description="Where a file is.")]
Digest: TypeAlias = Annotated[str, Field(strict=True, pattern="^[0-9a-f]{64}$", description="SHA-256 in hex.")]
RangeEnds: TypeAlias = Annotated[
    tuple[Number | None, ...],
    Field(min_length=2, max_length=2, description="Dollars, from and to; null: without an end."),
]
OpenEnds: TypeAlias = Annotated[
    tuple[Flag, ...], Field(min_length=2, max_length=2, description="Whether the claim does not hold at the very end.")
]
Edges: TypeAlias = Annotated[tuple[Number, ...], Field(min_length=2, description="Where bins begin and end.")]


class Result(Shown):
    """A frozen dataclass whose fields are the keys of a JSON document.

    The types of the fields, and the return types of its properties, are the types of the keys. A field with its default
    value is left out of the document.

    Attributes
    ----------
    document : name of the document's schema; None for a part of another document.
    keys : names of fields and properties, in the order of the document (default: all fields). A name with "?" at the
        end may be left out: a field if it has its default, a property if it is None or empty.
    others : the field with further keys, which are added to the keys of the document; "" for no such field.
    """

    __slots__ = ()

    document: ClassVar[str | None] = None
    keys: ClassVar[tuple[str, ...]] = ()
    others: ClassVar[str] = ""
    table_of = "facts"

    @property
    def facts(self) -> dict[str, Any]:
        """The document without names of schemas and without lists; a nested part has both names."""
        return dict(_flat(self.as_dict()))

    def as_dict(self) -> dict[str, Any]:
        """Return the document as plain values, for JSON."""
        found: dict[str, Any] = {} if self.document is None else {KEY: schema_id(self.document)}
        defaults = _defaults(type(self))
        for key, is_optional in _keys_of(type(self)).items():
            value = getattr(self, key)
            if key == self.others:
                found |= to_plain(value)
            elif not (is_optional and (value is defaults.get(key) or value == {})):
                found[key] = to_plain(value)
        return found

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return the pydantic schema that checks a document of this class."""
        hints = get_type_hints(cls, include_extras=True)
        keys, others = {}, None
        if cls.document is not None:
            keys[KEY] = core_schema.typed_dict_field(core_schema.literal_schema([schema_id(cls.document)]))
        defaults = _defaults(cls)
        for key, is_optional in _keys_of(cls).items():
            held = hints.get(key) or get_type_hints(getattr(cls, key).fget, include_extras=True)["return"]
            if key == cls.others:
                others = handler.generate_schema(get_args(held)[1])
                continue
            held = _without(type(defaults.get(key)), held) if is_optional else held
            keys[key] = core_schema.typed_dict_field(handler.generate_schema(held), required=not is_optional)
        if others is None:
            return core_schema.typed_dict_schema(keys)
        return core_schema.typed_dict_schema(keys, extras_schema=others, extra_behavior="allow")


_PLAIN_TYPES = frozenset({str, int, float, bool, type(None)})


def to_plain(value: Any) -> Any:
    """Return the plain JSON value of a value of a result."""
    if type(value) in _PLAIN_TYPES:  # most values are plain, and comparing a type is faster than isinstance
        return value
    if isinstance(value, Result):
        return value.as_dict()
    if isinstance(value, Mapping):
        return {str(name): to_plain(inside) for name, inside in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [inside if type(inside) in _PLAIN_TYPES else to_plain(inside) for inside in value]
    return value.item() if isinstance(value, np.generic) else value


def _flat(content: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in content.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{above}{name} ")
        elif name != KEY and not isinstance(value, list):
            yield f"{above}{name}", value


def _keys_of(kind: type[Result]) -> dict[str, bool]:
    """Return the keys in the order of the document, each with whether it may be absent."""
    if kind.keys:
        return {key.removesuffix("?"): key.endswith("?") for key in kind.keys}
    defaults = _defaults(kind)
    return {field.name: field.name in defaults for field in fields(kind)}  # type: ignore[arg-type]


def _defaults(kind: type[Result]) -> dict[str, Any]:
    """Return the defaults of fields that have one; a default factory counts as an empty mapping."""
    held = fields(kind)  # type: ignore[arg-type]
    fixed = {one.name: one.default for one in held if one.default is not MISSING}
    return fixed | {one.name: {} for one in held if one.default_factory is not MISSING}


def _without(kind: type, held: Any) -> Any:
    """Return a union type without one of its members."""
    if get_origin(held) not in {Union, UnionType}:
        return held
    return Union[tuple(one for one in get_args(held) if one is not kind)]  # noqa: UP007  (of a tuple of types)
