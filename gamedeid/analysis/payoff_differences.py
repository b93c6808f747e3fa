"""The payoff differences of each game from the policy, for each player, over the records (wan2015, Figures 6 and 7)."""

from collections.abc import Mapping
from math import floor, log10
from typing import Annotated, Any, Literal, TypeAlias, cast, get_args

import numpy as np
from pydantic import Field

from gamedeid.analysis.comparison import Comparison
from gamedeid.arrays import FloatArray, IntArray
from gamedeid.choices import PlayedGame
from gamedeid.reprs import frozen
from gamedeid.results.result import Count, Edges, Number, Result, Share, Text
from gamedeid.scenario.payoffs import Payoffs
from gamedeid.study.solution import Solution

Player: TypeAlias = Literal["publisher", "adversary"]
"""A player of the game."""

PLAYERS: tuple[Player, ...] = get_args(Player)

MOST_BINS = 40
"""Approximate number of bins of a histogram."""

BINS_PER_AXIS = 120
"""Cells along each axis of a scatter of more than ``MOST_POINTS`` distinct points."""

MOST_POINTS = 1_000
"""Most distinct points of a scatter that are not grouped into cells."""


@frozen
class PayoffDifference(Result):
    """The differences of one player's payoff under one game from that under the policy, over all records.

    Parameters
    ----------
    shares : (bins,) share of records in each bin, in [0, 1]; they sum to 1.
    mean : dollars per record.
    more, equal, less : share of records whose payoff is higher, equal (as payoffs are), lower.
    """

    shares: Annotated[tuple[Share, ...], Field(min_length=1)]
    mean: Number
    more: Share
    equal: Share
    less: Share


@frozen
class BothPlayers(Result):
    """The payoff differences of both players."""

    publisher: PayoffDifference
    adversary: PayoffDifference

    def of(self, player: Player) -> PayoffDifference:
        """Return the payoff differences of one player."""
        return self.publisher if player == "publisher" else self.adversary


@frozen
class Histogram(Result):
    """Differences of payoffs, game less policy, as shares of records in bins, never a single record.

    Parameters
    ----------
    policy : the policy that the games are compared with.
    records : number of records.
    edges : player -> (bins + 1,) dollars, rising; all games share them, and 0 is in the middle of a bin.
    games : game -> player -> how the payoff differs.
    """

    policy: Text
    records: Count
    edges: Mapping[str, Edges]
    games: Mapping[PlayedGame, BothPlayers]

    @staticmethod
    def from_dict(content: Mapping[str, Any]) -> "Histogram":
        """Return the histogram of values from :meth:`as_dict`."""

        def difference(held: Mapping[str, Any]) -> PayoffDifference:
            return PayoffDifference(**{**held, "shares": tuple(held["shares"])})

        return Histogram(
            policy=content["policy"],
            records=content["records"],
            edges={player: tuple(edges) for player, edges in content["edges"].items()},
            games={
                game: BothPlayers(**{player: difference(held) for player, held in players.items()})
                for game, players in content["games"].items()
            },
        )


def payoff_differences(comparison: Comparison) -> Histogram:
    """Return how the payoffs under the games of a comparison differ from those under its policy."""
    policy, *games = comparison.solutions
    records = comparison.study.instance.profiles.records
    stakes = comparison.study.instance.payoffs
    edges: dict[str, tuple[float, ...]] = {}
    of_players: dict[str, dict[str, PayoffDifference]] = {game: {} for game in games}
    for player in PLAYERS:
        base = player_payoffs(comparison.solutions[policy], player)
        differences = {game: player_payoffs(comparison.solutions[game], player) - base for game in games}
        shown = np.concatenate(list(differences.values()))
        shared = bin_edges(np.where(np.abs(shown) < stakes.tolerance, 0.0, shown))  # equal payoffs make no scale
        edges[player] = tuple(shared.tolist())
        for game, difference in differences.items():
            of_players[game][player] = _payoff_difference(difference, shared, records, stakes)
    both = {cast("PlayedGame", game): BothPlayers(**players) for game, players in of_players.items()}
    return Histogram(policy=policy, records=int(records.sum()), edges=edges, games=both)


