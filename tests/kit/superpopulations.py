"""Populations grown by models whose parameters are known, to estimate from."""

import numpy as np
import numpy.typing as npt

from gamedeid.risk.uniqueness.classes import ClassSizes

Sizes = npt.NDArray[np.int64]


def pitman_classes(generator: np.random.Generator, *, people: int, theta: float, alpha: float) -> Sizes:
    """Grow classes one person after another, as guests of a restaurant choose tables.

    The next person opens a class with chance (theta + alpha u) / (theta + n); else joins a class with chance in
    proportion to its size less alpha: with somebody drawn among all, refused alpha times in as many as the class has.
    """
    sizes = np.zeros(people, np.int64)
    of_person = np.zeros(people, np.int64)
    sizes[0], count = 1, 1
    uniform = generator.random((people, 2)).tolist()
    for person in range(1, people):
        opens, refused = uniform[person]
        if opens * (theta + person) < theta + alpha * count:
            chosen = count
            count += 1
        else:
            chosen = of_person[int(generator.integers(person))]
            while refused < alpha / sizes[chosen]:
                chosen = of_person[int(generator.integers(person))]
                refused = generator.random()
        sizes[chosen] += 1
        of_person[person] = chosen
    return sizes[:count]


def slide_classes(generator: np.random.Generator, *, classes: int, alpha: float, beta: float) -> Sizes:
    """Draw classes of one person and a negative binomial number of others."""
    return 1 + generator.negative_binomial(alpha, beta, classes)


def sample_of(generator: np.random.Generator, population: Sizes, people: int) -> ClassSizes:
    """Draw so many people without putting any back."""
    return ClassSizes.of(generator.multivariate_hypergeometric(population, people, method="marginals"))
