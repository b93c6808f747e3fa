"""The facts that the commands `gamedeid hierarchy` report on a hierarchy, and its levels as a table."""

import os
import re
from pathlib import Path
from typing import Any

import numpy as np

from gamedeid.amounts import number_of
from gamedeid.cli.commands import SHOW_VALUES
from gamedeid.errors import InvalidHierarchyError
from gamedeid.generalization.files import find_hierarchy, read_hierarchy
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.generalization.open_hierarchy import OpenHierarchy
from gamedeid.report.terminal.console import console, print_table, table_of
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

    def shown(label: str) -> str:
        """Return a label; one that comes from the data without its letters and digits, unless values are asked for."""
        return label if with_values or not found.from_data else re.sub(r"\w", "#", label)

    middle = len(found.leaves) // 2
    levels = (
        LevelFacts(**sizes, example=shown(found.label(level, middle))) for level, sizes in enumerate(found.level_sizes)
    )
    of_level = None
    if groups is not None:
        sizes = np.bincount(found.groups[groups]).tolist()
        of_level = tuple(
            GroupFacts(label=shown(label), size=size) for label, size in zip(found.labels[groups], sizes, strict=True)
        )
    return ClosedHierarchyFacts(
        **common,
        open=False,
        integer=found.integer,
        leaves=len(found.leaves),
        levels=tuple(levels),
        groups=of_level,
    )


def print_described(found: Hierarchy | OpenHierarchy, groups: int | None, *, with_values: bool) -> None:
    """Print what :func:`hierarchy_facts` returns: the levels, or the groups of one; of an open hierarchy its rule."""
    if isinstance(found, OpenHierarchy):
        levels = [[str(level), words] for level, words in enumerate(found.rule.published())]
        _print(found, f"leaves from the data, {number_of(found.levels, 'level')}", ["level", "published"], levels)
        for note in found.rule.notes:
            console().print(note)
        return
    facts = hierarchy_facts(found, groups, with_values=with_values).as_dict()
    if groups is None:
        summary = f"{number_of(facts['leaves'], 'leaf')}, {number_of(found.levels, 'level')}"
        rows = [[str(cell) for cell in level.values()] for level in facts["levels"]]
        _print(found, summary, ["level", "groups", "smallest", "largest", "example"], rows)
    else:
        rows = [[str(group["size"]), group["label"]] for group in facts["groups"]]
        _print(found, f"{number_of(len(rows), 'group')} at level {groups}", ["values", "group"], rows)
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
    leaves = "leaves from the data" if result.leaves is None else number_of(result.leaves, "leaf")
    return f"{result.name}: {leaves}, {number_of(result.levels or 0, 'level')}"


def _print(hierarchy: Hierarchy | OpenHierarchy, summary: str, headings: list[str], rows: list[list[str]]) -> None:
    console().print(f"{hierarchy.name}: {summary}" + (f" - {hierarchy.title}" if hierarchy.title else ""))
    table = table_of(headings, rows, left=0)
    table.columns[-1].justify = "left"  # words
    print_table(table, console())
    if hierarchy.unlisted is not None:
        console().print(f"values that it does not list: {hierarchy.unlisted}")
