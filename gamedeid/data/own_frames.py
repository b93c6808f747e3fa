"""Copies of pandas and Polars frames without anything that is no value of their rows."""

from typing import Any

import numpy as np
import pyarrow as pa

from gamedeid.data.own_values import own_column


def own_pandas(frame: Any) -> Any:
    """Return a plain pandas frame of the same columns, rows numbered from 0.

    Categories that no row has are gone, the others keep their order. The metadata in ``attrs`` are left out, and so is
    the number that a missing value may hide.
    """
    import pandas as pd  # noqa: PLC0415  (slow to import, and files do without)

    return pd.DataFrame({name: _own_series(pd, frame[name]) for name in frame.columns})


def own_polars(frame: Any) -> Any:
    """Return a Polars frame of the same columns.

    An Enum has the values that some row has, in their order; within other values it becomes text. No buffer is shared.
    """
    import polars as pl  # noqa: PLC0415  (there is one, since there is a frame of its)

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
    """Return a column whose missing values have nothing below them."""
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
