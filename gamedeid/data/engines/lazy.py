"""Rows that stay where they are: counted there by their engine, and answered there by a join."""

from collections.abc import Collection, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from gamedeid.arrays import TABLE_ROWS
from gamedeid.capabilities import Feature, Features, Operation, refusal_words
from gamedeid.data.engines.clusters import RECORD_NUMBER, open_table, write_frame
from gamedeid.data.engines.duckdb import group_file
from gamedeid.data.engines.grouping import GroupedRows, group_rows
from gamedeid.data.engines.options import CLUSTERS, ReadOptions
from gamedeid.data.engines.rows import RECORD, ColumnPiece, ColumnsByProfile, ReadRows, Rows, pieces_of
from gamedeid.data.files.tables import TableFile
from gamedeid.data.frames import Frame
from gamedeid.data.lazy_frames import in_narwhals, kind_of, own_lazy, renamed
from gamedeid.data.own_values import own_table
from gamedeid.errors import InvalidScenarioError
from gamedeid.lazy_imports import LazyModule
from gamedeid.progress import Progress
from gamedeid.reprs import frozen
from gamedeid.results.row_order import ROW_ID

if TYPE_CHECKING:
    import narwhals as nw
else:
    nw = LazyModule("narwhals")

_RESERVED_PREFIX = "__gamedeid_"


def count_file(
    file: TableFile,
    attributes: Collection[str],
    read_options: ReadOptions,
    *,
    kept: Sequence[str] | None,
    count: str | None,
    missing_values: Collection[str],
    report_progress: Progress,
) -> tuple[GroupedRows, Rows | None]:
    """Return the distinct rows of a file, as an engine other than memory counts them, and the rows themselves.

    The rows of a population, for which ``kept`` is None, are not needed again.
    """
    if read_options.engine == "duckdb":
        groups = group_file(file, attributes, read_options, count=count, report_progress=report_progress)
        if kept is None:
            return groups, None
        streamed = ReadRows(source=file, attributes=tuple(attributes), kept=tuple(kept), missing_values=missing_values)
        return groups, streamed
    wanted = {*attributes, *(kept or ()), *(() if count is None else (count,))}
    columns = [name for name in file.names if name in wanted]
    frame = Frame.of(open_table(file, columns, read_options, numbered=kept is not None), str(file.path))
    groups = group_rows(frame, attributes, count)
    return groups, None if kept is None else LazyRows(rows=frame, groups=groups, file=file)


def count_frame(
    frame: Frame, attributes: Collection[str], *, count: str | None, are_records: bool
) -> tuple[GroupedRows, Rows | None] | None:
    """Return the same for a lazy frame; None if no answer can be joined to its records, which are then collected."""
    if are_records and kind_of(frame.rows) not in _JOINS:
        return None
    groups = group_rows(frame, attributes, count)
    return groups, LazyRows(rows=frame, groups=groups) if are_records else None


