"""The commands ``gamedeid risk table``, ``demographics``, ``uniqueness`` and ``uniqueness-study``, for tables."""

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypedDict

import typer

from gamedeid.choices import Boundary, Detail
from gamedeid.cli.options import Json, OutputOptions, scenario_changes, with_groups
from gamedeid.cli.printing import print_found, print_json
from gamedeid.cli.progress import progress
from gamedeid.errors import InvalidScenarioError, quoted
from gamedeid.extras import require
from gamedeid.report.terminal.console import console
from gamedeid.risk.census import LIFETIME, OPEN_YEARS

if TYPE_CHECKING:
    from gamedeid.risk.census.identifiable import Identifiable
    from gamedeid.risk.uniqueness.classes import ClassSizes
    from gamedeid.risk.uniqueness.simulation import StudyPlan

Counts = Annotated[
    Path, typer.Argument(metavar="COUNTS", help="A table, such as a CSV file, of people by place and age group.")
]


@dataclass(frozen=True, kw_only=True, repr=False)
class CensusTable:
    """Options for reading a table of people by place and age group, and the known detail of a birth."""

    counts: Counts
    place: Annotated[str, typer.Option(metavar="COLUMN", help="The column of the places, such as zip or county.")]
    detail: Annotated[
        Detail, typer.Option(metavar="NAME", help="Known detail of the birth: date, month, year or two-year.")
    ]
    state: Annotated[str | None, typer.Option(metavar="COLUMN", help="The column of the states.")] = None
    age: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="The column of age groups, if each has a separate row.")
    ] = None
    count: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="The column of numbers of people, together with --age.")
    ] = None
    drop: Annotated[
        list[str] | None, typer.Option(metavar="COLUMN", help="A column to leave unread. May be repeated.")
    ] = None
    boundary: Annotated[
        Boundary,
        typer.Option(
            metavar="NAME",
            help="Identifiable age groups: those at-most the threshold, or below it.",
        ),
    ] = "at-most"
    open_years: Annotated[
        int, typer.Option(metavar="YEARS", help="Years assumed for an open age group such as 65+.")
    ] = OPEN_YEARS
    uniform_ages: Annotated[
        bool, typer.Option("--uniform-ages", metavar="", help="Take ages as uniform over a lifetime.")
    ] = False
    lifetime: Annotated[
        int | None, typer.Option(metavar="YEARS", help="Years of a life, with --uniform-ages (default: 76).")
    ] = None

    def check(self) -> None:
        """Check that options do not contradict each other."""
        if self.lifetime is not None and not self.uniform_ages:
            raise InvalidScenarioError("--lifetime is for uniform ages; add --uniform-ages, or leave it out")

    @property
    def years(self) -> int | None:
        """Years of a life for uniform ages; None if ages are not taken as uniform."""
        lifetime = LIFETIME if self.lifetime is None else self.lifetime
        return lifetime if self.uniform_ages else None

    def identifiable(self) -> "Identifiable":
        """Return the likely unique people of the table."""
        from gamedeid.risk.census.identifiable import demographics

        return demographics(
            self.counts,
            place=self.place,
            detail=self.detail,
            state=self.state,
            drop=self.drop or [],
            age=self.age,
            count=self.count,
            boundary=self.boundary,
            open_years=self.open_years,
            lifetime=self.years,
        )


_WIDTH = re.compile(r"\s*(.+?)\s*=\s*(\d{1,9})\s*", re.ASCII | re.DOTALL)


class PeopleColumns(TypedDict):
    """Options of a table, as arguments of :func:`gamedeid.risk.read_class_sizes`."""

    attributes: tuple[str, ...]
    count: str | None
    columns: tuple[str, ...] | None
    widths: dict[str, int]


