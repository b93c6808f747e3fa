"""Counts as one list of groups per strategy: for domains that are nearly empty."""

import numpy as np

from gamedeid.arrays import IntArray
from gamedeid.data.profiles import Profiles
from gamedeid.generalization.lattice import Lattice
from gamedeid.grouping import distinct_rows
from gamedeid.kernels.tables import HierarchyTables
from gamedeid.reprs import frozen

_FIRST_PLACES = 64  # for strategies that are listed; more are made as they are needed


@frozen(eq=False)
class GroupList:
    """The groups of one strategy that hold somebody, or a profile.

    Parameters
    ----------
    example : (g,) a row of codes that lies in the group.
    people : (g,) int64, how many are in the group.
    of_profile : (q,) the group of each profile.
    """

    example: IntArray
    people: IntArray
    of_profile: IntArray


class SparseCounter:
    """Only groups that hold somebody, or a profile; each strategy is summed from the shortest finer list there is.

    Parameters
    ----------
    codes, people : (c, a) leaf codes of the population, and (c,) how many people have them; rows may repeat.
    profiles : (q) who will be looked up.
    lattice, hierarchy_tables : the strategies and their tables.
    widths : (a, h) groups of each attribute at each level.
    least : no count is below this.
    """

    def __init__(
        self,
        codes: IntArray,
        people: IntArray,
        profiles: Profiles,
        lattice: Lattice,
        hierarchy_tables: HierarchyTables,
        *,
        widths: IntArray,
        least: int,
    ) -> None:
        self._lattice = lattice
        self._hierarchy_tables = hierarchy_tables
        self._widths = widths
        self._least = least
        # Profiles are listed as groups without people, so that each always has a group to stand in.
        self._codes = np.concatenate([profiles.codes, codes])
        everyone = GroupList(
            example=np.arange(len(self._codes)),
            people=np.concatenate([np.zeros(profiles.count, np.int64), people]),
            of_profile=np.arange(profiles.count),
        )
        self._lists: dict[int, GroupList] = {}
        self._listed = np.empty(_FIRST_PLACES, np.int64)
        self._listed_levels = np.empty((_FIRST_PLACES, len(lattice.heights)), np.int64)
        self._listed_groups = np.empty(_FIRST_PLACES, np.int64)
        self._list(0, self._summed(everyone, 0))

    def people_at(self, node: int) -> IntArray:
        """Return n_p, (q,) int64, of every profile at one node."""
        if node not in self._lists:
            self._list(node, self._summed(self._lists[self._shortest_finer(node)], node))
        groups = self._lists[node]
        people: IntArray = np.maximum(groups.people[groups.of_profile], self._least)
        return people

    def of(self, profiles: Profiles) -> "SparseCounter":
        """Return the same for other profiles: nothing is summed for them yet."""
        cells = self._lists[0]
        return SparseCounter(
            self._codes[cells.example],
            cells.people,
            profiles,
            self._lattice,
            self._hierarchy_tables,
            widths=self._widths,
            least=self._least,
        )

    def _shortest_finer(self, node: int) -> int:
        """Return which of the nodes that are listed and finer has the fewest groups; the first of several."""
        there = slice(len(self._lists))
        finer = (self._listed_levels[there] <= self._lattice.levels_of(node)).all(axis=1)
        return int(self._listed[there][finer][self._listed_groups[there][finer].argmin()])

    def _list(self, node: int, groups: GroupList) -> None:
        """Store the groups of a node, in the order in which nodes are asked for."""
        place = len(self._lists)
        if place == len(self._listed):
            self._listed = np.concatenate([self._listed, np.empty_like(self._listed)])
            self._listed_levels = np.concatenate([self._listed_levels, np.empty_like(self._listed_levels)])
            self._listed_groups = np.concatenate([self._listed_groups, np.empty_like(self._listed_groups)])
        self._listed[place] = node
        self._listed_levels[place] = self._lattice.levels_of(node)
        self._listed_groups[place] = len(groups.people)
        self._lists[node] = groups

    def _summed(self, finer: GroupList, node: int) -> GroupList:
        levels = self._lattice.levels_of(node)
        codes = self._codes[finer.example]
        groups = np.stack(
            [
                self._hierarchy_tables.groups[attribute, level, codes[:, attribute]]
                for attribute, level in enumerate(levels)
            ],
            axis=1,
        )
        bases = [int(self._widths[attribute, level]) + 1 for attribute, level in enumerate(levels)]
        first, of_finer, _ = distinct_rows(groups, bases)
        people = np.zeros(len(first), np.int64)
        np.add.at(people, of_finer, finer.people)
        return GroupList(example=finer.example[first], people=people, of_profile=of_finer[finer.of_profile])
