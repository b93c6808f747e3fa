"""For every profile the stretches of one stake on which its strategy, and who attacks it, stay the same."""

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

import numpy as np

from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.game.frontier import Frontier
from gamedeid.kernels.tables import NOBODY, WITHHELD
from gamedeid.progress import Progress
from gamedeid.reprs import frozen
from gamedeid.scenario.grid import StakeName
from gamedeid.scenario.payoffs import Payoffs

AT_ONCE = 1 << 12
"""Stretches that are found at once: enough that the calls cost nothing, few enough that other work need not wait."""


class Found(Protocol):
    """Room for stretches that a compiled loop writes; ``ends``, (q,), says where those of each profile end."""

    @property
    def lows(self) -> FloatArray:
        """Lower ends, (room,) dollars."""

    @property
    def ends(self) -> IntArray:
        """Where the stretches of each profile end, (q,) int64."""

    def __getitem__(self, place: Any, /) -> Any: ...


Room = TypeVar("Room", bound=Found)


@frozen(eq=False)
class StakeStretches:
    """For every profile the stretches of one stake on which strategy and replies stay the same.

    The stretches of a profile cover all values from 0 on: each ends where the next begins, the last never. At the very
    value between two of them an adversary is indifferent, or two strategies pay the same.

    Parameters
    ----------
    stake : which one is varied; the others are fixed, except a gain that follows the loss.
    starts : (q + 1,) int64, where each profile's stretches begin.
    lows : (s,) lower end of each stretch, dollars; a profile's first is 0.
    nodes : (s,) int64 node numbers, -1 where the record is withheld.
    replies : (s,) who attacks: whether the one adversary does; of several a bit for each, int64, the first the lowest.
    benefit_share : (s,) v(g) / V = 1 - IL; 0 where withheld.
    losses : what attacks cost the publisher on average, as a line in the stake: (s,) dollars at 0, and (s,) for each
        dollar of the stake.
    """

    stake: StakeName
    starts: IntArray
    lows: FloatArray
    nodes: IntArray
    replies: IntArray | BoolArray
    benefit_share: FloatArray
    losses: tuple[FloatArray, FloatArray]

    @property
    def attacked(self) -> BoolArray:
        """Whether anybody attacks, (s,)."""
        attacked: BoolArray = self.replies != 0
        return attacked

    @property
    def profiles(self) -> IntArray:
        """Which profile each stretch belongs to, (s,) int64."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))

    @property
    def highs(self) -> FloatArray:
        """Upper end of each stretch, (s,) dollars; infinite for a profile's last."""
        highs = np.append(self.lows[1:], np.inf)
        highs[self.starts[1:] - 1] = np.inf
        return highs

    @property
    def first(self) -> BoolArray:
        """Whether a stretch is its profile's first, (s,)."""
        first: BoolArray = np.zeros(len(self.lows), np.bool_)
        first[self.starts[:-1]] = True
        return first

    @property
    def strategy_changes(self) -> BoolArray:
        """Whether the strategy is another one than in the stretch before, (s,)."""
        changes: BoolArray = np.append(False, self.nodes[1:] != self.nodes[:-1]) & ~self.first
        return changes

    @property
    def reply_changes(self) -> BoolArray:
        """Whether others attack than in the stretch before, (s,)."""
        changes: BoolArray = np.append(False, self.replies[1:] != self.replies[:-1]) & ~self.first
        return changes


def stretches_of_entries(
    frontier: Frontier,
    stake: StakeName,
    *,
    ends: IntArray,
    lows: FloatArray,
    chosen: IntArray,
    replies: IntArray | BoolArray,
    losses: Callable[[IntArray], tuple[FloatArray, FloatArray]],
) -> StakeStretches:
    """Return stretches that a compiled loop found among the entries of a frontier.

    Parameters
    ----------
    frontier : the strategies that can be best.
    stake : which one is varied.
    ends : (q,) int64, where each profile's stretches end.
    lows, replies : as :class:`StakeStretches` has them.
    chosen : (s,) int64, the entry of each stretch, or ``WITHHELD``.
    losses : returns what attacks cost the publisher, given how many people match, (s,).
    """
    entries, withheld = frontier.entries, chosen == WITHHELD
    people = np.where(withheld | (entries.people[chosen] == NOBODY), 0, entries.people[chosen])
    return StakeStretches(
        stake=stake,
        starts=np.append(0, ends),
        lows=lows,
        nodes=np.where(withheld, WITHHELD, frontier.nodes[chosen]),
        replies=replies,
        benefit_share=np.where(withheld, 0.0, entries.benefit_share[chosen]),
        losses=losses(people),
    )


def all_stretches(
    find: Callable[[int, Room], tuple[int, int]], empty: Callable[[int], Room], progress: Progress | None = None
) -> tuple[FloatArray, IntArray, Any]:
    """Return the columns of the stretches of all profiles, and write where each profile's end.

    Parameters
    ----------
    find : writes those of the profiles from one on into an empty room; returns the first that found no room, and how
        many stretches it wrote.
    empty : makes a room for so many; all rooms share their ``ends``.
    progress : called with how many profiles are done, of how many; may wait, or raise.
    """
    found = empty(AT_ONCE)
    profiles = len(found.ends)
    parts: list[tuple[FloatArray, IntArray, Any]] = []
    done = kept = 0
    while done < profiles:
        first = done
        done, filled = find(first, found)
        if done == first:  # one profile has more than there is room for
            found = empty(2 * len(found.lows))
            continue
        found.ends[first:done] += kept
        kept += filled
        parts.append((found[0][:filled].copy(), found[1][:filled].copy(), found[2][:filled].copy()))
        if progress is not None:
            progress(done, profiles)
    lows, chosen, replies = (np.concatenate(column) for column in zip(*parts, strict=True))
    return lows, chosen, replies


def benefit_along(payoffs: Payoffs, stake: StakeName) -> tuple[float, float]:
    """Return the benefit as a line in a stake: dollars at 0, and for each dollar of the stake."""
    return (0.0, 1.0) if stake == "benefit" else (float(payoffs.benefit), 0.0)
