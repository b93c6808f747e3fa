"""The judge: what a recipient did in all worlds beside what the formulas expect."""

from collections.abc import Sequence
from dataclasses import fields

import numpy as np

from gamedeid.arrays import FloatArray, IntArray
from gamedeid.attacks.published import Published
from gamedeid.attacks.recipients import Recipient
from gamedeid.attacks.result import AttackCounts, RecipientResult
from gamedeid.extras import lacking
from gamedeid.reprs import frozen
from gamedeid.verification.recipients import gain_of

try:
    from scipy.stats import binom
except ImportError:
    raise lacking("risk", "a simulated attack") from None

SURPRISE = 0.001
"""All comparisons of one simulation together call an honest release wrong at most this often."""

_NEVER = 1e-18  # what is left out at both ends of a distribution

SAME = 1e-12
"""Chances that differ by no more are equal."""


@frozen(eq=False)
class Judge:
    """Who knows the truth, and what the formulas expect.

    Parameters
    ----------
    group : (n,) group of records that each row belongs to.
    strategies : of each group; None for the group of all that are too small.
    compared : numbers of successes that are compared with the formulas, of all recipients.
    """

    published: Published
    group: IntArray
    strategies: Sequence[tuple[int, ...] | None]
    repeats: int
    compared: int

    def result(self, name: str, recipient: Recipient, counts: IntArray) -> RecipientResult:
        """Return what one recipient did, by numbers of all worlds together, (groups, 4), as ``COUNTED`` names them."""
        stakes, judged = recipient.stakes, self.published.judged
        total = self._counted(recipient, counts.sum(axis=0), np.flatnonzero(judged), None)
        groups = [
            self._counted(recipient, counts[place], np.flatnonzero(judged & (self.group == place)), strategy)
            for place, strategy in enumerate(self.strategies)
        ]
        otherwise = 0
        if recipient.expected is not None and recipient.believed is not None:
            otherwise = int((np.abs(recipient.expected - recipient.believed) > SAME)[judged].sum())
        return RecipientResult(
            **{field.name: getattr(total, field.name) for field in fields(total) if field.name != "agrees"},
            agrees=not otherwise and all(one.agrees for one in (total, *groups)),
            total_agrees=total.agrees,
            recipient=name,
            groups=groups,
            dollars_gained=gain_of(stakes) * total.successes,
            dollars_paid=stakes.cost * total.attacks,
            rows_seen_otherwise=otherwise,
        )

    def _counted(
        self, recipient: Recipient, counts: IntArray, rows: IntArray, strategy: tuple[int, ...] | None
    ) -> AttackCounts:
        attacks, successes, by_chance, by_one = (int(one) for one in counts)
        expected = surprise = None
        if recipient.expected is not None:
            chances = recipient.expected[rows]
            expected = float(chances.sum()) * self.repeats
            if recipient.believed is not None:
                surprise = SuccessNumbers(chances, self.repeats).tail(successes)
        names = list(self.published.scenario.attributes)
        return AttackCounts(
            strategy=None if strategy is None else dict(zip(names, strategy[: len(names)], strict=True)),
            records=len(rows),
            attacks=attacks,
            successes=successes,
            expected_successes=expected,
            random_guess_successes=by_chance,
            one_attribute_successes=by_one if recipient.seeks_people else None,
            surprise=surprise,
            agrees=surprise is None or surprise >= SURPRISE / self.compared,
        )


class SuccessNumbers:
    """The exact distribution of how many of many independent attacks succeed, each with a chance of its own.

    Parameters
    ----------
    chances : (m,) chance of each attack, in [0, 1].
    """

    def __init__(self, chances: FloatArray, times: int) -> None:
        kinds, counts = np.unique(chances[chances > 0], return_counts=True)
        self._first, weights = 0, np.ones(1)
        for chance, count in zip(kinds.tolist(), (counts * times).tolist(), strict=True):
            low, high = (int(one) for one in binom.ppf([_NEVER, 1 - 1e-16], count, chance))
            low, high = max(low - 1, 0), min(high + 8, count)
            weights = np.convolve(weights, binom.pmf(np.arange(low, high + 1), count, chance))
            self._first += low
            likely = np.flatnonzero(weights > _NEVER)
            weights, self._first = weights[likely[0] : likely[-1] + 1], self._first + int(likely[0])
        self._weights = weights / weights.sum()

    def tail(self, successes: int) -> float:
        """Return how likely a number as far out as this is, on either side: twice the smaller tail, at most 1."""
        place = successes - self._first
        below = float(self._weights[: max(place + 1, 0)].sum())
        above = float(self._weights[max(place, 0) :].sum())
        return min(1.0, 2 * min(below, above))
