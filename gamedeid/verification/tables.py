"""The tables of a folder and of its inputs, and the distinct rows of numbers."""

import csv
import io
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet

from gamedeid.arrays import BoolArray, IntArray
from gamedeid.choices import OUTCOMES, RELEASE_ROW
from gamedeid.data.columns import to_column
from gamedeid.data.files.tables import TableFile
from gamedeid.data.profiles import Column
from gamedeid.errors import GamedeidError, InvalidDataError
from gamedeid.reprs import frozen
from gamedeid.results.formulas import defused_names
from gamedeid.results.row_order import csv_text, released_records
from gamedeid.results.stored import STRATEGIES
from gamedeid.scenario.sections import Population, Records
from gamedeid.verification.claims import Claims
from gamedeid.verification.findings import CheckLog

_LARGEST_KEY = 2**62


@frozen(eq=False)
class Strategies:
    """The columns of ``strategies``, (n,) each, of n records.

    Parameters
    ----------
    levels : (n, a) stated level of each attribute.
    outcomes : name -> (n,), bool of ``withheld`` and ``attacked``, float of the others.
    released : (m,) number of the record of each released row.
    """

    levels: IntArray
    outcomes: Mapping[str, Any]
    released: IntArray

    @property
    def records(self) -> int:
        """Return the number of records."""
        return len(self.levels)

    @property
    def withheld(self) -> BoolArray:
        """Return which records, (n,), are not released."""
        withheld: BoolArray = self.outcomes["withheld"]
        return withheld

    def wide(self, attributes: int) -> "Strategies":
        """Return the same for this many attributes: classes of people, which may come last, have one level."""
        return replace(self, levels=np.pad(self.levels, ((0, 0), (0, attributes - self.levels.shape[1]))))


def read_output(claims: Claims, stem: str, log: CheckLog) -> pa.Table | None:
    """Return a table of the folder, "release" or "strategies", all parts of it; None, with a finding, if unreadable."""
    parts = claims.stored.parts(stem)
    if not parts:
        log.find(f"{stem}.csv", "is not there, and a run writes it")
        return None
    tables = [_read_file(claims, name, log) for name in parts]
    try:
        return None if any(one is None for one in tables) else pa.concat_tables(tables)
    except pa.ArrowException:
        log.find(parts[0], "its parts have different columns")
        return None


def _read_file(claims: Claims, name: str, log: CheckLog) -> pa.Table | None:
    """Return a file of the folder: CSV exactly as gamedeid writes it, as texts, or Parquet; it may have no rows."""
    try:
        content = claims.stored.content(name)
        return _parse_csv(content) if name.endswith(".csv") else pa.parquet.read_table(pa.BufferReader(content))
    except FileNotFoundError:
        return None  # already noted as a change
    except GamedeidError as error:
        log.find(name, f"cannot be read as a table: {error}")
    except (pa.ArrowException, OSError, ValueError, csv.Error) as error:
        form = "CSV file as gamedeid writes it" if name.endswith(".csv") else "Parquet file"
        log.find(name, f"cannot be read as a table: it is no {form} ({type(error).__name__})")
    return None


def _parse_csv(content: bytes) -> pa.Table:
    names, *rows = csv.reader(io.StringIO(content.decode(), newline=""), strict=True)
    for number, row in enumerate(rows, 1):
        if len(row) != len(names):
            raise InvalidDataError(f"row {number} has {len(row)} values, expected {len(names)}")
    columns = list(zip(*rows, strict=True)) or [()] * len(names)
    return pa.Table.from_arrays([pa.array(column, pa.string()) for column in columns], names=names)


def strategies_of(table: pa.Table, attributes: Sequence[str], claims: Claims, log: CheckLog) -> Strategies | None:
    """Return the strategies as numbers; None, with findings, if a value is invalid."""
    file = claims.stored.parts(STRATEGIES)[0]
    kinds = dict.fromkeys(["record", *attributes], "whole") | dict.fromkeys(OUTCOMES, "number")
    kinds |= {"withheld": "flag", "attacked": "flag"}
    kinds |= {} if claims.stored.keeps_order else {RELEASE_ROW: "place"}
    read = _parsed(table, kinds, file, claims, log)
    if read is None:
        return None
    rows = np.arange(table.num_rows)
    if log.find_rows(file, "record", read["record"] != rows, "numbers the records", numbers=(rows, read["record"])):
        return None
    withheld, places = read["withheld"], read.get(RELEASE_ROW)
    released = np.flatnonzero(~withheld) if places is None else released_records(withheld, places)
    if released is None:
        log.find(file, "does not give each released record another row, from 0", column=RELEASE_ROW)
        return None
    return Strategies(
        levels=np.stack([read[name] for name in attributes], axis=1),
        outcomes={name: read[name] for name in OUTCOMES},
        released=released,
    )


