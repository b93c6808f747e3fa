"""The number of attacks that succeed: the chance of at least one, and a range."""

from collections.abc import Iterable, Sequence
from functools import reduce
from math import expm1, inf, log1p, pi, sqrt
from typing import Any, NamedTuple

import numpy as np

from gamedeid.arrays import FloatArray, IntArray
from gamedeid.game.instance import Instance
from gamedeid.game.outcomes import PROFILES_PER_BLOCK, Outcomes
from gamedeid.reprs import brief, frozen
from gamedeid.results.result import Count, Result, Share

LOW, HIGH = 0.025, 0.975
"""The range is from the LOW quantile of the number to the HIGH quantile: it holds 95% of the cases or more."""

_SMALL, _TERMS = 1 / 32, 14
"""Chances up to ``_SMALL`` enter by the sums of their first powers: of ln(1 + p (z - 1)), |z| = 1, there remains less
than (2 p)^15 / 14 a record, 1e-18 times p."""

_OUTSIDE = 30.0
"""-ln of the chance of a number outside the window that is computed, by the inequality of Bernstein: 1e-13."""

_ROUNDING = 1e-9
"""Sums of chances that differ by less are equal: they are added up in different orders."""


@frozen
class Spread(Result):
    """The number of successful attacks, which succeed independently of each other.

    Parameters
    ----------
    at_least_one : chance that at least one succeeds, in [0, 1].
    low, high : the 2.5% and the 97.5% quantile of their number.
    highest : the greatest chance of one record, in [0, 1], that an attack on it succeeds at least once; 0 where
        nothing is attacked.
    """

    at_least_one: Share
    low: Count
    high: Count
    highest: Share


@brief
class AttackLaw(NamedTuple):
    """The attacks of one present recipient: chances of success, (k,), and the number of records that have each."""

    chances: FloatArray  # (k,) those above ``_SMALL``, each once and in rising order
    records: FloatArray  # (k,) how many records have each chance
    powers: FloatArray  # (_TERMS,) sums of the first powers of all others

    @classmethod
    def of(cls, chances: FloatArray, records: IntArray) -> "AttackLaw":
        """Return the law of records with these chances, (k,); those of chance 0 are not attacked."""
        large = chances > _SMALL
        values, of_value = np.unique(chances[large], return_inverse=True)
        others, weights = chances[~large], records[~large].astype(np.float64)
        powers = np.empty(_TERMS)
        for place in range(_TERMS):
            weights = weights * others
            powers[place] = weights.sum()
        return cls(
            chances=values,
            records=np.bincount(of_value, records[large], len(values)).astype(np.float64),
            powers=powers,
        )

    def plus(self, other: "AttackLaw") -> "AttackLaw":
        """Return the law of both together."""
        values, of_value = np.unique(np.concatenate([self.chances, other.chances]), return_inverse=True)
        both = np.concatenate([self.records, other.records])
        records = np.bincount(of_value, both, len(values)).astype(np.float64)
        return AttackLaw(chances=values, records=records, powers=self.powers + other.powers)

    @property
    def log_none(self) -> float:
        """Logarithm of the chance that none succeeds; -inf if one surely does."""
        if (self.chances >= 1).any():
            return -inf
        small = -float((self.powers / np.arange(1, _TERMS + 1)).sum())
        return small + float((self.records * np.log1p(-self.chances)).sum())

    @property
    def bounds(self) -> tuple[int, int]:
        """The least and greatest number of successes, but for the chance of ``_OUTSIDE``."""
        mean = float(self.powers[0] + (self.records * self.chances).sum())
        variance = float(self.powers[0] - self.powers[1] + (self.records * self.chances * (1 - self.chances)).sum())
        half_width = _OUTSIDE / 3 + sqrt((_OUTSIDE / 3) ** 2 + 2 * _OUTSIDE * max(variance, 0.0))
        return max(int(mean - half_width), 0), int(mean + half_width) + 1

    def characteristic(self, angles: FloatArray) -> Any:
        """Return E exp(i t N) at angles t, (m,), of the number N of successes."""
        cosines, sines = np.cos(angles), np.sin(angles)
        size, phase = np.zeros_like(angles), np.zeros_like(angles)
        with np.errstate(divide="ignore"):  # a chance of one half is 0 at pi
            for chance, many in zip(self.chances.tolist(), self.records.tolist(), strict=True):
                size += many / 2 * np.log1p(np.maximum(-2 * chance * (1 - chance) * (1 - cosines), -1))
                phase += many * np.arctan2(chance * sines, 1 - chance + chance * cosines)
        step = np.exp(1j * angles) - 1
        power, rest = np.ones_like(step), np.zeros_like(step)
        for place, total in enumerate(self.powers.tolist(), 1):
            power = power * -step
            rest -= power * (total / place)
        return np.exp(size + rest.real) * np.exp(1j * (phase + rest.imag))


