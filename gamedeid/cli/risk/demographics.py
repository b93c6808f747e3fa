"""The command ``gamedeid risk demographics``: how many people are likely unique by sex, place and birth."""

from pathlib import Path
from typing import Annotated

import typer

from gamedeid.choices import Boundary, Detail
from gamedeid.cli.options import Json, Output, Overwrite, print_json, results_folder
from gamedeid.errors import InvalidScenarioError
from gamedeid.risk.demographics.age_groups import LIFETIME, OPEN_YEARS


def demographics(
    counts: Annotated[
        Path, typer.Argument(metavar="COUNTS", help="A CSV or Parquet table of people by place and age group.")
    ],
    *,
    place: Annotated[str, typer.Option(metavar="COLUMN", help="The column of the places, such as zip or county.")],
    detail: Annotated[
        Detail, typer.Option(metavar="NAME", help="What is known of the birth: date, month, year or two-year.")
    ],
    state: Annotated[str | None, typer.Option(metavar="COLUMN", help="The column of the states.")] = None,
    age: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="The column of age groups, if each has a row of its own.")
    ] = None,
    count: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="The column of numbers of people, together with --age.")
    ] = None,
    drop: Annotated[
        list[str] | None, typer.Option(metavar="COLUMN", help="A column to leave unread. May be repeated.")
    ] = None,
    boundary: Annotated[
        Boundary,
        typer.Option(
            metavar="NAME", help="Which age groups are identifiable, by their threshold: those at-most it, or below it."
        ),
    ] = "at-most",
    open_years: Annotated[
        int, typer.Option(metavar="YEARS", help="Years that an age group such as 65+ is taken to have.")
    ] = OPEN_YEARS,
    uniform_ages: Annotated[
        bool, typer.Option("--uniform-ages", metavar="", help="Take ages as uniform over a lifetime.")
    ] = False,
    lifetime: Annotated[
        int | None, typer.Option(metavar="YEARS", help="Years of a life, with --uniform-ages; 76 unless given.")
    ] = None,
    patients_per_person: Annotated[
        float | None,
        typer.Option(
            metavar="RATE", help="Predict the patients that a release of a year identifies; 0.0833 is 1 in 12."
        ),
    ] = None,
    output: Output = None,
    overwrite: Overwrite = False,
    as_json: Json = False,
) -> None:
    """Count who is likely unique by place, sex and birth, from a census table: by age group, by state and in all.

    Writes places.csv, states.csv (with --state), demographics.json and manifest.json into -o DIR; without -o nothing
    is written.
    """
    from gamedeid.report.terminal.console import console
    from gamedeid.report.terminal.demographics import print_demographics
    from gamedeid.risk.demographics.identifiable import demographics as count_identifiable
    from gamedeid.risk.demographics.shares import check_rate

    check_rate(patients_per_person)
    if lifetime is not None and not uniform_ages:
        raise InvalidScenarioError("--lifetime is for uniform ages; add --uniform-ages, or leave it out")
    with results_folder(output, overwrite=overwrite) as folder:
        found = count_identifiable(
            counts,
            place=place,
            detail=detail,
            state=state,
            drop=drop or [],
            age=age,
            count=count,
            boundary=boundary,
            open_years=open_years,
            lifetime=(LIFETIME if lifetime is None else lifetime) if uniform_ages else None,
        )
        if folder is not None:
            found.write_files(folder, patients_per_person)
    if as_json:
        print_json(found.as_dict(patients_per_person))
        return
    to = console()
    print_demographics(found, place, patients_per_person, to)
    to.print(f"Written to {output}." if output is not None else "Nothing was written; add -o DIR for the tables.")
