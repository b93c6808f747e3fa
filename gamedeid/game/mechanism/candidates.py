"""Which released groups a mechanism may have: strategies and values that enough people match, and that are worth it."""

from typing import Any

import numpy as np
import numpy.typing as npt

from gamedeid.arrays import FloatArray, IntArray
from gamedeid.game.mechanism.aware_people import released_groups
from gamedeid.game.mechanism.everybody import Everybody
from gamedeid.kernels.regrouping import NO_GROUP, CandidateGroups
from gamedeid.kernels.tables import WITHHELD
from gamedeid.progress import Progress
from gamedeid.reprs import frozen


@frozen(eq=False)
class Candidates:
    """Candidate groups, and what everybody is worth without them.

    Parameters
    ----------
    groups : of g candidate groups, for the inner loops.
    nodes : (g,) int64, the strategy of each group.
    assured : (p,) weighted dollars, what each profile is worth in the best group that is not among the candidates: one
        that ``largest`` people or more match, or itself alone where it holds enough people.
    """

    groups: CandidateGroups
    nodes: IntArray
    assured: FloatArray


def candidate_groups(
    everybody: Everybody, weights: FloatArray, least: int, largest: int, progress: Progress | None = None
) -> Candidates:
    """Return the groups that between ``least`` and ``largest`` people match and that somebody gains from.

    Left out are groups in which nobody is worth more than is assured to them anyway, and those that hold the same
    profiles as a group at a strategy that is finer in one attribute: everybody in them is worth as much in that one.

    Parameters
    ----------
    everybody : who is released.
    weights : (p,) what each profile counts, >= 0.
    least : people that a group must hold, at least 1.
    largest : people above which a group is not listed, >= ``least``.
    progress : called with (strategies done, strategies in all).
    """
    lattice = everybody.instance.lattice
    assured = _assured(everybody, least, largest)
    nodes, members, sizes, worths = [], [], [], []
    for done, node in enumerate(lattice.walk_order().tolist()):
        values = everybody.values_at(node)
        some = _listed(everybody, node, least, largest)
        gains = some[(weights[some] > 0) & (values[some] > assured[some] + everybody.instance.payoffs.tolerance)]
        if len(gains):
            chosen = np.full(len(values), WITHHELD, np.int64)
            chosen[some] = node
            groups = released_groups(everybody.instance, chosen)
            wanted = np.zeros(len(groups.people), np.bool_)
            wanted[groups.of_profile[gains]] = True
            some = some[wanted[groups.of_profile[some]]]
            some = some[np.argsort(groups.of_profile[some], kind="stable")]
            _, many = np.unique(groups.of_profile[some], return_counts=True)
            nodes.append(np.full(len(many), node))
            members.append(some)
            sizes.append(many)
            worths.append(weights[some] * values[some])
        if progress is not None:
            progress(done + 1, lattice.size)
    tables = compile_groups(_joined(members, np.int64), _joined(sizes, np.int64), _joined(worths, float), weights)
    return Candidates(groups=tables, nodes=_joined(nodes, np.int64), assured=weights * assured)


def with_groups_of(
    everybody: Everybody, candidates: Candidates, nodes: IntArray, weights: FloatArray
) -> tuple[Candidates, IntArray]:
    """Return the candidates with the groups that a mechanism has, and the group of each profile, (p,).

    A group of the mechanism that is not listed has those members that the mechanism puts there. Groups that count for
    nothing are not added: their profiles are in no group.

    Parameters
    ----------
    everybody : who is released.
    candidates : the groups listed so far.
    nodes : (p,) the mechanism: strategies; ``WITHHELD`` for those who have none.
    weights : (p,) what each profile counts.
    """
    groups = candidates.groups
    own = released_groups(everybody.instance, nodes)
    counts = np.bincount(own.of_profile + 1, weights, minlength=len(own.people) + 1)[1:] > 0
    listed = _listed_as(groups, candidates.nodes, nodes, own.of_profile, len(own.people))
    added = np.flatnonzero(counts & (listed == NO_GROUP))
    listed[added] = len(candidates.nodes) + np.arange(len(added))
    listed[~counts] = NO_GROUP
    is_added = np.zeros(len(own.people) + 1, np.bool_)
    is_added[added] = True
    some = np.flatnonzero(is_added[own.of_profile])
    some = some[np.argsort(own.of_profile[some], kind="stable")]
    values = everybody.instance.values(some, nodes[some])
    _, many = np.unique(own.of_profile[some], return_counts=True)
    tables = compile_groups(
        np.concatenate([groups.members, some]),
        np.concatenate([np.diff(groups.starts), many]),
        np.concatenate([groups.worths, weights[some] * values]),
        weights,
    )
    all_nodes = np.concatenate([candidates.nodes, nodes[own.examples[added]]])
    return (
        Candidates(groups=tables, nodes=all_nodes, assured=candidates.assured),
        np.append(listed, NO_GROUP)[own.of_profile],
    )


