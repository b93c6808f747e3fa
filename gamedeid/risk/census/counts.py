"""Read a census table: how many people of each age group live in each place."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from os import PathLike
from pathlib import Path

import numpy as np
import pyarrow as pa

from gamedeid.arrays import IntArray, sealed
from gamedeid.data.columns import to_column, to_people
from gamedeid.data.files.tables import TableFile
from gamedeid.data.profiles import Column
from gamedeid.errors import InvalidDataError, InvalidScenarioError, quoted
from gamedeid.file_identity import InputFile, Inputs
from gamedeid.grouping import distinct_rows
from gamedeid.reprs import frozen
from gamedeid.risk.census import OPEN_YEARS
from gamedeid.scenario.sections import MOST_PEOPLE

OLDEST = 150
"""Greatest age that is read: a column named 2010 is a year, not an age."""

_AGE_WORDS = re.compile(r"^(?:ages?|a)(?=[ \d<]|under)")
_YEAR_WORDS = re.compile(r"\b(?:years? olds?|years?|yrs)\b( of age)?")
_FORMS = (
    re.compile(r"(?:under|<) ?(?P<under>\d{1,3})"),
    re.compile(r"(?P<first>\d{1,3}) ?(?:-|\N{EN DASH}|to) ?(?P<last>\d{1,3})"),
    re.compile(r"(?P<open>\d{1,3}) ?(?:\+|plus|(?:and|or) (?:over|older|up|more))"),
    re.compile(r"(?P<only>\d{1,3})"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AgeGroup:
    """People of some ages, at least one year of them; an open group has an assumed number of years."""

    name: str
    first: int
    years: int
    is_open: bool = False


def age_group(name: str, open_years: int = OPEN_YEARS) -> AgeGroup | None:
    """Return the age group that a name means, or None.

    Parameters
    ----------
    name : such as ``under 12``, ``<12``, ``12-18``, ``12 to 18``, ``A12to18``, ``48``, ``65+``, ``65 and over`` or
        ``A65Plus``; ``age``, ``years`` and capital letters make no difference. Ends are both in the group.

    Examples
    --------
    >>> age_group("A12to18").years
    7
    >>> age_group("65 years and over").years
    12
    """
    if open_years < 1:
        raise InvalidScenarioError(f"an open age group must have at least 1 year, not {open_years}")
    if open_years > LONGEST_LIFETIME:
        raise InvalidScenarioError(
            f"an open age group must have at most {LONGEST_LIFETIME} years, not {quoted(open_years)}"
        )
    plain = _YEAR_WORDS.sub(" ", _AGE_WORDS.sub("", name.casefold().replace("_", " ").strip()))
    plain = " ".join(plain.split())
    found = next((match.groupdict() for form in _FORMS if (match := form.fullmatch(plain))), None)
    if found is None:
        return None
    numbers = {key: int(value) for key, value in found.items()}
    is_open = "open" in numbers
    first = numbers.get("first", numbers.get("open", numbers.get("only", 0)))
    end = first + open_years if is_open else numbers.get("under", numbers.get("last", first) + 1)
    if end <= first or max(numbers.values()) > OLDEST:
        return None
    return AgeGroup(name=name, first=first, years=end - first, is_open=is_open)


def refuse_overlap(groups: Sequence[AgeGroup], table_name: str) -> None:
    """Check that no age is in two groups; an open group holds every older age."""
    for younger, older in pairwise(sorted(groups, key=lambda group: group.first)):
        if younger.is_open or older.first < younger.first + younger.years:
            raise InvalidDataError(
                f"{table_name}: the age groups {quoted(younger.name)} and {quoted(older.name)} overlap: both hold age "
                f"{older.first}; each person must be counted once"
            )


LONGEST_LIFETIME = 1000
"""Most years over which ages can be assumed uniform."""


@frozen(eq=False)
class PlaceCounts:
    """People by place and age group.

    Parameters
    ----------
    places : (z,) names of the places, in the order of the table.
    states : (z,) the state of each place; None if the table has none. Places of one name in two states are two places.
    groups : (g,) the age groups, none overlapping.
    people : (z, g) int64, each >= 0.
    place : the kind of place, such as "zip": the name of its column, if there is one.
    open_years : assumed years of a group without an upper end, if the counts were read from a table.
    asked, inputs : how the columns were read, and the file, for a manifest; empty if unknown.
    lifetime : years of the one age group of all people, if ages are assumed uniform; else None.
    """

    places: Sequence[str]
    states: Sequence[str] | None
    groups: Sequence[AgeGroup]
    people: IntArray
    place: str = "place"
    open_years: int | None = None
    asked: Mapping[str, object] = field(default_factory=dict)
    inputs: Inputs = Inputs(files={})
    lifetime: int | None = None

    def of_all_ages(self, lifetime: int) -> "PlaceCounts":
        """Return the same counts with all people in one age group of ``lifetime`` years, as if ages were uniform.

        Raises
        ------
        InvalidScenarioError : a lifetime below 1 year, or above ``LONGEST_LIFETIME``.
        """
        if lifetime < 1:
            raise InvalidScenarioError(f"a lifetime must have at least 1 year, not {lifetime}")
        if lifetime > LONGEST_LIFETIME:
            raise InvalidScenarioError(f"a lifetime must have at most {LONGEST_LIFETIME} years, not {quoted(lifetime)}")
        all_ages = AgeGroup(name="all ages", first=0, years=lifetime, is_open=True)
        people = sealed(self.people.sum(axis=1, keepdims=True), np.int64)
        return replace(self, groups=[all_ages], people=people, lifetime=lifetime)


def read_place_counts(
    path: str | PathLike[str],
    *,
    place: str,
    state: str | None = None,
    drop: Collection[str] = (),
    age: str | None = None,
    count: str | None = None,
    open_years: int = OPEN_YEARS,
) -> PlaceCounts:
    """Return the people of each place and age group; rows of the same place in the same state are added up.

    Parameters
    ----------
    path : a CSV or Parquet file. Either one row for each place and one column for each age group; or, with ``age`` and
        ``count``, one row for each place and age group; other columns are not read.
    place, state : columns with their names.
    drop : columns that are neither these nor age groups, and are not read.
    age, count : columns with the age group, and with its number of people. A group without a row is empty.
    open_years : assumed years of a group without an upper end.

    Raises
    ------
    InvalidDataError : a missing column, a column that is no age group, age groups that overlap, a row without its place
        or state, or an invalid count; the message gives the row, from 1, and the column.
    InvalidScenarioError : one of ``age`` and ``count`` without the other, a column named twice, ``open_years``
        below 1 or above 1000.
    """
    if (age is None) != (count is None):
        raise InvalidScenarioError(
            "a table with a row for each age group needs both age and count; give both", arguments=["age", "count"]
        )
    keys = [place] if state is None else [state, place]
    named = [*keys, *(one for one in (age, count) if one is not None), *drop]
    for name in named:
        if named.count(name) > 1:
            raise InvalidScenarioError(f"column {quoted(name)} is named twice; each column has one meaning")
    path = Path(path)
    inputs = Inputs(files={"counts": InputFile.at(path)})
    file = TableFile.open(path)
    file.refuse_absent(named)
    counted = [name for name in file.names if name not in named] if age is None else []
    if any(age_group(name, open_years) is None for name in counted):
        file.refuse_no_header()
    groups = [_group_of_column(name, path, open_years) for name in counted]
    if age is None and not groups:
        raise InvalidDataError(f"{path}: has no column of an age group, such as `12-18` or `65+`")
    refuse_overlap(groups, str(path))
    table = file.read([*keys, *counted, *(one for one in (age, count) if one is not None)])
    found = [_complete_column(table, name, path) for name in keys]
    if age is None or count is None:
        people = np.stack([to_people(table.column(name), name, str(path)) for name in counted], axis=1)
        column_of = None
    else:
        people = to_people(table.column(count), count, str(path))
        groups, column_of = _groups_of_rows(_complete_column(table, age, path), age, path, open_years)
        refuse_overlap(groups, str(path))
    columns = {"place": place, "state": state, "age": age, "count": count}
    counted_by_place = _sum_by_place(found, groups, people, column_of, path)
    asked = {**columns, "drop": list(drop)}
    return replace(counted_by_place, place=place, open_years=open_years, asked=asked, inputs=inputs)


def _group_of_column(name: str, path: Path, open_years: int) -> AgeGroup:
    group = age_group(name, open_years)
    if group is None:
        raise InvalidDataError(
            f"{path}: column {quoted(name)} is no age group; expected names such as `under 12`, `12-18` or `65+` "
            "(leave other columns unread with drop, or name the state's with state)",
            arguments=["state", "drop"],
        )
    return group


def _groups_of_rows(ages: Column, name: str, path: Path, open_years: int) -> tuple[list[AgeGroup], IntArray]:
    """Return the age groups of a column, from the youngest up, and the number of each row's, (rows,)."""
    found = [age_group(str(value), open_years) for value in ages.values]
    for value, group in enumerate(found):
        if group is None:
            row = int(np.argmax(ages.codes == value)) + 1
            raise InvalidDataError(
                f"{path}: column {quoted(name)} has no age group in row {row}; expected such as `under 12`, `12-18` or "
                "`65+`",
                values=[ages.values[value]],
            )
    known = [group for group in found if group is not None]
    rising = np.argsort([group.first for group in known], kind="stable")
    return [known[value] for value in rising.tolist()], np.argsort(rising)[ages.codes]


