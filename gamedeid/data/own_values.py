"""Pick rows from Arrow tables, with nothing but the values of these rows.

A table carries more than its rows: categories of coded columns that no row has; metadata of the table and its columns;
in memory also former contents of missing values, and buffers that other rows share.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from gamedeid.arrow import as_arrow, as_numpy, recode_dictionary
from gamedeid.errors import InvalidDataError, quoted


def own_table(table: pa.Table, rows: pa.Array, columns: Mapping[str, Any], *, keeps_order: bool) -> pa.Table:
    """Return some rows of an Arrow table with some columns replaced.

    Dictionaries are made anew of the values that the rows have, in the order of the rows; dictionaries within nested
    values become plain values. Metadata of the table and of its columns are left out. No buffer is shared.

    Parameters
    ----------
    rows : (k,) int64, their numbers, in the order wanted.
    columns : the new columns by name, (k,) each.
    keeps_order : whether ordered dictionaries keep their order. They cannot if a table is picked in blocks, each of
        which has only some of the values.
    """
    others = [name for name in table.column_names if name not in columns]
    own = {name: own_column(table.column(name), rows, name, keeps_order=keeps_order) for name in others}
    every = {**own, **columns}
    return pa.table({name: every[name] for name in table.column_names})


def own_column(column: pa.ChunkedArray, rows: pa.Array | None, name: str, *, keeps_order: bool) -> pa.ChunkedArray:
    """Return the same for one column; ``rows`` is None for all rows of a column whose buffers may be shared."""
    try:
        if pa.types.is_dictionary(column.type):
            picked = _picked(column.unify_dictionaries(), rows)
            return _recoded(picked, keeps_order=keeps_order and column.type.ordered)
        if pa.types.is_run_end_encoded(column.type):
            column = _decoded(column)
        if is_plain(column.type):
            return _picked(column, rows)
        return pa.chunked_array([own_array(chunk) for chunk in _picked(column, rows).chunks], own_type(column.type))
    except pa.ArrowNotImplementedError:
        raise InvalidDataError(
            f"records: column {quoted(name)} must hold values that rows can be picked from, not {quoted(column.type)}"
        ) from None


def _picked(column: pa.ChunkedArray, rows: pa.Array | None) -> pa.ChunkedArray:
    return column if rows is None else column.take(rows)


def _recoded(column: pa.ChunkedArray, *, keeps_order: bool) -> pa.ChunkedArray:
    """Return a column of one dictionary with a dictionary of its rows' values only."""
    kind = column.type
    if not column.num_chunks:
        return column if keeps_order else pa.chunked_array([], pa.dictionary(kind.index_type, kind.value_type))
    if not keeps_order:
        return pa.chunked_array([recode_dictionary(pa.concat_arrays(column.chunks))])
    used = np.unique(np.concatenate([as_numpy(chunk.indices.drop_null()) for chunk in column.chunks]))
    dictionary = column.chunk(0).dictionary
    places = np.zeros(len(dictionary), np.int64)
    places[used] = np.arange(len(used))
    values, place_of = own_array(dictionary.take(as_arrow(used))), as_arrow(places)
    chunks = [place_of.take(chunk.indices).cast(kind.index_type) for chunk in column.chunks]
    return pa.chunked_array([pa.DictionaryArray.from_arrays(chunk, values, ordered=True) for chunk in chunks])


def _decoded(column: pa.ChunkedArray) -> pa.ChunkedArray:
    from pyarrow.compute import run_end_decode  # noqa: PLC0415  (slow to import, and seldom needed)

    return pa.chunked_array([run_end_decode(chunk) for chunk in column.chunks], column.type.value_type)


def own_array(array: pa.Array) -> pa.Array:
    """Return an array whose values are copied: without the former contents of missing values and of the buffers.

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
    picked = array.take(pa.array(np.arange(len(array))))  # lists that are missing have no values then
    return _own_lists(picked) if _is_list(kind) else picked


def own_type(kind: pa.DataType) -> pa.DataType:
    """Return the type that :func:`own_array` makes of a type; fields within it lose their metadata."""
    return own_array(pa.nulls(0, kind)).type


def is_plain(kind: pa.DataType) -> bool:
    """Return whether picking rows of a type copies all of their values, and nothing else."""
    return not (pa.types.is_nested(kind) or pa.types.is_dictionary(kind) or isinstance(kind, pa.BaseExtensionType))


def _own_lists(array: pa.Array) -> pa.Array:
    """Return lists of any kind, or maps, picked already, with copies of their values."""
    kind = array.type
    if pa.types.is_map(kind):
        keys, items = own_array(array.keys), own_array(array.items)
        own = pa.map_(keys.type, items.type, kind.keys_sorted)
        return pa.MapArray.from_arrays(array.offsets, keys, items, type=own, mask=array.is_null())
    values = own_array(array.values)
    inner = pa.field(kind.value_field.name, values.type, kind.value_field.nullable)
    if pa.types.is_fixed_size_list(kind):
        own = pa.list_(inner, kind.list_size)
        return pa.FixedSizeListArray.from_arrays(values, type=own, mask=array.is_null())
    own = pa.large_list(inner) if pa.types.is_large_list(kind) else pa.list_(inner)
    return type(array).from_arrays(array.offsets, values, type=own, mask=array.is_null())


def _is_list(kind: pa.DataType) -> bool:
    of_kind = (pa.types.is_list, pa.types.is_large_list, pa.types.is_fixed_size_list, pa.types.is_map)
    return any(is_it(kind) for is_it in of_kind)


def _is_foreign(kind: pa.BaseExtensionType) -> bool:
    return type(kind).__module__.partition(".")[0] not in {"pyarrow", "pandas"}
