"""The game aware-no-attack: a strategy for every profile of the population that a knowing adversary never attacks."""

import numpy as np

from gamedeid.arrays import FloatArray, IntArray, sealed
from gamedeid.choices import PlannedFor
from gamedeid.data.profiles import Cells
from gamedeid.game.instance import Instance
from gamedeid.game.mechanism.aware_people import released_groups
from gamedeid.game.mechanism.bounds import payoff_bound
from gamedeid.game.mechanism.candidates import candidate_groups, list_groups, naive_bounds, with_groups_of
from gamedeid.game.mechanism.everybody import Everybody
from gamedeid.game.mechanism.greedy import by_mean_value, group_greedily
from gamedeid.game.mechanism.improvement import improve
from gamedeid.game.mechanism.plan import Plan
from gamedeid.kernels.regrouping import NO_GROUP
from gamedeid.kernels.tables import WITHHELD
from gamedeid.progress import Phases, no_progress

PHASES = 4
"""Phases in which such a mechanism is found."""

STEPS = 2
"""Steps of the search for each profile of the population, unless the scenario says how many there are."""

MOST_STEPS = 300_000
"""Steps of the search at most, unless the scenario says how many."""

_SEARCHED = 4
"""The search opens groups that up to so many times the least number of people match; others stay as they began."""

_BOUNDED = 8
"""The bound counts groups that more people match than so many times the least number as open to everybody in them."""


def plan_no_attack(
    instance: Instance,
    cells: Cells,
    *,
    planned_for: PlannedFor = "population",
    steps: int | None = None,
    progress: Phases = no_progress,
) -> Plan:
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

    Returns
    -------
    the strategies; among their ``facts``: ``people_needed``, that each released group holds at least;
    ``smallest_group``, the people of the smallest with a record in it, 0 where nothing is released; and
    ``greedy_payoff``, what the search began with.
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
    searched, bounded = _SEARCHED * least, _BOUNDED * least
    listing = list_groups(everybody, least, (searched, bounded), progress("possible groups"))
    listed = candidate_groups(everybody, listing, weights, searched)
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
    listed = candidate_groups(everybody, listing, records, bounded)
    bound = payoff_bound(listed, sizes, least=least, found=found, progress=progress("bound"))
    count = records.sum()
    return Plan(
        game="aware-no-attack",
        everybody=everybody,
        nodes=sealed(nodes, np.int64),
        planned_for=planned_for,
        found=found / count,
        bound=bound / count,
        bounds=naive_bounds(everybody),
        facts={
            "steps": steps,
            "people_needed": least,
            "smallest_group": smallest_group(everybody, nodes),
            "greedy_payoff": _total(everybody, greedy, records) / count,
        },
    )


def smallest_group(everybody: Everybody, nodes: IntArray) -> int:
    """Return how many people the smallest group with a record in it is chosen by; 0 where nothing is released.

    Parameters
    ----------
    everybody : who is released.
    nodes : (p,) a strategy of each; ``WITHHELD`` where there is none.
    """
    people = released_groups(everybody.instance, nodes).people_of_profile
    shown = people[(everybody.records > 0) & (everybody.people > 0) & (nodes != WITHHELD)]
    return int(shown.min()) if len(shown) else 0


def _alone(everybody: Everybody) -> IntArray:
    """Return the finest strategy, (p,), for records that nobody matches there; ``WITHHELD`` for all others.

    Nobody can be found by them as they are.
    """
    instance = everybody.instance
    bases = instance.lattice.nodes(instance.base)
    return np.where(everybody.found_by_nobody, bases, WITHHELD)


def _total(everybody: Everybody, nodes: IntArray, weights: FloatArray) -> float:
    """Return the sum of v(g) over everybody who is released, dollars times their weights."""
    released = np.flatnonzero((nodes != WITHHELD) & (weights > 0))
    return float(weights[released] @ everybody.instance.values(released, nodes[released]))