def compile_groups(members: IntArray, sizes: IntArray, worths: FloatArray, weights: FloatArray) -> CandidateGroups:
    """Return the tables of groups.

    Parameters
    ----------
    members : (f,) profiles, group after group.
    sizes : (g,) how many members each group has.
    worths : (f,) weighted dollars of each.
    weights : (p,) what each profile counts.
    """
    group = np.repeat(np.arange(len(sizes)), sizes)
    wanted = np.bincount(members, minlength=len(weights))
    order = np.lexsort((members, wanted[members], group))  # who could be elsewhere in few groups is taken first
    members, worths = members[order], worths[order]
    counting = np.flatnonzero(weights[members] > 0)
    by_cell = counting[np.lexsort((group[counting], -worths[counting], members[counting]))]
    return CandidateGroups(
        starts=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        members=members.astype(np.int64),
        worths=worths,
        cell_starts=np.searchsorted(members[by_cell], np.arange(len(weights) + 1)).astype(np.int64),
        cell_groups=group[by_cell].astype(np.int64),
        cell_worths=worths[by_cell],
    )


def _assured(everybody: Everybody, least: int, largest: int) -> FloatArray:
    """Return v(g), (p,) dollars, of the best group of ``largest`` people or more, or of a profile that is enough."""
    instance, everyone = everybody.instance, everybody.instance.everyone
    best = np.zeros(len(everyone))
    for node in instance.lattice.walk_order().tolist():
        large = _people_at(everybody, node, everyone) >= largest
        best[large] = np.maximum(best[large], everybody.values_at(node)[large])
    alone = np.flatnonzero((everybody.people >= least) | (everybody.people == 0))
    best[alone] = instance.values(alone, instance.lattice.nodes(instance.base[alone]))
    return best


def _people_at(everybody: Everybody, node: int, profiles: IntArray) -> IntArray:
    """Return n_p of profiles, (k,), at a strategy; 0 for those that it is not open to."""
    instance = everybody.instance
    people = instance.people(profiles, np.full(len(profiles), node, np.int64))
    return np.where((instance.base[profiles] <= instance.lattice.levels_of(node)).all(axis=1), people, 0)


def _listed(everybody: Everybody, node: int, least: int, largest: int) -> IntArray:
    """Return the profiles, (k,), that are in a group of this strategy that is to be listed."""
    living = np.flatnonzero(everybody.people > 0)
    people = _people_at(everybody, node, living)
    inside = (people >= least) & (people < largest)
    living, people = living[inside], people[inside]
    for finer in everybody.instance.lattice.parents(node):
        others = _people_at(everybody, finer, living) != people
        living, people = living[others], people[others]
    return living


def _listed_as(
    groups: CandidateGroups, group_nodes: IntArray, nodes: IntArray, own_group: IntArray, count: int
) -> IntArray:
    """Return which listed group each of ``count`` groups of a mechanism is, (count,); ``NO_GROUP`` where none."""
    of_member = np.repeat(group_nodes, np.diff(groups.starts))
    same = np.flatnonzero(nodes[groups.members] == of_member)
    listed = np.full(count, NO_GROUP, np.int64)
    listed[own_group[groups.members[same]]] = np.repeat(np.arange(len(group_nodes)), np.diff(groups.starts))[same]
    return listed


def _joined(parts: list[Any], kind: npt.DTypeLike) -> Any:
    return np.concatenate(parts).astype(kind) if parts else np.empty(0, kind)
