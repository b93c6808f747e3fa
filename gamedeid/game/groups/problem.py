"""The problem of released groups: who is put into them, which of them may be open, and what they are worth."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from gamedeid.arrays import FloatArray, IntArray, dot
from gamedeid.generalization.lattice import Lattice
from gamedeid.kernels.group_rules import EQUAL, ORDERED, KeptTables
from gamedeid.kernels.tables import HierarchyTables
from gamedeid.reprs import frozen

NO_RULES = KeptTables(
    counts=np.zeros((0, 0), np.int64),
    kinds=np.zeros(0, np.int64),
    spans=np.zeros((0, 2), np.int64),
    limits=np.zeros((0, 2)),
    overall=np.zeros(0),
)
"""Groups need to show nothing of kept columns."""


@frozen(eq=False)
class GroupProblem:
    """Put profiles into released groups: a strategy and the values at it. Facility location, in the literature.

    Parameters
    ----------
    lattice, tables : the strategies.
    codes : (p, a) leaf codes of the profiles.
    people : (p,) int64, people of each, at least 1.
    weights : (p,) what a person of each counts, 0 or more.
    values : of (a strategy, some profiles (k,)) -> (k,) dollars that a person is worth there; the same for all who
        share the released values; -infinity where a profile may not be released so, which it may from some levels on;
        no more at a coarser strategy. Who is in no group is worth 0.
    least : people from which on a group costs nothing, at least 1.
    fee : what a smaller group costs, dollars; infinite where it may not be open.
    kept : what groups must show of kept columns, ``NO_RULES`` for nothing.
    """

    lattice: Lattice
    tables: HierarchyTables
    codes: IntArray
    people: IntArray
    weights: FloatArray
    values: Callable[[int, IntArray], FloatArray]
    least: int
    fee: float
    kept: KeptTables = NO_RULES

    @property
    def total_weight(self) -> float:
        """What everybody counts."""
        return dot(self.weights, self.people)

    def best_values(self) -> FloatArray:
        """Return dollars, (p,), that a person of each profile is worth in the most valuable group of all.

        That is the first strategy in walk order that is open to the profile: all others open to it are coarser.
        """
        best = np.zeros(len(self.people))
        left = np.arange(len(self.people))
        for node in self.lattice.walk_order().tolist():
            values = self.values(node, left)
            is_open = values > -np.inf
            best[left[is_open]] = np.maximum(values[is_open], 0.0)
            left = left[~is_open]
            if not len(left):
                break
        return best

    def measured_from(self, released: IntArray) -> "GroupProblem":
        """Return the same problem with t-closeness measured from released records.

        Parameters
        ----------
        released : (k, s) kept values of the profiles that are released.
        """
        kept, counts = self.kept, released.sum(axis=0)
        overall = np.zeros(len(kept.overall))
        for begin, end in kept.spans[(kept.kinds == EQUAL) | (kept.kinds == ORDERED)].tolist():
            overall[begin:end] = counts[begin:end] / max(counts[begin:end].sum(), 1)
        return replace(self, kept=kept._replace(overall=overall))
