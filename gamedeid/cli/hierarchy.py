"""The commands `gamedeid hierarchy show` and `gamedeid hierarchy check`."""

import os
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from gamedeid.amounts import number_of
from gamedeid.cli.options import Json, print_json
from gamedeid.errors import InvalidHierarchyError
from gamedeid.generalization.files import find_hierarchy, read_hierarchy
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.generalization.open_hierarchy import OpenHierarchy
from gamedeid.report.terminal.console import console, print_table

app = typer.Typer(help="Look at generalization hierarchies, or check your own.", no_args_is_help=True)


@app.command()
def show(
    hierarchy: Annotated[str, typer.Argument(metavar="NAME|PATH", help="A shipped name, or a .toml or .csv file.")],
    groups: Annotated[
        int | None, typer.Option(metavar="LEVEL", help="List every group of this level with its number of values.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Show the ladder of a hierarchy: for each level its groups, their sizes and an example."""
    found = read_hierarchy(find_hierarchy(hierarchy, Path.cwd()))
    if groups is not None and isinstance(found, OpenHierarchy):
        raise InvalidHierarchyError(f"hierarchy `{found.name}` takes its values from the data: it has no groups yet")
    if groups is not None and isinstance(found, Hierarchy) and not 0 <= groups < found.levels:
        raise InvalidHierarchyError(
            f"hierarchy `{found.name}` has no level {groups}: expected --groups 0 to {found.levels - 1}"
        )
    if as_json:
        print_json(_described(found, groups))
    elif isinstance(found, OpenHierarchy):
        _show_rule(found)
    elif groups is None:
        _show_ladder(found)
    else:
        _show_groups(found, groups)


@app.command()
def check(
    paths: Annotated[list[str], typer.Argument(metavar="PATH...", help="Hierarchy files, or shipped names.")],
    as_json: Json = False,
) -> None:
    """Check hierarchy files and print every fault; the exit code is 2 when there is one."""
    results = [_checked(path) for path in paths]
    if as_json:
        print_json({"files": results})
    else:
        for result in results:
            for line in result["faults"] or [_summary(result)]:
                typer.echo(line)
    if any(result["faults"] for result in results):
        raise typer.Exit(2)


def _checked(path: str) -> dict[str, Any]:
    result: dict[str, Any] = {"path": path, "name": Path(path).stem, "leaves": None, "levels": None, "faults": []}
    try:
        found = read_hierarchy(Path(path) if os.path.isdir(path) else find_hierarchy(path, Path.cwd()))  # noqa: PTH112 - long names
    except InvalidHierarchyError as error:
        return result | {"faults": list(error.faults)}
    return result | {"leaves": _leaf_count(found), "levels": found.levels}


def _leaf_count(hierarchy: Hierarchy | OpenHierarchy) -> int | None:
    return len(hierarchy.leaves) if isinstance(hierarchy, Hierarchy) else None


def _summary(result: dict[str, Any]) -> str:
    leaves = "leaves from the data" if result["leaves"] is None else f"{result['leaves']} leaves"
    return f"{result['name']}: {leaves}, {result['levels']} levels"


def _described(hierarchy: Hierarchy | OpenHierarchy, groups: int | None) -> dict[str, Any]:
    common: dict[str, Any] = {"name": hierarchy.name, "title": hierarchy.title, "role": hierarchy.role}
    if isinstance(hierarchy, OpenHierarchy):
        return common | {"open": True, "leaves": None, "rule": hierarchy.rule.described()}
    described = common | {"open": False, "integer": hierarchy.integer, "leaves": len(hierarchy.leaves)}
    described["levels"] = _ladder(hierarchy)
    if groups is not None:
        described["groups"] = [{"label": label, "size": size} for label, size in _group_sizes(hierarchy, groups)]
    return described


def _ladder(hierarchy: Hierarchy) -> list[dict[str, Any]]:
    """Return each level's number of groups, smallest and largest size, and the label of the middle leaf there."""
    middle = len(hierarchy.leaves) // 2
    return [
        {
            "level": level,
            "groups": int(hierarchy.group_counts[level]),
            "smallest": int(hierarchy.sizes[level].min()),
            "largest": int(hierarchy.sizes[level].max()),
            "example": hierarchy.label(level, middle),
        }
        for level in range(hierarchy.levels)
    ]


def _group_sizes(hierarchy: Hierarchy, level: int) -> list[tuple[str, int]]:
    sizes = [0] * len(hierarchy.labels[level])
    for group in hierarchy.groups[level].tolist():
        sizes[group] += 1
    return list(zip(hierarchy.labels[level], sizes, strict=True))


def _show_ladder(hierarchy: Hierarchy) -> None:
    _print(
        hierarchy,
        f"{number_of(len(hierarchy.leaves), 'leaf')}, {number_of(hierarchy.levels, 'level')}",
        ["level", "groups", "smallest", "largest", "example"],
        [[str(cell) for cell in row.values()] for row in _ladder(hierarchy)],
    )


def _show_groups(hierarchy: Hierarchy, level: int) -> None:
    rows = [[str(size), label] for label, size in _group_sizes(hierarchy, level)]
    _print(hierarchy, f"{number_of(len(rows), 'group')} at level {level}", ["values", "group"], rows)


def _show_rule(hierarchy: OpenHierarchy) -> None:
    rows = [[str(level), words] for level, words in enumerate(hierarchy.rule.published())]
    _print(hierarchy, f"leaves from the data, {number_of(hierarchy.levels, 'level')}", ["level", "published"], rows)
    for note in hierarchy.rule.notes():
        typer.echo(note)


def _print(hierarchy: Hierarchy | OpenHierarchy, summary: str, headings: list[str], rows: list[list[str]]) -> None:
    typer.echo(f"{hierarchy.name}: {summary}" + (f" - {hierarchy.title}" if hierarchy.title else ""))
    table = Table()
    for heading in headings[:-1]:
        table.add_column(heading, justify="right")
    table.add_column(headings[-1])
    for row in rows:
        table.add_row(*row)
    print_table(table, console())
