"""Find, read and write hierarchy files: TOML descriptions and CSV tables."""

import codecs
import csv
import io
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import Any

from gamedeid.errors import InvalidHierarchyError, did_you_mean, quoted
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.generalization.kinds import build_hierarchy
from gamedeid.generalization.open_hierarchy import OpenHierarchy
from gamedeid.generalization.prefixes import people_of_rows
from gamedeid.generalization.shipped import shipped_files
from gamedeid.reprs import frozen
from gamedeid.results.file import write_file

LONGEST_FIRST_LINE = 1 << 20  # bytes; a longer file is no hierarchy and not worth loading
_LONGEST_NAME = 255  # characters of a file's name
_TABLE_KEYS = {"table": (None, "path", "rows"), "prefix": ("merge_small", "populations", "people")}
"""Kind -> the section that may name a CSV file, the key of the name, and the key of the file's content."""

_QUOTED = re.compile('"[^"]*"')
_FIRST_ROW = re.compile('(?:"[^"]*"|[^"\n])*')  # a cell in quotes may have line ends


def read_hierarchy(path: str | PathLike[str]) -> Hierarchy | OpenHierarchy:
    """Return the hierarchy in a file; its name is the file's, without the suffix.

    A `.toml` file has the keys of `description.build_hierarchy`; a table may give the `path` of a CSV file, relative to
    it, for `rows`, and `[merge_small]` its `populations` for `people`. A `.csv` file has no header, one row per leaf,
    levels from left to right, separated by `;`, or by `,` if the first row has no `;`, and `*` as its last column.
    Both are UTF-8.

    Parameters
    ----------
    path : a TOML or CSV file.

    Raises
    ------
    InvalidHierarchyError : with every fault, each naming the file: one that cannot be read, or is not a hierarchy.
    """
    return HierarchyFile.opened(Path(path)).read()


@frozen(eq=False)
class HierarchyFile:
    """The file of a hierarchy, of which the description is read, but not the rows.

    Parameters
    ----------
    description : the keys of a TOML file; None for a CSV file.
    """

    path: Path
    description: dict[str, Any] | None

    @classmethod
    def opened(cls, path: Path) -> "HierarchyFile":
        """Read the description of a TOML file; raises as :func:`read_hierarchy`."""
        suffix = path.suffix.lower()
        if os.path.isdir(path):  # noqa: PTH112 - Path.is_dir raises for a name too long
            raise InvalidHierarchyError(f"{path}: is a folder: expected a .toml or .csv file")
        if suffix not in (".toml", ".csv"):
            raise InvalidHierarchyError(f"{path}: expected a hierarchy file, .toml or .csv")
        with _naming_file(path):
            return cls(path=path, description=_parsed(path) if suffix == ".toml" else None)

    @property
    def table(self) -> Path | None:
        """The CSV file with the rows or people of a description; None if it names none."""
        return None if self.description is None else _table_path(self.path, self.description)

    def read(self) -> Hierarchy | OpenHierarchy:
        """Return the hierarchy; raises as :func:`read_hierarchy`."""
        with _naming_file(self.path):
            if self.description is None:
                return Hierarchy.from_rows(_read_rows(self.path), name=self.path.stem)
            return build_hierarchy(_with_table(self.description, self.table), name=self.path.stem)


@contextmanager
def _naming_file(path: Path) -> Iterator[None]:
    """Let faults that a block finds begin with the name of their file."""
    try:
        yield
    except InvalidHierarchyError as error:
        raise InvalidHierarchyError(*(f"{path}: {fault}" for fault in error.faults)) from None


def find_hierarchy(name_or_path: str, relative_to: str | PathLike[str]) -> Path:
    """Return the path of a hierarchy: a file relative to the folder `relative_to`, else a shipped name.

    Parameters
    ----------
    name_or_path : the name of a shipped hierarchy, or the path of a file.
    relative_to : the folder from which a relative path starts.

    Raises
    ------
    InvalidHierarchyError : neither; lists the shipped names.
    InvalidDataError : the shipped hierarchies are not where they were installed.
    """
    path = Path(relative_to, name_or_path)
    if os.path.isfile(path):  # noqa: PTH113 - Path.is_file raises for a name too long
        return path
    files = shipped_files("hierarchies")
    if name_or_path in files:
        return files[name_or_path]
    what = "is a folder" if os.path.isdir(path) else "is no file"  # noqa: PTH112 - as above
    is_name = len(name_or_path) <= _LONGEST_NAME
    where = f"{path} {what}" if is_name else what
    asked = f"`{name_or_path}`" if is_name else quoted(name_or_path)
    raise InvalidHierarchyError(
        f"hierarchy {asked}: {where}, and the shipped ones are {', '.join(sorted(files))}"
        f"{did_you_mean(Path(name_or_path).stem, files)}"
    )


