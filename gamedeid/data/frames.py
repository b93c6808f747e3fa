"""Data frames of any library: their columns as Arrow tables, and their rows with some columns replaced."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from datetime import date, datetime
from numbers import Number
from os import PathLike
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
import pyarrow as pa

from gamedeid.arrays import TABLE_ROWS, IntArray
from gamedeid.arrow import rechunked
from gamedeid.data.columns import FIRST_ROWS, can_convert, not_plain, numeric_columns, without_views
from gamedeid.data.files.headers import refuse_values_as_names
from gamedeid.data.files.tables import refuse_absent
from gamedeid.data.lazy_frames import in_narwhals, names_of, own_pandas, own_polars, renamed
from gamedeid.data.own_values import own_table
from gamedeid.errors import InvalidDataError, quoted
from gamedeid.lazy_imports import LazyModule
from gamedeid.reprs import frozen
from gamedeid.scenario.toml import is_writable

if TYPE_CHECKING:
    import narwhals as nw
else:
    nw = LazyModule("narwhals")


@frozen(eq=False)
class Frame:
    """A data frame that a caller passed.

    Parameters
    ----------
    rows : the frame as Narwhals wraps it; lazy until :meth:`collected`.
    lazy : whether the caller's frame is lazy.
    labels : names of the columns in ``rows``: in a lazy frame their places, so that no engine confuses two names.
    """

    table_name: str
    rows: Any
    lazy: bool
    names: tuple[str, ...]
    labels: tuple[str, ...]

    @classmethod
    def of(cls, frame: Any, table_name: str) -> "Frame":
        """Wrap a pandas, Polars or Arrow frame, or any other that Narwhals knows."""
        try:
            rows = in_narwhals(frame)
            names = names_of(rows)
        except TypeError:
            path = f"; a file is named by [{table_name}] path" if isinstance(frame, str | PathLike) else ""
            raise InvalidDataError(
                f"{table_name}: expected a pandas, Polars or Arrow table, not {type(frame).__name__}{path}"
            ) from None
        except nw.exceptions.DuplicateError:
            names = frame.column_names if isinstance(frame, pa.Table) else list(frame.columns)
        seen: set[str] = set()
        for name in names:
            if not isinstance(name, str):
                raise InvalidDataError(
                    f"{table_name}: columns are named by texts, but one is {quoted(name)} ({type(name).__name__}); "
                    "rename it"
                )
            if not is_writable(name):
                raise InvalidDataError(
                    f"{table_name}: the name of column {quoted(name)} holds a character that no text can hold; rename "
                    "it"
                )
            if name in seen:
                raise InvalidDataError(
                    f"{table_name}: column {quoted(name)} is named twice; give each column another name"
                )
            seen.add(name)
        lazy = isinstance(rows, nw.LazyFrame)
        labels = [f"column_{place}" for place in range(len(names))] if lazy else names
        rows = renamed(rows, labels) if lazy else rows
        return cls(table_name=table_name, rows=rows, lazy=lazy, names=tuple(names), labels=tuple(labels))

    def label(self, name: str) -> str:
        """Return the name of a column in ``rows``."""
        return self.labels[self.names.index(name)]

    def select(self, columns: Collection[str]) -> "Frame":
        """Return the named columns in the frame's order. An index of pandas is left behind."""
        places = [place for place, name in enumerate(self.names) if name in set(columns)]
        names, labels = (tuple(every[place] for place in places) for every in (self.names, self.labels))
        rows = self.rows.select(labels) if self.lazy else self.rows[:, places]
        kinds = rows.collect_schema().values() if rows.implementation.is_polars() else ()
        for name, kind in zip(names, kinds, strict=False):
            if kind in {nw.Object, nw.Int128, nw.UInt128}:  # Arrow would take the addresses of Python's objects
                raise not_plain(name, self.table_name, kind)
        return replace(self, rows=nw.maybe_reset_index(rows), names=names, labels=labels)

    def numeric_columns(self, columns: Collection[str], missing_values: Collection[str]) -> list[str]:
        """Return those of the named columns that hold numbers; in a lazy frame, those of a numeric type."""
        wanted = [name for name in self.names if name in set(columns)]
        if self.lazy:
            types = self.rows.collect_schema()
            return [name for name in wanted if types[self.label(name)].is_numeric()]
        fitting = [name for name in wanted if can_convert(self.rows.select(name).head(FIRST_ROWS).to_arrow)]
        return numeric_columns(self.rows.select(fitting).head(FIRST_ROWS).to_arrow(), missing_values) if fitting else []

    def first_rows(self, columns: Collection[str], most: int) -> pa.Table:
        """Return the named columns of the first ``most`` rows at most of a frame that is not lazy."""
        table: pa.Table = without_views(self.select(columns).rows.head(most).to_arrow())
        return table

    def read(self, columns: Collection[str], *, coded: Collection[str] = ()) -> pa.Table:  # noqa: ARG002  (as of a file)
        """Return the named columns, in the frame's order; a lazy frame is computed."""
        return self.select(columns).collected().to_arrow()

    def blocks(self, columns: Collection[str]) -> Iterator[pa.Table]:
        """Yield the same in blocks of ``TABLE_ROWS`` rows; the last may have fewer."""
        return rechunked([self.read(columns)], TABLE_ROWS)

    def refuse_no_header(self) -> None:
        """Refuse names that are values of a first row; called before names are shown."""
        refuse_values_as_names(self.table_name, self.names)

    def refuse_absent(self, wanted: Collection[str]) -> None:
        """Check that the frame has columns of these names."""
        refuse_absent(self.table_name, self.names, wanted)

    def collected(self) -> "Frame":
        """Return the frame in memory: computed, if it is lazy."""
        rows = self.rows
        if self.lazy:
            rows = rows.collect().rename(dict(zip(self.labels, self.names, strict=True)))
        if rows.implementation.is_pyarrow():
            rows = nw.from_native(without_views(rows.to_native()), eager_only=True)
        return replace(self, rows=nw.maybe_reset_index(rows), labels=self.names)

    def to_arrow(self) -> pa.Table:
        """Return a collected frame as an Arrow table."""
        if (mixed := next(_mixed_columns(self.rows), None)) is not None:
            self._refuse_kinds(mixed)
        try:
            table: pa.Table = self.rows.to_arrow()
        except (pa.ArrowException, TypeError, ValueError, OverflowError):
            self._refuse_kinds(
                next((name for name in self.names if not can_convert(self.rows.select(name).to_arrow)), "")
            )
        if table.num_rows == 0:
            raise InvalidDataError(f"{self.table_name}: has no rows")
        return table

    def _refuse_kinds(self, name: str) -> NoReturn:
        if self.rows.schema[name] == nw.Unknown:
            raise not_plain(name, self.table_name, nw.to_native(self.rows)[name].dtype) from None
        raise InvalidDataError(
            f"{self.table_name}: column {quoted(name)} mixes kinds of values; make it one kind, such as text"
        ) from None

    def released(
        self, picked: IntArray, columns: Mapping[str, pa.Array], before: Mapping[str, pa.Array] | None = None
    ) -> Any:
        """Return some rows of a collected frame with some columns replaced, as a frame of the caller's kind.

        It has the values of these rows only: categories without a row, metadata and everything else are left out.

        Parameters
        ----------
        picked : (k,) row numbers from 0, in the order wanted.
        columns : the new columns by name, (k,) each; the others are unchanged.
        before : columns to put before all of these, (k,) each (default: none).
        """
        before, made = before or {}, self.rows.implementation
        if made.is_pyarrow():
            own = own_table(self.rows.to_native(), pa.array(picked), columns, keeps_order=True)
            return pa.table({**before, **dict(zip(own.column_names, own.columns, strict=True))})
        rows = nw.maybe_reset_index(self.rows[picked])
        new = nw.from_arrow(pa.table({**before, **columns}), backend=made)
        replaced = rows.with_columns(*(new[name] for name in new.columns))
        names = replaced.columns  # by their places: Polars takes a name such as ^.*$ for a pattern
        replaced = replaced[:, sorted(range(len(names)), key=lambda place: names[place] not in before)]
        if made.is_pandas():
            return own_pandas(nw.to_native(replaced))
        if made.is_polars():
            return own_polars(nw.to_native(replaced))
        coded = [name for name, kind in replaced.schema.items() if kind in {nw.Categorical, nw.Enum}]
        return nw.to_native(replaced.with_columns(nw.col(name).cast(nw.String) for name in coded))


_PERHAPS_MIXED = {"mixed", "mixed-integer", "date", "datetime"}
"""Names that pandas gives to columns of Python values which may be of several kinds."""


def _mixed_columns(rows: Any) -> Iterator[str]:
    """Yield columns of Python values of several kinds: Arrow may make one of them, such as a date of a number."""
    if not rows.implementation.is_pandas():
        return
    from pandas.api.types import infer_dtype  # noqa: PLC0415  (installed, since the frame is one of its)

    for name, column in nw.to_native(rows).items():
        values = column.cat.categories if column.dtype == "category" else column
        of_python = values.dtype == object and infer_dtype(values) in _PERHAPS_MIXED
        if of_python and len(set(map(_kind, values.dropna()))) > 1:
            yield name


def _kind(value: object) -> object:
    if isinstance(value, datetime | np.datetime64):
        return datetime, getattr(value, "tzinfo", None) is None
    kinds: tuple[Any, ...] = ((bool, np.bool_), date, Number, (list, tuple, np.ndarray))
    return next((kind for kind in kinds if isinstance(value, kind)), type(value))
