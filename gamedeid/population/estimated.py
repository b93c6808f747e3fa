"""Counts of a population that are not known but estimated from others: what the inner loops look up all the same."""

from abc import ABC, abstractmethod
from copy import copy
from typing import Self

import numpy as np

from gamedeid.arrays import IntArray
from gamedeid.data.profiles import Profiles
from gamedeid.generalization.lattice import Lattice
from gamedeid.kernels.solving import Ladders, Tables
from gamedeid.population.contract import Counts, look_up


class EstimatedCounts(ABC):
    """Counts that are estimated, strategy by strategy, when they are first asked for.

    Parameters
    ----------
    counts : what is known.
    profiles : who will be looked up.
    lattice, ladders : the strategies and their tables.
    """

    def __init__(self, counts: Counts, profiles: Profiles, lattice: Lattice, ladders: Ladders) -> None:
        self.profiles = profiles
        self.lattice = lattice
        self._counts = counts
        self._ladders = ladders
        self._offsets, self._rows, self._used = self._nothing()

    @abstractmethod
    def estimate(self, chosen: IntArray, nodes: IntArray) -> IntArray:
        """Return n_p, (k,) int64, of profiles ``chosen`` (k,) at ``nodes`` (k,)."""

    def counted(self, chosen: IntArray, nodes: IntArray) -> IntArray:
        """Return what is known, (k,) int64, of profiles ``chosen`` (k,) at ``nodes`` (k,)."""
        return self._counts.people(self.profiles, chosen, nodes)

    def people(self, profiles: Profiles, chosen: IntArray, nodes: IntArray) -> IntArray:
        """Return the estimates, (k,) int64, of profiles ``chosen`` (k,) at ``nodes`` (k,)."""
        return look_up(self, self._ladders, profiles, chosen, nodes)

    @property
    def tables(self) -> Tables:
        """What the inner loops read: people per node and profile, as with sparse counts."""
        return Tables(
            dense=False,
            cells=np.empty(0, np.int64),
            offsets=self._offsets,
            steps=np.empty((0, 0), np.int64),
            rows=self._rows,
            least=0,
        )

    def count(self, nodes: IntArray) -> None:
        """Estimate the people of nodes, (k,), that are not there yet."""
        everyone = np.arange(self.profiles.count)
        for node in nodes[self._offsets[nodes] < 0].tolist():
            if self._used == len(self._rows):
                self._rows = np.concatenate([self._rows, np.empty_like(self._rows)])
            self._rows[self._used] = self.estimate(everyone, np.full(len(everyone), node))
            self._offsets[node] = self._used
            self._used += 1

    def of(self, profiles: Profiles) -> Self:
        """Return counts of the same population for other profiles."""
        return self._with(self._counts.of(profiles), profiles)

    def anew(self, profiles: Profiles) -> Self:
        """Return the same with nothing counted yet."""
        return self._with(self._counts.anew(profiles), profiles)

    def _with(self, counts: Counts, profiles: Profiles) -> Self:
        new = copy(self)
        new.__dict__ |= {"profiles": profiles, "_counts": counts}
        nothing = new._nothing()  # noqa: SLF001  (a copy of ourselves)
        new.__dict__ |= dict(zip(("_offsets", "_rows", "_used"), nothing, strict=True))
        return new

    def _nothing(self) -> tuple[IntArray, IntArray, int]:
        """Return the row of each node, the rows, and how many are in use, when nothing is counted yet."""
        return np.full(self.lattice.size, -1, np.int64), np.empty((4, self.profiles.count), np.int64), 0
