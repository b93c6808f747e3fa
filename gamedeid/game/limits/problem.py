"""Choices that limits couple: each group takes one item, and the items' uses must not add up to more than allowed."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from gamedeid.arrays import FloatArray, IntArray
from gamedeid.reprs import frozen


@frozen(eq=False, slots=False)
class Problem:
    """Take one item of each group so that the worth is greatest and no use is above what is allowed.

    In the literature: a multiple-choice knapsack with several constraints.

    Parameters
    ----------
    starts : (q + 1,) int64, where the items of each group begin; each has at least one.
    worth : (e,) what is gained by taking an item.
    uses : (k, e) how much of each limit an item takes; may be below 0.
    allowed : (k,) how much of each limit there is.
    tolerance : (k,) by how much sums may exceed it, since they round.
    equal : two worths that differ by no more are equal; above 0.
    """

    starts: IntArray
    worth: FloatArray
    uses: FloatArray
    allowed: FloatArray
    tolerance: FloatArray
    equal: float

    @property
    def groups(self) -> int:
        """How many groups q there are."""
        return len(self.starts) - 1

    @cached_property
    def group_of(self) -> IntArray:
        """The group of each item, (e,)."""
        return np.repeat(np.arange(self.groups), np.diff(self.starts))

    def best(self, amounts: FloatArray) -> tuple[FloatArray, IntArray]:
        """Return the greatest amount of each group, (q,), and the first of its items that has it, (q,).

        Parameters
        ----------
        amounts : (e,) one for each item.
        """
        greatest = np.maximum.reduceat(amounts, self.starts[:-1])
        items = np.flatnonzero(amounts == greatest[self.group_of])
        first = np.searchsorted(self.group_of[items], np.arange(self.groups))
        return greatest, items[first]

    def used(self, items: IntArray) -> FloatArray:
        """Return the sum of each use, (k,), over one item of each group, (q,)."""
        sums: FloatArray = self.uses[:, items].sum(axis=1)
        return sums

    def keeps(self, items: IntArray) -> bool:
        """Return whether one item of each group, (q,), is within all limits."""
        return bool((self.used(items) <= self.allowed + self.tolerance).all())

    def total(self, items: IntArray) -> float:
        """Return the worth of one item of each group, (q,)."""
        return float(self.worth[items].sum())

    def within(self, limits: Sequence[int]) -> "Problem":
        """Return the same choices within some of the limits, by their numbers."""
        rows = list(limits)
        return replace(self, uses=self.uses[rows], allowed=self.allowed[rows], tolerance=self.tolerance[rows])
