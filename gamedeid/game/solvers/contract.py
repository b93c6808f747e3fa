"""The contract of all solvers: the same answer to the same game, and how it was found."""

from typing import Protocol

import numpy as np

from gamedeid.arrays import FloatArray, IntArray
from gamedeid.game.instance import Instance
from gamedeid.game.rules import Game
from gamedeid.kernels.tables import WITHHELD, CountsOrScanned, PlayedGame
from gamedeid.progress import Progress, unreported
from gamedeid.reprs import frozen


@frozen(eq=False)
class Choice:
    """The publisher's strategy for every profile."""

    nodes: IntArray  # (q,) int32 or int64 node numbers of the lattice; ``WITHHELD`` where the record is withheld
    searched: IntArray  # (q,) int32 or int64, strategies whose payoff was evaluated to find it
    proved: bool  # whether the strategies are known to be the best permitted ones
    bounds: FloatArray | None = None  # (q,) dollars that no permitted strategy exceeds; None: the payoff found

    @classmethod
    def unsearched(cls, nodes: IntArray, *, proved: bool = False, bounds: FloatArray | None = None) -> "Choice":
        """Return strategies that no search has found: those of a policy, a file or a compiled frontier."""
        return cls(nodes=nodes, searched=np.zeros(len(nodes), np.int64), proved=proved, bounds=bounds)


WORTH_A_THREAD = 2**15
"""Profiles whose search is worth a thread."""


class Solver(Protocol):
    """Solve one game for every profile.

    The strategy chosen is the first in walk order among the permitted ones whose payoff is within ``payoffs.tolerance``
    of the best; the record is withheld when nothing is permitted or the best payoff is below 0 by at least the
    tolerance.
    A solver that does not prove the best (``proved`` false) keeps to the same rules for its answers.
    """

    def __call__(self, instance: Instance, game: Game, *, progress: Progress = unreported) -> Choice:
        """Return the choice for every profile; ``progress`` is called with (profiles done, profiles in all)."""


def withhold_losses(instance: Instance, nodes: IntArray, payoffs: FloatArray) -> IntArray:
    """Return ``nodes``, (q,), with ``WITHHELD`` where the publisher's payoff, (q,) dollars, is below 0."""
    return np.where(instance.payoffs.as_good(payoffs, 0.0), nodes, WITHHELD)


def compiled_game(instance: Instance, game: Game, counts: CountsOrScanned) -> PlayedGame[CountsOrScanned]:
    """Return a game for the compiled loops, with people counted by ``counts``."""
    return PlayedGame(
        counts=counts,
        hierarchies=instance.hierarchy_tables,
        codes=instance.profiles.codes,
        floors=game.floors,
        stakes=instance.payoffs.stakes,
        recipients=instance.recipients.tables(instance.payoffs),
        forbids_attack=game.forbids_attack,
    )
