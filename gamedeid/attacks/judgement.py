"""The judge: what a recipient did in all worlds beside what the formulas expect of her."""

from collections.abc import Sequence

import numpy as np

from gamedeid.arrays import IntArray
from gamedeid.attacks.agreement import SURPRISE, SuccessNumbers
from gamedeid.attacks.published import Published
from gamedeid.attacks.recipients import Recipient
from gamedeid.attacks.result import AttackCounts, RecipientResult
from gamedeid.reprs import frozen

SAME = 1e-12
"""Chances that differ by no more are equal."""


@frozen(eq=False)
class Judge:
    """Who knows the truth, and what the formulas expect.

    Parameters
    ----------
    published : the release.
    group : (n,) group of records that each row belongs to.
    strategies : of each group; None for the group of all that are too small.
    repeats : worlds that were played.
    compared : numbers of successes that are compared with the formulas, of all recipients.
    """

    published: Published
    group: IntArray
    strategies: Sequence[tuple[int, ...] | None]
    repeats: int
    compared: int

    def result(self, name: str, recipient: Recipient, counts: IntArray) -> RecipientResult:
        """Return what one recipient did.

        Parameters
        ----------
        name, recipient : who she is.
        counts : (groups, 4) numbers of all worlds together, as ``COUNTED`` names them.
        """
        stakes, judged = recipient.stakes, self.published.judged
        total = self._counted(recipient, counts.sum(axis=0), np.flatnonzero(judged), None)
        groups = [
            self._counted(recipient, counts[place], np.flatnonzero(judged & (self.group == place)), strategy)
            for place, strategy in enumerate(self.strategies)
        ]
        otherwise = 0
        if recipient.expected is not None and recipient.believed is not None:
            otherwise = int((np.abs(recipient.expected - recipient.believed) > SAME)[judged].sum())
        gain = stakes.loss if stakes.gain is None else stakes.gain
        return RecipientResult(
            name=name,
            total=total,
            groups=groups,
            gained=gain * total.successes,
            paid=stakes.cost * total.attacks,
            otherwise=otherwise,
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
            strategy=None if strategy is None else dict(zip(names, strategy, strict=True)),
            records=len(rows),
            attacks=attacks,
            successes=successes,
            expected=expected,
            by_chance=by_chance,
            by_one_attribute=by_one if recipient.seeks_people else None,
            surprise=surprise,
            agrees=surprise is None or surprise >= SURPRISE / self.compared,
        )