@frozen(eq=False)
class LazyRows:
    """Records of a Polars, DuckDB, Spark or Dask frame.

    Parameters
    ----------
    rows : attributes and kept columns, lazy; records' numbers too, if in a column :data:`clusters.RECORD_NUMBER`.
    file : the table that they are read from, as this process sees it; None for a given frame.
    """

    rows: Frame
    groups: GroupedRows
    file: TableFile | None = None

    @property
    def features(self) -> Features:
        """Lazy, and on a cluster if its workers hold the rows."""
        found = [Feature.LAZY, Feature.CLUSTER] if self._kind in CLUSTERS else [Feature.LAZY]
        return dict.fromkeys(found, "records" if self.file is None else f"{self.file.table_name}, read by {self._kind}")

    @property
    def seekable(self) -> bool:
        """Always False: the rows have no order, so no block can be skipped."""
        return False

    def row(self, number: int) -> pa.Table:
        """Refuse: rows outside of memory have no reliable order."""
        raise InvalidScenarioError(refusal_words(Operation.ONE_RECORD, {Feature.LAZY: f"record {number}"}))

    def rows_in_memory(self) -> pa.Table | None:
        """Return the first block of the file as read; None for a frame, whose rows have no order."""
        return None if self.file is None else next(self.file.blocks(set(self.rows.names) - {RECORD_NUMBER}))

    def columns(self, names: Sequence[str]) -> Iterator[ColumnPiece]:
        """Yield the named columns: of a file as read, of a frame the distinct values, which its engine counts."""
        if self.file is not None:
            yield from pieces_of(self.file.blocks(names))
            return
        types = self.rows.rows.collect_schema()
        for name in names:
            label = self.rows.label(name)
            values = self.rows.rows.select(nw.col(label).alias(RECORD))
            counted = not (types[label].is_nested() or types[label] in (nw.Binary, nw.Object))
            if counted:
                values = values.group_by(RECORD).agg(nw.len().alias(RECORD_NUMBER))
            table: pa.Table = nw.to_native(values.collect("pyarrow"))
            yield ColumnPiece(name, table.column(RECORD), table.column(RECORD_NUMBER) if counted else None)

    def blocks(self, answer: ColumnsByProfile, start: int = 0) -> Iterator[pa.Table]:
        """Yield the answered records, collected at once; blocks without rows stand for the withheld ones."""
        table: pa.Table = nw.to_native(in_narwhals(self.frame(answer)).collect("pyarrow"))
        for first in range(start * TABLE_ROWS, max(int(self.groups.rows.sum()), 1), TABLE_ROWS):
            block = table.slice(first, TABLE_ROWS)
            yield own_table(block, pa.array(np.arange(block.num_rows)), {}, keeps_order=False)

    @property
    def numbered(self) -> bool:
        """Whether records have numbers: those of a file, and those of Polars, which keeps the order of rows."""
        return RECORD_NUMBER in self.rows.names or self._kind == "polars"

    def frame(self, answer: ColumnsByProfile, *, keep_order: bool = True) -> Any:
        """Return the answered records as a frame of the same kind, still lazy where that kind is."""
        join = _JOINS[self._kind]
        absent = self.groups.absent
        keys = {name: f"{_RESERVED_PREFIX}key_{place}" for place, name in enumerate(self.groups.texts)}
        new = {name: f"{_RESERVED_PREFIX}new_{place}" for place, name in enumerate(answer.columns)}
        rows, label = self.rows.rows, self.rows.label
        number = label(RECORD_NUMBER) if RECORD_NUMBER in self.rows.names else None
        if (answer.marked or not answer.replaces) and self._kind == "polars":
            rows, number = in_narwhals(nw.to_native(rows).with_row_index(RECORD_NUMBER)), RECORD_NUMBER
        rows = rows.with_columns(
            *(nw.col(label(name)).cast(nw.String).fill_null(absent).alias(key) for name, key in keys.items())
        )
        released = np.flatnonzero(~answer.left_out[answer.of_row])
        of_row = pa.array(answer.of_row[released])
        answers = pa.table(
            {key: self.groups.texts[name].fill_null(absent).take(pa.array(released)) for name, key in keys.items()}
            | {there: answer.columns[name].take(of_row) for name, there in new.items()}
            | ({ROW_ID: of_row.cast(pa.int64())} if answer.marked else {})
        )
        ordered = keep_order and not answer.marked  # marked rows are sorted later
        joined = in_narwhals(join(nw.to_native(rows), answers, list(keys.values()), ordered=ordered))
        if answer.replaces:
            names = [name for name in self.rows.names if name != RECORD_NUMBER]
            chosen = [nw.col(new[name] if name in new else label(name)) for name in names]
        else:
            names = [*([RECORD] if number is not None else []), *new]
            chosen = [*([nw.col(number).cast(nw.Int64)] if number is not None else []), *map(nw.col, new.values())]
        if answer.marked:
            names = [ROW_ID, *names]
            chosen = [nw.col(ROW_ID) if number is None else nw.col(number).cast(nw.Int64).alias(ROW_ID), *chosen]
        found = own_lazy(joined.select(*chosen))
        if not keep_order:
            found = found.sort(*found.collect_schema().names(), nulls_last=True)
        return nw.to_native(renamed(found, names))

    def write(self, answer: ColumnsByProfile, folder: Path) -> list[Path] | None:
        """Have the workers write the answered records, where there are any."""
        if self._kind not in CLUSTERS:
            return None
        rows = int(self.groups.rows[~answer.left_out[answer.of_row]].sum())
        types = {name: column.type for name, column in answer.columns.items()}
        return write_frame(self._kind, self.frame(answer), folder, types, rows)

    @property
    def _kind(self) -> str:
        return kind_of(self.rows.rows)


def _join_polars(rows: Any, answers: pa.Table, keys: list[str], *, ordered: bool) -> Any:  # noqa: ARG001  (they are)
    """Join in the order of the rows."""
    pl: Any = import_module("polars")  # installed, since the frame is one of its
    return rows.join(pl.from_arrow(answers).lazy(), on=keys, how="inner", maintain_order="left")


def _join_duckdb(rows: Any, answers: pa.Table, keys: list[str], *, ordered: bool) -> Any:
    """Join on the connection of the rows; a join itself keeps no order."""
    on = ", ".join(f'"{key}"' for key in keys)
    gamedeid_answers = answers  # noqa: F841  (DuckDB finds it by its name)
    place = f"{_RESERVED_PREFIX}place"
    numbered = rows.project(f"*, row_number() OVER () AS {place}") if ordered else rows
    joined = numbered.query("gamedeid_rows", f"SELECT * FROM gamedeid_rows JOIN gamedeid_answers USING ({on})")  # noqa: S608
    return joined.order(place) if ordered else joined


def _join_spark(rows: Any, answers: pa.Table, keys: list[str], *, ordered: bool) -> Any:  # noqa: ARG001  (they are)
    """Send the answers, which are few, to the rows, which keep their place and order."""
    functions: Any = import_module("pyspark.sql.functions")
    return rows.join(functions.broadcast(rows.sparkSession.createDataFrame(answers)), on=keys, how="inner")


def _join_dask(rows: Any, answers: pa.Table, keys: list[str], *, ordered: bool) -> Any:  # noqa: ARG001  (they are)
    """Send the answers, which are few, to every partition."""
    dd: Any = import_module("dask.dataframe")
    return rows.merge(dd.from_pandas(answers.to_pandas(), npartitions=1), on=keys, how="inner")


_JOINS = {"polars": _join_polars, "duckdb": _join_duckdb, "spark": _join_spark, "dask": _join_dask}
