"""The tables of a folder and of its inputs, read plainly: columns as distinct values and the places of them."""

import csv
import io
import re
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet

from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.data.files.tables import TableFile
from gamedeid.errors import GamedeidError, InvalidDataError
from gamedeid.generalization.missing_codes import as_text
from gamedeid.reprs import frozen
from gamedeid.results.file import read_regular
from gamedeid.results.formulas import defused_names
from gamedeid.results.stored import STRATEGIES
from gamedeid.scenario.sections import Population, Records
from gamedeid.verification.claims import Claims
from gamedeid.verification.findings import Notebook

_WHOLE_NUMBER = re.compile(r"[0-9]{1,15}")
_PEOPLE = re.compile(r"\s*0*([0-9]{1,18})(?:\.0*)?\s*")


@frozen(eq=False)
class Values:
    """A column: its distinct values, and for each row the place of its value; one beyond the last is missing.

    Parameters
    ----------
    distinct : the values, as the file has them.
    places : (rows,) place of each row's value.
    """

    distinct: Sequence[Any]
    places: IntArray

    @classmethod
    def of(cls, column: pa.ChunkedArray, missing: Collection[str] | None = None) -> "Values":
        """Return an Arrow column so; with ``missing``, these texts and what is no value are missing ones.

        Parameters
        ----------
        column : (rows,) of plain values.
        missing : texts that stand for a missing value.
        """
        encoded = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
        array = encoded.unify_dictionaries().combine_chunks()
        array = array.chunk(0) if isinstance(array, pa.ChunkedArray) else array
        distinct = array.dictionary.to_pylist()
        last = len(distinct)
        places = np.array(array.indices.fill_null(last).to_pylist(), np.int64)
        if missing is not None:
            absent = [_is_missing(value, missing) for value in distinct]
            places = np.append(np.where(absent, last, np.arange(last)), last)[places]
        return cls(distinct=distinct, places=places)

    @cached_property
    def texts(self) -> list[str]:
        """Return the value of each row as text; a missing one is empty."""
        texts = [*("" if value is None else str(value) for value in self.distinct), ""]
        return [texts[place] for place in self.places.tolist()]


@frozen(eq=False)
class Strategies:
    """The columns of ``strategies``, (n,) each, of n records.

    Parameters
    ----------
    levels : (n, a) stated level of each attribute.
    flags : name -> (n,), of ``withheld`` and ``attacked``.
    numbers : name -> (n,), of the other outcomes.
    """

    levels: IntArray
    flags: Mapping[str, BoolArray]
    numbers: Mapping[str, FloatArray]

    @property
    def records(self) -> int:
        """Return how many records there are."""
        return len(self.levels)

    @property
    def withheld(self) -> BoolArray:
        """Return which records, (n,), are not released."""
        return self.flags["withheld"]


def read_output(claims: Claims, stem: str, notes: Notebook) -> pa.Table | None:
    """Return a table of the folder, its parts one after the other; None, and a finding, where it cannot be read.

    Parameters
    ----------
    claims : the folder.
    stem : "release" or "strategies".
    notes : takes what is wrong with it.
    """
    parts = claims.stored.parts(stem)
    if not parts:
        notes.find(f"{stem}.csv", "is not there, and a run writes it")
        return None
    tables = []
    for name in parts:
        try:
            tables.append(_read_any(claims.stored.folder / name))
        except FileNotFoundError:
            return None  # said already
        except GamedeidError as error:
            notes.find(name, f"cannot be read as a table: {error}")
            return None
    try:
        return pa.concat_tables(tables)
    except pa.ArrowException:
        notes.find(parts[0], "its parts have other columns than one another")
        return None


def _read_any(path: Path) -> pa.Table:
    """Return a whole table: CSV just as gamedeid writes it, all texts, or Parquet; it may have no rows."""
    content = read_regular(path)
    if path.suffix != ".csv":
        try:
            return pa.parquet.read_table(pa.BufferReader(content))
        except (pa.ArrowException, OSError, ValueError) as error:
            raise InvalidDataError(f"it is no Parquet file ({type(error).__name__})") from None
    try:
        names, *rows = csv.reader(io.StringIO(content.decode(), newline=""), strict=True)
    except (ValueError, csv.Error) as error:
        raise InvalidDataError(f"it is no CSV file as gamedeid writes it ({type(error).__name__})") from None
    for number, row in enumerate(rows, 1):
        if len(row) != len(names):
            raise InvalidDataError(f"row {number} has {len(row)} values, expected {len(names)}")
    columns = list(zip(*rows, strict=True)) or [()] * len(names)
    return pa.Table.from_arrays([pa.array(column, pa.string()) for column in columns], names=names)


