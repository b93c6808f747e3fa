"""How unique people are who are known, sample and population both: lambda_1, lambda_2 and lambda_3."""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from gamedeid.errors import InvalidDataError


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredUniqueness:
    """Counts of people that are unique.

    Parameters
    ----------
    sample, population : how many people there are.
    sample_unique : how many of the sample are unique in it.
    both_unique : how many of these are unique in the population too.
    population_unique : how many of the population are.

    References
    ----------
    dankar2012, equations 1 to 3.
    """

    sample: int
    population: int
    sample_unique: int
    both_unique: int
    population_unique: int

    @property
    def lambda_1(self) -> float | None:
        """Share of the sample's unique people who are unique in the population; None where nobody is."""
        return self.both_unique / self.sample_unique if self.sample_unique else None

    @property
    def lambda_2(self) -> float:
        """Share of the sample who are unique in it and in the population."""
        return self.both_unique / self.sample

    @property
    def lambda_3(self) -> float:
        """Share of the population who are unique in it."""
        return self.population_unique / self.population


def measure_uniqueness(sample: Sequence[Hashable], population: Sequence[Hashable]) -> MeasuredUniqueness:
    """Count who is unique, each person given by the values of all attributes.

    Parameters
    ----------
    sample, population : a value for each person; everybody of the sample is in the population too.

    Returns
    -------
    how many are unique in the sample, in the population, and in both; the shares are made of these.

    Raises
    ------
    InvalidDataError : somebody of the sample is not in the population, or there is nobody.
    """
    drawn, all_people = Counter(sample), Counter(population)
    if not drawn:
        raise InvalidDataError("sample: there is nobody; expected at least one person")
    if not drawn <= all_people:
        raise InvalidDataError("sample: holds people whom the population does not; expected a part of the population")
    return MeasuredUniqueness(
        sample=drawn.total(),
        population=all_people.total(),
        sample_unique=sum(count == 1 for count in drawn.values()),
        both_unique=sum(count == 1 and all_people[who] == 1 for who, count in drawn.items()),
        population_unique=sum(count == 1 for count in all_people.values()),
    )
