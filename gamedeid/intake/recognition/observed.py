"""Observations of a table in one pass: encoding, distinct values of each column, and declarations of it."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any, Literal, TypeAlias

import pyarrow as pa

from gamedeid.arrays import TABLE_ROWS
from gamedeid.arrow import rechunked
from gamedeid.data.columns import is_text, plain_type, without_views
from gamedeid.data.engines.options import AUTOMATIC
from gamedeid.data.files.streams import UTF_8, detect_encoding
from gamedeid.data.files.tables import TableFile
from gamedeid.data.frames import Frame
from gamedeid.errors import InvalidDataError
from gamedeid.generalization.readings import as_text, is_missing_code, number_of_text
from gamedeid.reprs import frozen

MOST_DISTINCT = 200_000
"""Most distinct values of a column that are counted; a column of more only counts as one of very many."""

Declared: TypeAlias = Literal["", "key", "identifier", "free text", "date", "ZIP code", "number", "codes"]
"""The declared type of a column's values; empty for no declaration."""

_MAYBE_ANSWERS = frozenset({"none", "not applicable", "unknown", "not known", "unk"})
"""Words for a missing value that may be an answer in a column of words."""

_LONGEST_LABEL = 6
"""Most words of a label that names a column's content; a longer one is a question, with words of other meanings."""


@frozen
class DeclaredColumn:
    """The declaration of a column.

    Parameters
    ----------
    label : its label for people; empty for none.
    value_labels : code, as text -> its label.
    left_out : why the column is dropped, with any content; empty if it need not be.
    day_first : for dates, whether the day comes before the month; None if that is not declared.
    """

    label: str = ""
    value_labels: Mapping[str, str] = field(default_factory=dict)
    kind: Declared = ""
    because: str = ""
    left_out: str = ""
    day_first: bool | None = None

    @property
    def second_name(self) -> str:
        """The label, where it is short enough to be read as a name."""
        return self.label if len(self.label.split()) <= _LONGEST_LABEL else ""


