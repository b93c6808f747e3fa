"""Totals of people and of those who are identifiable, and the patients among them (sweeney2000)."""

from collections.abc import Mapping
from math import isfinite
from typing import ClassVar

from gamedeid.choices import Boundary, Detail
from gamedeid.errors import InvalidScenarioError
from gamedeid.reprs import frozen
from gamedeid.results.quantities import Count, Mean, Share, Text
from gamedeid.results.result import Result

HOSPITALIZED = 1 / 12
"""Patients of a year for each person (sweeney2000, section 6.1)."""


@frozen
class IdentifiablePeople(Result):
    """Some people, and those of them who are identifiable.

    Parameters
    ----------
    patients_per_person : the rate at which people become patients; None where patients are not asked for.
    """

    keys: ClassVar[tuple[str, ...]] = ("population", "identifiable", "share", "patients?", "identified_patients?")
    shown: ClassVar[tuple[str, ...]] = ("population", "identifiable")

    population: Count
    identifiable: Count
    patients_per_person: float | None = None

    @property
    def share(self) -> Share | None:
        """Identifiable share of the people; None where there is nobody."""
        return self.identifiable / self.population if self.population else None

    @property
    def patients(self) -> Mean | None:
        """How many patients to expect; None without a rate."""
        return None if self.patients_per_person is None else self.population * self.patients_per_person

    @property
    def identified_patients(self) -> Mean | None:
        """How many of them are expected to be identified; None without a rate."""
        rate = self.patients_per_person
        return None if rate is None else predicted_patients(self.population, self.share or 0.0, rate)


@frozen
class IdentifiableGroup(IdentifiablePeople):
    """The people of an age group: its years, None where it is open, and its threshold."""

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
    """Totals in all, by age group and by state: the content of ``demographics.json``; places are counted only."""

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


def predicted_patients(population: float, share: float, patients_per_person: float = HOSPITALIZED) -> float:
    """Return how many patients a release of a year is expected to identify: population x rate x identifiable share.

    Parameters
    ----------
    share : of them who are identifiable, in [0, 1].

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
