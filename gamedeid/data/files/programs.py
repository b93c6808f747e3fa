"""Files of SAS, SPSS, Stata and Excel as Arrow tables, whole or piece by piece, by the extra `formats`.

Codes stay codes; their labels are read separately. Values that the program treats as missing are missing.
"""

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar
from zipfile import ZipFile

import pyarrow as pa

from gamedeid.arrays import TABLE_ROWS
from gamedeid.data.files.headers import known_encoding
from gamedeid.data.files.streams import is_gzipped
from gamedeid.errors import GamedeidError, InvalidDataError
from gamedeid.extras import missing_extra_error
from gamedeid.generalization.readings import as_text
from gamedeid.reprs import frozen

_READERS = {".sas7bdat": "read_sas7bdat", ".xpt": "read_xport", ".sav": "read_sav", ".dta": "read_dta"}
"""Ending of a file's name -> the function of pyreadstat that reads it."""

_STORED_TYPES = {"string": pa.string(), "float": pa.float32(), "double": pa.float64()}
"""How SAS, SPSS and Stata store a column -> its Arrow type; the others are whole numbers."""

_ARROW_TYPES = {
    bool: pa.bool_(),
    int: pa.float64(),
    float: pa.float64(),
    dt.date: pa.date32(),
    dt.datetime: pa.timestamp("us"),
    dt.time: pa.time64("us"),
}
"""Kind of a value -> its Arrow type; numbers of Excel have no other."""

_FIRST_ROWS = 1000
"""Rows that are read first to see which columns hold dates."""


@frozen
class ProgramFile:
    """A file of SAS, SPSS, Stata or Excel.

    Parameters
    ----------
    encoding : of the text, for a file that does not state it; None for the one that the file states.
    """

    path: Path
    program: str
    names: tuple[str, ...]
    encoding: str | None
    has_header: ClassVar[bool] = True
    delimiter: ClassVar[None] = None

    @classmethod
    def open(cls, path: Path, program: str, encoding: str) -> "ProgramFile":
        """Look at the names of the columns."""
        is_gzipped(path)  # refuses a path that is no file
        known = known_encoding(path, encoding)
        own = None if known == "utf-8" else known
        opened = cls(path=path, program=program, names=(), encoding=own)
        names = opened._sheet()[0] if program == "Excel" else opened._read(metadataonly=True)[1].column_names
        if not names:
            raise InvalidDataError(f"{path}: has no columns")
        return replace(opened, names=tuple(names))

    @property
    def stated_rows(self) -> int | None:
        """Number of rows that the file states; None for a SAS transport file and Excel."""
        return None if self.program == "Excel" else self._read(metadataonly=True)[1].number_rows

    @property
    def column_labels(self) -> Mapping[str, str]:
        """Column -> its label in the file, where it has one."""
        if self.program == "Excel":
            return {}
        labels = self._read(metadataonly=True)[1].column_names_to_labels
        return {name: label for name, label in labels.items() if label}

    @property
    def value_labels(self) -> Mapping[str, Mapping[str, str]]:
        """Column -> code, as text -> its label; without the codes of missing values."""
        if self.program not in {"SPSS", "Stata"}:  # SAS has them in a separate file
            return {}
        about = self._read(metadataonly=True, user_missing=True)[1]
        found: dict[str, dict[str, str]] = {}
        for name, labels in about.variable_value_labels.items():
            of_text = about.readstat_variable_types[name] == "string"
            ranges = about.missing_ranges.get(name, ())
            found[name] = {
                as_text(code): label
                for code, label in labels.items()
                if isinstance(code, str) == of_text and not any(one["lo"] <= code <= one["hi"] for one in ranges)
            }
        return {name: labels for name, labels in found.items() if labels}

    def unpacked_size(self, wanted: list[str], most: int) -> int:  # noqa: ARG002  (it is soon known)
        """Return about how many bytes columns take unpacked; for Excel, the size of all that the file holds."""
        if self.program == "Excel":
            with self._explaining_errors(), ZipFile(self.path) as parts:
                return sum(part.file_size for part in parts.infolist())
        about = self._read(metadataonly=True)[1]
        if about.number_rows is None:
            return self.path.stat().st_size
        return int(about.number_rows * sum(about.variable_storage_width.get(name, 8) for name in wanted))

    def types(self, wanted: list[str]) -> dict[str, pa.DataType]:
        """Return the Arrow types of columns."""
        if self.program == "Excel":
            return {name: _type_of(cells) for name, cells in self._cells(wanted).items()}
        stored = self._read(metadataonly=True)[1].readstat_variable_types
        types = {name: _STORED_TYPES.get(stored[name], pa.int64()) for name in wanted}
        unsure = [name for name in wanted if types[name] != pa.string()]
        first, most = 0, _FIRST_ROWS
        while unsure:
            rows = self._read(usecols=unsure, row_offset=first, row_limit=most)[0]
            for name in list(unsure):
                value = next((value for value in rows[name] if value is not None), None)
                if value is not None:
                    unsure.remove(name)
                    if isinstance(value, dt.date | dt.time):
                        types[name] = _ARROW_TYPES[type(value)]
            if len(next(iter(rows.values()))) < most:
                break
            first, most = first + most, TABLE_ROWS
        return types

    def read(self, wanted: list[str], coded: set[str]) -> pa.Table:  # noqa: ARG002  (each column has its own type)
        """Return columns; there may be no rows."""
        pieces = list(self.pieces(wanted, 0))
        return pa.concat_tables(pieces) if pieces else pa.table({name: pa.array([], pa.string()) for name in wanted})

    def pieces(self, wanted: list[str], skip: int, most: int = TABLE_ROWS) -> Iterator[pa.Table]:
        """Yield the same in pieces of at most ``most`` rows, from row ``skip`` on; Excel in one piece."""
        if self.program == "Excel":
            columns = {name: _array(cells, _type_of(cells)) for name, cells in self._cells(wanted).items()}
            yield pa.table(columns).slice(skip)
            return
        types = self.types(wanted)
        while True:
            rows = self._read(usecols=wanted, row_offset=skip, row_limit=most)[0]
            with self._explaining_errors():
                piece = pa.table({name: _array(rows[name], types[name]) for name in wanted})
            if piece.num_rows:
                yield piece
            if piece.num_rows < most:
                return
            skip += most

    def first_rows(self, wanted: list[str], most: int) -> pa.Table:
        """Return columns of the first ``most`` rows at most."""
        return next(self.pieces(wanted, 0, most), pa.table({})).slice(0, most)

    def _read(self, **which: Any) -> tuple[dict[str, Any], Any]:
        """Return columns of a file of SAS, SPSS or Stata as lists, and its metadata."""
        with self._explaining_errors():
            import pyreadstat  # noqa: PLC0415  (of an extra)

            read = getattr(pyreadstat, _READERS[self.path.suffix.lower()])
            columns, about = read(str(self.path), encoding=self.encoding, output_format="dict", **which)
            return columns, about

    def _cells(self, wanted: list[str]) -> dict[str, list[Any]]:
        """Return columns of a first sheet."""
        names, rows = self._sheet()
        places = {name: place for place, name in enumerate(names)}
        return {name: [row[places[name]] for row in rows] for name in wanted}

    def _sheet(self) -> tuple[list[str], list[list[Any]]]:
        """Return the names of the columns of a first sheet, and its rows, without empty ones at the end."""
        with self._explaining_errors():
            from python_calamine import CalamineWorkbook  # noqa: PLC0415  (of an extra)

            sheet = CalamineWorkbook.from_path(self.path).get_sheet_by_index(0)
            if merged := sheet.merged_cell_ranges:
                row = min(start[0] for start, _ in merged) + 1
                raise InvalidDataError(
                    f"{self.path}: the first sheet has merged cells (row {row}); separate them, so that each cell "
                    "is in one column and one row"
                )
            rows: list[list[Any]] = sheet.to_python(skip_empty_area=False)
        while rows and all(cell == "" for cell in rows[-1]):
            rows.pop()
        width = max((place for row in rows for place, cell in enumerate(row, 1) if cell != ""), default=0)
        names = [_text(cell).strip() for cell in rows[0][:width]] if rows else []
        if "" in names:
            raise InvalidDataError(
                f"{self.path}: column {names.index('') + 1} of the first sheet has no name; the names of all columns "
                "must be in row 1"
            )
        return names, rows[1:]

    @contextmanager
    def _explaining_errors(self) -> Iterator[None]:
        """Translate an error of a reader into our words, without any value."""
        try:
            yield
        except GamedeidError:
            raise
        except ImportError:
            raise missing_extra_error("formats", f"{self.path}: a file of {self.program}") from None
        except Exception as error:  # noqa: BLE001  (readers of damaged files raise errors of any kind)
            raise InvalidDataError(f"{self.path}: is no readable file of {self.program} ({_reason(error)})") from None


