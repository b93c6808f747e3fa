"""How many people match a profile where there are too many strategies to keep counts of: looked through when asked."""

import numpy as np

from gamedeid.arrays import IntArray
from gamedeid.data.profiles import Cells, Profiles
from gamedeid.grouping import distinct_rows
from gamedeid.kernels import boxes as meet_kernels
from gamedeid.kernels.boxes import Crowd, Rungs
from gamedeid.kernels.solving import Ladders
from gamedeid.parallel import in_slices

MANY = 256
"""A strategy asked for by so many profiles is counted once for all of them."""

SLICE = 64
"""Profiles, or pairs, that one worker takes at a time."""


def rungs_of(ladders: Ladders) -> Rungs:
    """Return those of the hierarchies' tables that have no entry for each strategy."""
    return Rungs(
        heights=ladders.heights,
        strides=ladders.strides,
        groups=ladders.groups,
        raw_losses=ladders.raw_losses,
        total_loss=ladders.total_loss,
    )


class ScannedCounts:
    """The distinct cells of a population, and nothing else: counts are made from them anew each time.

    Parameters
    ----------
    cells : the population.
    ladders : the hierarchies' tables.
    least : no count is below this.
    """

    def __init__(self, cells: Cells, ladders: Ladders, least: int) -> None:
        bases = [ladders.groups.shape[2]] * cells.codes.shape[1]
        first, of_cell, _ = distinct_rows(cells.codes, bases)
        people = np.zeros(len(first), np.int64)
        np.add.at(people, of_cell, cells.people)
        used = [np.unique(column, return_inverse=True) for column in cells.codes[first].T]
        groups = np.zeros((*ladders.groups.shape[:2], max(len(leaves) for leaves, _ in used)), np.int32)
        for attribute, (leaves, _) in enumerate(used):
            groups[attribute, :, : len(leaves)] = ladders.groups[attribute][:, leaves]
        self.scanned = Crowd(
            codes=np.stack([codes.reshape(-1) for _, codes in used], axis=1).astype(np.int32),
            people=people,
            used=np.array([len(leaves) for leaves, _ in used], np.int64),
            groups=groups,
            least=least,
        )
        self._rungs = rungs_of(ladders)

    def people(self, profiles: Profiles, chosen: IntArray, nodes: IntArray) -> IntArray:
        """Return n_p, (k,) int64, of profiles ``chosen`` (k,) at ``nodes`` (k,)."""
        people = np.empty(len(chosen), np.int64)
        common, which, times = np.unique(nodes, return_inverse=True, return_counts=True)
        for place in np.flatnonzero(times >= MANY):
            pairs = np.flatnonzero(which == place)
            people[pairs] = self._people_of_many(profiles.codes[chosen[pairs]], int(common[place]))
        few = np.flatnonzero(times[which] < MANY)
        found = np.empty(len(few), np.int64)
        who, where = np.asarray(chosen, np.int64)[few], np.asarray(nodes, np.int64)[few]

        def scan(first: int, last: int) -> None:
            part = slice(first, last)
            meet_kernels.people_of_pairs(self.scanned, self._rungs, profiles.codes, who[part], where[part], found[part])

        in_slices(scan, len(few), least=SLICE, most=SLICE)
        people[few] = found
        return people

    def of(self, profiles: Profiles) -> "ScannedCounts":  # noqa: ARG002  (as the contract of counts has it)
        """Return the same counts: they answer for everybody."""
        return self

    def _people_of_many(self, codes: IntArray, node: int) -> IntArray:
        """Return n_p, (k,), of leaf codes (k, a) at one strategy: cells and codes grouped together."""
        columns, bases = [], []
        for attribute, height in enumerate(self._rungs.heights):
            level = node // int(self._rungs.strides[attribute]) % int(height)
            cells = self.scanned.groups[attribute, level, self.scanned.codes[:, attribute]]
            columns.append(np.concatenate([self._rungs.groups[attribute, level, codes[:, attribute]], cells]))
            bases.append(int(columns[-1].max()) + 1)
        first, group, _ = distinct_rows(np.stack(columns, axis=1), bases)
        people = np.zeros(len(first), np.int64)
        np.add.at(people, group[len(codes) :], self.scanned.people)
        return np.maximum(people[group[: len(codes)]], self.scanned.least)
