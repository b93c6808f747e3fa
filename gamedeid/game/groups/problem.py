"""The problem of released groups: the people in them, their worth, and all groups that could be open."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.generalization.lattice import Lattice
from gamedeid.kernels.equivalence_classes import allocate_slots, number_classes
from gamedeid.kernels.group_listing import GroupLists, list_groups_at
from gamedeid.kernels.group_prices import GroupTables
from gamedeid.kernels.group_rules import EQUAL, ORDERED, KeptTables
from gamedeid.kernels.tables import NONE, HierarchyTables
from gamedeid.parallel import cores, map_in_parallel
from gamedeid.population.rows import listed_profiles
from gamedeid.reprs import frozen

NO_RULES = KeptTables(
    counts=np.zeros((0, 0), np.int64),
    kinds=np.zeros(0, np.int64),
    spans=np.zeros((0, 2), np.int64),
    limits=np.zeros((0, 2)),
    overall=np.zeros(0),
)
"""No rules for the kept columns of groups."""


_WORTH_A_THREAD = 4_000
"""Profiles whose numbers are worth a thread."""

MOST_PAIRS, MOST_GROUPS = 2**27, 2**22
"""Most memberships of profiles in groups, and most groups, that are held in memory: some hundred megabytes."""


@frozen(eq=False)
class GroupProblem:
    """Put profiles into released groups, each a strategy and the values at it: a problem of facility location.

    ``values`` takes a strategy and some profiles, (k,), and returns the (k,) dollars that a person is worth there:
    equal for all who share the released values; no more at a coarser strategy; -infinity below the levels from which on
    a profile may be released. A person in no group is worth 0.
    """

    lattice: Lattice
    tables: HierarchyTables
    codes: IntArray  # (p, a) leaf codes of the profiles
    people: IntArray  # (p,) int64, people of each, at least 1
    weights: FloatArray  # (p,) weight of a person of each, 0 or more
    values: Callable[[int, IntArray], FloatArray]
    least: int  # people from which on a group costs nothing, at least 1
    fee: float  # fee of a smaller group, dollars; infinite where it may not be open
    kept: KeptTables = NO_RULES  # rules for kept columns in groups, ``NO_RULES`` for none

    def best_values(self, nodes: IntArray) -> FloatArray:
        """Return dollars, (p,), that a person of each profile is worth at the best of some strategies, (n,), or 0."""
        profiles, strides = np.arange(len(self.people)), self.lattice.strides[:, None]
        best, closed = np.zeros(len(profiles)), np.zeros(len(profiles), np.bool_)
        # no strategy is worth more than one that is finer in all attributes
        has_finer = ((self.lattice.levels(nodes).T > 0) & np.isin(nodes - strides, nodes)).any(axis=0)
        for node in nodes[~has_finer].tolist():
            values = self.values(node, profiles)
            closed |= values == -np.inf
            np.maximum(best, values, out=best)
        some = np.flatnonzero(closed)
        for node in nodes.tolist() if len(some) else ():
            best[some] = np.maximum(best[some], self.values(node, some))
        return best

    @property
    def of_t_closeness(self) -> BoolArray:
        """The rules, (r,), that compare a group with all that is released."""
        found: BoolArray = (self.kept.kinds == EQUAL) | (self.kept.kinds == ORDERED)
        return found

    def measured_from(self, released: IntArray) -> "GroupProblem":
        """Return the same problem with t-closeness measured from kept values of released profiles, (k, s)."""
        kept, counts = self.kept, released.sum(axis=0)
        overall = np.zeros(len(kept.overall))
        for begin, end in kept.spans[self.of_t_closeness].tolist():
            overall[begin:end] = counts[begin:end] / max(int(counts[begin:end].sum()), 1)
        return replace(self, kept=kept._replace(overall=overall))


@frozen(eq=False)
class GroupListing:
    """Groups that could be open, each set of members once, in the strategy where it is worth most."""

    groups: GroupTables
    nodes: IntArray  # (g,) the strategy of each
    held: IntArray  # (g,) people of all members of each
    left: IntArray  # the last strategies in walk order, whose groups are too many to list

    @property
    def complete(self) -> bool:
        """Whether all groups are listed."""
        return not len(self.left)

    def only(self, some: IntArray) -> "GroupListing":
        """Return some of the groups, (k,) numbers, in this order."""
        groups = self.groups
        sizes = np.diff(groups.starts)[some]
        starts = np.concatenate([[0], np.cumsum(sizes)])
        places = np.repeat(groups.starts[some] - starts[:-1], sizes) + np.arange(starts[-1])
        tables = groups._replace(starts=starts, members=groups.members[places], values=groups.values[some])
        return GroupListing(groups=tables, nodes=self.nodes[some], held=self.held[some], left=self.left)

    def with_weights(self, weights: FloatArray) -> "GroupListing":
        """Return the same groups with other weights of a person of each profile, (p,)."""
        return replace(self, groups=self.groups._replace(weights=weights))

    def by_profile(self) -> tuple[IntArray, IntArray]:
        """Return (place where the groups of each profile begin, (p + 1,); the groups, ascending for each)."""
        members = self.groups.members
        of_member = np.repeat(np.arange(len(self.nodes), dtype=np.int32), np.diff(self.groups.starts))
        starts = np.concatenate([[0], np.cumsum(np.bincount(members, minlength=len(self.groups.people)))])
        return starts, of_member[np.argsort(members, kind="stable")]


def list_groups(problem: GroupProblem) -> GroupListing:
    """Return the groups of all strategies that may be open, in walk order; the last are left out if there are many."""
    people = problem.people
    count = len(people)
    most = min(MOST_GROUPS, count * problem.lattice.size)
    members = np.empty(min(MOST_PAIRS, count * problem.lattice.size), np.min_scalar_type(max(count - 1, 2**16 - 1)))
    lists = GroupLists(
        counts=np.zeros(2, np.int64),
        starts=np.zeros(most + 1, np.int64),
        members=members,
        values=np.empty(most),
        nodes=np.empty(most, np.int32),
        people=np.empty(most, np.int64),
        marks=np.empty(most, np.uint64),
    )
    known = np.full(2 ** (2 * most).bit_length(), NONE, np.int32)
    fewest = problem.least if problem.fee == np.inf else 1
    profiles, walk, listed = np.arange(count), problem.lattice.walk_order(), 0
    for keys, numbers in number_groups(problem, profiles, walk):
        node = int(walk[listed])
        values = problem.values(node, profiles)
        if not list_groups_at(node, np.flatnonzero(values > 0), keys, numbers, values, people, fewest, lists, known):
            break
        listed += 1
    groups, entries = lists.counts.tolist()
    tables = GroupTables(
        starts=lists.starts[: groups + 1],
        members=members[:entries],
        values=lists.values[:groups],
        people=people,
        weights=problem.weights,
        least=problem.least,
        fee=float(problem.fee),
    )
    return GroupListing(groups=tables, nodes=lists.nodes[:groups], held=lists.people[:groups], left=walk[listed:])


def number_groups(problem: GroupProblem, some: IntArray, nodes: IntArray) -> Iterator[tuple[IntArray, int]]:
    """Yield for each node, (n,), the group of each profile, (k,) from 0, by released values, and how many there are."""
    cells = listed_profiles(problem.tables, problem.codes[some], problem.people[some])
    workers = cores() if len(some) >= _WORTH_A_THREAD else 1
    scratch = [allocate_slots(len(some)) for _ in range(workers)]

    def number(worker: int, node: int) -> tuple[IntArray, int]:
        keys = np.empty(len(some), np.int64)
        return keys, number_classes(cells, problem.tables, node, keys, *scratch[worker])

    return map_in_parallel(number, nodes.tolist(), workers)


def order_by_value(problem: GroupProblem, walk: IntArray) -> IntArray:
    """Return strategies, (n,), from the greatest mean value down, in the order given among equals."""
    some = np.arange(0, len(problem.people), max(len(problem.people) // 1000, 1))
    weights = (problem.weights * problem.people)[some]
    means = np.array([weights @ np.maximum(problem.values(node, some), 0.0) for node in walk.tolist()])
    scale = max(float(np.abs(means).max(initial=0.0)), 1e-300)
    return walk[np.argsort(-np.round(means / (scale * 1e-9)), kind="stable")]
