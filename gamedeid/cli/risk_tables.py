"""The commands ``gamedeid risk demographics``, ``uniqueness`` and ``uniqueness-study``, which read tables of people."""

import os
import re
from collections.abc import Callable
from inspect import Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

import typer

from gamedeid.choices import Boundary, Detail
from gamedeid.cli.options import Json, Output, Overwrite, clear_parts, print_json, results_folder, where_written
from gamedeid.cli.progress import progress
from gamedeid.errors import InvalidScenarioError, quoted
from gamedeid.extras import require
from gamedeid.risk.census import LIFETIME, OPEN_YEARS

if TYPE_CHECKING:
    from gamedeid.risk.census.identifiable import Identifiable
    from gamedeid.risk.uniqueness.classes import ClassSizes


Counts = Annotated[
    Path, typer.Argument(metavar="COUNTS", help="A CSV or Parquet table of people by place and age group.")
]
Place = Annotated[str, typer.Option(metavar="COLUMN", help="The column of the places, such as zip or county.")]
Known = Annotated[
    Detail, typer.Option(metavar="NAME", help="Known detail of the birth: date, month, year or two-year.")
]
State = Annotated[str | None, typer.Option(metavar="COLUMN", help="The column of the states.")]
Age = Annotated[
    str | None, typer.Option(metavar="COLUMN", help="The column of age groups, if each has a separate row.")
]
CountColumn = Annotated[
    str | None, typer.Option(metavar="COLUMN", help="The column of numbers of people, together with --age.")
]
Drop = Annotated[list[str] | None, typer.Option(metavar="COLUMN", help="A column to leave unread. May be repeated.")]
BoundaryName = Annotated[
    Boundary,
    typer.Option(
        metavar="NAME", help="Which age groups are identifiable, by their threshold: those at-most it, or below it."
    ),
]
OpenYears = Annotated[int, typer.Option(metavar="YEARS", help="Years that an age group such as 65+ is taken to have.")]
UniformAges = Annotated[bool, typer.Option("--uniform-ages", metavar="", help="Take ages as uniform over a lifetime.")]
Lifetime = Annotated[
    int | None, typer.Option(metavar="YEARS", help="Years of a life, with --uniform-ages (default: 76).")
]