def player_payoffs(solution: Solution, player: Player) -> FloatArray:
    """Return a player's payoff under a solution, dollars per record, (q,)."""
    return solution.publisher_payoff if player == "publisher" else solution.adversary_payoff


def bin_edges(values: FloatArray, most: int = MOST_BINS) -> FloatArray:
    """Return the edges of bins of one width (1, 2 or 5 times a power of ten), 0 in the middle of one of them.

    Parameters
    ----------
    values : the values to be binned; at least one.

    Examples
    --------
    >>> bin_edges(np.array([-3.0, 7.0]), most=10)
    array([-3.5, -2.5, -1.5, -0.5,  0.5,  1.5,  2.5,  3.5,  4.5,  5.5,  6.5,
            7.5])
    """
    low, high = min(float(values.min()), 0.0), max(float(values.max()), 0.0)
    rough = (high - low) / most
    if rough < np.finfo(np.float64).tiny:  # no difference, or one that no width of bins can be computed of
        return np.array([-0.5, 0.5])
    power = 10.0 ** floor(log10(rough))
    width = next(digit * power for digit in (1, 2, 5, 10) if digit * power >= rough * (1 - 1e-9))
    first, last = floor(low / width + 0.5), floor(high / width + 0.5)
    return np.asarray((np.arange(first, last + 2) - 0.5) * width, np.float64)


@frozen(eq=False)
class PayoffPairs:
    """Pairs of payoffs and how many records have them.

    Parameters
    ----------
    policy, game : (k,) dollars per record.
    records : (k,) int64, at least 1 each.
    exact : whether each pair belongs to records; otherwise it is the mean of the pairs in a small cell.
    """

    policy: FloatArray
    game: FloatArray
    records: IntArray
    exact: bool


def payoff_pairs(comparison: Comparison, game: str, player: Player) -> PayoffPairs:
    """Return a player's payoffs under the policy and under a game, records of the same pair counted together.

    Pairs that agree to the cent are the same. More than ``MOST_POINTS`` of them are counted in bins, ``BINS_PER_AXIS``
    along each axis.
    """
    policy = next(iter(comparison.solutions))
    records = comparison.study.instance.profiles.records
    pairs = np.stack([player_payoffs(comparison.solutions[name], player) for name in (policy, game)], axis=1)
    keys = np.round(pairs, 2)
    exact = len(np.unique(keys, axis=0)) <= MOST_POINTS
    if not exact:
        low, high = pairs.min(axis=0), pairs.max(axis=0)
        keys = np.floor((pairs - low) / np.where(high > low, high - low, 1) * BINS_PER_AXIS)
    _, cell = np.unique(keys, axis=0, return_inverse=True)
    counted = np.bincount(cell, weights=records)
    means = [np.bincount(cell, weights=pairs[:, side] * records) / counted for side in (0, 1)]
    return PayoffPairs(policy=means[0], game=means[1], records=counted.astype(np.int64), exact=exact)


def _payoff_difference(
    difference: FloatArray, edges: FloatArray, records: IntArray, stakes: Payoffs
) -> PayoffDifference:
    total = float(records.sum())
    counted, _ = np.histogram(difference, bins=edges, weights=records)
    no_less, no_more = stakes.as_good(difference, 0.0), stakes.as_good(np.zeros(1), difference)
    more = float(records[~no_more].sum()) / total
    less = float(records[~no_less].sum()) / total
    equal = float(records[no_less & no_more].sum()) / total
    mean = float((difference * records).sum()) / total
    return PayoffDifference(shares=tuple((counted / total).tolist()), mean=mean, more=more, equal=equal, less=less)
