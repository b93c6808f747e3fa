"""The lattice of a record's strategies with both payoffs and what is chosen (wan2015, Figures 1 and 4)."""

import numpy as np

from gamedeid.amounts import dollars
from gamedeid.arrays import FloatArray
from gamedeid.choices import GameName
from gamedeid.pictures.picture import Layer, Line, Panel, Picture, Points
from gamedeid.pictures.scales import Scale, of_colours
from gamedeid.pictures.strategies import RecordStrategies, kinds
from gamedeid.pictures.styles import CONNECTION
from gamedeid.study.study import Study

FEW = 36
"""Strategies up to which each has its levels and payoffs written beside it."""

_ACROSS = 400
"""Pixels of a row of strategies, less the space between them."""

_Places = tuple[FloatArray, FloatArray]


def lattice_picture(study: Study, game: GameName) -> Picture:
    """Draw the lattice of a record: payoffs, replies, what is permitted and chosen; errors as of `RecordStrategies`."""
    strategies = RecordStrategies.of(study, game)
    at = _places(strategies)
    few = len(strategies.nodes) <= FEW
    panels = [_panel("Strategies, with both payoffs", strategies, at, None)]
    how = "next to each are its levels, the publisher's payoff and the adversary's payoff"
    if not few:
        players = (("Publisher", strategies.publisher), ("Adversary", strategies.adversary))
        panels = [_panel(f"{player}'s payoff", strategies, at, payoffs) for player, payoffs in players]
        how = "colours show the publisher's payoff (above) and the adversary's (below)"
    return strategies.picture(
        "lattice",
        what="The strategies",
        how=f"the most specific at the top, with a line to each that generalizes one attribute by one level; {how}, in "
        "dollars.",
        panels=tuple(panels),
        panel_height=110 + (85 if few else 27) * (1 + int(np.ptp(strategies.levels.sum(axis=1)))),
    )


def _panel(title: str, strategies: RecordStrategies, at: _Places, payoffs: FloatArray | None) -> Panel:
    x, y = at
    layers: list[Layer] = [_edges(strategies, at)]
    layers += [
        Points(name=name, style=style, x=[float(x[place])], y=[float(y[place])], size=21.0)
        for name, style, place in strategies.marked
    ]
    permitted = strategies.permitted
    shown = None if payoffs is None or not permitted.any() else payoffs[permitted]
    for name, style, these in kinds(strategies):
        places = these.nonzero()[0].tolist()
        if not places:
            continue
        layers.append(
            Points(
                name=name,
                style=style,
                x=x[places].tolist(),
                y=y[places].tolist(),
                size=_size(x),
                hover=[strategies.hover_text(place) for place in places],
                text=[] if payoffs is not None else [_written(strategies, place) for place in places],
                values=() if payoffs is None or not permitted[places[0]] else payoffs[places].tolist(),
            )
        )
    return Panel(
        title=title,
        x=Scale(label="", shown=False, limits=(float(x.min()) - 0.7, float(x.max()) + 0.7)),
        y=Scale(label="sum of levels", whole=True, limits=(float(y.max()) + 0.6, float(y.min()) - 0.6)),
        layers=tuple(layers),
        colours=None
        if shown is None
        else of_colours((float(shown.min()), float(shown.max())), f"{title} (dollars)".lower(), "dollars"),
    )


def _size(x: FloatArray) -> float:
    """Return the diameter of points that stand apart in the widest row."""
    return float(np.clip(_ACROSS / (np.ptp(x) + 1), 2.0, 11.0))


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
    place_of = {int(node): place for place, node in enumerate(strategies.nodes)}
    points: list[tuple[float | None, float | None]] = []
    for node, place in place_of.items():
        for child in strategies.study.instance.lattice.children(node):
            points += [*((float(at[0][end]), float(at[1][end])) for end in (place, place_of[child])), (None, None)]
    return Line(name="", style=CONNECTION, x=[x for x, _ in points], y=[y for _, y in points])