def strategies_of(table: pa.Table, attributes: Sequence[str], claims: Claims, notes: Notebook) -> Strategies | None:
    """Return the strategies as numbers; None, and findings, where they are not what such a file holds.

    Parameters
    ----------
    table : as it was read.
    attributes : names of the attributes, in order.
    claims : the folder.
    notes : takes what is wrong with it.
    """
    file = claims.stored.parts(STRATEGIES)[0]
    flags, numbers = ("withheld", "attacked"), _NUMBERS
    expected = ["record", *attributes, *flags, *numbers]
    if table.column_names != (defused_names(expected) if claims.stored.defused else expected):
        notes.find(file, f"has other columns than such a table: expected {len(expected)} as the documentation has them")
        return None
    table = table.rename_columns(expected)
    read: dict[str, Any] = {}
    for name in expected:
        kind = "flag" if name in flags else "number" if name in numbers else "whole"
        values, wrong = _parsed(table.column(name), kind)
        if notes.find_rows(file, name, wrong, f"expected {_KINDS[kind]}"):
            return None
        read[name] = values
    rows = np.arange(table.num_rows)
    if notes.find_rows(file, "record", read["record"] != rows, "numbers the records", numbers=(rows, read["record"])):
        return None
    return Strategies(
        levels=np.stack([read[name] for name in attributes], axis=1),
        flags={name: read[name] for name in flags},
        numbers={name: read[name] for name in numbers},
    )


def read_levels(
    claims: Claims, file: str, attributes: Sequence[str], notes: Notebook
) -> tuple[IntArray, BoolArray] | None:
    """Return levels, (k, a), and whether each row is withheld, (k,), of a CSV file of the folder.

    None, and findings, where it is not what such a file holds.

    Parameters
    ----------
    claims : the folder.
    file : its name.
    attributes : names of the attributes, in order.
    notes : takes what is wrong with it.
    """
    try:
        table = _read_any(claims.stored.folder / file)
    except FileNotFoundError:
        return None  # said already
    except GamedeidError as error:
        notes.find(file, f"cannot be read as a table: {error}")
        return None
    expected = [*attributes, "withheld"]
    if table.column_names != (defused_names(expected) if claims.stored.defused else expected):
        notes.find(file, f"has other columns than such a table: expected {len(expected)} as the documentation has them")
        return None
    read = []
    for place, name in enumerate(expected):
        kind = "flag" if place == len(attributes) else "whole"
        values, wrong = _parsed(table.column(place), kind)
        if notes.find_rows(file, name, wrong, f"expected {_KINDS[kind]}"):
            return None
        read.append(values)
    return np.stack(read[:-1], axis=1), read[-1]


_NUMBERS = (
    "information_loss",
    "generalization_intensity",
    "success_probability",
    "publisher_payoff",
    "adversary_payoff",
)
_KINDS = {"flag": "true or false", "number": "a finite number", "whole": "a whole number, 0 or more"}


def _parsed(column: pa.ChunkedArray, kind: str) -> tuple[Any, BoolArray]:
    """Return a column as numbers or flags, and which rows, (n,), hold none."""
    values = Values.of(column)
    parsed = [_plain(value, kind) for value in values.distinct]
    wrong = np.array([*(one is None for one in parsed), True])[values.places]
    default = {"flag": False, "number": 0.0, "whole": 0}[kind]
    dtype = {"flag": np.bool_, "number": np.float64, "whole": np.int64}[kind]
    return np.array([*(default if one is None else one for one in parsed), default], dtype)[values.places], wrong


def _plain(value: Any, kind: str) -> Any:
    if kind == "flag":
        return value if isinstance(value, bool) else {"true": True, "false": False}.get(str(value))
    if isinstance(value, bool):
        return None
    if kind == "whole":
        return int(str(value)) if _WHOLE_NUMBER.fullmatch(str(value)) else None
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    return number if np.isfinite(number) else None


def read_columns(path: Path, section: Records | Population, wanted: Collection[str]) -> pa.Table:
    """Return columns of the records or the population, in the file's order.

    Parameters
    ----------
    path : of the file.
    section : says how it is read.
    wanted : which columns.

    Raises
    ------
    InvalidDataError : the file cannot be read so.
    """
    file = TableFile.open(path, names=section.columns, encoding=section.encoding, expected=wanted)
    if not set(wanted) <= set(file.names):
        raise InvalidDataError(f"{path}: does not have the columns that the scenario names")
    return file.read(wanted)


def people_of(column: pa.ChunkedArray) -> tuple[IntArray, BoolArray]:
    """Return a column of counts of people as whole numbers, (rows,), and which rows, (rows,), hold none."""
    values = Values.of(column)
    counts = [_PEOPLE.fullmatch(str(value)) for value in values.distinct]
    numbers = np.array([*(-1 if match is None else int(match[1]) for match in counts), -1], np.int64)[values.places]
    return numbers, numbers < 0


def _is_missing(value: Any, missing: Collection[str]) -> bool:
    if value is None or value != value:  # noqa: PLR0124  (NaN)
        return True
    return value in missing or as_text(value) in missing
