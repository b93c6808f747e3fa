"""Counts as one list of groups per strategy: for domains that are nearly empty."""

import numpy as np

from gamedeid.arrays import IntArray
from gamedeid.data.profiles import Cells, Profiles
from gamedeid.generalization.lattice import Lattice
from gamedeid.grouping import distinct_rows
from gamedeid.kernels.solving import Ladders, Tables
from gamedeid.population.contract import look_up


class SparseCounts:
    """Only groups that hold somebody, or a profile; each strategy is summed from the shortest finer list there is."""

    def __init__(
        self, cells: Cells, profiles: Profiles, lattice: Lattice, ladders: Ladders, widths: IntArray, least: int
    ) -> None:
        self._lattice = lattice
        self._ladders = ladders
        self._widths = widths
        self._least = least
        # Profiles are listed as groups without people, so that each always has a group to stand in.
        self._codes = np.concatenate([profiles.codes, cells.codes])
        nobody = np.zeros(profiles.count, np.int64)
        self._lists: dict[int, _GroupList] = {}
        self._offsets = np.full(lattice.size, -1, np.int64)
        self._rows = np.empty((4, profiles.count), np.int64)
        everyone = _GroupList(
            example=np.arange(len(self._codes)),
            people=np.concatenate([nobody, cells.people]),
            of_profile=np.arange(profiles.count),
        )
        self._store(0, self._summed(everyone, 0))

    @property
    def tables(self) -> Tables:
        """What the inner loops read."""
        return Tables(
            dense=False,
            cells=np.empty(0, np.int64),
            offsets=self._offsets,
            steps=np.empty((0, 0), np.int64),
            rows=self._rows,
            least=self._least,
        )

    def count(self, nodes: IntArray) -> None:
        """Sum up the nodes that are not there yet."""
        for node in nodes[self._offsets[nodes] < 0].tolist():
            levels = self._lattice.levels_of(node)
            finer = [other for other in self._lists if self._is_finer(other, levels)]
            shortest = min(finer, key=lambda other: len(self._lists[other].people))
            self._store(node, self._summed(self._lists[shortest], node))

    def people(self, profiles: Profiles, chosen: IntArray, nodes: IntArray) -> IntArray:
        """Return n_p, (k,) int64, of profiles ``chosen`` (k,) at ``nodes`` (k,)."""
        return look_up(self, self._ladders, profiles, chosen, nodes)

    def of(self, profiles: Profiles) -> "SparseCounts":
        """Return counts of the same population for other profiles: nothing is rolled up for them yet."""
        everybody = self._lists[0]
        cells = Cells(
            codes=self._codes[everybody.example],
            people=everybody.people,
            missing=np.empty(0, np.bool_),  # the widths know it
        )
        return SparseCounts(cells, profiles, self._lattice, self._ladders, self._widths, self._least)

    def anew(self, profiles: Profiles) -> "SparseCounts":
        """Return the same with nothing rolled up yet."""
        return self.of(profiles)

    def _is_finer(self, other: int, levels: tuple[int, ...]) -> bool:
        return all(a <= b for a, b in zip(self._lattice.levels_of(other), levels, strict=True))

    def _summed(self, finer: "_GroupList", node: int) -> "_GroupList":
        levels = self._lattice.levels_of(node)
        codes = self._codes[finer.example]
        groups = np.stack(
            [self._ladders.groups[attribute, level, codes[:, attribute]] for attribute, level in enumerate(levels)],
            axis=1,
        )
        bases = [int(self._widths[attribute, level]) + 1 for attribute, level in enumerate(levels)]
        first, of_finer, _ = distinct_rows(groups, bases)
        people = np.zeros(len(first), np.int64)
        np.add.at(people, of_finer, finer.people)
        return _GroupList(example=finer.example[first], people=people, of_profile=of_finer[finer.of_profile])

    def _store(self, node: int, groups: "_GroupList") -> None:
        self._lists[node] = groups
        row = len(self._lists) - 1
        if row == len(self._rows):
            self._rows = np.concatenate([self._rows, np.empty_like(self._rows)])
        self._rows[row] = groups.people[groups.of_profile]
        self._offsets[node] = row


class _GroupList:
    """The groups of one strategy: a row that shows its codes, its people, and the group of each profile."""

    __slots__ = ("example", "of_profile", "people")

    def __init__(self, *, example: IntArray, people: IntArray, of_profile: IntArray) -> None:
        self.example = example
        self.people = people
        self.of_profile = of_profile
