"""Pictures of the payoff differences of the records from the policy to each game (wan2015, Figures 6 and 7)."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from math import sqrt
from typing import Any

from gamedeid.amounts import dollars, number_of
from gamedeid.analysis.comparison import Comparison
from gamedeid.analysis.payoff_differences import PLAYERS, Histogram, PayoffPairs, Player, payoff_pairs
from gamedeid.catalogue import sentence
from gamedeid.choices import PlayedGame
from gamedeid.pictures.picture import Bars, Line, MarkedPlace, Panel, Picture, Points
from gamedeid.pictures.scales import Scale, padded_scale
from gamedeid.pictures.styles import REFERENCE, UNIFORM, style_of
from gamedeid.pictures.words import legend_name, policy_name, policy_words
from gamedeid.results.tables import rows_to_columns

MOST_PAIRS = 20
"""Most points of each panel of a scatter plot that its table lists."""

_LEAST, _MOST = 4.0, 22.0  # diameters of points in a scatter plot, pixels
_ONE_BIN = 2  # number of edges if no payoff differs
_SOME_DIFFERENCE = "difference from {low} to {high}: {height} of records"
_NO_DIFFERENCE = "no difference: {height} of records"


def histogram_picture(histogram: Histogram) -> Picture:
    """Draw the payoff differences of both players between each game and the policy, as shares of records."""
    policy = histogram.policy
    panels = []
    for game, players in histogram.games.items():
        for player in PLAYERS:
            edges = histogram.edges[player]
            bars = Bars(
                name=legend_name(game, policy),
                style=style_of(game),
                edges=edges,
                heights=players.of(player).shares,
                says=_NO_DIFFERENCE if len(edges) == _ONE_BIN else _SOME_DIFFERENCE,
            )
            panels.append(
                Panel(
                    title=f"{game}: {player}'s payoff",
                    x=_scale(histogram.edges[player], f"{game} less {policy_name(policy)} (dollars)"),
                    y=Scale(
                        label="records (per cent)",
                        unit="percent",
                        limits=(0.0, 1.04 * max(*players.of(player).shares, 0.05)),
                    ),
                    layers=(MarkedPlace(name="no difference", style=REFERENCE, x=0.0), bars),
                )
            )
    return Picture(
        kind="differences",
        title=f"Changes by the games against {policy_name(policy)}",
        caption=(
            f"Share of the {number_of(histogram.records, 'record')} by the difference of their payoff, game less "
            f"{policy_name(policy)}, in dollars per record: the publisher's on the left, the adversary's on the right. "
            "To the right of the dotted line the game pays the player more. The table leaves out bins that are empty."
        ),
        finding=" ".join(_game_finding(histogram, game) for game in histogram.games),
        table=_bins(histogram),
        panels=tuple(panels),
        across=2,
        panel_height=250,
    )


def _scale(edges: Sequence[float], label: str) -> Scale:
    """Return the axis of differences: all bins, or only 0 if no payoff differs."""
    if len(edges) == _ONE_BIN:
        return Scale(label=label, unit="dollars", limits=(3 * edges[0], 3 * edges[-1]), only=(0.0,))
    return Scale(label=label, unit="dollars", limits=(edges[0], edges[-1]))


def _game_finding(histogram: Histogram, game: PlayedGame) -> str:
    said = []
    for player in PLAYERS:
        found = histogram.games[game].of(player)
        facts = {"more": found.more, "equal": found.equal, "less": found.less, "mean": found.mean}
        names = {"policy": policy_words(histogram.policy), "game": policy_words(game)}
        said.append(sentence("pictures.difference", {**facts, **names, "of_publisher": player == "publisher"}))
    return " ".join(said)


def _bins(histogram: Histogram) -> dict[str, list[Any]]:
    rows = []
    for player in PLAYERS:
        edges = histogram.edges[player]
        ends = [(0.0, 0.0)] if len(edges) == _ONE_BIN else pairwise(edges)
        shares = {f"{game}: records (per cent)": one.of(player).shares for game, one in histogram.games.items()}
        for (low, high), *of_games in zip(ends, *shares.values(), strict=True):
            if any(of_games):
                row = {"player": player, "from (dollars)": low, "to (dollars)": high}
                rows.append(row | dict(zip(shares, (100 * share for share in of_games), strict=True)))
    return rows_to_columns(rows)


def scatter_picture(comparison: Comparison) -> Picture:
    """Draw each record's payoff under the policy against that under each game, for both players."""
    policy, *games = comparison.solutions
    pairs = {(game, player): payoff_pairs(comparison, game, player) for game in games for player in PLAYERS}
    payoffs: dict[Player, list[float]] = {player: [] for player in PLAYERS}
    for (_, player), some in pairs.items():
        payoffs[player] += [*some.policy.tolist(), *some.game.tolist()]
    scales = {player: padded_scale(values, "", "dollars") for player, values in payoffs.items()}
    most = max(int(some.records.max()) for some in pairs.values())
    sizes = [
        Points(name=number_of(count, "record"), style=UNIFORM, x=[], y=[], size=_size(count, most))
        for count in sorted({1, max(1, most // 4), most})
    ]
    panels = [_scatter_panel((policy, game, who), some, scales[who], most) for (game, who), some in pairs.items()]
    exact = all(some.exact for some in pairs.values())
    same = "the same payoffs to the cent" if exact else "nearly the same payoffs"
    return Picture(
        kind="scatter",
        title=f"Payoffs under the games against those under {policy_name(policy)}",
        caption=(
            f"Each point shows the records with {same}, the larger the more of them: payoff under "
            f"{policy_name(policy)} to the right, under the game upwards, in dollars per record; the publisher's on "
            "the left, the adversary's on the right. Above the dotted line the game pays the player more. For each "
            "game and player the table lists the points of most records, those of the most records first."
        ),
        finding=" ".join(_scatter_finding(policy, game, player, some) for (game, player), some in pairs.items()),
        table=_most_pairs(policy, pairs),
        panels=(*panels[:-1], replace(panels[-1], layers=(*panels[-1].layers, *sizes))),
        across=2,
        panel_height=350,
        zooms=True,
    )


def _size(records: int, most: int) -> float:
    """Return the diameter of a point, pixels; its area grows with the records."""
    return _LEAST + (_MOST - _LEAST) * sqrt(records / most)


def _scatter_panel(names: tuple[str, str, Player], pairs: PayoffPairs, scale: Scale, most: int) -> Panel:
    policy, game, player = names
    x, y = pairs.policy.tolist(), pairs.game.tolist()
    ends = scale.limits or (0.0, 1.0)
    records = pairs.records.tolist()
    points = Points(
        name=legend_name(game, policy),
        style=style_of(game),
        x=x,
        y=y,
        size=[_size(count, most) for count in records],
        hover=[
            f"{policy_name(policy)} {dollars(one)}\n{game} {dollars(other)}\n{number_of(count, 'record')}"
            for one, other, count in zip(x, y, records, strict=True)
        ],
    )
    return Panel(
        title=f"{game}: {player}'s payoff",
        x=replace(scale, label=f"under {policy_name(policy)} (dollars)"),
        y=replace(scale, label=f"under {game} (dollars)"),
        layers=(Line(name="equal payoffs", style=REFERENCE, x=ends, y=ends), points),
        square=True,
    )


def _scatter_finding(policy: str, game: str, player: Player, pairs: PayoffPairs) -> str:
    difference = pairs.game - pairs.policy
    most, least = int(difference.argmax()), int(difference.argmin())
    facts = {
        "player": player,
        "game": policy_words(game),
        "policy": policy_words(policy),
        "least": difference[least],
        "least_at": pairs.policy[least],
        "most": difference[most],
        "most_at": pairs.policy[most],
        "level": dollars(difference[least]) == dollars(difference[most]),
    }
    return sentence("pictures.scatter", facts)


def _most_pairs(policy: str, pairs: dict[tuple[str, Player], PayoffPairs]) -> dict[str, list[Any]]:
    return rows_to_columns(
        [
            {
                "game": game,
                "player": player,
                f"under {policy_name(policy)} (dollars)": float(some.policy[place]),
                "under the game (dollars)": float(some.game[place]),
                "records": int(some.records[place]),
            }
            for (game, player), some in pairs.items()
            for place in (-some.records).argsort(kind="stable")[:MOST_PAIRS].tolist()
        ]
    )
