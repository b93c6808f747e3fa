"""How the payoffs of the records move from the policy to each game (wan2015, Figures 6 and 7)."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from gamedeid.amounts import dollars, number_of
from gamedeid.analysis.comparison import Comparison
from gamedeid.analysis.payoff_differences import PLAYERS, Histogram, Pairs, Player, pairs_of
from gamedeid.report.pictures.picture import Bars, Line, Mark, Panel, Picture, Points, Scale
from gamedeid.report.pictures.styles import REFERENCE, style_of
from gamedeid.report.pictures.words import game_named, percent

MOST_PAIRS = 20
"""Points of each panel of a scatter that the table beside it lists."""

_LEAST, _MOST = 4.0, 22.0  # pixels of a scatter's points


def histogram_picture(histogram: Histogram) -> Picture:
    """Draw how the payoffs of both players differ between each game and the policy, as shares of records.

    Parameters
    ----------
    histogram : from :func:`gamedeid.analysis.payoff_differences.differences_of`.

    Returns
    -------
    the picture; :func:`gamedeid.save_picture` writes it.
    """
    policy = histogram.policy
    panels = []
    for game, players in histogram.games.items():
        for player in PLAYERS:
            bars = Bars(name=game, style=style_of(game), edges=histogram.edges[player], heights=players[player].shares)
            panels.append(
                Panel(
                    title=f"{game} less {policy}: {player}",
                    x=Scale(label=f"difference of the {player}'s payoff (dollars)", unit="dollars"),
                    y=Scale(label="share of records", limits=(0.0, 1.04 * max(*players[player].shares, 0.05))),
                    layers=(Mark(name="no difference", style=REFERENCE, x=0.0), bars),
                )
            )
    return Picture(
        kind="differences",
        title=f"What the games change against {policy}",
        caption=(
            f"Share of the {number_of(histogram.records, 'record')} by the difference of their payoff, game less "
            f"{policy}, in dollars per record: the publisher's to the left, the adversary's to the right. To the right "
            "of the dotted line the game pays the player more. All games have the same bins, and no difference lies in "
            "the middle of one. The table leaves out bins that are empty."
        ),
        finding=" ".join(_game_finding(histogram, game) for game in histogram.games),
        table=_bins(histogram),
        panels=tuple(panels),
        across=2,
        panel_height=250,
    )


def _game_finding(histogram: Histogram, game: str) -> str:
    publisher, adversary = (histogram.games[game][player] for player in PLAYERS)
    return (
        f"Against {histogram.policy}, {game_named(game)} pays the publisher more for {percent(publisher.more)} of "
        f"records, as much for {percent(publisher.equal)} and less for {percent(publisher.less)}, on average "
        f"{_change(publisher.mean)}; the adversary gets more for {percent(adversary.more)}, as much for "
        f"{percent(adversary.equal)} and less for {percent(adversary.less)}, on average {_change(adversary.mean)}."
    )


def _change(mean: float) -> str:
    return f"{dollars(abs(mean))} {'more' if mean >= 0 else 'less'}"


def _bins(histogram: Histogram) -> dict[str, list[Any]]:
    table: dict[str, list[Any]] = {"player": [], "from (dollars)": [], "to (dollars)": []}
    table |= {f"{game}: share of records": [] for game in histogram.games}
    for player in PLAYERS:
        edges = histogram.edges[player]
        shares = {game: players[player].shares for game, players in histogram.games.items()}
        for place, (low, high) in enumerate(pairwise(edges)):
            row = [shares[game][place] for game in shares]
            if any(row):
                for column, cell in zip(table.values(), [player, low, high, *row], strict=True):
                    column.append(cell)
    return table


def scatter_picture(comparison: Comparison) -> Picture:
    """Draw each record's payoff under the policy against that under each game, for both players.

    Parameters
    ----------
    comparison : the policy and the games on one study.

    Returns
    -------
    the picture; :func:`gamedeid.save_picture` writes it.
    """
    policy, *games = comparison.solutions
    pairs = {(game, player): pairs_of(comparison, game, player) for game in games for player in PLAYERS}
    exact = all(some.exact for some in pairs.values())
    same = "the same payoffs to the cent" if exact else "nearly the same payoffs"
    return Picture(
        kind="scatter",
        title=f"Payoffs under the games against those under {policy}",
        caption=(
            f"Each point stands for the records with {same}, the larger the more of them: payoff under {policy} to the "
            "right, under the game upwards, in dollars per record; the publisher's on the left, the adversary's on the "
            "right. Above the dotted line the game pays the player more. The table lists the points of most records."
        ),
        finding=" ".join(_scatter_finding(policy, game, player, some) for (game, player), some in pairs.items()),
        table=_most_pairs(policy, games, pairs),
        panels=tuple(_scatter(policy, game, player, some) for (game, player), some in pairs.items()),
        across=2,
        panel_height=320,
    )


def _scatter(policy: str, game: str, player: Player, pairs: Pairs) -> Panel:
    x, y = pairs.policy.tolist(), pairs.game.tolist()
    ends = [min([*x, *y]), max([*x, *y])]
    records = pairs.records.tolist()
    most = max(records)
    points = Points(
        name=game,
        style=style_of(game),
        x=x,
        y=y,
        size=[_LEAST + (_MOST - _LEAST) * (count / most) ** 0.5 for count in records],
        hover=[
            f"{policy} {dollars(one)}\n{game} {dollars(other)}\n{number_of(count, 'record')}"
            for one, other, count in zip(x, y, records, strict=True)
        ],
    )
    return Panel(
        title=f"{game} against {policy}: {player}",
        x=Scale(label=f"{player}'s payoff under {policy} (dollars)", unit="dollars", limits=_roomy(x, ends)),
        y=Scale(label=f"under {game} (dollars)", unit="dollars", limits=_roomy(y, ends)),
        layers=(Line(name="equal payoffs", style=REFERENCE, x=ends, y=ends), points),
    )


def _roomy(values: Sequence[float], ends: Sequence[float]) -> tuple[float, float]:
    """Return the limits of an axis with some room around its values, so that no point is cut."""
    low, high = min(values), max(values)
    room = max(0.08 * (high - low), 0.03 * (ends[1] - ends[0]), 0.01)
    return low - room, high + room


def _scatter_finding(policy: str, game: str, player: Player, pairs: Pairs) -> str:
    difference = pairs.game - pairs.policy
    most, least = int(difference.argmax()), int(difference.argmin())
    ends = (
        f"something between {dollars(float(difference[least]))} (where {policy} pays "
        f"{dollars(float(pairs.policy[least]))}) and "
        f"{dollars(float(difference[most]))} (where it pays {dollars(float(pairs.policy[most]))})"
    )
    return f"The {player}'s payoff under {game_named(game)} differs from that under {policy} by {ends}."


def _most_pairs(policy: str, games: list[str], pairs: dict[tuple[str, Player], Pairs]) -> dict[str, list[Any]]:
    table: dict[str, list[Any]] = {
        "game": [],
        "player": [],
        f"under {policy} (dollars)": [],
        "under the game (dollars)": [],
        "records": [],
    }
    for game in games:
        for player in PLAYERS:
            some = pairs[game, player]
            for place in (-some.records).argsort(kind="stable")[:MOST_PAIRS].tolist():
                cells = [game, player, float(some.policy[place]), float(some.game[place]), int(some.records[place])]
                for column, cell in zip(table.values(), cells, strict=True):
                    column.append(cell)
    return table
