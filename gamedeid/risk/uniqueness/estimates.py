"""Estimate the unique share of a population from a sample alone: four estimators, and the rule that chooses one."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from gamedeid.amounts import number_of
from gamedeid.choices import EstimatorName
from gamedeid.errors import InvalidDataError
from gamedeid.lazy_imports import LazyModule
from gamedeid.reprs import frozen
from gamedeid.results.result import OneOrMore, Result, Share, Text
from gamedeid.risk.uniqueness.classes import MOST_PEOPLE, ClassSizes

if TYPE_CHECKING:
    from gamedeid.risk.uniqueness import pitman as pitman_model
    from gamedeid.risk.uniqueness import slide_negative_binomial as slide_model
else:  # they need scipy, unlike schemas and pictures
    pitman_model = LazyModule("gamedeid.risk.uniqueness.pitman")
    slide_model = LazyModule("gamedeid.risk.uniqueness.slide_negative_binomial")

SMALL_FRACTION = 0.1
"""Up to this sampling fraction the decision rule trusts Pitman's model."""

_LEAST_LOGARITHM = 745.0
"""The exponential of a number below minus this is 0."""


@frozen
class UniquenessEstimates(Result):
    """The estimates from one sample.

    Parameters
    ----------
    sample_size, population_size : n and N, people.
    estimates : estimator -> unique people in the population divided by N, in [0, 1]; None if it has no solution.
    reasons : estimator -> why it has no solution.
    e1_uses : the estimator that the decision rule chooses.
    """

    document = "uniqueness"
    keys: ClassVar = ("sample_size", "sampling_fraction", "estimates", "e1_uses", "reasons?")
    shown = ("sample_size", "population_size", "e1", "e1_uses")
    table_of = "estimates"

    sample_size: OneOrMore
    population_size: int
    estimates: Mapping[EstimatorName, Share | None]
    reasons: Mapping[EstimatorName, Text]
    e1_uses: EstimatorName

    @property
    def e1(self) -> float | None:
        """The estimate of the decision rule."""
        return self.estimates["e1"]

    @property
    def sampling_fraction(self) -> Share:
        """People in the sample divided by people in the population, in (0, 1]."""
        return self.sample_size / self.population_size


def estimate_uniqueness(sample: ClassSizes, population_size: int) -> UniquenessEstimates:
    """Estimate the share of unique people in a population from a simple random sample of it (lambda_3).

    An estimate above 1, which Pitman's model can give, counts as 1.

    Parameters
    ----------
    sample : classes of the sample by size.
    population_size : N, at least as many people as in the sample.

    Returns
    -------
    the share by each estimator, or why it has none.

    Raises
    ------
    InvalidDataError : the population is smaller than the sample, or larger than the greatest permitted.
    MissingExtraError : scipy is not installed.

    References
    ----------
    dankar2012, "Estimating uniqueness" and the decision rule in "Results".
    """
    if population_size < sample.people:
        raise InvalidDataError(
            f"a population of {population_size:,} cannot hold a sample of "
            f"{number_of(sample.people, 'person')}; "
            "give the size of the whole population"
        )
    if population_size > MOST_PEOPLE:
        raise InvalidDataError(f"a population of more than {MOST_PEOPLE:,} people is more than can be estimated for")
    found: dict[EstimatorName, float | str] = {
        "zayatz": zayatz(sample, population_size),
        "pitman": pitman(sample, population_size),
        "snb": slide_negative_binomial(sample, population_size),
        "mu_argus": mu_argus(sample, population_size),
    }
    used = choose_estimator(found, sample.people / population_size)
    found["e1"] = found[used]
    return UniquenessEstimates(
        sample_size=sample.people,
        population_size=population_size,
        estimates={name: None if isinstance(one, str) else one for name, one in found.items()},
        reasons={name: one for name, one in found.items() if isinstance(one, str)},
        e1_uses=used,
    )