@brief
class AttackLaws(NamedTuple):
    """The attacks of recipients who are active independently of each other."""

    laws: Sequence[tuple[float, AttackLaw]]  # the probability of each, in (0, 1], and the law of the attacks then made
    highest: float  # the greatest chance of one record that at least one of them succeeds

    def plus(self, other: "AttackLaws") -> "AttackLaws":
        """Return the attacks on two parts of the records."""
        laws = [(chance, one.plus(two)) for (chance, one), (_, two) in zip(self.laws, other.laws, strict=True)]
        return AttackLaws(laws=laws, highest=max(self.highest, other.highest))


def spread_of(attacks: AttackLaws) -> Spread:
    """Return the number of successful attacks.

    The number is Poisson-binomial if the recipient is present; its distribution is the Fourier transform of its
    characteristic function, exact but for rounding and for the terms that ``_SMALL`` and ``_OUTSIDE`` leave out.

    References
    ----------
    Hong 2013, On computing the distribution function for the Poisson binomial distribution, section 2.3.
    """
    laws = attacks.laws
    none = sum(law.log_none if chance == 1 else log1p(chance * expm1(law.log_none)) for chance, law in laws)
    bounds = [law.bounds for _, law in laws]
    first = sum(low for (low, _), (chance, _) in zip(bounds, laws, strict=True) if chance == 1)
    count = sum(high for _, high in bounds) + 1 - first
    angles = np.arange(count // 2 + 1, dtype=np.float64) * (2 * pi / count)
    transformed = np.exp(-1j * first * angles)
    for chance, law in laws:
        transformed = transformed * (1 - chance + chance * law.characteristic(angles))
    numbers = np.fft.irfft(np.conj(transformed), count)
    cumulative = np.cumsum(numbers) + _ROUNDING
    low, high = (first + int(np.searchsorted(cumulative, share)) for share in (LOW, HIGH))
    return Spread(at_least_one=0.0 - expm1(none), low=low, high=high, highest=attacks.highest)


def attack_laws(instance: Instance, nodes: IntArray, *, all_attacked: bool = False) -> AttackLaws:
    """Return the attacks on a strategy for every profile, (q,)."""
    count, found = instance.profiles.count, []
    for start in range(0, max(count, 1), PROFILES_PER_BLOCK):
        stop = min(start + PROFILES_PER_BLOCK, count)
        replies = Outcomes(instance=instance, profiles=np.arange(start, stop), nodes=nodes[start:stop]).replies
        chances = [
            one.success_probability(people) * (attacks | all_attacked)
            for one, people, attacks in zip(
                replies.adversaries, replies.people_decided_among, replies.attacks, strict=True
            )
        ]
        found.append(laws_by_recipient(instance, chances, instance.profiles.records[start:stop]))
    return reduce(AttackLaws.plus, found)


def laws_by_recipient(instance: Instance, chances: Iterable[FloatArray], records: IntArray) -> AttackLaws:
    """Return the same from the chances of each adversary, (R, k), and how many ``records`` have them, (k,)."""
    by_name: dict[str, FloatArray] = {}
    probability: dict[str, float] = {}
    for of, one in zip(instance.recipients.types, chances, strict=True):
        probability[of.name] = of.recipient.probability
        by_name[of.name] = by_name.get(of.name, 0.0) + one / of.recipient.probability
    named, laws = np.zeros(len(records)), []
    for name, one in by_name.items():
        right = np.minimum(one, 1.0)
        laws.append((probability[name], AttackLaw.of(right, records)))
        named = named + probability[name] * right * (1 - named)
    return AttackLaws(laws=laws, highest=float(named.max(initial=0.0)))
