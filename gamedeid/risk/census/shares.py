"""Which share of some people is identifiable, and how many patients that is."""

from dataclasses import dataclass
from math import isfinite
from typing import Any

from gamedeid.errors import InvalidScenarioError

HOSPITALIZED = 1 / 12
"""Patients of a year for each person (sweeney2000, section 6.1)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """Some people, and those of them who are identifiable."""

    population: int
    identifiable: int

    @property
    def share(self) -> float | None:
        """Identifiable share of the people; None where there is nobody."""
        return self.identifiable / self.population if self.population else None

    def as_dict(self, patients_per_person: float | None = None) -> dict[str, Any]:
        """Return the same in plain values, with the patients to expect if there is a rate of them."""
        plain = {"population": self.population, "identifiable": self.identifiable, "share": self.share}
        if patients_per_person is None:
            return plain
        patients = self.population * patients_per_person
        identified = predicted_patients(self.population, self.share or 0.0, patients_per_person)
        return {**plain, "patients": patients, "identified_patients": identified}


def predicted_patients(population: float, share: float, patients_per_person: float = HOSPITALIZED) -> float:
    """Return how many patients a release of a year is expected to identify: population x rate x identifiable share.

    Parameters
    ----------
    population : people who live there.
    share : of them who are identifiable, in [0, 1].
    patients_per_person : how many patients there are for each person, > 0.

    Raises
    ------
    InvalidScenarioError : a rate that is no finite number above 0.

    References
    ----------
    sweeney2000, section 6.1, Figures 33 and 34.
    """
    check_rate(patients_per_person)
    return population * patients_per_person * share


def check_rate(patients_per_person: float | None) -> None:
    """Check a rate of patients, if there is one.

    Raises
    ------
    InvalidScenarioError : it is no finite number above 0.
    """
    if patients_per_person is not None and not (isfinite(patients_per_person) and patients_per_person > 0):
        raise InvalidScenarioError(
            f"patients per person must be a finite number above 0, such as 0.0833, not {patients_per_person:g}"
        )