@frozen(slots=False)
class ObservedColumn:
    """An observed column.

    Parameters
    ----------
    counts : distinct value, as text without spaces around it -> rows that have it; without the empty text.
    readable : whether its values are texts, numbers, dates or true and false, and not lists, bytes, times or moments in
        a time zone.
    complete : whether all distinct values are in ``counts``; otherwise the first ``MOST_DISTINCT`` of them.
    declared : its entry in a data dictionary, or in the file itself.
    """

    name: str
    counts: Mapping[str, int] = field(repr=False)
    rows: int
    empty: int
    readable: bool = True
    complete: bool = True
    declared: DeclaredColumn = field(default_factory=DeclaredColumn)

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The values that mean a missing one in any column, and numbers such as -9 that do among words, sorted."""
        codes = set(filter(is_missing_code, self.counts))
        others = self.counts.keys() - codes
        if not others or any(number_of_text(value) is not None for value in others):
            codes = {code for code in codes if number_of_text(code) is None}
        return tuple(sorted(code for code in codes if code.casefold() not in _MAYBE_ANSWERS))

    @cached_property
    def present(self) -> Mapping[str, int]:
        """Distinct value -> rows, without these words."""
        return {value: rows for value, rows in self.counts.items() if value not in self.words}

    @cached_property
    def codes(self) -> tuple[str, ...]:
        """The other values that often mean a missing one, such as 999, sorted."""
        return tuple(sorted(filter(is_missing_code, self.present)))

    @cached_property
    def plain(self) -> Mapping[str, int]:
        """Distinct value -> rows, without these words and codes."""
        return {value: rows for value, rows in self.present.items() if value not in self.codes}


@frozen
class ObservedTable:
    """An observed file.

    Parameters
    ----------
    path : of the file; None for a data frame.
    encoding : the detected encoding of a CSV file; ``utf-8`` for others.
    delimiter : between the values of a CSV file; None for others.
    rows : number of rows, at least 1.
    in_memory : whether the file is small enough to be read into memory as a whole.
    """

    path: Path | None
    encoding: str
    delimiter: str | None
    rows: int
    columns: tuple[ObservedColumn, ...]
    first_rows: pa.Table = field(repr=False)
    in_memory: bool = True

    def with_declared(self, declared: Mapping[str, DeclaredColumn], table_name: str) -> "ObservedTable":
        """Return the same table with the declarations of its columns."""
        if not any(column.name in declared for column in self.columns):
            raise InvalidDataError(
                f"{table_name}: none of its fields is a column of {self.table_name}; give the dictionary of these data"
            )
        return replace(
            self,
            columns=tuple(replace(one, declared=declared.get(one.name, one.declared)) for one in self.columns),
        )

    @property
    def table_name(self) -> str:
        """The name of the table in messages."""
        return "data" if self.path is None else str(self.path)

    @property
    def name(self) -> str:
        """The name of its file."""
        return "a data frame" if self.path is None else self.path.name


def observe(data: Any) -> ObservedTable:
    """Observe every value of a file, or of a data frame, in blocks of rows; a lazy frame is computed."""
    if isinstance(data, str | PathLike):
        return _observe_file(Path(data))
    frame = Frame.of(data, "data")
    frame.refuse_no_header()
    table = without_views(frame.read(frame.names))
    types = dict(zip(table.column_names, table.schema.types, strict=True))
    about = {"path": None, "encoding": UTF_8, "delimiter": None, "in_memory": not frame.lazy}
    return _observe_columns(types, lambda names: rechunked([table.select(names)], TABLE_ROWS), about)


def _observe_file(path: Path) -> ObservedTable:
    encoding = detect_encoding(path)
    file = TableFile.open(path, encoding=encoding)
    file.refuse_no_header()
    names, values = file.content.column_labels, file.content.value_labels
    said = {name: DeclaredColumn(label=names.get(name, ""), value_labels=values.get(name, {})) for name in file.names}
    size = file.unpacked_size(file.names, AUTOMATIC.most_in_memory)
    in_memory = AUTOMATIC.engine_for(size) == "memory"
    about = {"path": path, "encoding": encoding, "delimiter": file.content.delimiter, "in_memory": in_memory}
    return _observe_columns(file.types(file.names), file.blocks, about).with_declared(said, file.table_name)


def _observe_columns(
    types: Mapping[str, pa.DataType], blocks: Callable[[Sequence[str]], Iterator[pa.Table]], about: Mapping[str, Any]
) -> ObservedTable:
    """Return the observed columns of these types, with the facts ``about`` the table."""
    readable = [name for name, kind in types.items() if _is_readable(kind)]
    counts: dict[str, Counter[str]] = {name: Counter() for name in types}
    empty = dict.fromkeys(types, 0)
    incomplete: set[str] = set()
    rows, first = 0, None
    for block in blocks(readable or list(types)[:1]):
        first = block if first is None else first
        rows += block.num_rows
        for name in readable:
            if name not in incomplete:
                empty[name] += _count(block.column(name), counts[name])
                if len(counts[name]) > MOST_DISTINCT:
                    incomplete.add(name)
    observed = tuple(
        ObservedColumn(
            name=name,
            counts=counts[name],
            rows=rows,
            empty=empty[name],
            readable=name in readable,
            complete=name not in incomplete,
        )
        for name in types
    )
    return ObservedTable(rows=rows, columns=observed, first_rows=pa.table({}) if first is None else first, **about)


def _is_readable(kind: pa.DataType) -> bool:
    numbers = (pa.types.is_boolean, pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal)
    plain = plain_type(kind)
    if pa.types.is_timestamp(plain):
        return plain.tz is None  # the day of a moment depends on the place
    return any(holds(plain) for holds in (is_text, *numbers, pa.types.is_date))


def _count(column: pa.ChunkedArray, counts: Counter[str]) -> int:
    """Add the values of a block to the counts; return the number of rows without a value."""
    empty = 0
    for pair in column.value_counts().to_pylist():
        value, rows = pair["values"], pair["counts"]
        text = "" if value is None or value != value else as_text(value)  # noqa: PLR0124  (NaN)
        if text:
            counts[text] += rows
        else:
            empty += rows
    return empty
