"""What the commands on demographics share: their options, and the people whom these ask for."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypedDict

import typer

from gamedeid.choices import Boundary, Detail
from gamedeid.errors import InvalidScenarioError
from gamedeid.risk.census.age_groups import LIFETIME

if TYPE_CHECKING:
    from gamedeid.risk.census.identifiable import Identifiable

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
    int | None, typer.Option(metavar="YEARS", help="Years of a life, with --uniform-ages; 76 unless given.")
]


class AskedOfCounts(TypedDict):
    """What is asked of a table of people, as :func:`gamedeid.risk.demographics` takes it."""

    place: str
    detail: Detail
    state: str | None
    drop: list[str]
    age: str | None
    count: str | None
    boundary: Boundary
    open_years: int


def lifetime_asked(lifetime: int | None, *, uniform_ages: bool) -> int | None:
    """Return the years of a life where ages are taken as uniform; else None.

    Raises
    ------
    InvalidScenarioError : a lifetime without uniform ages.
    """
    if lifetime is not None and not uniform_ages:
        raise InvalidScenarioError("--lifetime is for uniform ages; add --uniform-ages, or leave it out")
    return (LIFETIME if lifetime is None else lifetime) if uniform_ages else None


def count_people(counts: Path, asked: AskedOfCounts, lifetime: int | None) -> "Identifiable":
    """Return who of the table is likely unique; errors are those of :func:`gamedeid.risk.demographics`."""
    from gamedeid.risk.census.identifiable import demographics

    return demographics(counts, **asked, lifetime=lifetime)
