"""Lazy data frames in Narwhals: the kind of each, and its columns with nothing but their values."""

import warnings
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from gamedeid.data import own_values
from gamedeid.data.own_values import is_plain, own_array, own_column, own_type
from gamedeid.lazy_imports import LazyModule

if TYPE_CHECKING:
    import narwhals as nw
else:
    nw = LazyModule("narwhals")


def in_narwhals(frame: Any) -> Any:
    """Return a native frame as Narwhals wraps it."""
    with warnings.catch_warnings():  # its part for Dask moves to a package that may not be there yet
        warnings.filterwarnings("ignore", "Dask support is moving", FutureWarning)
        return nw.from_native(frame)


def own_pandas(frame: Any) -> Any:
    """Return a plain pandas frame of the same columns, rows numbered from 0.

    Categories that no row has are gone, the others keep their order. The metadata in ``attrs`` are left out, and so is
    the number that a missing value may hide.
    """
    import pandas as pd  # noqa: PLC0415  (slow to import, and files do without)

    return pd.DataFrame({name: _own_series(pd, frame[name]) for name in frame.columns})


def own_polars(frame: Any) -> Any:
    """Return a Polars frame of the same columns.

    An Enum keeps the values that a row has, in their order; within other values it becomes text. No buffer is shared.
    """
    import polars as pl  # noqa: PLC0415  (installed, since the frame is one of its)

    return pl.DataFrame([_own_column(pl, column) for column in frame.get_columns()])


def _own_series(pd: Any, series: Any) -> Any:
    kind = series.dtype
    if isinstance(kind, pd.CategoricalDtype):
        return series.cat.remove_unused_categories()
    if isinstance(kind, pd.ArrowDtype):
        column = pa.table({"": series.array}).column(0)
        own = own_column(column, pa.array(np.arange(len(column))), str(series.name), keeps_order=True)
        return pd.Series(pd.arrays.ArrowExtensionArray(own), series.index)
    if isinstance(kind, pd.api.extensions.ExtensionDtype) and kind.kind in "biuf" and series.isna().any():
        return series.fillna(kind.type(0)).mask(series.isna())
    return series


def _own_column(pl: Any, column: Any) -> Any:
    kind = column.dtype
    shares = pl.String | pl.Binary | pl.Categorical | pl.Enum | pl.List | pl.Array | pl.Struct
    if not isinstance(kind, shares):
        return _without_gaps(pl, column) if column.null_count() and kind != pl.Object else column
    if isinstance(kind, pl.Enum):
        used = set(column.drop_nulls().cast(pl.String))
        kind = pl.Enum([one for one in kind.categories if one in used])
    as_text = isinstance(kind, pl.Enum | pl.Categorical)
    own = kind if as_text else without_enums(pl, kind)
    arrow = pa.chunked_array([column.cast(pl.String if as_text else own).to_arrow()])
    copied = own_column(arrow, pa.array(np.arange(len(arrow))), column.name, keeps_order=False)
    return pl.Series(column.name, pl.from_arrow(copied)).cast(own)


def _without_gaps(pl: Any, column: Any) -> Any:
    """Return a column whose missing values hide no former values."""
    there = column.is_not_null()
    places = pl.select(pl.when(there).then(there.cum_sum() - 1)).to_series()
    return column.drop_nulls().gather(places)


def without_enums(pl: Any, kind: Any) -> Any:
    """Return a Polars type with text in place of an Enum inside of it."""
    if isinstance(kind, pl.Enum):
        return pl.String()
    if isinstance(kind, pl.List):
        return pl.List(without_enums(pl, kind.inner))
    if isinstance(kind, pl.Array):
        return pl.Array(without_enums(pl, kind.inner), kind.size)
    if isinstance(kind, pl.Struct):
        return pl.Struct({field.name: without_enums(pl, field.dtype) for field in kind.fields})
    return kind


def kind_of(rows: Any) -> str:
    """Return the library of a Narwhals frame: polars, duckdb, spark or dask; for any other, Narwhals' name."""
    made = rows.implementation
    return "spark" if made.is_spark_like() else str(made.value)


def names_of(rows: Any) -> list[Any]:
    """Return the names of the columns as their owner wrote them, one for each, in order."""
    native = nw.to_native(rows)
    return list(native.columns) if kind_of(rows) in {"spark", "duckdb", "dask"} else rows.collect_schema().names()


def renamed(rows: Any, names: Sequence[str]) -> Any:
    """Return a lazy Narwhals frame with other names for its columns, given in order.

    Engines read names differently: some ignore case; in others a dot selects a part of a column, or a sign several
    columns.
    """
    native = nw.to_native(rows)
    match kind_of(rows):
        case "spark":
            return in_narwhals(native.toDF(*names))
        case "duckdb":
            places = [f"column_{place}" for place in range(len(names))]
            chosen = ", ".join(f"{place} AS {_quoted(name)}" for place, name in zip(places, names, strict=True))
            query = f"SELECT {chosen} FROM gamedeid_named AS t({', '.join(places)})"  # noqa: S608
            return in_narwhals(native.query("gamedeid_named", query))
        case _:
            return rows.rename(dict(zip(names_of(rows), names, strict=True)))


