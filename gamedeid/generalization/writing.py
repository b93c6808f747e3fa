"""A hierarchy as a CSV file, in the form that other de-identification tools read."""

import re
from os import PathLike
from pathlib import Path

from gamedeid.errors import InvalidHierarchyError
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.generalization.open_hierarchy import OpenHierarchy
from gamedeid.results import write_file


def hierarchy_csv(hierarchy: Hierarchy | OpenHierarchy) -> str:
    """Return a hierarchy as text: one row per value, levels from left to right with `;` between them, `*` last.

    There is no header; lines end in a newline; a label with a `;`, a quote or a line end stands in quotes. What such a
    file cannot say is left out: the role, the title, in which forms values may be written, and what becomes of others.

    Parameters
    ----------
    hierarchy : its values in tree order.

    Raises
    ------
    InvalidHierarchyError : it takes its values from the data, and there are none yet.
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
    hierarchy : what to write.
    path : the file; its folder must exist.
    overwrite : whether to replace a file of this name.

    Raises
    ------
    InvalidHierarchyError : it takes its values from the data, and there are none yet.
    OutputError : the file may not or cannot be written.
    """
    write_file(Path(path), hierarchy_csv(hierarchy), overwrite=overwrite)


def _cell(label: str) -> str:
    """Return a label as a cell: in quotes where it has a character that means something in the file."""
    doubled = label.replace('"', '""')
    return f'"{doubled}"' if re.search(r'[;"\r\n]', label) else label
