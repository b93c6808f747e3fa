"""What could be done with each profile: the strategies that may be best within some limits, and what each comes to."""

import numpy as np

from gamedeid.arrays import ROUNDING, BoolArray, FloatArray, IntArray
from gamedeid.game.frontier import Frontier
from gamedeid.game.instance import Instance
from gamedeid.game.replies import Replies
from gamedeid.kernels.tables import WITHHELD
from gamedeid.reprs import frozen
from gamedeid.scenario.payoffs import Payoffs


@frozen(eq=False)
class Candidates:
    """Strategies of all profiles, profile after profile, and what each comes to for one record; e in all.

    Parameters
    ----------
    starts : (q + 1,) int64, where each profile's candidates begin; each has at least one.
    nodes : (e,) int64 node numbers; -1 for withholding.
    publisher_payoff : (e,) dollars, the expected loss included.
    information_loss : (e,) IL, in [0, 1]; 1 where withheld.
    replies : (e,) what each adversary does about them; nobody finds anybody in what is withheld.
    """

    starts: IntArray
    nodes: IntArray
    publisher_payoff: FloatArray
    information_loss: FloatArray
    replies: Replies


def candidates(
    instance: Instance, frontier: Frontier, *, forbids_attack: bool, record_risk: float | None = None
) -> Candidates:
    """Return the strategies of each profile that can be best within limits on sums over the dataset.

    These are the attacked ones of its frontier, the first unattacked one, and withholding where there is no unattacked
    one. Each other strategy has no greater payoff than one of these, no smaller information loss, and no smaller
    expected loss, chance of re-identification and gain for any adversary; so no limit is a reason to choose it.

    Parameters
    ----------
    instance : what the game is played with.
    frontier : of the game.
    forbids_attack : whether strategies are ruled out that are attacked by somebody whom a cost can deter.
    record_risk : the greatest chance of re-identification that a released record may have; any unless given.
    """
    entries, replies = frontier.entries, frontier.replies(instance)
    permitted = within_risk(replies, record_risk)
    if forbids_attack:
        permitted &= ~replies.deterrable
    profile = np.repeat(np.arange(instance.profiles.count), frontier.lengths)
    safe = _first_unattacked(instance.payoffs, frontier, permitted & ~replies.attacked, profile)
    taken = np.flatnonzero(permitted & replies.attacked)
    withheld = np.setdiff1d(np.arange(instance.profiles.count), profile[safe], assume_unique=True)
    rows = np.concatenate([taken, safe])
    profiles = np.concatenate([profile[rows], withheld])
    order = np.argsort(profiles, kind="stable")
    none = len(withheld)
    chosen = Replies(
        adversaries=instance.adversaries,
        people=tuple(np.concatenate([people[rows], np.zeros(none, np.int64)])[order] for people in replies.people),
    )
    shares = np.concatenate([entries.benefit_share[rows], np.zeros(none)])[order]
    return Candidates(
        starts=np.searchsorted(profiles[order], np.arange(instance.profiles.count + 1)),
        nodes=np.concatenate([frontier.nodes[rows], np.full(none, WITHHELD, np.int64)])[order],
        publisher_payoff=instance.payoffs.benefit * shares - chosen.expected_loss,
        information_loss=1.0 - shares,
        replies=chosen,
    )


def within_risk(replies: Replies, record_risk: float | None) -> BoolArray:
    """Return whether records keep to a chance of re-identification, (k,), whether attacking them pays or not.

    Of several recipients the chances are added up: what is expected if all of them attack, and at least the chance
    that anybody names the right person.

    Parameters
    ----------
    replies : of the adversaries.
    record_risk : the greatest chance; any unless given.
    """
    risk = replies.if_all_attacked
    if record_risk is None:
        return np.ones(len(risk), np.bool_)
    within: BoolArray = risk * (1 - ROUNDING) <= record_risk
    return within


def _first_unattacked(payoffs: Payoffs, frontier: Frontier, safe: BoolArray, profile: IntArray) -> IntArray:
    """Return the entry of each profile that it is best to release unattacked, the first in walk order among equals."""
    entries, tolerance = frontier.entries, payoffs.tolerance / payoffs.benefit
    places = np.flatnonzero(safe)
    best = np.zeros(len(entries.starts) - 1)
    np.maximum.at(best, profile[places], entries.benefit_share[places])
    places = places[entries.benefit_share[places] > best[profile[places]] - tolerance]
    places = places[np.lexsort((entries.walk_keys[places], profile[places]))]
    first = np.unique(profile[places], return_index=True)[1]
    chosen: IntArray = places[first]
    return chosen