def own_lazy(rows: Any) -> Any:
    """Return a lazy Narwhals frame with the values of its rows only.

    Categories and enumerations may name values that no row has, and columns may carry metadata. In Polars and DuckDB an
    Enum becomes text, and in Dask categories become plain values, since the rows that use them are not known yet.
    """
    native = nw.to_native(rows)
    own = {"polars": _own_polars, "duckdb": _own_duckdb, "spark": _own_spark, "dask": _own_dask}.get(kind_of(rows))
    return rows if own is None else in_narwhals(own(native))


def _own_polars(rows: Any) -> Any:
    pl: Any = import_module("polars")
    schema = rows.collect_schema()
    plain = {name: without_enums(pl, kind) for name, kind in schema.items()}
    casts = [pl.col(name).cast(plain[name]) for name, kind in schema.items() if plain[name] != kind]
    return rows.with_columns(casts).map_batches(own_polars, streamable=True)


def _own_duckdb(rows: Any) -> Any:
    columns = [_duckdb_column(name, kind) for name, kind in zip(rows.columns, rows.types, strict=True)]
    return rows.query("gamedeid_own", f"SELECT {', '.join(columns)} FROM gamedeid_own")  # noqa: S608


def _duckdb_column(name: str, kind: Any) -> str:
    plain = _without_enums_of_duckdb(kind)
    return _quoted(name) if plain == str(kind) else f"CAST({_quoted(name)} AS {plain}) AS {_quoted(name)}"


def _without_enums_of_duckdb(kind: Any) -> str:
    """Return a type as DuckDB writes it, text in place of enumerations."""
    inside = kind.children if kind.id in {"struct", "list", "array", "map"} else []
    within = [(name, _without_enums_of_duckdb(one) if hasattr(one, "id") else str(one)) for name, one in inside]
    match kind.id:
        case "enum":
            return "VARCHAR"
        case "struct":
            return f"STRUCT({', '.join(f'{_quoted(name)} {one}' for name, one in within)})"
        case "list":
            return f"{within[0][1]}[]"
        case "array":
            return f"{within[0][1]}[{within[1][1]}]"
        case "map":
            return f"MAP({within[0][1]}, {within[1][1]})"
        case _:
            return str(kind)


def _own_spark(rows: Any) -> Any:
    functions: Any = import_module("pyspark.sql.functions")
    columns = []
    for field in rows.schema.fields:
        column, plain = functions.col(field.name), _without_notes(field.dataType)
        own = column if plain == field.dataType else column.cast(plain)
        columns.append(own.alias(field.name, metadata={"comment": ""}))  # without any, the old metadata would return
    return rows.select(*columns)


def _without_notes(kind: Any) -> Any:
    """Return a type of Spark whose inner fields carry no metadata."""
    types: Any = import_module("pyspark.sql.types")
    if isinstance(kind, types.StructType):
        inside = [(field.name, _without_notes(field.dataType), field.nullable) for field in kind.fields]
        return types.StructType([types.StructField(*one) for one in inside])
    if isinstance(kind, types.ArrayType):
        return types.ArrayType(_without_notes(kind.elementType), kind.containsNull)
    if isinstance(kind, types.MapType):
        return types.MapType(_without_notes(kind.keyType), _without_notes(kind.valueType), kind.valueContainsNull)
    return kind


def _own_dask(rows: Any) -> Any:
    own = _partition_cleaner()
    return rows.map_partitions(own, meta=own(rows._meta))  # noqa: SLF001  (Dask has no other name for it)


def _partition_cleaner() -> Any:
    """Return the function by which workers clean a partition; it is sent whole, as they need not have this package."""

    def own(part: Any) -> Any:
        columns = {}
        for name in part.columns:
            column = part[name]
            kind = column.dtype
            arrow = getattr(kind, "pyarrow_dtype", None)
            if isinstance(kind, pandas.CategoricalDtype) or (arrow is not None and not is_plain(arrow)):
                there = pyarrow.table({"": column.array}).column(0)
                plain = pyarrow.chunked_array([own_array(chunk) for chunk in there.chunks], own_type(there.type))
                column = pandas.Series(pandas.arrays.ArrowExtensionArray(plain), part.index)
            elif getattr(column.array, "_mask", None) is not None and column.isna().any():
                column = column.fillna(kind.type(0)).mask(column.isna())
            columns[name] = column
        return pandas.DataFrame(columns, index=part.index)

    import pandas  # noqa: ICN001, PLC0415  (as the function knows it)
    import pyarrow  # noqa: ICN001, PLC0415

    import_module("cloudpickle").register_pickle_by_value(own_values)
    return own


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
