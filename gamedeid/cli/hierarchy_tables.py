"""The facts that the commands `gamedeid hierarchy` report on a hierarchy, and its levels as a table."""

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from rich.table import Table

from gamedeid.amounts import number_of
from gamedeid.cli.commands import SHOW_VALUES
from gamedeid.errors import InvalidHierarchyError
from gamedeid.generalization.files import find_hierarchy, read_hierarchy
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.generalization.open_hierarchy import OpenHierarchy
from gamedeid.report.terminal.console import console, print_table
from gamedeid.schemas.printed import CheckedFile, ClosedHierarchyFacts, GroupFacts, HierarchyFacts, LevelFacts


def check_level(found: Hierarchy | OpenHierarchy, level: int) -> None:
    """Check that a hierarchy has leaves and has this level."""
    if isinstance(found, OpenHierarchy):
        raise InvalidHierarchyError(
            f"hierarchy `{found.name}` takes its values from the data: it has no groups yet; say which: --data FILE"
        )
    if not 0 <= level < found.levels:
        raise InvalidHierarchyError(
            f"hierarchy `{found.name}` has no level {level}: expected --groups 0 to {found.levels - 1}"
        )


def require_values(found: Hierarchy | OpenHierarchy) -> Hierarchy:
    """Return a hierarchy if it has leaves; raise otherwise."""
    if isinstance(found, OpenHierarchy):
        raise InvalidHierarchyError(
            f"hierarchy `{found.name}` takes its values from the data: say which: --data FILE --column NAME"
        )
    return found


def hierarchy_facts(
    found: Hierarchy | OpenHierarchy, groups: int | None, *, with_values: bool
) -> HierarchyFacts | ClosedHierarchyFacts:
    """Return the facts of a hierarchy, for JSON."""
    common: dict[str, Any] = {name: getattr(found, name) for name in ("name", "title", "role", "unlisted")}
    if isinstance(found, OpenHierarchy):
        return HierarchyFacts(**common, open=True, leaves=None, rule=found.rule.described())
    shown = _label_formatter(found, with_values=with_values)
    return ClosedHierarchyFacts(
        **common,
        open=False,
        integer=found.integer,
        leaves=len(found.leaves),
        levels=tuple(_level_facts(found, shown)),
        groups=None
        if groups is None
        else tuple(GroupFacts(label=shown(label), size=size) for label, size in _group_sizes(found, groups)),
    )


def print_described(found: Hierarchy | OpenHierarchy, groups: int | None, *, with_values: bool) -> None:
    """Print the facts of :func:`hierarchy_facts`: the levels, or the groups of one level."""
    if isinstance(found, OpenHierarchy):
        _print_rule(found)
        return
    if groups is None:
        _print_levels(found, _label_formatter(found, with_values=with_values))
    else:
        _print_groups(found, groups, _label_formatter(found, with_values=with_values))
    if found.from_data and not with_values:
        console().print(f"each letter and digit of the data is shown as #; {SHOW_VALUES} shows them")


def check_hierarchy_file(path: str) -> CheckedFile:
    """Return the name, leaves and levels of a hierarchy file, or its faults, one line each."""
    name = Path(path).stem
    try:
        found = read_hierarchy(Path(path) if os.path.isdir(path) else find_hierarchy(path, Path.cwd()))  # noqa: PTH112 - long names
    except InvalidHierarchyError as error:
        return CheckedFile(path=path, name=name, leaves=None, levels=None, faults=tuple(error.faults))
    leaves = len(found.leaves) if isinstance(found, Hierarchy) else None
    return CheckedFile(path=path, name=name, leaves=leaves, levels=found.levels, faults=())


def file_summary(result: CheckedFile) -> str:
    """Return the facts of :func:`check_hierarchy_file` on a valid hierarchy, as one line."""
    leaves = "leaves from the data" if result.leaves is None else f"{result.leaves} leaves"
    return f"{result.name}: {leaves}, {result.levels} levels"


def _label_formatter(hierarchy: Hierarchy, *, with_values: bool) -> Callable[[str], str]:
    """Return the formatter of labels; it masks letters and digits of labels from data, unless ``with_values``."""
    return str if with_values or not hierarchy.from_data else lambda label: re.sub(r"\w", "#", label)


def _level_facts(hierarchy: Hierarchy, shown: Callable[[str], str]) -> list[LevelFacts]:
    """Return each level's number of groups, smallest and largest size, and label of the middle leaf."""
    middle = len(hierarchy.leaves) // 2
    return [
        LevelFacts(**sizes, example=shown(hierarchy.label(level, middle)))
        for level, sizes in enumerate(hierarchy.level_sizes)
    ]


def _group_sizes(hierarchy: Hierarchy, level: int) -> list[tuple[str, int]]:
    return list(zip(hierarchy.labels[level], np.bincount(hierarchy.groups[level]).tolist(), strict=True))


def _print_levels(hierarchy: Hierarchy, shown: Callable[[str], str]) -> None:
    _print(
        hierarchy,
        f"{number_of(len(hierarchy.leaves), 'leaf')}, {number_of(hierarchy.levels, 'level')}",
        ["level", "groups", "smallest", "largest", "example"],
        [[str(cell) for cell in row.as_dict().values()] for row in _level_facts(hierarchy, shown)],
    )


def _print_groups(hierarchy: Hierarchy, level: int, shown: Callable[[str], str]) -> None:
    rows = [[str(size), shown(label)] for label, size in _group_sizes(hierarchy, level)]
    _print(hierarchy, f"{number_of(len(rows), 'group')} at level {level}", ["values", "group"], rows)


def _print_rule(hierarchy: OpenHierarchy) -> None:
    rows = [[str(level), words] for level, words in enumerate(hierarchy.rule.published())]
    _print(hierarchy, f"leaves from the data, {number_of(hierarchy.levels, 'level')}", ["level", "published"], rows)
    for note in hierarchy.rule.notes:
        console().print(note)


def _print(hierarchy: Hierarchy | OpenHierarchy, summary: str, headings: list[str], rows: list[list[str]]) -> None:
    console().print(f"{hierarchy.name}: {summary}" + (f" - {hierarchy.title}" if hierarchy.title else ""))
    table = Table()
    for heading in headings[:-1]:
        table.add_column(heading, justify="right")
    table.add_column(headings[-1])
    for row in rows:
        table.add_row(*row)
    print_table(table, console())
    if hierarchy.unlisted is not None:
        console().print(f"values that it does not list: {hierarchy.unlisted}")
