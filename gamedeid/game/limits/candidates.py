"""What could be done with each profile: the strategies that may be best within some limits, and what each comes to."""

import numpy as np

from gamedeid.arrays import ROUNDING, BoolArray, FloatArray, IntArray
from gamedeid.game.frontier import Frontier
from gamedeid.game.instance import Instance
from gamedeid.kernels.tables import NOBODY, WITHHELD
from gamedeid.reprs import frozen
from gamedeid.scenario.payoffs import success_probability


@frozen(eq=False)
class Candidates:
    """Strategies of all profiles, profile after profile, and what each comes to for one record; e in all.

    Parameters
    ----------
    starts : (q + 1,) int64, where each profile's candidates begin; each has at least one.
    nodes : (e,) int64 node numbers; -1 for withholding.
    publisher_payoff : (e,) dollars, the expected loss included.
    expected_loss : (e,) dollars that the publisher loses to attacks.
    success_probability : (e,) pi, in [0, 1]; 0 where withheld.
    attacked : (e,) whether an attack pays.
    adversary_payoff : (e,) dollars; 0 where no attack pays.
    information_loss : (e,) IL, in [0, 1]; 1 where withheld.
    """

    starts: IntArray
    nodes: IntArray
    publisher_payoff: FloatArray
    expected_loss: FloatArray
    success_probability: FloatArray
    attacked: BoolArray
    adversary_payoff: FloatArray
    information_loss: FloatArray


def candidates(frontier: Frontier, *, forbids_attack: bool, record_risk: float | None = None) -> Candidates:
    """Return the strategies of each profile that can be best within limits on sums over the dataset.

    These are the attacked ones of its frontier, the first unattacked one, and withholding where there is no unattacked
    one. Each other strategy has no greater payoff than one of these, no smaller information loss, and no smaller
    expected loss, chance of re-identification and gain for the adversary; so no limit is a reason to choose it.

    Parameters
    ----------
    frontier : of the game.
    forbids_attack : whether strategies that are attacked are ruled out.
    record_risk : the greatest chance of re-identification that a released record may have; any unless given.
    """
    instance, entries = frontier.instance, frontier.entries
    payoffs = instance.payoffs
    people = np.where(entries.people == NOBODY, 0, entries.people)
    attacked = payoffs.attacked(people)
    permitted = within_risk(people, record_risk)
    if forbids_attack:
        permitted &= ~attacked
    profile = np.repeat(np.arange(instance.profiles.count), frontier.lengths)
    safe = _first_unattacked(frontier, permitted & ~attacked, profile)
    taken = np.flatnonzero(permitted & attacked)
    withheld = np.setdiff1d(np.arange(instance.profiles.count), profile[safe], assume_unique=True)
    rows = np.concatenate([taken, safe])
    profiles = np.concatenate([profile[rows], withheld])
    nodes = np.concatenate([frontier.nodes[rows], np.full(len(withheld), WITHHELD, np.int64)])
    shares = np.concatenate([entries.benefit_share[rows], np.zeros(len(withheld))])
    return _candidates(instance, profiles, nodes, np.concatenate([people[rows], np.zeros(len(withheld), int)]), shares)


def within_risk(people: IntArray, record_risk: float | None) -> BoolArray:
    """Return whether groups of these sizes, (k,), keep to a chance of re-identification; nobody is found among none."""
    if record_risk is None:
        return np.ones(len(people), np.bool_)
    within: BoolArray = (people == 0) | (people * record_risk >= 1 - ROUNDING)
    return within


def _first_unattacked(frontier: Frontier, safe: BoolArray, profile: IntArray) -> IntArray:
    """Return the entry of each profile that it is best to release unattacked, the first in walk order among equals."""
    entries, tolerance = frontier.entries, frontier.instance.payoffs.tolerance / frontier.instance.payoffs.benefit
    places = np.flatnonzero(safe)
    best = np.zeros(len(entries.starts) - 1)
    np.maximum.at(best, profile[places], entries.benefit_share[places])
    places = places[entries.benefit_share[places] > best[profile[places]] - tolerance]
    places = places[np.lexsort((entries.walk_keys[places], profile[places]))]
    first = np.unique(profile[places], return_index=True)[1]
    chosen: IntArray = places[first]
    return chosen


def _candidates(
    instance: Instance, profiles: IntArray, nodes: IntArray, people: IntArray, shares: FloatArray
) -> Candidates:
    """Return candidates in the order of the profiles, and within one in that of the frontier."""
    order = np.argsort(profiles, kind="stable")
    profiles, nodes, people, shares = profiles[order], nodes[order], people[order], shares[order]
    payoffs = instance.payoffs
    value = payoffs.benefit * shares
    paid = payoffs.publisher(value, people)
    return Candidates(
        starts=np.searchsorted(profiles, np.arange(instance.profiles.count + 1)),
        nodes=nodes,
        publisher_payoff=paid,
        expected_loss=value - paid,
        success_probability=success_probability(people),
        attacked=payoffs.attacked(people),
        adversary_payoff=payoffs.adversary(people),
        information_loss=1.0 - shares,
    )
