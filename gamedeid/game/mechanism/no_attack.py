"""The game aware-no-attack: a strategy for every profile of the population that a knowing adversary never attacks."""

from typing import Any

import numpy as np

from gamedeid.arrays import FloatArray, IntArray, sealed
from gamedeid.choices import PlannedFor
from gamedeid.data.profiles import Cells
from gamedeid.game.instance import Instance
from gamedeid.game.mechanism.aware_people import released_groups
from gamedeid.game.mechanism.bounds import payoff_bound
from gamedeid.game.mechanism.candidates import candidate_groups, with_groups_of
from gamedeid.game.mechanism.everybody import Everybody
from gamedeid.game.mechanism.greedy import by_mean_value, group_greedily
from gamedeid.game.mechanism.improvement import improve
from gamedeid.kernels.regrouping import NO_GROUP
from gamedeid.kernels.tables import WITHHELD
from gamedeid.progress import Phases, no_progress
from gamedeid.reprs import frozen

PHASES = 5
"""Phases in which such a mechanism is found."""

STEPS = 2
"""Steps of the search for each profile of the population, unless the scenario says how many there are."""

MOST_STEPS = 300_000
"""Steps of the search at most, unless the scenario says how many."""

_SEARCHED = 4
"""The search opens groups that up to so many times the least number of people match; others stay as they began."""

_BOUNDED = 8
"""The bound counts groups that more people match than so many times the least number as open to everybody in them."""


@frozen(eq=False)
class NoAttackMechanism:
    """A strategy for everybody, such that each released group is chosen by too many people to be attacked.

    Parameters
    ----------
    everybody : who has a strategy.
    nodes : (p,) int64, the strategy of each; ``WITHHELD`` where there is none.
    least : people that each released group holds at least.
    greedy, found, bound : mean payoff over the records, dollars: of the greedy it starts from, of these strategies, and
        what no mechanism can exceed.
    planned_for : whose mean payoff was made large, the "population" or the "records".
    steps : of the search.
    """

    everybody: Everybody
    nodes: IntArray
    least: int
    greedy: float
    found: float
    bound: float
    planned_for: PlannedFor
    steps: int

    def as_dict(self) -> dict[str, Any]:
        """Return what is known of it, as ``mechanism`` of ``summary.json``; payoffs are dollars per record."""
        return {
            "planned_for": self.planned_for,
            "steps": self.steps,
            "people_needed": self.least,
            "smallest_group": self.smallest_group,
            "greedy_payoff": self.greedy,
            "publisher_payoff": self.found,
            "payoff_bound": self.bound,
        }

    @property
    def gap(self) -> float:
        """Dollars per record by which another mechanism may pay more, at most."""
        return max(self.bound - self.found, 0.0)

    @property
    def naive_bounds(self) -> FloatArray:
        """Dollars that each profile of the records cannot exceed, (q,): its best strategy that enough people match."""
        instance = self.everybody.instance
        profiles = self.everybody.of_record_profile
        best = np.zeros(len(profiles))
        for node in instance.lattice.walk_order().tolist():
            nodes = np.full(len(profiles), node, np.int64)
            permitted = (instance.base[profiles] <= instance.lattice.levels_of(node)).all(axis=1)
            permitted &= ~instance.payoffs.attacked(instance.people(profiles, nodes))
            best = np.where(permitted, np.maximum(best, instance.values(profiles, nodes)), best)
        return best

    @property
    def nodes_of_records(self) -> IntArray:
        """The strategy of each profile of the records, (q,) int64."""
        return self.nodes[self.everybody.of_record_profile]

    @property
    def smallest_group(self) -> int:
        """How many people the smallest group with a record in it is chosen by; 0 where nothing is released."""
        people = released_groups(self.everybody.instance, self.nodes).people_of_profile
        shown = people[(self.everybody.records > 0) & (self.everybody.people > 0) & (self.nodes != WITHHELD)]
        return int(shown.min()) if len(shown) else 0


def plan_no_attack(
    instance: Instance,
    cells: Cells,
    *,
    planned_for: PlannedFor = "population",
    steps: int | None = None,
    progress: Phases = no_progress,
) -> NoAttackMechanism:
    """Find a mechanism that a knowing adversary never attacks.

    Groups are formed greedily, then improved by local search. That is no proof that none is better; ``bound`` tells how
    much better one could be at most.

    Parameters
    ----------
    instance : the question, of the records.
    cells : the population, in the codes of the same hierarchies.
    planned_for : whose mean payoff is made large: that of the "population", without a look at which profiles the
        records have, or that of the "records".
    steps : of the search, >= 0; by the size of the population unless given.
    progress : opens a phase by name.
    """
    everybody = Everybody.of(instance, cells)
    payoffs, sizes = instance.payoffs, everybody.people
    least = payoffs.attack_limit + 1
    if steps is None:
        steps = min(STEPS * len(sizes), MOST_STEPS)
    records = everybody.records.astype(float)
    weights = records if planned_for == "records" else np.where(sizes > 0, sizes, everybody.records > 0).astype(float)
    order = by_mean_value(everybody, records)
    start = _alone(everybody)
    greedy = group_greedily(everybody, start, order, least, progress("first groups"))
    listed = candidate_groups(everybody, weights, least, _SEARCHED * least, progress("possible groups"))
    listed, group = with_groups_of(everybody, listed, greedy, weights)
    group = improve(
        listed,
        np.where(sizes > 0, group, NO_GROUP),  # who is nobody of the population joins the groups that there are at last
        sizes,
        weights,
        least=least,
        benefit=float(payoffs.benefit),
        steps=steps,
        progress=progress("better groups"),
    )
    grouped = np.where(group >= 0, np.append(listed.nodes, WITHHELD)[group], start)
    improved = group_greedily(everybody, grouped, order, least)
    better = _total(everybody, improved, weights) > _total(everybody, greedy, weights)
    nodes = improved if better else greedy
    found = _total(everybody, nodes, records)
    listed = candidate_groups(everybody, records, least, _BOUNDED * least, progress("groups for the bound"))
    bound = payoff_bound(listed, sizes, least=least, found=found, progress=progress("bound"))
    count = records.sum()
    return NoAttackMechanism(
        everybody=everybody,
        nodes=sealed(nodes, np.int64),
        least=least,
        greedy=_total(everybody, greedy, records) / count,
        found=found / count,
        bound=bound / count,
        planned_for=planned_for,
        steps=steps,
    )


def _alone(everybody: Everybody) -> IntArray:
    """Return the finest strategy, (p,), for records that nobody matches there; ``WITHHELD`` for all others.

    Nobody can be found by them as they are.
    """
    instance = everybody.instance
    alone = np.flatnonzero(everybody.people == 0)
    base = instance.lattice.nodes(instance.base[alone])
    nodes = np.full(instance.profiles.count, WITHHELD, np.int64)
    nodes[alone] = np.where(instance.people(alone, base) == 0, base, WITHHELD)
    return nodes


def _total(everybody: Everybody, nodes: IntArray, weights: FloatArray) -> float:
    """Return the sum of v(g) over everybody who is released, dollars times their weights."""
    released = np.flatnonzero((nodes != WITHHELD) & (weights > 0))
    return float(weights[released] @ everybody.instance.values(released, nodes[released]))
