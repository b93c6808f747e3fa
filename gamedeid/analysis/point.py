"""One point of stakes and recipients: what the policy and the games choose there, and what the measures are."""

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from gamedeid.arrays import IntArray
from gamedeid.choices import GAMES, GameName
from gamedeid.game.instance import Instance
from gamedeid.game.outcomes import total_of
from gamedeid.game.recipients import Recipients
from gamedeid.study.study import Study


def compared_names(study: Study) -> tuple[str, ...]:
    """Return the names of the scenario's policy and of the three games, in the order of tables."""
    return (study.scenario_policy.name, *GAMES)


def instance_at(study: Study, stakes: Mapping[str, float], recipients: Recipients | None = None) -> Instance:
    """Return what is played with at other stakes than those of a study.

    Parameters
    ----------
    stakes : name -> dollars, of those that are others; a gain that follows the loss goes with it.
    """
    payoffs = replace(study.instance.payoffs, **stakes)
    return replace(study.instance, payoffs=payoffs, recipients=recipients or study.instance.recipients)


def best_nodes(study: Study, name: str, instance: Instance | None = None) -> IntArray:
    """Return the best strategies of a game, or those of the scenario's policy, (q,) node numbers, -1 where withheld."""
    instance = instance or study.instance
    if name == study.scenario_policy.name:
        return instance.lattice.nodes(study.scenario_policy.levels)
    game = cast("GameName", name)
    return study.frontier(game).choose(instance, forbids_attack=study.game(game).forbids_attack)


def best_measures(study: Study, instance: Instance) -> dict[str, dict[str, float | int]]:
    """Return name -> measures over the records, of the policy and of each game with its best strategies."""
    return {name: total_of(instance, best_nodes(study, name, instance)).measures for name in compared_names(study)}
