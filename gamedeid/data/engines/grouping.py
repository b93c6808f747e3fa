"""The distinct rows of a frame or file outside of this process, with their counts."""

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from gamedeid.amounts import number_of
from gamedeid.arrays import IntArray
from gamedeid.data.columns import COUNT_TEXT, COUNT_TEXT_PADDING, not_plain, to_column, to_numbers
from gamedeid.data.engines.clusters import explaining_errors
from gamedeid.data.frames import Frame
from gamedeid.data.lazy_frames import kind_of
from gamedeid.data.profiles import Column
from gamedeid.errors import InvalidDataError, quoted
from gamedeid.lazy_imports import LazyModule
from gamedeid.reprs import frozen
from gamedeid.scenario.sections import MOST_PEOPLE

if TYPE_CHECKING:
    import narwhals as nw
else:
    nw = LazyModule("narwhals")

ROWS, PEOPLE, INVALID = "__gamedeid_rows", "__gamedeid_people", "__gamedeid_odd"
"""Columns of counts: rows, people, and rows whose number of people is invalid."""

ABSENT = "-"
"""Text for a missing value; it is lengthened until no value equals it."""


@frozen(eq=False)
class GroupedRows:
    """The distinct rows of the attributes.

    Parameters
    ----------
    values : the unchanged values of the attributes, (g,) each.
    texts : attribute -> (g,) the same as text, as the engine writes it; None where the value is missing. Empty if
        nothing will be joined to the rows.
    rows : (g,) int64, how many rows have them.
    people : (g,) int64, how many people these rows are.
    """

    values: pa.Table
    texts: Mapping[str, pa.Array]
    rows: IntArray
    people: IntArray

    def columns(self, table_name: str, missing_values: Collection[str]) -> dict[str, Column]:
        """Return the attributes as distinct values and codes."""
        return {
            name: to_column(self.values.column(name), name, table_name, missing_values)
            for name in self.values.column_names
        }

    @property
    def absent(self) -> str:
        """A text that no value has; it replaces missing values where engines do not treat these as equal."""
        seen = {value for column in self.texts.values() for value in column.to_pylist()}
        word = ABSENT
        while word in seen:
            word += ABSENT
        return word


def group_rows(
    frame: Frame,
    attributes: Collection[str],
    count: str | None = None,
    *,
    joins: bool = True,
) -> GroupedRows:
    """Count the rows, or the people of column ``count``, of each distinct row, where the rows are."""
    rows, table_name, kind = frame.rows, frame.table_name, kind_of(frame.rows)
    labels = {name: frame.label(name) for name in attributes}
    of_type = rows.collect_schema()
    for name, label in labels.items():
        if of_type[label].is_nested() or of_type[label] in (nw.Binary, nw.Duration, nw.Object):
            raise not_plain(name, table_name, of_type[label])
    counted = [nw.len().alias(ROWS)]
    if count is not None:
        people, valid = _people_expressions(of_type[frame.label(count)], frame.label(count), count, table_name)
        rows = rows.with_columns(
            nw.when(valid).then(people).otherwise(nw.lit(0)).cast(nw.Int64).alias(PEOPLE),
            nw.when(valid).then(nw.lit(0)).otherwise(nw.lit(1)).alias(INVALID),
        )
        counted += [nw.col(PEOPLE).sum(), nw.col(INVALID).sum()]
    if kind == "dask":  # it cannot put Arrow's dictionaries together
        rows = rows.with_columns(
            nw.col(name).cast(nw.String) for name in labels.values() if of_type[name] == nw.Categorical
        )
    groups = rows.group_by(list(labels.values())).agg(*counted)
    texts = {name: f"__gamedeid_text_{place}" for place, name in enumerate(labels)} if joins else {}
    if joins:
        named = (nw.col(labels[name]).cast(nw.String).alias(text) for name, text in texts.items())
        groups = groups.with_columns(*named)
    else:
        groups = groups.sort(*labels.values())
    try:
        with explaining_errors(kind, table_name):
            table: pa.Table = nw.to_native(groups.collect("pyarrow"))
    except nw.exceptions.NarwhalsError:  # such as values of a type that some library has added
        listed = ", ".join(map(quoted, labels))
        raise InvalidDataError(
            f"{table_name}: columns {listed} cannot all be counted as text; make them text or numbers"
        ) from None
    if table.num_rows == 0:
        raise InvalidDataError(f"{table_name}: has no rows")
    ordered = table.sort_by([(text, "ascending") for text in texts.values()]) if joins else table
    people = _numbers(ordered, ROWS) if count is None else _people(ordered, count, table_name)
    values = pa.table({name: ordered.column(label) for name, label in labels.items()})
    plain = {name: ordered.column(text).cast(pa.string()).combine_chunks() for name, text in texts.items()}
    return GroupedRows(values=values, texts=plain, rows=_numbers(ordered, ROWS), people=people)


def _people(table: pa.Table, count: str, table_name: str) -> IntArray:
    """Return the people of each group; refuse invalid counts, and more people than fit."""
    invalid = int(np.sum(_numbers(table, INVALID)))
    if invalid:
        raise InvalidDataError(
            f"{table_name}: count column {quoted(count)} must hold whole numbers of people, 0 or more; "
            f"{number_of(invalid, 'row')} {'do' if invalid != 1 else 'does'} not; where they hold fractions, are these "
            "weights?"
        )
    if to_numbers(table.column(PEOPLE).cast(pa.float64())).sum() >= MOST_PEOPLE:
        raise InvalidDataError(f"{table_name}: count column {quoted(count)} adds up to more people than can be counted")
    return _numbers(table, PEOPLE)


def _people_expressions(kind: Any, label: str, count: str, table_name: str) -> tuple[Any, Any]:
    """Return the numbers of people in a column, and whether each is valid, by the same rule as in memory."""
    people = nw.col(label)
    if kind in (nw.String, nw.Categorical, nw.Enum):
        text = people.cast(nw.String)
        written = text.str.contains(f"^{COUNT_TEXT}$").fill_null(False)  # noqa: FBT003  (its only argument)
        digits = nw.when(written).then(text.str.replace_all(COUNT_TEXT_PADDING, "")).otherwise(nw.lit("-1"))
        number = digits.cast(nw.Int64)
        return number, number >= 0
    if not kind.is_numeric():
        raise InvalidDataError(
            f"{table_name}: count column {quoted(count)} must hold whole numbers of people, not {quoted(kind)}"
        )
    valid = ~people.is_null() & (people >= 0)
    if not kind.is_integer():
        valid = valid & (people < MOST_PEOPLE) & (people.floor() == people)
    return people, valid


def _numbers(table: pa.Table, name: str) -> IntArray:
    column = table.column(name)
    return to_numbers(column if column.type == pa.int64() else column.cast(pa.int64()))
