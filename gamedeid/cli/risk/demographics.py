"""The command ``gamedeid risk demographics``: how many people are likely unique by sex, place and birth."""

from typing import Annotated

import typer

from gamedeid.cli.options import Json, Output, Overwrite, print_json, results_folder
from gamedeid.cli.risk.demographics_options import (
    Age,
    AskedOfCounts,
    BoundaryName,
    CountColumn,
    Counts,
    Drop,
    Known,
    Lifetime,
    OpenYears,
    Place,
    State,
    UniformAges,
    count_people,
    lifetime_asked,
)
from gamedeid.risk.census.age_groups import OPEN_YEARS


def demographics(
    counts: Counts,
    *,
    place: Place,
    detail: Known,
    state: State = None,
    age: Age = None,
    count: CountColumn = None,
    drop: Drop = None,
    boundary: BoundaryName = "at-most",
    open_years: OpenYears = OPEN_YEARS,
    uniform_ages: UniformAges = False,
    lifetime: Lifetime = None,
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
    from gamedeid.risk.census.shares import check_rate

    check_rate(patients_per_person)
    asked: AskedOfCounts = {
        "place": place,
        "detail": detail,
        "state": state,
        "drop": drop or [],
        "age": age,
        "count": count,
        "boundary": boundary,
        "open_years": open_years,
    }
    years = lifetime_asked(lifetime, uniform_ages=uniform_ages)
    with results_folder(output, overwrite=overwrite) as folder:
        found = count_people(counts, asked, years)
        if folder is not None:
            found.write_files(folder, patients_per_person)
    if as_json:
        print_json(found.as_dict(patients_per_person))
        return
    to = console()
    print_demographics(found, place, patients_per_person, to)
    to.print(f"Written to {output}." if output is not None else "Nothing was written; add -o DIR for the tables.")
