"""The command ``gamedeid risk uniqueness``: the share of unique people in a population, from a sample of it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gamedeid.cli.options import Json, print_json
from gamedeid.cli.risk.table_options import Attributes, Columns, Count, Width, people_table
from gamedeid.errors import InvalidScenarioError

if TYPE_CHECKING:
    from gamedeid.risk.uniqueness.class_sizes import ClassSizes


def uniqueness(
    data: Annotated[
        Path | None,
        typer.Argument(
            metavar="DATA", help="The sample, a CSV or Parquet file; a row is a person unless there is --count."
        ),
    ] = None,
    *,
    attributes: Attributes = None,
    classes: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE:CLASSES,...", help="In place of DATA: how many classes have each size, as 1:281,2:7."
        ),
    ] = None,
    population_size: Annotated[
        int, typer.Option("--population-size", metavar="PEOPLE", help="People in the population that was sampled.")
    ],
    count: Count = None,
    columns: Columns = None,
    width: Width = None,
    as_json: Json = False,
) -> None:
    """Estimate the share of unique people in a population, from a random sample of it."""
    from gamedeid.report.terminal.console import console
    from gamedeid.report.terminal.uniqueness import print_estimates
    from gamedeid.risk.uniqueness.estimates import estimate_uniqueness

    estimates = estimate_uniqueness(_sample(data, classes, attributes, count, columns, width), population_size)
    if as_json:
        print_json(estimates.as_dict())
    else:
        print_estimates(estimates, console())


def _sample(
    data: Path | None,
    classes: str | None,
    attributes: str | None,
    count: str | None,
    columns: str | None,
    width: list[str] | None,
) -> "ClassSizes":
    from gamedeid.risk.uniqueness.class_sizes import ClassSizes
    from gamedeid.risk.uniqueness.classes import read_class_sizes

    if (data is None) == (classes is None):
        raise InvalidScenarioError("give either DATA with --attributes, or --classes such as 1:281,2:7,3:1")
    if data is not None:
        return read_class_sizes(data, **people_table(attributes, count, columns, width))
    if width or {attributes, count, columns} != {None}:
        raise InvalidScenarioError(
            "--attributes, --count, --columns and --width speak of DATA; leave them out with --classes"
        )
    return ClassSizes.parse(str(classes))
