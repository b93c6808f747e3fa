"""Better groups step by step: some that share people are destroyed and repaired at random; what pays more stays."""

import numpy as np

from gamedeid.arrays import FloatArray, IntArray
from gamedeid.game.groups.listing import Listing
from gamedeid.kernels.group_opening import NO_GROUP
from gamedeid.kernels.group_repair import Neighbourhoods, Placement, Proposals, accept_repairs, propose_repairs
from gamedeid.kernels.group_rules import KeptTables
from gamedeid.parallel import in_slices

_TRIES, _PROFILES_A_TRY = 64, 128
"""Neighbourhoods that are looked at in one step: at least so many, and one for so many profiles. Each is looked at by
itself, so that the answer does not depend on the cores."""

_REPAIRS, _NOISE, _MOST_PROFILES = 4, 0.004, 1000
"""Repairs of each, the share of V by which the order of groups is disturbed, and profiles that are freed together."""


class Repairs:
    """Groups that are open among some that may be, which steps of destroying and repairing improve.

    Parameters
    ----------
    listing : groups that may be open, from the greatest value down.
    kept : what groups must show.
    group_of : (p,) the group of each profile to begin with; NO_GROUP where it is in none.
    prices : (p,) dollars that each person of a profile asks.
    """

    def __init__(self, listing: Listing, kept: KeptTables, group_of: IntArray, prices: FloatArray) -> None:
        self._listing, self._kept = listing, kept
        groups, count = listing.groups, len(listing.nodes)
        placed = np.flatnonzero(group_of != NO_GROUP)
        held, shown = np.zeros(count, np.int64), np.zeros((count, kept.counts.shape[1]), np.int64)
        np.add.at(held, group_of[placed], groups.people[placed])
        if len(kept.kinds):
            np.add.at(shown, group_of[placed], kept.counts[placed])
        self.placement = Placement(group_of.copy(), held, shown, np.full(count, -1, np.int64))
        starts, groups_of = listing.by_profile()
        scale = float(groups.values.max(initial=0.0))
        most = min(_MOST_PROFILES, len(group_of))
        self._around = Neighbourhoods(starts, groups_of, prices, most, _REPAIRS, _NOISE * scale)
        self._tries = max(_TRIES, len(group_of) // _PROFILES_A_TRY)
        shape = (self._tries, most)
        self._proposals = Proposals(
            np.zeros(self._tries), np.zeros(self._tries, np.int64), np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        )

    def improve(self, step: int) -> float:
        """Look at some neighbourhoods; return what is gained, dollars, 0 or more.

        Parameters
        ----------
        step : its number, above those of all steps before; random numbers depend on it.
        """
        groups, kept, placement, proposals = self._listing.groups, self._kept, self.placement, self._proposals
        if not len(groups.values):
            return 0.0

        def look(start: int, stop: int) -> None:
            propose_repairs(groups, kept, placement, self._around, step, start, stop, proposals)

        in_slices(look, self._tries, least=4)
        return float(accept_repairs(groups, kept, placement, step, proposals))
