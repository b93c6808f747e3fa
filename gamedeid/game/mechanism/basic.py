"""The game aware-basic: a strategy for every profile of the population, paid by those who have chosen it too."""

import numpy as np

from gamedeid.arrays import IntArray, sealed
from gamedeid.data.profiles import Cells
from gamedeid.game.instance import Instance
from gamedeid.game.mechanism.aware_people import released_groups
from gamedeid.game.mechanism.everybody import Everybody
from gamedeid.game.mechanism.options import Replies, list_replies
from gamedeid.game.mechanism.plan import Plan
from gamedeid.game.outcomes import Outcomes
from gamedeid.game.rules import Game
from gamedeid.game.solvers import exact
from gamedeid.kernels.replying import gather, reply_in_turn, scatter
from gamedeid.kernels.tables import WITHHELD
from gamedeid.progress import Phases, Progress, no_progress
from gamedeid.scenario.payoffs import success_probability

PHASES = 3
"""Phases in which such strategies are found."""

MOST_ROUNDS = 1000
"""Rounds after which the replies end even if there could be more."""


def plan_basic(
    instance: Instance, cells: Cells, *, most_rounds: int = MOST_ROUNDS, progress: Phases = no_progress
) -> Plan:
    """Find strategies for everybody that pay well against an adversary who knows them all.

    They begin as in the basic game that everybody plays as if she were a record. Then rounds of replies follow until
    one changes nothing: each profile in turn takes the strategy that pays most while all others stay; groups are formed
    where that pays for all who join at the same time; attacked groups are given up where that pays. What everybody is
    paid in all rises with every change, so the replies end. No reply looks at which profiles the records have.

    Parameters
    ----------
    instance : the question, of the records.
    cells : the population, in the codes of the same hierarchies.
    most_rounds : after which the replies end in any case, >= 0.
    progress : opens a phase by name.

    Returns
    -------
    the strategies; among the ``facts``: ``rounds``, and whether they are ``stable``, the last round changed nothing.
    """
    told = progress("basic game")
    everybody = Everybody.of(instance, cells)
    start, naive = _basic(everybody.instance), _basic(instance)
    bounds = Outcomes(instance=instance, profiles=instance.everyone, nodes=naive).publisher_payoff
    told(1, 1)
    replies = list_replies(everybody, start, progress("what everybody may choose"))
    rounds, stable = _reply(replies, everybody, most_rounds, progress("replies"))
    nodes = _seen_in_groups(everybody, replies.chosen_nodes)
    attacked, reidentified, paid = _against_knowing(everybody, nodes)
    return Plan(
        game="aware-basic",
        everybody=everybody,
        nodes=sealed(nodes, np.int64),
        planned_for="population",
        found=paid,
        bound=float(instance.profiles.records @ bounds / instance.profiles.records.sum()),
        bounds=bounds,
        facts={
            "rounds": rounds,
            "stable": stable,
            "start_payoff": _against_knowing(everybody, start)[2],
            "attacked": attacked,
            "expected_reidentifications": reidentified,
        },
    )


def _basic(instance: Instance) -> IntArray:
    """Return what each profile is released as in the basic game, (q,) int64."""
    return exact(instance, Game.of("basic", instance, instance.base)).nodes.astype(np.int64)


def _reply(replies: Replies, everybody: Everybody, most_rounds: int, progress: Progress) -> tuple[int, bool]:
    """Let everybody reply; return how many rounds there were, and whether the last changed nothing."""
    stakes = everybody.instance.payoffs.stakes
    for done in range(most_rounds):
        moved = sum(step(replies.options, replies.chosen, stakes) for step in (reply_in_turn, gather, scatter))
        progress(done + 1, done + 2)
        if not moved:
            return done + 1, True
    return most_rounds, False


def _seen_in_groups(everybody: Everybody, nodes: IntArray) -> IntArray:
    """Return the strategies, (p,), with those withheld who are nobody of the population and in a group without people.

    Nobody would be released like them, though somebody of the population matches them.
    """
    people = released_groups(everybody.instance, nodes).people_of_profile
    alone = (everybody.people == 0) & (people == 0) & ~everybody.found_by_nobody
    return np.where(alone, WITHHELD, nodes)


def _against_knowing(everybody: Everybody, nodes: IntArray) -> tuple[float, float, float]:
    """Return what an adversary makes of the records who knows everybody's strategy, (p,).

    Returns
    -------
    the share of records that she attacks, the re-identifications to expect of it, and the publisher's mean payoff.
    """
    instance, records = everybody.instance, everybody.records
    released = np.flatnonzero((nodes != WITHHELD) & (records > 0))
    counts, people = records[released], released_groups(instance, nodes).people_of_profile[released]
    attacked = instance.payoffs.attacked(people)
    paid = instance.payoffs.publisher(instance.values(released, nodes[released]), people)
    reidentified = np.where(attacked, success_probability(people), 0.0)
    total = int(records.sum())
    return int(counts[attacked].sum()) / total, float(counts @ reidentified), float(counts @ paid) / total
