"""Which released groups a mechanism may have: strategies and values that enough people match, and that are worth it."""

from collections.abc import Sequence
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


@frozen(eq=False)
class Listing:
    """The groups that enough people match, and not too many, before anybody's gain is looked at.

    Parameters
    ----------
    members : strategy -> (k,) profiles in a group of it that is listed.
    people : strategy -> (k,) people who match each of them there, n_p.
    assured : number of people -> (p,) dollars, what each profile is worth in the best group that so many people or more
        match, or itself alone where it holds enough people.
    """

    members: dict[int, IntArray]
    people: dict[int, IntArray]
    assured: dict[int, FloatArray]


def list_groups(everybody: Everybody, least: int, largest: Sequence[int], progress: Progress | None = None) -> Listing:
    """Return the groups that at least ``least`` and fewer than the greatest of ``largest`` people match.

    Left out are those that hold the same profiles as a group at a strategy that is finer in one attribute: everybody in
    them is worth as much in that one.

    Parameters
    ----------
    everybody : who is released.
    least : people that a group must hold, at least 1.
    largest : numbers of people, each >= ``least``, above which :func:`candidate_groups` may leave groups out.
    progress : called with (strategies done, strategies in all).
    """
    lattice, everyone = everybody.instance.lattice, everybody.instance.everyone
    living = everybody.people > 0
    members: dict[int, IntArray] = {}
    matching: dict[int, IntArray] = {}
    number, count = np.min_scalar_type(len(everyone)), np.min_scalar_type(max(largest))  # there are many of them
    assured = {most: np.zeros(len(everyone)) for most in largest}
    for done, node in enumerate(lattice.walk_order().tolist()):
        people = _people_at(everybody, node, everyone)
        large = np.flatnonzero(people >= min(largest))
        values = everybody.values_at(node, large)
        for most, best in assured.items():
            enough = people[large] >= most
            best[large[enough]] = np.maximum(best[large[enough]], values[enough])
        some = np.flatnonzero(living & (people >= least) & (people < max(largest)))
        for finer in lattice.parents(node):
            some = some[_people_at(everybody, finer, some) != people[some]]
        if len(some):
            members[node], matching[node] = some.astype(number), people[some].astype(count)
        if progress is not None:
            progress(done + 1, lattice.size)
    alone = np.flatnonzero((everybody.people >= least) | (everybody.people == 0))
    for best in assured.values():
        best[alone] = everybody.instance.values(alone, lattice.nodes(everybody.instance.base[alone]))
    return Listing(members=members, people=matching, assured=assured)


def candidate_groups(everybody: Everybody, listing: Listing, weights: FloatArray, largest: int) -> Candidates:
    """Return the groups of a listing that fewer than ``largest`` people match and that somebody gains from.

    Left out are groups in which nobody is worth more than is assured to them anyway.

    Parameters
    ----------
    everybody : who is released.
    listing : of the same people.
    weights : (p,) what each profile counts, >= 0.
    largest : people above which a group is not a candidate; one of those that the listing was made for.
    """
    instance, assured = everybody.instance, listing.assured[largest]
    nodes, members, sizes, worths = [], [], [], []
    for node, listed in listing.members.items():
        some = listed[listing.people[node] < largest].astype(np.int64)
        values = everybody.values_at(node, some)
        gains = (weights[some] > 0) & (values > assured[some] + instance.payoffs.tolerance)
        if not gains.any():
            continue
        chosen = np.full(len(weights), WITHHELD, np.int64)
        chosen[some] = node
        groups = released_groups(instance, chosen)
        group = groups.of_profile[some]
        wanted = np.zeros(len(groups.people), np.bool_)
        wanted[group[gains]] = True
        kept = np.flatnonzero(wanted[group])
        kept = kept[np.argsort(group[kept], kind="stable")]
        _, many = np.unique(group[kept], return_counts=True)
        nodes.append(np.full(len(many), node))
        members.append(some[kept])
        sizes.append(many)
        worths.append(weights[some[kept]] * values[kept])
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


def naive_bounds(everybody: Everybody) -> FloatArray:
    """Return v(g), (q,) dollars, of the best strategy at which enough people match each profile of the records.

    Fewer people have chosen a group than match it, so that no strategies without attacks pay a record more.

    Parameters
    ----------
    everybody : who is released.
    """
    instance, profiles = everybody.instance, everybody.of_record_profile
    best = np.zeros(len(profiles))
    for node in instance.lattice.walk_order().tolist():
        open_to = (instance.base[profiles] <= instance.lattice.levels_of(node)).all(axis=1)
        safe = open_to & ~instance.payoffs.attacked(_people_at(everybody, node, profiles))
        best[safe] = np.maximum(best[safe], everybody.values_at(node, profiles[safe]))
    return best


def _people_at(everybody: Everybody, node: int, profiles: IntArray) -> IntArray:
    """Return n_p of profiles, (k,), at a strategy; 0 for those that it is not open to."""
    instance = everybody.instance
    people = instance.people(profiles, np.full(len(profiles), node, np.int64))
    if not instance.base.any():  # no value is missing: all strategies are open to everybody
        return people
    return np.where((instance.base[profiles] <= instance.lattice.levels_of(node)).all(axis=1), people, 0)


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
