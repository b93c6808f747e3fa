"""The commands `gamedeid hierarchy show` and `gamedeid hierarchy check`."""

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from gamedeid.amounts import number_of
from gamedeid.cli.flags import SHOW_VALUES
from gamedeid.cli.options import Json, print_json
from gamedeid.errors import InvalidHierarchyError
from gamedeid.generalization.files import find_hierarchy, read_hierarchy
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.generalization.open_hierarchy import OpenHierarchy
from gamedeid.report.terminal.console import console, print_table

app = typer.Typer(
    help="Look at generalization hierarchies, check your own, or write them for other tools.", no_args_is_help=True
)

Named = Annotated[str, typer.Argument(metavar="NAME|PATH", help="A shipped name, or a .toml or .csv file.")]
Data = Annotated[
    Path | None, typer.Option("--data", metavar="FILE", help="A CSV or Parquet file whose values are to be used.")
]
ColumnName = Annotated[
    str | None,
    typer.Option("--column", metavar="NAME", help="The column of that file; the hierarchy's name unless given."),
]
MissingValues = Annotated[
    list[str] | None,
    typer.Option("--missing-value", metavar="TEXT", help="A text that stands for a missing value. May be repeated."),
]


@app.command()
def show(
    context: typer.Context,
    hierarchy: Named,
    groups: Annotated[
        int | None, typer.Option(metavar="LEVEL", help="List every group of this level with its number of values.")
    ] = None,
    data: Data = None,
    column: ColumnName = None,
    missing_values: MissingValues = None,
    as_json: Json = False,
) -> None:
    """Show the ladder of a hierarchy: for each level its groups, their sizes and an example."""
    found = _closed(read_hierarchy(find_hierarchy(hierarchy, Path.cwd())), data, column, missing_values)
    if groups is not None and isinstance(found, OpenHierarchy):
        raise InvalidHierarchyError(
            f"hierarchy `{found.name}` takes its values from the data: it has no groups yet; say which: --data FILE"
        )
    if groups is not None and isinstance(found, Hierarchy) and not 0 <= groups < found.levels:
        raise InvalidHierarchyError(
            f"hierarchy `{found.name}` has no level {groups}: expected --groups 0 to {found.levels - 1}"
        )
    masked = isinstance(found, Hierarchy) and found.from_data and not context.find_root().params.get("show_values")
    shown = _shape if masked else str
    if as_json:
        print_json(_described(found, groups, shown))
    elif isinstance(found, OpenHierarchy):
        _show_rule(found)
    elif groups is None:
        _show_ladder(found, shown)
    else:
        _show_groups(found, groups, shown)
    if masked and not as_json:
        console().print(f"each letter and digit of the data is shown as #; {SHOW_VALUES} tells them")


@app.command()
def write(
    hierarchy: Named,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The CSV file to write.")],
    data: Data = None,
    column: ColumnName = None,
    missing_values: MissingValues = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", metavar="", help="Replace a file of this name.")] = False,
    as_json: Json = False,
) -> None:
    """Write a hierarchy as CSV, as other de-identification tools read it: one row per value, and no header."""
    from gamedeid.generalization.writing import write_hierarchy

    found = _closed(read_hierarchy(find_hierarchy(hierarchy, Path.cwd())), data, column, missing_values)
    if isinstance(found, OpenHierarchy):
        raise InvalidHierarchyError(
            f"hierarchy `{found.name}` takes its values from the data: say which: --data FILE --column NAME"
        )
    write_hierarchy(found, output, overwrite=overwrite)
    written = {"output": str(output), "name": found.name, "leaves": len(found.leaves), "levels": found.levels}
    if as_json:
        print_json(written)
    else:
        console().print(f"{output}: {number_of(len(found.leaves), 'leaf')}, {number_of(found.levels, 'level')}")


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
                console().print(line)
    if any(result["faults"] for result in results):
        raise typer.Exit(2)


def _closed(
    hierarchy: Hierarchy | OpenHierarchy, data: Path | None, column: str | None, missing_values: list[str] | None
) -> Hierarchy | OpenHierarchy:
    """Return a hierarchy with the values of a file, if one is named."""
    if data is None:
        if column is not None or missing_values:
            raise InvalidHierarchyError("--column and --missing-value are of a file: say which: --data FILE")
        return hierarchy
    from gamedeid.data.hierarchies import close_over_file

    return close_over_file(hierarchy, data, column or hierarchy.name, missing_values=missing_values or ())


def _shape(label: str) -> str:
    """Return a label whose letters and digits are not told."""
    return re.sub(r"\w", "#", label)


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


def _described(hierarchy: Hierarchy | OpenHierarchy, groups: int | None, shown: Callable[[str], str]) -> dict[str, Any]:
    common: dict[str, Any] = {
        "name": hierarchy.name,
        "title": hierarchy.title,
        "role": hierarchy.role,
        "unlisted": hierarchy.unlisted,
    }
    if isinstance(hierarchy, OpenHierarchy):
        return common | {"open": True, "leaves": None, "rule": hierarchy.rule.described()}
    described = common | {"open": False, "integer": hierarchy.integer, "leaves": len(hierarchy.leaves)}
    described["levels"] = _ladder(hierarchy, shown)
    if groups is not None:
        sizes = _group_sizes(hierarchy, groups)
        described["groups"] = [{"label": shown(label), "size": size} for label, size in sizes]
    return described


def _ladder(hierarchy: Hierarchy, shown: Callable[[str], str]) -> list[dict[str, Any]]:
    """Return each level's number of groups, smallest and largest size, and the label of the middle leaf there."""
    middle = len(hierarchy.leaves) // 2
    return [
        {
            "level": level,
            "groups": int(hierarchy.group_counts[level]),
            "smallest": int(hierarchy.sizes[level].min()),
            "largest": int(hierarchy.sizes[level].max()),
            "example": shown(hierarchy.label(level, middle)),
        }
        for level in range(hierarchy.levels)
    ]


def _group_sizes(hierarchy: Hierarchy, level: int) -> list[tuple[str, int]]:
    sizes = [0] * len(hierarchy.labels[level])
    for group in hierarchy.groups[level].tolist():
        sizes[group] += 1
    return list(zip(hierarchy.labels[level], sizes, strict=True))


def _show_ladder(hierarchy: Hierarchy, shown: Callable[[str], str]) -> None:
    _print(
        hierarchy,
        f"{number_of(len(hierarchy.leaves), 'leaf')}, {number_of(hierarchy.levels, 'level')}",
        ["level", "groups", "smallest", "largest", "example"],
        [[str(cell) for cell in row.values()] for row in _ladder(hierarchy, shown)],
    )


def _show_groups(hierarchy: Hierarchy, level: int, shown: Callable[[str], str]) -> None:
    rows = [[str(size), shown(label)] for label, size in _group_sizes(hierarchy, level)]
    _print(hierarchy, f"{number_of(len(rows), 'group')} at level {level}", ["values", "group"], rows)


def _show_rule(hierarchy: OpenHierarchy) -> None:
    rows = [[str(level), words] for level, words in enumerate(hierarchy.rule.published())]
    _print(hierarchy, f"leaves from the data, {number_of(hierarchy.levels, 'level')}", ["level", "published"], rows)
    for note in hierarchy.rule.notes():
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