def read_levels(
    claims: Claims, file: str, attributes: Sequence[str], log: CheckLog
) -> tuple[IntArray, BoolArray] | None:
    """Return levels, (k, a), and whether each row is withheld, (k,), of a CSV file of the folder.

    None, with findings, if a value is invalid.
    """
    table = _read_file(claims, file, log)
    kinds = dict.fromkeys(attributes, "whole") | {"withheld": "flag"}
    read = None if table is None else _parsed(table, kinds, file, claims, log)
    return None if read is None else (np.stack([read[name] for name in attributes], axis=1), read["withheld"])


_KINDS: Mapping[str, tuple[str, str, pa.DataType]] = {
    "flag": ("true or false", "true|false", pa.bool_()),
    "number": ("a finite number", r"-?[0-9]{1,30}(\.[0-9]{1,30})?(e(-[0-9]{1,3}|\+?[0-9]{1,2}))?", pa.float64()),
    "whole": ("a whole number, 0 or more", "[0-9]{1,15}", pa.int64()),
    "place": ("a whole number, 0 or more, or nothing", "[0-9]{0,15}", pa.int64()),
}
"""Kind of column -> its values in words, the pattern of their texts, and their type."""


def _parsed(
    table: pa.Table, kinds: Mapping[str, str], file: str, claims: Claims, log: CheckLog
) -> dict[str, Any] | None:
    """Return columns as numbers or flags, by name; None, with a finding, for other names or values."""
    if table.column_names != (defused_names(list(kinds)) if claims.stored.defused else list(kinds)):
        log.find(file, f"has other columns than such a table: expected {len(kinds)} as the documentation has them")
        return None
    read: dict[str, Any] = {}
    for (name, kind), column in zip(kinds.items(), table.columns, strict=True):
        words, pattern, dtype = _KINDS[kind]
        try:
            texts = column.cast(pa.string()).fill_null("")
        except pa.ArrowException:
            log.find(file, f"expected {words}", column=name)
            return None
        wrong = ~pc.match_substring_regex(texts, f"^({pattern})$").to_numpy()
        if log.find_rows(file, name, wrong, f"expected {words}"):
            return None
        if kind == "place":
            texts = pc.if_else(pc.equal(texts, ""), "-1", texts)
        read[name] = texts.cast(dtype).to_numpy()
    return read


def read_columns(path: Path, section: Records | Population, wanted: Collection[str]) -> pa.Table:
    """Return columns of the records or the population, in the file's order."""
    file = TableFile.open(path, names=section.columns, encoding=section.encoding, expected=wanted)
    if not set(wanted) <= set(file.names):
        raise InvalidDataError(f"{path}: does not have the columns that the scenario names")
    return file.read(wanted)


def column_of(column: pa.ChunkedArray, missing: Collection[str] = ()) -> Column:
    """Return an Arrow column, maybe empty, as distinct values and codes; the texts ``missing`` are missing values."""
    return to_column(column, "", "", missing) if len(column) else Column(values=[], codes=np.zeros(0, np.int32))


def in_record_order(release: pa.Table, strategies: Strategies) -> pa.Table:
    """Return the release in the order of the records, by which findings count its rows."""
    whole = release.num_rows == len(strategies.released)
    return release.take(pa.array(np.argsort(strategies.released))) if whole else release


def as_texts(column: pa.ChunkedArray) -> list[str]:
    """Return values as in a CSV file."""
    return list(map(csv_text, column.to_pylist()))


def row_keys(rows: IntArray) -> IntArray:
    """Return one key for each row of numbers >= 0, (k, a): (k,), equal only for equal rows."""
    keys = np.zeros(len(rows), np.int64)
    size = 1
    for column in rows.T:
        radix = int(column.max(initial=0)) + 1
        if size * radix > _LARGEST_KEY:
            distinct, keys = np.unique(keys, return_inverse=True)
            size = len(distinct)
        keys = keys * radix + column
        size *= radix
    return keys


def distinct_rows(rows: IntArray) -> tuple[IntArray, IntArray]:
    """Return the first of each kind of row, (d,), in lexicographic order, and the place of each row among these."""
    _, first, place = np.unique(row_keys(rows), return_index=True, return_inverse=True)
    return first, place