def table_of_hierarchy(path: Path) -> Path | None:
    """Return the CSV file with the rows or people of a hierarchy's file; None if there is none.

    It is None too if the file cannot be read: `read_hierarchy` reports the fault.
    """
    try:
        return HierarchyFile.opened(path).table
    except InvalidHierarchyError:
        return None


def _read_text(path: Path) -> str:
    try:
        if path.exists() and not path.is_file():
            raise InvalidHierarchyError("is no regular file")
        with path.open("rb") as file:
            first = file.readline(LONGEST_FIRST_LINE + 1)
            content = first + file.read() if len(first) <= LONGEST_FIRST_LINE else b""
    except FileNotFoundError:
        raise InvalidHierarchyError("no such file") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise InvalidHierarchyError(f"cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if len(first) > LONGEST_FIRST_LINE:
        raise InvalidHierarchyError("the first line is over 1 MiB: expected a hierarchy, not data or a binary file")
    if not content.removeprefix(codecs.BOM_UTF8).strip():
        raise InvalidHierarchyError("the file is empty")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InvalidHierarchyError(
            f"row {line}: byte 0x{content[error.start]:02x} is not UTF-8: save the file as UTF-8"
        ) from None
    if "\0" in text:
        raise InvalidHierarchyError(
            f"row {text.count(chr(10), 0, text.index(chr(0))) + 1}: a NUL: save it as UTF-8 text"
        )
    return text


def _read_rows(path: Path) -> list[list[str]]:
    text = _read_text(path)
    first = _QUOTED.sub("", _FIRST_ROW.match(text.lstrip().replace("\r", "\n"))[0])  # type: ignore[index]  # may be ""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=";" if ";" in first else ",", strict=True)
    try:
        # a blank line has no cells; a line of only spaces counts as blank
        return [[] if len(row) == 1 and not row[0].strip() else row for row in reader]
    except csv.Error as error:
        raise InvalidHierarchyError(f"row {reader.line_num}: {error}") from None


def _with_table(description: Mapping[str, Any], table: Path | None) -> Mapping[str, Any]:
    """Return the keys of a file, with the content of the table that it names, if any."""
    if table is None:
        return description
    holder, named, kept = _TABLE_KEYS[description["kind"]]
    section = dict(description if holder is None else description[holder])
    if kept in section:
        raise InvalidHierarchyError(f"both `{kept}` and `{named}`: expected one of them")
    del section[named]
    with _naming_file(table):
        rows = _read_rows(table)
        section[kept] = rows if holder is None else people_of_rows(rows)
    return section if holder is None else {**description, holder: section}


def _table_path(path: Path, description: Mapping[str, Any]) -> Path | None:
    """Return the path of the table that a file names; None where it names none."""
    kind = description.get("kind")
    if not isinstance(kind, str) or kind not in _TABLE_KEYS:
        return None
    holder, named, _ = _TABLE_KEYS[kind]
    section = description if holder is None else description.get(holder)
    table = section.get(named) if isinstance(section, dict) else None
    return path.parent / table if isinstance(table, str) else None


def _parsed(path: Path) -> dict[str, Any]:
    text = _read_text(path)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidHierarchyError(f"not valid TOML: {error}") from None
    except (ValueError, RecursionError):
        raise InvalidHierarchyError("not valid TOML: a number is too large, or the nesting too deep") from None


def hierarchy_csv(hierarchy: Hierarchy | OpenHierarchy) -> str:
    """Return a hierarchy as text: one row per value, levels from left to right with `;` between them, `*` last.

    There is no header; lines end in a newline; a label with a `;`, a quote or a line end is quoted. Such a file cannot
    hold the role, the title, the forms of written values, and the treatment of other values: they are left out.
    """
    if isinstance(hierarchy, OpenHierarchy):
        raise InvalidHierarchyError(
            f"hierarchy `{hierarchy.name}` takes its values from the data: close it over them, and then write it"
        )
    columns = []
    for labels, groups in zip(hierarchy.labels, hierarchy.groups.tolist(), strict=True):
        cells = [_cell(label) for label in labels]
        columns.append([cells[group] for group in groups])
    return "".join(f"{';'.join(row)}\n" for row in zip(*columns, strict=True))


def write_hierarchy(
    hierarchy: Hierarchy | OpenHierarchy, path: str | PathLike[str], *, overwrite: bool = False
) -> None:
    """Write a hierarchy to a CSV file, whole or not at all, readable by its owner only; see :func:`hierarchy_csv`.

    Parameters
    ----------
    hierarchy : the hierarchy to write.
    path : the file; its folder must exist.
    overwrite : whether to replace a file of this name.

    Raises
    ------
    InvalidHierarchyError : it takes its values from the data, and there are none yet.
    OutputError : the file may not or cannot be written.
    """
    write_file(Path(path), hierarchy_csv(hierarchy), overwrite=overwrite)


def _cell(label: str) -> str:
    """Return a label as a cell: in quotes if it has a character with a meaning in the file."""
    doubled = label.replace('"', '""')
    return f'"{doubled}"' if re.search(r'[;"\r\n]', label) else label
