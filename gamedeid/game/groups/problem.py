"""The problem of released groups: who is put into them, which of them may be open, and what they are worth."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from gamedeid.arrays import BoolArray, FloatArray, IntArray, dot
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

    def best_values(self, nodes: IntArray) -> FloatArray:
        """Return dollars, (p,), that a person of each profile is worth at the best of some strategies, or 0.

        Parameters
        ----------
        nodes : (n,) the strategies; none is worth more than one that is finer in all attributes.
        """
        everybody, strides = np.arange(len(self.people)), self.lattice.strides[:, None]
        best, closed = np.zeros(len(everybody)), np.zeros(len(everybody), np.bool_)
        has_finer = ((self.lattice.levels(nodes).T > 0) & np.isin(nodes - strides, nodes)).any(axis=0)
        for node in nodes[~has_finer].tolist():
            values = self.values(node, everybody)
            closed |= values == -np.inf
            np.maximum(best, values, out=best)
        some = np.flatnonzero(closed)
        for node in nodes.tolist() if len(some) else ():
            best[some] = np.maximum(best[some], self.values(node, some))
        return best

    @property
    def is_measured_from_released(self) -> bool:
        """Whether a rule, t-closeness, compares a group with all that is released."""
        return bool(self._of_t_closeness.any())

    @property
    def _of_t_closeness(self) -> BoolArray:
        found: BoolArray = (self.kept.kinds == EQUAL) | (self.kept.kinds == ORDERED)
        return found

    def measured_from(self, released: IntArray) -> "GroupProblem":
        """Return the same problem with t-closeness measured from released records.

        Parameters
        ----------
        released : (k, s) kept values of the profiles that are released.
        """
        kept, counts = self.kept, released.sum(axis=0)
        overall = np.zeros(len(kept.overall))
        for begin, end in kept.spans[self._of_t_closeness].tolist():
            overall[begin:end] = counts[begin:end] / max(counts[begin:end].sum(), 1)
        return replace(self, kept=kept._replace(overall=overall))
