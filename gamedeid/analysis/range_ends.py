"""Does the answer still stand at one other value of a stake? Asked of the rules themselves, for the ends of ranges."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import combinations
from typing import cast

import numpy as np

from gamedeid.arrays import IntArray
from gamedeid.choices import GAMES, GameName
from gamedeid.game.solvers import Choice
from gamedeid.reprs import frozen
from gamedeid.scenario.grid import StakeName
from gamedeid.scenario.payoffs import TIE, Payoffs
from gamedeid.study.solution import Solution
from gamedeid.study.study import Study

EQUAL = 4 * TIE
"""Mean payoffs closer than this share of the benefit are equal."""


@frozen(eq=False, slots=False)
class Answers:
    """What the policy and every game do at the same stakes.

    Parameters
    ----------
    study : the question, at these stakes.
    nodes : policy or game -> strategy of each profile, (q,) node numbers, -1 where withheld.
    """

    study: Study
    nodes: Mapping[str, IntArray]

    @classmethod
    def of(cls, study: Study) -> "Answers":
        """Return the answers at the study's own stakes."""
        policy = study.instance.lattice.nodes(study.scenario_policy.levels)
        games: dict[str, IntArray] = {name: best_nodes(study, name, study.instance.payoffs) for name in GAMES}
        return cls(study=study, nodes={study.scenario_policy.name: policy, **games})

    @cached_property
    def means(self) -> dict[str, float]:
        """The publisher's mean payoff under the policy and each game, dollars."""
        return {name: _mean_payoff(self.study, nodes) for name, nodes in self.nodes.items()}

    def at(self, stake: StakeName, value: float) -> "Answers":
        """Return the answers where one stake has another value."""
        payoffs = payoffs_at(self.study, stake, value)
        there = replace(self.study, instance=replace(self.study.instance, payoffs=payoffs))
        nodes: dict[str, IntArray] = {name: best_nodes(self.study, name, payoffs) for name in GAMES}
        return Answers(study=there, nodes={**self.nodes, **nodes})

    def ranks_alike(self, order: Sequence[str], stake: StakeName, value: float) -> bool:
        """Tell whether no two policies, the best first, change places where one stake has another value."""
        there = self.at(stake, value)
        least_here, least_there = (EQUAL * one.study.instance.payoffs.benefit for one in (self, there))
        return not any(
            self.means[upper] - self.means[lower] > least_here and there.means[lower] - there.means[upper] > least_there
            for upper, lower in combinations(order, 2)
        )


def payoffs_at(study: Study, stake: StakeName, value: float) -> Payoffs:
    """Return the stakes of a study with another value for one of them."""
    return replace(study.instance.payoffs, **{stake: value})


def best_nodes(study: Study, game: str, payoffs: Payoffs) -> IntArray:
    """Return the best strategies, (q,) node numbers, of a game at some stakes; -1 where withheld."""
    name = cast("GameName", game)
    instance = replace(study.instance, payoffs=payoffs)
    return study.frontier(name).choose(instance, forbids_attack=study.game(name).forbids_attack)


def _mean_payoff(study: Study, nodes: IntArray) -> float:
    """Return the publisher's mean payoff, dollars, of strategies (q,) at the stakes of a study."""
    choice = Choice(nodes=nodes, searched=np.zeros(len(nodes), np.int64), proved=False)
    return float(Solution(study=study, name="", solver=None, choice=choice).measures["publisher_payoff"])