@dataclass(frozen=True, kw_only=True, repr=False)
class PeopleTableOptions:
    """Options for reading a table of people."""

    attributes: Annotated[
        list[str] | None, typer.Option(metavar="A,B,C", help="The columns in which people are compared, by name.")
    ] = None
    count: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="The column with the number of people of each row.")
    ] = None
    columns: Annotated[
        list[str] | None,
        typer.Option(metavar="A,B,C", help="Names of all columns, for a CSV file whose first row has none."),
    ] = None
    width: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ATTRIBUTE=WIDTH", help="Group whole numbers: with age=5, 20 to 24 are alike. May be repeated."
        ),
    ] = None

    @property
    def is_given(self) -> bool:
        """Whether any of these options is given."""
        return bool(self.width or self.attributes or self.columns) or self.count is not None

    def asked(self) -> PeopleColumns:
        """Return the options of a table, parsed from words such as ``age,sex`` and ``age=5``."""
        if not self.attributes:
            raise InvalidScenarioError("name the columns in which people are compared, with --attributes age,sex,...")
        widths = {}
        for text in self.width or []:
            found = _WIDTH.fullmatch(text)
            if found is None or not int(found[2]):
                raise InvalidScenarioError(f"--width: {quoted(text)} is no ATTRIBUTE=WIDTH such as age=5")
            widths[found[1]] = int(found[2])
        return {
            "attributes": _names(self.attributes, "attribute"),
            "count": self.count,
            "columns": _names(self.columns, "column") if self.columns else None,
            "widths": widths,
        }


def _names(given: Sequence[str], what: str) -> tuple[str, ...]:
    """Return the names of an option; one that is repeated adds to them."""
    text = ",".join(given)
    names = tuple(name.strip() for name in text.split(","))
    if not all(names):
        raise InvalidScenarioError(f"{quoted(text)}: expected the names of {what}s, such as age,sex,zip")
    return names


def table(
    data: Annotated[Path, typer.Argument(metavar="DATA", help="The table, such as a CSV file; a row is a record.")],
    *,
    attributes: Annotated[
        list[str], typer.Option(metavar="A,B,C", help="The columns that the recipient knows, by name.")
    ],
    kept: Annotated[
        list[str] | None,
        typer.Option(metavar="A,B,C", help="Columns of which l-diversity, t-closeness and uniqueness are measured."),
    ] = None,
    population: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="A table of people, with the same labels unless there is --hierarchies; adds the journalist's risk.",
        ),
    ] = None,
    count: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="The column with the number of people of each row of the population."),
    ] = None,
    hierarchies: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="A folder with ATTRIBUTE.csv or .toml for each attribute; adds measures of the game.",
        ),
    ] = None,
    overrides: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            help="Set a key of payoffs or attributes, such as payoffs.loss=500, with --hierarchies. May be repeated.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Measure the risk of any table without a scenario, such as a release that another tool made."""
    from gamedeid.report.terminal.release import print_table_risks
    from gamedeid.risk.table import table_risks

    found = table_risks(
        data,
        _names(attributes, "attribute"),
        _names(kept, "column") if kept else (),
        population,
        count=count,
        hierarchies=hierarchies,
        overrides=scenario_changes(overrides, None),
    )
    print_found(found, print_table_risks, as_json=as_json)


