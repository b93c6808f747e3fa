"""The people whom sex, place and birth single out, by place, age group and state (sweeney2000)."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from math import isfinite
from os import PathLike
from typing import Any, ClassVar

import numpy as np

from gamedeid.arrays import IntArray
from gamedeid.choices import Boundary, Detail
from gamedeid.errors import InvalidScenarioError, refuse_unknown
from gamedeid.reprs import Shown, frozen
from gamedeid.results.folder import FolderWriter, open_folder
from gamedeid.results.result import Count, Mean, Result, Share, Text
from gamedeid.results.tables import csv_bytes, rows_to_columns
from gamedeid.risk.census import OPEN_YEARS
from gamedeid.risk.census.counts import AgeGroup, PlaceCounts, read_place_counts

BOUNDARIES: tuple[Boundary, ...] = ("at-most", "below")
"""The paper uses the first in its Figures 18 and 27, the second in Figure 23."""

HOSPITALIZED = 1 / 12
"""Patients in a year per person (sweeney2000, section 6.1)."""

_VALUES_IN_YEARS: Mapping[Detail, tuple[int, int]] = {
    "date": (365, 1),
    "month": (12, 1),
    "year": (1, 1),
    "two-year": (1, 2),
}
"""Detail of the birth -> number of its values, in a number of years."""


@frozen
class IdentifiablePeople(Result):
    """Numbers of people, and of identifiable people among them.

    Parameters
    ----------
    patients_per_person : the rate at which people become patients; None if patients are not computed.
    """

    keys: ClassVar[tuple[str, ...]] = ("population", "identifiable", "share", "patients?", "identified_patients?")
    shown: ClassVar[tuple[str, ...]] = ("population", "identifiable")

    population: Count
    identifiable: Count
    patients_per_person: float | None = None

    @property
    def share(self) -> Share | None:
        """Identifiable share of the people; None if there are no people."""
        return self.identifiable / self.population if self.population else None

    @property
    def patients(self) -> Mean | None:
        """Expected number of patients; None without a rate."""
        return None if self.patients_per_person is None else self.population * self.patients_per_person

    @property
    def identified_patients(self) -> Mean | None:
        """Expected number of identified patients; None without a rate."""
        rate = self.patients_per_person
        return None if rate is None else predicted_patients(self.population, self.share or 0.0, rate)


@frozen
class IdentifiableGroup(IdentifiablePeople):
    """The people of an age group; its years, None if it is open; and its threshold."""

    keys = ("name", "years", "threshold", "places_identifiable", "population", "identifiable", "share")

    name: Text
    years: Mean | None
    threshold: Mean
    places_identifiable: Count


@frozen
class IdentifiableState(IdentifiablePeople):
    """The people of a state, and how many places it has."""

    keys = ("places", *IdentifiablePeople.keys)

    places: Count


@frozen
class Demographics(IdentifiablePeople):
    """Totals overall, by age group and by state: the content of ``demographics.json``; places are only counted."""

    document = "demographics"
    keys = (
        *("detail", "boundary", "places", "places_wholly_identifiable", "places_partly_identifiable"),
        *("places_not_identifiable", "patients_per_person", *IdentifiablePeople.keys, "age_groups", "states"),
    )

    detail: Detail
    boundary: Boundary
    places: Count
    places_wholly_identifiable: Count
    places_partly_identifiable: Count
    places_not_identifiable: Count
    patients_per_person: Mean | None = None
    age_groups: tuple[IdentifiableGroup, ...]
    states: Mapping[str, IdentifiableState]


@frozen(eq=False, slots=False)
class Identifiable(Shown):
    """The people of each place and age group who are likely unique by sex, place and birth.

    Parameters
    ----------
    counts : people by place and age group.
    detail, boundary : as for :func:`identifiable`.
    thresholds : (g,) int64, the values that sex and birth can take within each age group.
    people : (z, g) int64, the identifiable people.
    """

    shown = ("detail", "boundary", "total")
    table_of = "age_groups"

    counts: PlaceCounts
    detail: Detail
    boundary: Boundary
    thresholds: IntArray
    people: IntArray

    @cached_property
    def total(self) -> IdentifiablePeople:
        """All people."""
        return IdentifiablePeople(population=int(self.counts.people.sum()), identifiable=int(self.people.sum()))

    @cached_property
    def by_place(self) -> tuple[IdentifiablePeople, ...]:
        """The people of each place, (z,)."""
        return _shares(self.counts.people.sum(axis=1), self.people.sum(axis=1))

    @cached_property
    def by_group(self) -> tuple[IdentifiablePeople, ...]:
        """The people of each age group, (g,)."""
        return _shares(self.counts.people.sum(axis=0), self.people.sum(axis=0))

    @cached_property
    def state_names(self) -> tuple[str, ...]:
        """The states, in alphabetical order; empty if the table has none."""
        return tuple(sorted(set(self.counts.states or ())))

    @cached_property
    def people_by_state(self) -> tuple[IntArray, IntArray, IntArray]:
        """Number of places (s,), people (s, g) and identifiable people (s, g) of each state."""
        names, state_of_place = np.array(self.state_names, str), np.array(self.counts.states or self.counts.places, str)
        in_state = names[:, None] == state_of_place
        return in_state.sum(axis=1), in_state @ self.counts.people, in_state @ self.people

    @cached_property
    def by_state(self) -> dict[str, IdentifiablePeople]:
        """The people of each state."""
        _, people, identifiable = self.people_by_state
        return dict(zip(self.state_names, _shares(people.sum(axis=1), identifiable.sum(axis=1)), strict=True))

    @property
    def age_groups(self) -> list[dict[str, Any]]:
        """A row for each age group: its threshold, the number of places where it is identifiable, and its people."""
        return [one.as_dict() for one in self._groups]

    @property
    def _groups(self) -> tuple[IdentifiableGroup, ...]:
        places = (self.people > 0).sum(axis=0).tolist()
        return tuple(
            IdentifiableGroup(
                name=group.name,
                years=group.years,
                threshold=threshold,
                places_identifiable=count,
                population=share.population,
                identifiable=share.identifiable,
            )
            for group, threshold, count, share in zip(
                self.counts.groups, self.thresholds.tolist(), places, self.by_group, strict=True
            )
        )

    def as_dict(self, patients_per_person: float | None = None) -> dict[str, Any]:
        """Return totals as plain values: overall, by age group and by state; places are only counted.

        Parameters
        ----------
        patients_per_person : the rate at which people become patients, for the number of identified patients.

        Raises
        ------
        InvalidScenarioError : the rate is no finite number above 0.
        """
        check_rate(patients_per_person)
        counts = self.counts
        lived_in, some = counts.people.any(axis=1), self.people.any(axis=1)
        wholly = (self.people == counts.people).all(axis=1) & lived_in
        return Demographics(
            detail=self.detail,
            boundary=self.boundary,
            places=len(counts.places),
            places_wholly_identifiable=int(wholly.sum()),
            places_partly_identifiable=int((some & ~wholly).sum()),
            places_not_identifiable=int((lived_in & ~some).sum()),
            population=self.total.population,
            identifiable=self.total.identifiable,
            patients_per_person=patients_per_person,
            age_groups=self._groups,
            states={
                state: IdentifiableState(
                    places=places,
                    population=share.population,
                    identifiable=share.identifiable,
                    patients_per_person=patients_per_person,
                )
                for (state, share), places in zip(self.by_state.items(), self.people_by_state[0].tolist(), strict=True)
            },
        ).as_dict()

    def write(
        self,
        folder: str | PathLike[str] | FolderWriter,
        *,
        patients_per_person: float | None = None,
        overwrite: bool = False,
    ) -> dict[str, Any]:
        """Write the tables and their manifest, as ``gamedeid risk demographics`` does, the same bytes.

        ``places.csv`` has a row for each place, ``states.csv`` one for each state if the table has states, and
        ``demographics.json`` the content of :meth:`as_dict`.

        Parameters
        ----------
        folder : the path, which must be new or empty and whose parent must exist; or an open writer of a folder.
        patients_per_person : as for :meth:`as_dict`.
        overwrite : replace an earlier folder of results.

        Returns
        -------
        the content of ``manifest.json``: the question, and the SHA-256 of every output and of the file of the counts,
        if they were read from one.

        Raises
        ------
        InvalidScenarioError : the rate is no finite number above 0.
        InvalidDataError : the file of the counts has changed since it was read.
        OutputError : the folder may not or cannot be written; then nothing is.
        """
        whole = self.as_dict(patients_per_person)

        def columns(shares: Sequence[IdentifiablePeople], identifiable: IntArray) -> dict[str, Sequence[Any]]:
            """Return a row for each of the shares, and its identifiable people by age group."""
            rows = [replace(share, patients_per_person=patients_per_person).as_dict() for share in shares]
            by_group = zip(self.counts.groups, identifiable.T.tolist(), strict=True)
            return {**rows_to_columns(rows), **{group.name: people for group, people in by_group}}

        with open_folder(folder, overwrite=overwrite) as writer:
            states = {} if self.counts.states is None else {"state": self.counts.states}
            keys = {**states, "place": self.counts.places}
            writer.write_bytes("places.csv", csv_bytes({**keys, **columns(self.by_place, self.people)}))
            if self.state_names:
                places, _, found = self.people_by_state
                keys = {"state": self.state_names, "places": places.tolist()}
                writer.write_bytes("states.csv", csv_bytes({**keys, **columns([*self.by_state.values()], found)}))
            writer.write_json("demographics.json", whole)
            return writer.write_manifest(scenario=self._request(patients_per_person), inputs=self.counts.inputs)

    def _request(self, patients_per_person: float | None) -> dict[str, object]:
        """Return the request for the manifest, which names no columns for counts that were not read from a file."""
        counts = self.counts
        return {
            **counts.asked,
            "detail": self.detail,
            "boundary": self.boundary,
            **({} if counts.open_years is None else {"open_years": counts.open_years}),
            "lifetime": counts.lifetime,
            "patients_per_person": patients_per_person,
        }


def demographics(
    path: str | PathLike[str],
    *,
    place: str,
    detail: Detail,
    state: str | None = None,
    drop: Collection[str] = (),
    age: str | None = None,
    count: str | None = None,
    boundary: Boundary = "at-most",
    open_years: int = OPEN_YEARS,
    lifetime: int | None = None,
) -> Identifiable:
    """Read a census table, and return the people who are likely unique by sex, place and birth.

    Parameters
    ----------
    path, place, state, drop, age, count, open_years : as for :func:`gamedeid.risk.read_place_counts`.
    detail, boundary : as for :func:`gamedeid.risk.identifiable`.
    lifetime : years over which ages are assumed uniform, from 1 to 1000; None takes the age groups of the table.

    Raises
    ------
    InvalidDataError : the table cannot be read, or as :func:`gamedeid.risk.read_place_counts` does.
    InvalidScenarioError : no such detail or boundary, columns that do not fit together, ``open_years`` or ``lifetime``
        below 1 or above 1000.

    References
    ----------
    sweeney2000, section 4.3.1.
    """
    counts = read_place_counts(path, place=place, state=state, drop=drop, age=age, count=count, open_years=open_years)
    return identifiable(counts if lifetime is None else counts.of_all_ages(lifetime), detail, boundary)


def identifiable(counts: PlaceCounts, detail: Detail, boundary: Boundary = "at-most") -> Identifiable:
    """Return the identifiable people: all of an age group in a place if they are few enough, otherwise none.

    If an age group in a place has more people than values, some of them must share a value; if it has fewer, each is
    assumed to be the only one. That is a rule of thumb, not an expectation: see ``gamedeid risk bins``.

    Parameters
    ----------
    counts : people by place and age group.
    detail : the known detail of the birth.
    boundary : "at-most" if a group as large as its threshold is identifiable, "below" if it is not.

    Raises
    ------
    InvalidScenarioError : no such detail or boundary.

    References
    ----------
    sweeney2000, section 4.3.1.
    """
    limits = thresholds(counts.groups, detail)
    refuse_unknown("boundary", boundary, BOUNDARIES)
    few = counts.people <= limits if boundary == "at-most" else counts.people < limits
    people = np.where(few, counts.people, 0)
    return Identifiable(counts=counts, detail=detail, boundary=boundary, thresholds=limits, people=people)


def _shares(population: IntArray, found: IntArray) -> tuple[IdentifiablePeople, ...]:
    pairs = zip(population.tolist(), found.tolist(), strict=True)
    return tuple(IdentifiablePeople(population=people, identifiable=unique) for people, unique in pairs)


def thresholds(groups: Sequence[AgeGroup], detail: Detail) -> IntArray:
    """Return |Q|, (g,) int64: how many values sex and birth can take within each age group.

    Two sexes, times the years of the group, times 365 dates, 12 months, 1 year, or half a range of two years in each.

    References
    ----------
    sweeney2000, section 4.3.1 and Figures 12, 19 and 24.
    """
    refuse_unknown("detail", detail, _VALUES_IN_YEARS)
    values, years = _VALUES_IN_YEARS[detail]
    return np.array([2 * values * group.years // years for group in groups], np.int64)


def predicted_patients(population: float, share: float, patients_per_person: float = HOSPITALIZED) -> float:
    """Return the expected number of patients identified by a release of a year: population x rate x identifiable share.

    Parameters
    ----------
    share : identifiable share of the population, in [0, 1].

    References
    ----------
    sweeney2000, section 6.1, Figures 33 and 34.
    """
    check_rate(patients_per_person)
    return population * patients_per_person * share


def check_rate(patients_per_person: float | None) -> None:
    """Check a rate of patients, if there is one."""
    if patients_per_person is not None and not (isfinite(patients_per_person) and patients_per_person > 0):
        raise InvalidScenarioError(
            f"patients per person must be a finite number above 0, such as 0.0833, not {patients_per_person:g}"
        )
