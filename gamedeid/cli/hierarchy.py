"""The commands `gamedeid hierarchy show`, `write` and `check`."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gamedeid.amounts import number_of
from gamedeid.cli.commands import BAD_INPUT
from gamedeid.cli.options import Json, OverwriteFile, shows_values, with_groups
from gamedeid.cli.printing import print_json
from gamedeid.report.terminal.console import console, print_lines

if TYPE_CHECKING:
    from gamedeid.generalization.hierarchy import Hierarchy
    from gamedeid.generalization.open_hierarchy import OpenHierarchy

app = typer.Typer(
    help="Show generalization hierarchies, check your own, or write them for other tools.", no_args_is_help=True
)


@dataclass(frozen=True, kw_only=True, repr=False)
class HierarchyOptions:
    """A hierarchy by its name or path, and the file from which it takes its leaves, if any."""

    hierarchy: Annotated[str, typer.Argument(metavar="NAME|PATH", help="A shipped name, or a .toml or .csv file.")]
    data: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A table, such as a CSV file, whose values are to be used.")
    ] = None
    column: Annotated[
        str | None, typer.Option(metavar="NAME", help="The column of that file (default: the hierarchy's name).")
    ] = None
    missing_values: Annotated[
        list[str] | None,
        typer.Option("--missing-value", metavar="TEXT", help="A text that means a missing value. May be repeated."),
    ] = None

    def read(self) -> "Hierarchy | OpenHierarchy":
        """Return the hierarchy, closed over the values of the file if one is given."""
        from gamedeid.errors import InvalidHierarchyError
        from gamedeid.generalization.files import find_hierarchy, read_hierarchy

        found = read_hierarchy(find_hierarchy(self.hierarchy, Path.cwd()))
        if self.data is not None:
            from gamedeid.data.hierarchies import close_over_file

            column, missing = self.column or found.name, self.missing_values or ()
            return close_over_file(found, self.data, column, missing_values=missing)
        if self.column is not None or self.missing_values:
            raise InvalidHierarchyError("--column and --missing-value are of a file: say which: --data FILE")
        return found


@app.command()
@with_groups
def show(
    context: typer.Context,
    named: HierarchyOptions,
    groups: Annotated[
        int | None, typer.Option(metavar="LEVEL", help="List every group of this level with its number of values.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Show the levels of a hierarchy: the groups of each, their sizes and an example."""
    from gamedeid.cli.hierarchy_tables import check_level, hierarchy_facts, print_described

    found = named.read()
    if groups is not None:
        check_level(found, groups)
    with_values = shows_values(context)
    if as_json:
        print_json(hierarchy_facts(found, groups, with_values=with_values))
    else:
        print_described(found, groups, with_values=with_values)


@app.command()
@with_groups
def write(
    named: HierarchyOptions,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The CSV file to write.")],
    overwrite: OverwriteFile = False,
    as_json: Json = False,
) -> None:
    """Write a hierarchy as CSV, as other de-identification tools read it: one row per value, and no header."""
    from gamedeid.cli.hierarchy_tables import require_values
    from gamedeid.generalization.files import write_hierarchy
    from gamedeid.schemas.printed import HierarchyFileFacts

    found = require_values(named.read())
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
    """Check hierarchy files and print their faults; the exit code is 2 if there is one."""
    from gamedeid.cli.hierarchy_tables import check_hierarchy_file, file_summary
    from gamedeid.schemas.printed import HierarchyFilesFacts

    results = tuple(check_hierarchy_file(path) for path in paths)
    if as_json:
        print_json(HierarchyFilesFacts(files=results))
    else:
        for result in results:
            print_lines(result.faults or [file_summary(result)], console())
    if any(result.faults for result in results):
        raise typer.Exit(BAD_INPUT)
