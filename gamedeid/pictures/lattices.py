"""The lattice of a record's strategies with both payoffs and what is chosen (wan2015, Figures 1 and 4)."""

import numpy as np

from gamedeid.amounts import dollars, number_of
from gamedeid.arrays import FloatArray
from gamedeid.choices import GameName
from gamedeid.pictures.picture import Layer, Line, Panel, Picture, Points
from gamedeid.pictures.scales import Scale
from gamedeid.pictures.strategies import RecordStrategies, kinds
from gamedeid.pictures.styles import CONNECTION
from gamedeid.pictures.words import capital
from gamedeid.study.study import Study

FEW = 36
"""Strategies up to which each has its levels and payoffs written beside it."""

_Places = tuple[FloatArray, FloatArray]


def lattice_picture(study: Study, game: GameName = "basic") -> Picture:
    """Draw the lattice of a record: payoffs, the adversary's replies, what the game permits, and what it chooses.

    Parameters
    ----------
    study : of that record alone.
    game : what the publisher may do.

    Returns
    -------
    the picture; :func:`gamedeid.pictures.save_picture` writes it.

    Raises
    ------
    InvalidScenarioError : the study has more than one profile, too many strategies, or there is no such game.
    """
    strategies = RecordStrategies.of(study, game)
    at = _places(strategies)
    few = len(strategies.nodes) <= FEW
    panels: tuple[Panel, ...]
    if few:
        panels = (_panel("Strategies, with both payoffs", strategies, at, None),)
        how = "next to each are its levels, the publisher's payoff and the adversary's payoff"
    else:
        panels = tuple(
            _panel(f"{capital(player)}'s payoff", strategies, at, payoffs)
            for player, payoffs in (("publisher", strategies.publisher), ("adversary", strategies.adversary))
        )
        how = "colours show the publisher's payoff (left) and the adversary's (right)"
    ranks = int(strategies.levels.sum(axis=1).max() - strategies.levels.sum(axis=1).min()) + 1
    return Picture(
        kind="lattice",
        title=f"The strategies of a record: {game} game",
        caption=(
            f"The {number_of(len(strategies.nodes), 'strategy')} of the record {strategies.record}, the most specific "
            f"at the top, with a line to each that generalizes one attribute by one level; {how}, in dollars."
            + strategies.left_out
        ),
        finding=strategies.finding,
        table=strategies.table,
        of_a_record=("released",),
        panels=panels,
        across=len(panels),
        panel_height=110 + (85 if few else 34) * ranks,
        zooms=True,
    )


def _panel(title: str, strategies: RecordStrategies, at: _Places, payoffs: FloatArray | None) -> Panel:
    x, y = at
    layers: list[Layer] = [_edges(strategies, at)]
    layers += [
        Points(name=name, style=style, x=[float(x[place])], y=[float(y[place])], size=21.0)
        for name, style, place in strategies.marked
    ]
    bar = f"{title} (dollars)".lower()
    shown = None if payoffs is None or not strategies.permitted.any() else payoffs[strategies.permitted]
    for name, style, these in kinds(strategies):
        places = these.nonzero()[0].tolist()
        if not places:
            continue
        coloured = shown is not None and payoffs is not None and bool(strategies.permitted[places[0]])
        layers.append(
            Points(
                name=name,
                style=style,
                x=x[places].tolist(),
                y=y[places].tolist(),
                size=11.0 if payoffs is None else 9.0,
                hover=[strategies.hover_text(place) for place in places],
                text=[] if payoffs is not None else [_written(strategies, place) for place in places],
                values=payoffs[places].tolist() if coloured and payoffs is not None else (),
                bar=bar if coloured else "",
                limits=(float(shown.min()), float(shown.max())) if coloured and shown is not None else None,
                unit="dollars",
            )
        )
        bar = "" if coloured else bar
    return Panel(
        title=title,
        x=Scale(label="", shown=False, limits=(float(x.min()) - 0.7, float(x.max()) + 0.7)),
        y=Scale(label="sum of levels", whole=True, limits=(float(y.max()) + 0.6, float(y.min()) - 0.6)),
        layers=tuple(layers),
    )


def _written(strategies: RecordStrategies, place: int) -> str:
    payoffs = (float(strategies.publisher[place]), float(strategies.adversary[place]))
    return "\n".join([strategies.name(place), *map(dollars, payoffs)])


def _places(strategies: RecordStrategies) -> _Places:
    """Return where strategies stand, (n,) each: those of one sum of levels side by side, in walk order."""
    ranks = strategies.levels.sum(axis=1)
    _, first, counts = np.unique(ranks, return_index=True, return_counts=True)
    middle = np.repeat(first + (counts - 1) / 2, counts)
    return np.arange(len(ranks)) - middle, ranks.astype(float)


def _edges(strategies: RecordStrategies, at: _Places) -> Line:
    x: list[float | None] = []
    y: list[float | None] = []
    place_of = {int(node): place for place, node in enumerate(strategies.nodes)}
    for node, place in place_of.items():
        for child in strategies.study.instance.lattice.children(node):
            ends = (place, place_of[child])
            x += [*(float(at[0][end]) for end in ends), None]
            y += [*(float(at[1][end]) for end in ends), None]
    return Line(name="", style=CONNECTION, x=x, y=y)
