"""The unique people of a population whose classes hold one person and a negative binomial number of others."""

from dataclasses import dataclass
from functools import partial
from math import exp, log

import numpy as np

from gamedeid.arrays import FloatArray
from gamedeid.extras import missing_extra_error
from gamedeid.risk.uniqueness.classes import ClassSizes

try:
    from scipy.optimize import brentq
    from scipy.special import expit
except ImportError:
    raise missing_extra_error("risk", "the estimate of uniqueness") from None

_LOGITS = np.concatenate([-np.geomspace(1e18, 40.0, 84), np.linspace(-36.0, 36.0, 289)])
"""Values of logit(beta) between which solutions of the equation are searched for.

Above them beta is 1. Far below, beta is too small for a floating-point number, but its logarithm is not.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SlideFit:
    """Parameters that explain how many classes of a sample have one person and how many have two.

    Parameters
    ----------
    classes : K, the assumed number of classes of the population.
    alpha, beta : of the negative binomial number of others, alpha > 0, 0 < beta < 1: none with chance beta^alpha.
    """

    classes: float
    alpha: float
    beta: float
    log_unique: float

    def unique(self, population: int) -> float:
        """Return the expected share of unique people, K beta^alpha / N."""
        return self.classes * exp(self.log_unique) / population


def fit_slide(sample: ClassSizes, population: int) -> SlideFit | str:
    """Return the parameters for which the expected f_1 and f_2 are those of the sample, or why there are none.

    With the sampling fraction f, c = (1-beta)(1-f) and D = 1-c,

    - E f_1 = K f (beta/D)^alpha (1 + alpha c / D),
    - E f_2 = K/2 f^2 alpha (1-beta) beta^alpha D^-(alpha+2) (2 - (1-alpha) c).

    Their ratio is a quadratic in alpha with one positive root for each beta; one equation in beta remains. Its
    sign changes are searched for over the whole of (0, 1). If there are several, the one whose expected number of
    classes in the sample, K (1 - (1-f) (beta/D)^alpha), is nearest to u is taken: the equations do not use it.

    References
    ----------
    dankar2012; Chen and McNulty's slide negative binomial model, its moments derived here.
    """
    ones, twos = sample.of_size(1), sample.of_size(2)
    if not ones:
        return "no one is unique in the sample"
    if not twos:
        return "no class of the sample has exactly two people"
    classes = population_classes(sample, population)
    fraction = sample.people / population
    excess = partial(_excess, float(ones), float(twos), fraction, classes)
    values = excess(_LOGITS)[0]
    crossed = np.flatnonzero(np.diff(np.sign(values)) != 0)
    roots = [
        float(brentq(lambda at: float(excess(np.array([at]))[0][0]), low, high, xtol=1e-13, rtol=1e-13))
        for low, high in zip(_LOGITS[crossed], _LOGITS[crossed + 1], strict=True)
    ]
    if not roots:
        return "no parameters explain how many classes of the sample have one person and two"
    fits = []
    for root in roots:
        _, alpha, log_unique, log_unseen = (float(part[0]) for part in excess(np.array([root])))
        expected = classes * (1 - (1 - fraction) * exp(log_unseen))
        fit = SlideFit(classes=classes, alpha=alpha, beta=float(expit(root)), log_unique=log_unique)
        fits.append((abs(expected - sample.count), fit))
    return min(fits, key=lambda one: one[0])[1]


def population_classes(sample: ClassSizes, population: int) -> float:
    """Return how many classes the population has by the modified Shlosser estimator.

    It is at least u, and at most N - n + u: more classes would need more people than are left.
    """
    fraction = sample.people / population
    sizes, classes = sample.sizes.astype(np.float64), sample.classes.astype(np.float64)
    if fraction == 1 or not sample.of_size(1):
        return float(sample.count)
    missed = np.exp(sizes * np.log1p(-fraction))
    once = sizes * fraction * missed / (1 - fraction)
    twice = sizes * fraction**2 * np.exp((sizes - 1) * np.log1p(-(fraction**2)))
    both = np.exp(sizes * np.log1p(-(fraction**2))) - missed
    unseen = (classes @ twice) / (classes @ both) * ((classes @ missed) / (classes @ once)) ** 2
    return float(min(sample.count + sample.of_size(1) * unseen, population - sample.people + sample.count))


def _excess(
    ones: float, twos: float, fraction: float, classes: float, logits: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return ln E f_1 - ln f_1, alpha, alpha ln beta and alpha ln(beta/D), (k,) each, of logits of beta."""
    beta, rest = expit(logits), expit(-logits)
    common = rest * (1 - fraction)
    complement = fraction + beta * (1 - fraction)
    alpha = _positive_root(ones * fraction * rest, 2 * twos * complement, common, complement)
    log_beta = -np.logaddexp(0.0, -logits)
    log_complement = np.where(common < 0.5, np.log1p(-common), np.log(complement))  # noqa: PLR2004  (the more exact of the two)
    log_unseen = alpha * (log_beta - log_complement)
    expected = log(classes * fraction) + log_unseen + np.log1p(alpha * common / complement)
    return expected - log(ones), alpha, alpha * log_beta, log_unseen


def _positive_root(ones: FloatArray, twos: FloatArray, common: FloatArray, complement: FloatArray) -> FloatArray:
    """Return the positive root of the quadratic that the ratio f_2 / f_1 gives."""
    square = ones * common
    middle = ones * (2 - common) - twos * common
    last = twos * complement
    root = np.sqrt(middle**2 + 4 * square * last)
    rising = middle >= 0
    safe = np.where(square > 0, square, 1.0)
    return np.where(rising, 2 * last / np.where(rising, middle + root, 1.0), (root - middle) / (2 * safe))