def _complete_column(table: pa.Table, name: str, path: Path) -> Column:
    """Return a column in which every row has a value."""
    column = to_column(table.column(name), name, str(path), missing_values=("",))
    if (column.codes < 0).any():
        row = int(np.argmax(column.codes < 0)) + 1
        raise InvalidDataError(f"{path}: column {quoted(name)} has no value in row {row}; every row needs one")
    return column


def _sum_by_place(
    keys: Sequence[Column], groups: Sequence[AgeGroup], people: IntArray, column_of: IntArray | None, path: Path
) -> PlaceCounts:
    """Return the places in the order of their first rows; people are (rows, g), or (rows,) of the groups ``column_of``.

    ``keys`` are the place of each row, after its state if there is one.
    """
    if people.sum(dtype=float) >= MOST_PEOPLE:
        raise InvalidDataError(f"{path}: the counts add up to more people than can be counted")
    codes = np.stack([key.codes for key in keys], axis=1)
    first, place_of, _ = distinct_rows(codes)
    order = np.argsort(first)
    place, total = np.argsort(order)[place_of], np.zeros((len(order), len(groups)), np.int64)
    np.add.at(total, place if column_of is None else (place, column_of), people)
    names = [[str(key.values[code]) for code in key.codes[first[order]].tolist()] for key in keys]
    return PlaceCounts(
        places=names[-1],
        states=names[0] if len(names) > 1 else None,
        groups=tuple(groups),
        people=sealed(total, np.int64),
    )
