"""Copies of Arrow arrays, nested ones included, that hold nothing but the values."""

import numpy as np
import pyarrow as pa

from gamedeid.arrays import IntArray
from gamedeid.arrow import as_numpy


def own_array(array: pa.Array) -> pa.Array:
    """Return an array whose values are copied: not what a missing value was before, nor what stands beside.

    Dictionaries become plain values, and so do types that neither Arrow nor pandas knows: these may carry anything.
    """
    kind = array.type
    if isinstance(array, pa.ExtensionArray):
        own = own_array(array.storage)
        return own if _is_foreign(kind) else pa.ExtensionArray.from_storage(kind, own)
    if pa.types.is_dictionary(kind):
        return own_array(array.dictionary_decode())
    if pa.types.is_struct(kind):
        inside = [own_array(one) for one in array.flatten()]
        fields = [pa.field(field.name, one.type, field.nullable) for field, one in zip(kind, inside, strict=True)]
        return pa.StructArray.from_arrays(inside, fields=fields, mask=array.is_null())
    return _own_lists(array) if _is_list(kind) else array.take(pa.array(np.arange(len(array))))


def own_type(kind: pa.DataType) -> pa.DataType:
    """Return what :func:`own_array` makes of a type; fields within it lose their metadata."""
    return own_array(pa.nulls(0, kind)).type


def is_plain(kind: pa.DataType) -> bool:
    """Return whether to pick rows of a type copies all that there is, and nothing besides."""
    return not (pa.types.is_nested(kind) or pa.types.is_dictionary(kind) or isinstance(kind, pa.BaseExtensionType))


def _own_lists(array: pa.Array) -> pa.Array:
    """Return lists of any kind, or maps, with copies of the values of those lists that are there."""
    kind = array.type
    there = as_numpy(array.is_valid())
    starts, lengths = _extents(array)
    lengths = np.where(there, lengths, 0)
    ends = np.cumsum(lengths)
    inside = pa.array(np.repeat(starts - ends + lengths, lengths) + np.arange(lengths.sum()))
    offsets, mask = np.concatenate([[0], ends]), pa.array(~there)
    if pa.types.is_map(kind):
        keys, items = (own_array(one.take(inside)) for one in (array.keys, array.items))
        own = pa.map_(keys.type, items.type, kind.keys_sorted)
        return pa.MapArray.from_arrays(pa.array(offsets, pa.int32()), keys, items, type=own, mask=mask)
    values = own_array(array.values.take(inside))
    inner = pa.field(kind.value_field.name, values.type, kind.value_field.nullable)
    if pa.types.is_fixed_size_list(kind):
        places = np.full(len(array) * kind.list_size, -1)
        places[np.repeat(there, kind.list_size)] = np.arange(lengths.sum())
        values, own = values.take(pa.array(places, mask=places < 0)), pa.list_(inner, kind.list_size)
        return pa.FixedSizeListArray.from_arrays(values, type=own, mask=mask)
    own = pa.large_list(inner) if pa.types.is_large_list(kind) else pa.list_(inner)
    return type(array).from_arrays(pa.array(offsets, array.offsets.type), values, type=own, mask=mask)


def _extents(array: pa.Array) -> tuple[IntArray, IntArray]:
    """Return where the values of each row begin among those of an array of lists, and how many they are."""
    if pa.types.is_fixed_size_list(array.type):
        size = array.type.list_size
        return (np.arange(len(array)) + array.offset) * size, np.full(len(array), size)
    offsets = as_numpy(array.offsets).astype(np.int64)
    return offsets[:-1], np.diff(offsets)


def _is_list(kind: pa.DataType) -> bool:
    of_kind = (pa.types.is_list, pa.types.is_large_list, pa.types.is_fixed_size_list, pa.types.is_map)
    return any(is_it(kind) for is_it in of_kind)


def _is_foreign(kind: pa.BaseExtensionType) -> bool:
    return type(kind).__module__.partition(".")[0] not in {"pyarrow", "pandas"}
