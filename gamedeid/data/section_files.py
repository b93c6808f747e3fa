"""The file that a section of the scenario names: its columns held against those declared, and which engine reads it."""

import re
from collections.abc import Collection, Sequence
from pathlib import Path

from gamedeid.choices import EngineName
from gamedeid.data.engines.options import ReadOptions
from gamedeid.data.files.first_row import refuse_values_as_names
from gamedeid.data.files.tables import TableFile
from gamedeid.data.population_columns import as_toml
from gamedeid.errors import InvalidDataError, listed
from gamedeid.extras import require
from gamedeid.scenario.sections import Population, Records

_LONGEST_LINE = 1000  # characters of a line to paste


def open_section(path: Path, section: Records | Population, declared: Collection[str], called: str) -> TableFile:
    """Return the file of a section, which has all declared columns."""
    file = TableFile.open(path, names=section.columns, encoding=section.encoding, expected=declared)
    _refuse_no_header(path, file, declared, called)
    file.refuse_absent(declared)
    return file


def engine_of_file(read_options: ReadOptions, file: TableFile, wanted: Collection[str]) -> EngineName:
    """Return which engine reads a file: the one that was asked for, else the one that suits its unpacked size.

    Raises
    ------
    MissingExtraError : DuckDB is not installed, and it is to read the file.
    """
    engine = read_options.engine_for(
        file.unpacked_size(wanted, read_options.most_in_memory) if read_options.engine == "auto" else 0
    )
    if engine == "duckdb":
        size = "" if read_options.engine == engine else f", which takes over {read_options.most_in_memory:,} bytes,"
        require(
            "large",
            f"{file.path}: to count this file{size}",
            'or hold it in memory, by the engine "memory" or a larger limit',
        )
    return engine


def _refuse_no_header(path: Path, file: TableFile, declared: Collection[str], section: str) -> None:
    """Refuse a first row that names nothing declared, without showing it: it may be somebody's values."""
    if file.has_header and len(file.names) == 1 and len(set(re.split(r"[^\w.-]+", file.names[0])) & set(declared)) > 1:
        raise InvalidDataError(
            f"{path}: its first row names columns, but they are not apart by one of , ; | or a tab (spaces and other "
            "characters are no separators); save it as CSV"
        )
    if file.has_header and not set(file.names) & set(declared):
        raise InvalidDataError(
            f"{path}: its first row names none of the columns {listed(declared)}; "
            f"if the file has no header, name its columns in [{section}] columns"
        )


def refuse_undeclared(whose: str, names: Sequence[str], declared: Collection[str]) -> None:
    """Refuse columns of records of which the scenario does not say what becomes of them.

    Raises
    ------
    InvalidDataError : there are some; the message names them, and a line to paste that drops them, unless names seem to
        be values.
    """
    if undeclared := undeclared_columns(declared, names):
        refuse_values_as_names(whose, names)
        many = len(undeclared) > 1
        line = f"drop = {as_toml(undeclared)}"
        raise InvalidDataError(
            f"{whose}: column{'s' * many} {listed(undeclared)} {'are' if many else 'is'} not declared; make each an "
            "attribute, or list it under [records] keep (released as it is) or drop (never leaves)"
            + (f": {line}" if len(line) <= _LONGEST_LINE and line.isprintable() else "")
        )


def undeclared_columns(declared: Collection[str], names: Sequence[str]) -> list[str]:
    """Return the names that are not among the declared ones."""
    known = set(declared)
    return [name for name in names if name not in known]