def choose_estimator(found: Mapping[EstimatorName, float | str], fraction: float) -> EstimatorName:
    """Return the estimator of the rule E1: Pitman's up to a fraction of 0.1, else the lower of SNB and Zayatz.

    Parameters
    ----------
    found : estimator -> share, or why it has no solution; SNB without a solution is not chosen.

    References
    ----------
    dankar2012, "Results"; it prints "< 0.1" and speaks of "greater than 10% or not".
    """
    if fraction <= SMALL_FRACTION:
        return "pitman"
    slide, direct = found["snb"], found["zayatz"]
    if isinstance(slide, str) or (not isinstance(direct, str) and slide > direct):
        return "zayatz"
    return "snb"


def zayatz(sample: ClassSizes, population_size: int) -> float:
    """Return f_1 P(F=1 | f=1) / f as a share, the population's class sizes being distributed as the sample's.

    With H_j, the chance that a class of j people has exactly one in the sample, this is f_1^2 / sum_j f_j H_j unique
    people. If no one is unique in the sample, it is 0.
    """
    ones = sample.of_size(1)
    if not ones:
        return 0.0
    unique = ones**2 / float(sample.classes @ sampled_once_probability(sample.sizes, sample.people, population_size))
    return min(unique / population_size, 1.0)  # rounding may leave a little more


def sampled_once_probability(
    sizes: "np.typing.NDArray[Any]", sampled: int, population: int
) -> "np.typing.NDArray[np.float64]":
    """Return the chance, (k,), that a class of ``sizes``, (k,), people has exactly one of ``sampled`` people.

    It is hypergeometric, H_j = j n/N prod_{i<j-1} (N-n-i)/(N-1-i); its factors are multiplied as logarithms.
    """
    left = population - sampled
    if not left:
        return np.where(sizes == 1, 1.0, 0.0)
    most = min(int(sizes.max()), left + 1, 2 + int(_LEAST_LOGARITHM / -np.log1p(-sampled / population)))
    factors = np.arange(most - 1, dtype=np.float64)
    logarithms = np.concatenate([[0.0], np.cumsum(np.log1p(-(sampled - 1) / (population - 1 - factors)))])
    chances = np.exp(logarithms[np.minimum(sizes, most) - 1])
    return np.where(sizes > most, 0.0, sizes * (sampled / population) * chances)


def pitman(sample: ClassSizes, population_size: int) -> float | str:
    """Return the share by Pitman's model, or why there is none.

    If all of the sample are unique, the likelihood grows up to a model in which all people are: 1. If all have equal
    values, it grows up to a model in which no one is unique: 0.
    """
    if sample.people == 1:
        return "a sample of one person shows nothing about classes"
    if sample.count == sample.people:
        return 1.0
    if sample.count == 1:
        return 0.0
    return min(1.0, pitman_model.fit_pitman(sample).unique(population_size))


def pitman_given(sample: ClassSizes, population_size: int) -> float | str:
    """Return the share by Pitman's model of a population that is known to include the sample, or why there is none.

    This estimator is not from the paper, and the decision rule does not use it.
    """
    if sample.count in {1, sample.people}:
        return pitman(sample, population_size)
    return min(1.0, pitman_model.fit_pitman(sample).unique_given(sample, population_size))


def slide_negative_binomial(sample: ClassSizes, population_size: int) -> float | str:
    """Return the share by the slide negative binomial model, or why its equations have no solution."""
    fit = slide_model.fit_slide(sample, population_size)
    return fit if isinstance(fit, str) else min(1.0, fit.unique(population_size))


def mu_argus(sample: ClassSizes, population_size: int) -> float:
    """Return f_1 / N.

    With equal weights N/n, the number of people behind a class of the sample is negative binomial with chance n/N, so
    a sample unique is a population unique with chance n/N; a population unique is in the sample with the same chance,
    and the two cancel: f_1 unique people.
    """
    return sample.of_size(1) / population_size
