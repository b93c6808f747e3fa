"""A strategy for everybody of a population, and how others join the groups that it opens."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.choices import AwareGameName, BoundName, PlannedFor
from gamedeid.game.groups.search import is_optimal
from gamedeid.game.mechanism.aware_people import PopulationAndRecords, aware_people
from gamedeid.grouping import distinct_rows
from gamedeid.kernels.tables import WITHHELD
from gamedeid.reprs import frozen
from gamedeid.results.quantities import Amount, Count, Flag, Number, Share
from gamedeid.results.result import Result


@frozen
class AppliedGroups(Result):
    """How many records kept to the groups of a finished plan, by how they did."""

    as_planned: Count
    joined: Count
    withheld_as_planned: Count
    no_group: Count
    group_too_small: Count


@frozen
class PlanFacts(Result):
    """What is known of a plan, as ``mechanism`` of ``summary.json``.

    Parameters
    ----------
    planned_for, bound_by, optimal : as for :class:`Plan`.
    applied : of a finished plan that was applied; without it, the next six.
    people_needed, smallest_group : people of whom a group must have, and the smallest one has.
    attacked, expected_reidentifications : of the records, by a recipient who knows the strategies.
    steps, history : of the search, and (step, payoff, bound) as they became better; None where there is no bound.
    publisher_payoff, payoff_bound : dollars per record.
    """

    planned_for: PlannedFor
    applied: AppliedGroups | None = None
    people_needed: Count | None = None
    smallest_group: Count | None = None
    attacked: Share | None = None
    expected_reidentifications: Number | None = None
    steps: Count | None = None
    history: list[list[Number | None]] | None = None
    publisher_payoff: Amount
    payoff_bound: Amount
    bound_by: BoundName
    optimal: Flag


@frozen(eq=False)
class Plan:
    """A strategy for every profile of the population and of the records.

    Parameters
    ----------
    nodes : (p,) int64, the strategy of each; ``WITHHELD`` where there is none.
    planned_for : whose mean payoff was made large, the "population" or the "records".
    found, bound : mean payoff over the records against a recipient who knows the strategies, dollars: of these
        strategies, and what no others can exceed.
    bound_by : what proved the bound: "naive game", "prices" or "integer program".
    bounds : (q,) dollars that each profile of the records cannot exceed.
    facts : how it was found and what is particular to the game, as keys of :class:`PlanFacts`.
    """

    game: AwareGameName
    everybody: PopulationAndRecords
    nodes: IntArray
    planned_for: PlannedFor
    found: float
    bound: float
    bound_by: BoundName
    bounds: FloatArray
    facts: Mapping[str, Any]

    def as_dict(self) -> dict[str, Any]:
        """Return what is known of it, as ``mechanism`` of ``summary.json``; payoffs are dollars per record."""
        return self.known.as_dict()

    @property
    def known(self) -> PlanFacts:
        """What is known of it; payoffs are dollars per record."""
        return PlanFacts(
            planned_for=self.planned_for,
            **self.facts,
            publisher_payoff=self.found,
            payoff_bound=self.bound,
            bound_by=self.bound_by,
            optimal=self.optimal,
        )

    @property
    def gap(self) -> float:
        """Dollars per record by which other strategies may pay more, at most."""
        return max(self.bound - self.found, 0.0)

    @property
    def optimal(self) -> bool:
        """Whether no strategies pay the records more, but for a ten-thousandth of the bound."""
        return is_optimal(self.found, self.bound)

    @property
    def nodes_of_records(self) -> IntArray:
        """The strategy of each profile of the records, (q,) int64."""
        return self.nodes[self.everybody.of_record_profile]


@frozen(eq=False)
class JoinedStrategies:
    """Strategies of everybody at hand, none of which opens a group; arrays are per profile, (p,).

    Parameters
    ----------
    nodes : int64, the strategy of each; ``WITHHELD`` where there is none.
    planned : whether the finished game has a strategy for the profile, or withholds it.
    shrunk : whether the profile is withheld since its group has fewer people than in the finished game, and too few.
    """

    nodes: IntArray
    planned: BoolArray
    shrunk: BoolArray


def join_groups(before: PopulationAndRecords, chosen: IntArray, now: PopulationAndRecords) -> JoinedStrategies:
    """Return strategies that keep to the groups of a finished game.

    A profile of the finished game keeps its strategy. Another one joins the released group of the greatest v(g) among
    those that match it and are worth no attack with it in them, the first in walk order of equals. Nobody who joins
    makes a group smaller. A group that has fewer people than before is released only if it is worth no attack.

    Parameters
    ----------
    chosen : (b,) the strategy of each of them; ``WITHHELD`` where there is none.
    """
    instance, places = now.instance, _places(before, now)
    planned = places >= 0
    placed = np.where(planned, chosen[places], WITHHELD)
    nodes = join_open_groups(now, placed, np.flatnonzero(~planned))
    people = aware_people(instance, nodes, instance, nodes)
    shrunk = instance.payoffs.attacked(people) & (people < aware_people(before.instance, chosen, instance, nodes))
    return JoinedStrategies(nodes=np.where(shrunk, WITHHELD, nodes), planned=planned, shrunk=shrunk)


def join_open_groups(everybody: PopulationAndRecords, placed: IntArray, joining: IntArray) -> IntArray:
    """Return the strategies, (p,), with those of some profiles who join the best group that is worth no attack.

    Parameters
    ----------
    placed : (p,) strategies of those who are in groups; ``WITHHELD`` for all others.
    joining : (k,) profiles that join a group of those, or stay withheld where none matches.
    """
    instance = everybody.instance
    nodes, best = placed.copy(), np.zeros(len(placed))
    opened = np.unique(placed[placed != WITHHELD]) if len(joining) else joining
    for node in opened[np.argsort(instance.lattice.walk_keys(opened))].tolist():
        mine = np.intersect1d(everybody.may_be_released(node), joining)
        asked = np.full(len(nodes), WITHHELD, np.int64)
        asked[mine] = node
        people = aware_people(instance, np.where(placed == node, node, WITHHELD), instance, asked)[mine]
        values = everybody.values_at(node, mine)
        joins = (people > 0) & ~instance.payoffs.attacked(people + everybody.people[mine])
        joins &= ~instance.payoffs.as_good(best[mine], values)
        nodes[mine[joins]], best[mine[joins]] = node, values[joins]
    return nodes


def _places(before: PopulationAndRecords, now: PopulationAndRecords) -> IntArray:
    """Return which profile of the finished game each one at hand is, (p,); -1 where it is none of them."""
    both = (before.instance.profiles, now.instance.profiles)
    rows = [
        np.concatenate([one.codes, np.zeros_like(one.codes) if one.floors is None else one.floors], axis=1)
        for one in both
    ]
    hierarchies = now.instance.hierarchies.values()
    bases = [*(len(one.leaves) + 1 for one in hierarchies), *(one.levels for one in hierarchies)]
    first, place, _ = distinct_rows(np.concatenate(rows), bases)
    found = np.full(len(first), -1, np.int64)
    found[place[: len(rows[0])]] = np.arange(len(rows[0]))
    return found[place[len(rows[0]) :]]