def census_table(
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
) -> Callable[[], "Identifiable"]:
    """Return what reads a table and finds who is likely unique, as :func:`gamedeid.risk.demographics` does."""
    if lifetime is not None and not uniform_ages:
        raise InvalidScenarioError("--lifetime is for uniform ages; add --uniform-ages, or leave it out")

    def read() -> "Identifiable":
        from gamedeid.risk.census.identifiable import demographics

        return demographics(
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

    return read


def with_census_table(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of :func:`census_table` before its own, in place of its first argument."""
    of_table = signature(census_table).parameters

    def run(**options: Any) -> None:
        read = census_table(**{name: options.pop(name) for name in of_table})
        command(read, **options)

    parameters = [*of_table.values(), *list(signature(command).parameters.values())[1:]]
    run.__dict__.update(
        __signature__=Signature(parameters), __annotations__={one.name: one.annotation for one in parameters}
    )
    run.__name__, run.__doc__ = command.__name__, command.__doc__
    return run


_WIDTH = re.compile(r"\s*(.+?)\s*=\s*(\d{1,9})\s*", re.ASCII | re.DOTALL)

Attributes = Annotated[
    str | None, typer.Option(metavar="A,B,C", help="The columns in which people are compared, by name.")
]
Count = Annotated[
    str | None, typer.Option(metavar="COLUMN", help="The column that says how many people a row stands for.")
]
Columns = Annotated[
    str | None, typer.Option(metavar="A,B,C", help="Names of all columns, for a CSV file whose first row has none.")
]
Width = Annotated[
    list[str] | None,
    typer.Option(
        metavar="ATTRIBUTE=WIDTH", help="Group whole numbers: with age=5, 20 to 24 are alike. May be repeated."
    ),
]


class PeopleColumns(TypedDict):
    """What is asked of a table, as :func:`gamedeid.risk.read_class_sizes` takes it."""

    attributes: tuple[str, ...]
    count: str | None
    columns: tuple[str, ...] | None
    widths: dict[str, int]


def people_table(
    attributes: str | None, count: str | None, columns: str | None, width: list[str] | None
) -> PeopleColumns:
    """Return what words such as ``age,sex`` and ``age=5`` ask of a table."""
    if attributes is None:
        raise InvalidScenarioError("say in which columns people are compared, with --attributes age,sex,...")
    widths = {}
    for text in width or []:
        found = _WIDTH.fullmatch(text)
        if found is None or not int(found[2]):
            raise InvalidScenarioError(f"--width: {quoted(text)} is no ATTRIBUTE=WIDTH such as age=5")
        widths[found[1]] = int(found[2])
    return {
        "attributes": _names(attributes, "attribute"),
        "count": count,
        "columns": None if columns is None else _names(columns, "column"),
        "widths": widths,
    }


def _names(text: str, what: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(","))
    if not all(names):
        raise InvalidScenarioError(f"{quoted(text)}: expected the names of {what}s, such as age,sex,zip")
    return names


@with_census_table
def demographics(
    read: Callable[[], "Identifiable"],
    *,
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
    from gamedeid.risk.census.identifiable import check_rate

    check_rate(patients_per_person)
    with results_folder(output, overwrite=overwrite) as folder:
        found = read()
        if folder is not None:
            found.write(folder, patients_per_person=patients_per_person)
    if as_json:
        print_json(found.as_dict(patients_per_person))
        return
    to = console()
    print_demographics(found, patients_per_person, to)
    to.print(where_written(output, "the tables"))


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
    from gamedeid.risk.uniqueness.classes import ClassSizes, read_class_sizes

    if (data is None) == (classes is None):
        raise InvalidScenarioError("give either DATA with --attributes, or --classes such as 1:281,2:7,3:1")
    if data is not None:
        return read_class_sizes(data, **people_table(attributes, count, columns, width))
    if width or {attributes, count, columns} != {None}:
        raise InvalidScenarioError(
            "--attributes, --count, --columns and --width speak of DATA; leave them out with --classes"
        )
    return ClassSizes.parse(str(classes))


Population = Annotated[
    Path,
    typer.Argument(
        metavar="DATA", help="The population, a CSV or Parquet file; a row is a person unless there is --count."
    ),
]
Fractions = Annotated[str, typer.Option(metavar="F,F,...", help="Sampling fractions, between 0 and 1.")]
Samples = Annotated[int, typer.Option(metavar="NUMBER", help="Samples drawn at each fraction.")]
Seed = Annotated[int, typer.Option(metavar="NUMBER", help="Seed of the random numbers.")]
Workers = Annotated[
    int | None, typer.Option(metavar="NUMBER", help="Processes that share the work; they change no digit.")
]
FRACTIONS, SAMPLES = ".01,.05,.1,.3,.5,.7,.9", 1000


def uniqueness_study(
    data: Population,
    *,
    attributes: Attributes = None,
    fractions: Fractions = FRACTIONS,
    samples: Samples = SAMPLES,
    seed: Seed = 1,
    workers: Workers = None,
    parts: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Keep finished parts there, also at the end, for later studies."),
    ] = None,
    count: Count = None,
    columns: Columns = None,
    width: Width = None,
    output: Output = None,
    overwrite: Overwrite = False,
    as_json: Json = False,
) -> None:
    """Compare the estimators of uniqueness by samples of a population that is known.

    Writes study.csv, study.svg and manifest.json into -o DIR. Finished parts are kept in DIR.parts until then, so that
    the same command goes on where it was interrupted. Without -o nothing is written.
    """
    from gamedeid.report.terminal.console import console
    from gamedeid.report.terminal.uniqueness import print_study
    from gamedeid.results.resume import check_folder
    from gamedeid.risk.uniqueness.classes import read_class_sizes
    from gamedeid.risk.uniqueness.simulation import StudyPlan, study_uniqueness

    processes = known_workers(workers)
    table, chosen = people_table(attributes, count, columns, width), parse_fractions(fractions)
    if output is not None and parts is not None and os.path.normpath(parts) == os.path.normpath(output):
        raise InvalidScenarioError("--parts and -o must be two folders; leave --parts out, or name another")
    own = None if output is None or parts is not None else Path(f"{os.path.normpath(output)}.parts")
    if output is not None:
        require("pictures", "the picture in -o DIR")
    place = parts or own
    if place is not None:
        check_folder(place)
    with results_folder(output, overwrite=overwrite) as folder, progress() as phase:
        phase("reading the data")
        plan = StudyPlan(population=read_class_sizes(data, **table), fractions=chosen, samples=samples, seed=seed)
        finished = None if place is None else plan.parts(place)
        study = study_uniqueness(plan, workers=processes, parts=finished, progress=phase("samples"))
        if folder is not None:
            phase("writing the results")
            study.write(folder)
    if finished is not None and own is not None and output is not None:
        clear_parts(finished, output)
    if as_json:
        print_json(study.facts)
        return
    to = console()
    print_study(study.rows, plan.truth, to)
    to.print(where_written(output, "the table"))


def known_workers(workers: int | None) -> int:
    """Return how many processes share the work: as many as asked for, or else one for each processor."""
    if workers is not None and workers < 1:
        raise InvalidScenarioError(f"--workers must be at least 1, not {workers}")
    return workers or os.cpu_count() or 1


def parse_fractions(text: str) -> tuple[float, ...]:
    """Return fractions from a text such as ``.01,.05,.1``."""
    from gamedeid.risk.uniqueness.simulation import check_fractions

    try:
        fractions = tuple(float(part) for part in text.split(","))
    except ValueError:
        raise InvalidScenarioError(
            f"--fractions: {quoted(text)} are no numbers between 0 and 1, such as .01,.1,.5"
        ) from None
    check_fractions(fractions)
    return fractions
