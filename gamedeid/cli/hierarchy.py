"""The commands `gamedeid hierarchy show`, `write` and `check`."""

from pathlib import Path
from typing import Annotated

import typer

from gamedeid.amounts import number_of
from gamedeid.cli.commands import BAD_INPUT
from gamedeid.cli.options import Json, print_json, shows_values
from gamedeid.report.terminal.console import console

app = typer.Typer(
    help="Look at generalization hierarchies, check your own, or write them for other tools.", no_args_is_help=True
)

Named = Annotated[str, typer.Argument(metavar="NAME|PATH", help="A shipped name, or a .toml or .csv file.")]
Data = Annotated[
    Path | None, typer.Option("--data", metavar="FILE", help="A CSV or Parquet file whose values are to be used.")
]
ColumnName = Annotated[
    str | None,
    typer.Option("--column", metavar="NAME", help="The column of that file (default: the hierarchy's name)."),
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
    from gamedeid.cli.hierarchy_tables import described, named_hierarchy, print_described

    found = named_hierarchy(hierarchy, data, column, missing_values, groups=groups)
    with_values = shows_values(context)
    if as_json:
        print_json(described(found, groups, with_values=with_values))
    else:
        print_described(found, groups, with_values=with_values)


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
    from gamedeid.cli.hierarchy_tables import closed_hierarchy
    from gamedeid.generalization.files import write_hierarchy
    from gamedeid.schemas.printed import HierarchyFileFacts

    found = closed_hierarchy(hierarchy, data, column, missing_values)
    write_hierarchy(found, output, overwrite=overwrite)
    if as_json:
        print_json(
            HierarchyFileFacts(output=str(output), name=found.name, leaves=len(found.leaves), levels=found.levels)
        )
    else:
        console().print(f"{output}: {number_of(len(found.leaves), 'leaf')}, {number_of(found.levels, 'level')}")


@app.command()
def check(
    paths: Annotated[list[str], typer.Argument(metavar="PATH...", help="Hierarchy files, or shipped names.")],
    as_json: Json = False,
) -> None:
    """Check hierarchy files and print every fault; the exit code is 2 when there is one."""
    from gamedeid.cli.hierarchy_tables import checked, summary
    from gamedeid.schemas.printed import HierarchyFilesFacts

    results = tuple(checked(path) for path in paths)
    if as_json:
        print_json(HierarchyFilesFacts(files=results))
    else:
        for result in results:
            for line in result.faults or [summary(result)]:
                console().print(line)
    if any(result.faults for result in results):
        raise typer.Exit(BAD_INPUT)