@with_groups
def demographics(
    results: OutputOptions,
    table: CensusTable,
    *,
    patients_per_person: Annotated[
        float | None,
        typer.Option(
            metavar="RATE",
            help="Predict the patients that a year's release identifies; 0.0833 is 1 patient in 12 people.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Count the people likely unique by place, sex and birth, from a census table: by age group, by state and in all.

    Writes places.csv, states.csv (with --state), demographics.json and manifest.json into -o DIR; without -o nothing
    is written.
    """
    from gamedeid.report.terminal.people import print_demographics
    from gamedeid.risk.census.identifiable import check_rate

    check_rate(patients_per_person)
    table.check()
    with results.writing() as folder:
        found = table.identifiable()
        if folder is not None:
            found.write(folder, patients_per_person=patients_per_person)
    if as_json:
        print_json(found.as_dict(patients_per_person))
        return
    to = console()
    print_demographics(found, patients_per_person, to)
    to.print(results.where("the tables"))


@with_groups
def uniqueness(
    table: PeopleTableOptions,
    data: Annotated[
        Path | None,
        typer.Argument(
            metavar="DATA", help="The sample, such as a CSV file; a row is a person unless there is --count."
        ),
    ] = None,
    *,
    classes: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE:CLASSES,...", help="In place of DATA: how many classes have each size, as 1:281,2:7."
        ),
    ] = None,
    population_size: Annotated[
        int, typer.Option("--population-size", metavar="PEOPLE", help="People in the population that was sampled.")
    ],
    as_json: Json = False,
) -> None:
    """Estimate the share of unique people in a population, from a random sample of it."""
    from gamedeid.report.terminal.people import print_estimates
    from gamedeid.risk.uniqueness.estimates import estimate_uniqueness

    estimates = estimate_uniqueness(_sample(data, classes, table), population_size)
    print_found(estimates, print_estimates, as_json=as_json)


def _sample(data: Path | None, classes: str | None, table: PeopleTableOptions) -> "ClassSizes":
    from gamedeid.risk.uniqueness.classes import ClassSizes, read_class_sizes

    require("risk", "the estimate of uniqueness")
    if (data is None) == (classes is None):
        raise InvalidScenarioError("give either DATA with --attributes, or --classes such as 1:281,2:7,3:1")
    if data is not None:
        return read_class_sizes(data, **table.asked())
    if table.is_given:
        raise InvalidScenarioError(
            "--attributes, --count, --columns and --width describe DATA; leave them out with --classes"
        )
    return ClassSizes.parse(str(classes))


Seed = Annotated[int, typer.Option(metavar="NUMBER", help="Seed of the random numbers.")]


@dataclass(frozen=True, kw_only=True, repr=False)
class Sampling:
    """Options for samples from a population."""

    data: Annotated[
        Path,
        typer.Argument(
            metavar="DATA", help="The population, such as a CSV file; a row is a person unless there is --count."
        ),
    ]
    fractions: Annotated[str, typer.Option(metavar="F,F,...", help="Sampling fractions, between 0 and 1.")] = (
        ".01,.05,.1,.3,.5,.7,.9"
    )
    seed: Seed = 1
    workers: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER", help="Processes for the work; results do not depend on it (default: all cores)."
        ),
    ] = None

    def plan(self, table: PeopleColumns, fractions: tuple[float, ...], samples: int) -> "StudyPlan":
        """Read the population, and return the plan of its samples."""
        from gamedeid.risk.uniqueness.classes import read_class_sizes
        from gamedeid.risk.uniqueness.simulation import StudyPlan

        require("risk", "the estimate of uniqueness")
        sizes = read_class_sizes(self.data, **table)
        return StudyPlan(population=sizes, fractions=fractions, samples=samples, seed=self.seed)


Samples = Annotated[int, typer.Option(metavar="NUMBER", help="Samples drawn at each fraction.")]


@with_groups
def uniqueness_study(
    sampling: Sampling,
    results: OutputOptions,
    table: PeopleTableOptions,
    *,
    samples: Samples = 1000,
    parts: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Keep finished parts here, also at the end, for later studies."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Compare the estimators of uniqueness by samples of a known population.

    Writes study.csv, study.svg and manifest.json into -o DIR. Finished parts are kept in DIR.parts; the same command
    continues after them. Without -o nothing is written.
    """
    from gamedeid.report.terminal.people import print_study
    from gamedeid.results.resume import check_folder, parts_beside
    from gamedeid.risk.uniqueness.simulation import study_uniqueness

    processes, columns, output = known_workers(sampling.workers), table.asked(), results.output
    chosen = parse_fractions(sampling.fractions)
    if output is not None and parts is not None and os.path.normpath(parts) == os.path.normpath(output):
        raise InvalidScenarioError("--parts and -o must be two folders; leave --parts out, or name another")
    own = None if output is None or parts is not None else parts_beside(output)
    place = parts or own
    if place is not None:
        check_folder(place)
    with results.writing() as folder, progress() as phase:
        phase("reading the data")
        plan = sampling.plan(columns, chosen, samples)
        finished = None if place is None else plan.parts(place)
        study = study_uniqueness(plan, workers=processes, parts=finished, progress=phase("samples"))
        if folder is not None:
            phase("writing the results")
            study.write(folder)
    if own is not None:
        results.clear_parts(finished)
    if as_json:
        print_json(study.facts)
        return
    to = console()
    print_study(study.rows, plan.truth, to)
    to.print(results.where("the table"))


def known_workers(workers: int | None) -> int:
    """Return the number of workers: as given, or else one per core."""
    from gamedeid.parallel import cores

    if workers is not None and workers < 1:
        raise InvalidScenarioError(f"--workers must be at least 1, not {workers}")
    return workers or cores()


def parse_fractions(text: str) -> tuple[float, ...]:
    """Return fractions from a text such as ``.01,.05,.1``."""
    from gamedeid.risk.uniqueness.simulation import check_fractions

    try:
        fractions = tuple(float(part) for part in text.split(","))
    except ValueError:
        raise InvalidScenarioError(
            f"--fractions: {quoted(text)} are not numbers between 0 and 1, such as .01,.1,.5"
        ) from None
    check_fractions(fractions)
    return fractions
