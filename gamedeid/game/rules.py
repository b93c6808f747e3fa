"""The strategies that a game permits: the lowest level of each attribute, and whether the adversary may attack."""

import numpy as np

from gamedeid.arrays import BoolArray, IntArray
from gamedeid.choices import GAMES, GameName
from gamedeid.errors import refuse_unknown
from gamedeid.game.instance import Instance
from gamedeid.reprs import frozen


@frozen(eq=False)
class Game:
    """The strategies that a game permits each profile, withholding aside, which is always permitted."""

    name: str
    floors: IntArray  # (q, a) int8, the lowest permitted level of each attribute; the instance's if all are permitted
    forbids_attack: bool  # whether a strategy is ruled out if an adversary who weighs the cost attacks it

    @classmethod
    def of(cls, name: GameName, instance: Instance, policy_levels: IntArray) -> "Game":
        """Return one of the three games (wan2015, "Model"); "sh-friendly" keeps to the policy's levels, (q, a)."""
        refuse_unknown("game", name, GAMES)
        floors = instance.base
        if name == "sh-friendly" and (policy_levels > floors).any():
            floors = np.maximum(floors, policy_levels, dtype=np.int8)
            floors.setflags(write=False)
        return cls(name=name, floors=floors, forbids_attack=name == "no-attack")

    def permits(self, instance: Instance, profiles: IntArray, nodes: IntArray, attacked: BoolArray) -> BoolArray:
        """Return which pairs of profile (k,) and strategy (k,) are permitted, (k,).

        ``attacked``, (k,), are those that an adversary who weighs the cost attacks: background risk rules nothing out.
        """
        permitted = np.asarray((instance.lattice.levels(nodes) >= self.floors[profiles]).all(axis=1))
        return permitted & ~attacked if self.forbids_attack else permitted