def _reason(error: Exception) -> str:
    """Return the fault: in the reader's words if these are fixed, otherwise the kind of the error."""
    if type(error).__name__ == "ReadstatError":
        return str(error)
    if isinstance(error, UnicodeError):
        return "its text has another encoding; name it in the scenario, encoding = ..."
    if isinstance(error, OverflowError):
        return "it holds a date outside the years 1 to 9999"
    return type(error).__name__


def _type_of(cells: Iterable[Any]) -> pa.DataType:
    """Return the type of a column of a sheet: that of its cells if all have one type, otherwise text."""
    kinds = {type(cell) for cell in cells if cell != ""}
    if kinds <= {int, float}:
        return pa.float64()
    if kinds == {dt.date, dt.datetime}:  # a moment at midnight is read as a date
        return pa.timestamp("us")
    return _ARROW_TYPES.get(kinds.pop(), pa.string()) if len(kinds) == 1 else pa.string()


def _array(values: Iterable[Any], kind: pa.DataType) -> pa.Array:
    """Return values as an Arrow column; the empty text is missing."""
    present = [None if value == "" else value for value in values]
    if pa.types.is_string(kind):
        present = [None if value is None else _text(value) for value in present]
    elif pa.types.is_timestamp(kind):
        present = [value if value is None or isinstance(value, dt.datetime) else _midnight(value) for value in present]
    return pa.array(present, kind, from_pandas=True)


def _midnight(day: dt.date) -> dt.datetime:
    return dt.datetime.combine(day, dt.time())


def _text(cell: Any) -> str:
    """Return a cell as text; dates by ISO 8601."""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, dt.date | dt.time):
        return cell.isoformat()
    return as_text(cell)
