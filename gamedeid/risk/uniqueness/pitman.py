"""The unique people of a population whose classes grow as in Pitman's model, by maximum likelihood."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import exp, log, log1p

from gamedeid.extras import missing_extra_error
from gamedeid.risk.uniqueness.classes import ClassSizes

try:
    from scipy.optimize import brentq
    from scipy.special import gammaln, psi
except ImportError:
    raise missing_extra_error("risk", "the estimate of uniqueness") from None

_ASYMPTOTIC_FROM = 64.0
"""From this argument on, the asymptotic series of the digamma function is exact to the last digit."""

_NEARLY_EQUAL_FROM = 1e4
"""Terms are nearly equal if the first is this many times the sum of all steps."""

_ALPHAS = (0.0, 0.01, 0.05, *(tenth / 10 for tenth in range(1, 10)), 0.95, 0.99, 0.999, 1 - 1e-6, 1 - 1e-9)
"""Values of alpha between which maxima of the profile likelihood are searched for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PitmanFit:
    """The parameters that make a sample most likely.

    Parameters
    ----------
    theta, alpha : 0 <= alpha < 1 and theta > -alpha; alpha 0 is Ewens's model.
    """

    theta: float
    alpha: float

    def unique(self, population: int) -> float:
        """Return the expected share of unique people in its usual form.

        Gamma(theta+1) / Gamma(theta+alpha) N^alpha / N: it holds for populations much larger than theta, and can exceed
        1 for others.
        """
        return exp(_gamma_ratio(self.theta + self.alpha, 1 - self.alpha) + (self.alpha - 1) * log(population))

    def unique_given(self, sample: ClassSizes, population: int) -> float:
        """Return the expected share of unique people in a population that begins with the sample, in [0, 1].

        After the sample, N - n people are added one by one. Each of the f_1 unique ones stays unique with some chance;
        a new person opens a class with chance (theta + alpha u) / (theta + n), u and n growing, and stays alone in it
        with another. The product of these two is the same for all new people, so that the sum is, but for a factor,
        f_1 (theta + alpha + n - 1) + (N - n) (theta + alpha u). The whole population as a sample gives f_1.
        """
        rest, here, people = 1 - self.alpha, self.theta + self.alpha, sample.people
        factor = -_gamma_ratio(here + population - 1, rest) - _gamma_ratio(self.theta + people, self.alpha)
        staying = sample.of_size(1) * (here + people - 1)
        opening = (population - people) * (self.theta + self.alpha * sample.count)
        return exp(factor) * (staying + opening) / population


def fit_pitman(sample: ClassSizes) -> PitmanFit:
    """Return the parameters that make a sample most likely.

    The log-likelihood is, with n people in u classes, f_j of them of size j, every sum beginning at i = 1,

        sum_{i<u} ln(theta + i alpha) - sum_{i<n} ln(theta + i) + sum_j f_j sum_{i<j} ln(i - alpha).

    For each alpha the best theta is where the derivative is zero; along these, maxima in alpha are bracketed over all
    of [0, 1) and the highest one is taken, or alpha = 0 where the likelihood falls from there.

    References
    ----------
    Pitman's sampling formula as used by Hoshino (2001); dankar2012, appendix A.
    """
    theta_at = _best_theta(sample)

    @cache  # brentq evaluates the ends again, and needs the same result to the last digit
    def score(alpha: float) -> float:
        size_terms = float(sample.classes @ (psi(sample.sizes - alpha) - psi(1 - alpha)))
        return _weighted_sum(theta_at(alpha), alpha, sample.count - 1) - size_terms

    def likelihood(fit: PitmanFit) -> float:
        return pitman_likelihood(sample, theta=fit.theta, alpha=fit.alpha)

    scores = [score(alpha) for alpha in _ALPHAS]
    peaks = [0.0] if scores[0] <= 0 else []
    steps = zip(pairwise(_ALPHAS), pairwise(scores), strict=True)
    peaks += [float(brentq(score, *ends, xtol=1e-13, rtol=1e-13)) for ends, (here, there) in steps if here > 0 >= there]
    return max((PitmanFit(theta=theta_at(alpha), alpha=alpha) for alpha in peaks), key=likelihood)


def pitman_likelihood(sample: ClassSizes, *, theta: float, alpha: float) -> float:
    """Return the log-likelihood of 0 <= alpha < 1 (0 or above 1e-100) and theta > -alpha.

    A term that is the same for all parameters is left out.
    """
    steps = sample.count - 1
    class_terms = steps * log(alpha) + _gamma_ratio(theta / alpha + 1, steps) if alpha else steps * log(theta)
    people_terms = _gamma_ratio(theta + 1, sample.people - 1)
    size_terms = float(sample.classes @ (gammaln(sample.sizes - alpha) - gammaln(1 - alpha)))
    return class_terms - people_terms + size_terms


def _best_theta(sample: ClassSizes) -> Callable[[float], float]:
    """Return the function alpha -> theta; it searches the logarithm of theta + alpha, from its last result on."""
    people, count = sample.people, sample.count
    last = [log(count)]

    def slope(logarithm: float, alpha: float) -> float:
        above = exp(logarithm)
        class_terms = _reciprocal_sum(above / alpha, count - 1) / alpha if alpha else (count - 1) / above
        return (class_terms - _reciprocal_sum(above - alpha + 1, people - 1)) * above

    def best(alpha: float) -> float:
        low = high = last[0]
        step = 0.05
        while slope(low, alpha) <= 0:
            low -= step
            step *= 2
        step = 0.05
        while slope(high, alpha) >= 0:
            high += step
            step *= 2
        last[0] = float(brentq(slope, low, high, args=(alpha,), xtol=1e-13, rtol=1e-13))
        return exp(last[0]) - alpha

    return best


def _reciprocal_sum(start: float, terms: int) -> float:
    """Return 1/start + 1/(start+1) + ..., of ``terms`` terms, to the last digits for any start."""
    if start < _ASYMPTOTIC_FROM:
        return float(psi(start + terms) - psi(start))
    end = start + terms
    series = (terms / (start * end) / 2, (start**-2 - end**-2) / 12, (end**-4 - start**-4) / 120)
    return log1p(terms / start) + sum(series) + (start**-6 - end**-6) / 252


def _weighted_sum(theta: float, alpha: float, terms: int) -> float:
    """Return 1/(theta + alpha) + 2/(theta + 2 alpha) + ..., of ``terms`` terms."""
    if theta > _NEARLY_EQUAL_FROM * alpha * terms:
        first = terms * (terms + 1) / 2
        second = first * (2 * terms + 1) / 3
        small = alpha / theta
        return (first - small * second + small**2 * first**2) / theta
    return (terms - theta / alpha * _reciprocal_sum(theta / alpha + 1, terms)) / alpha


def _gamma_ratio(start: float, step: float) -> float:
    """Return ln Gamma(start + step) - ln Gamma(start), to the last digits for any start."""
    if start < _ASYMPTOTIC_FROM:
        return float(gammaln(start + step) - gammaln(start))
    end = start + step
    rise = (start - 0.5) * log1p(step / start) + step * log(end) - step
    return rise + (1 / end - 1 / start) / 12 - (end**-3 - start**-3) / 360 + (end**-5 - start**-5) / 1260
