"""Layers of a picture as SVG: lines, points, bars, cells of a heat map, areas and marks, within its axes."""

from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise
from math import cos, log10, pi, sin
from typing import NamedTuple

import numpy as np

from gamedeid.pictures.picture import Area, Bars, HeatMap, Layer, Line, MarkedPlace, Panel, Points
from gamedeid.pictures.scales import Scale, borders
from gamedeid.pictures.styles import PAPER, Style, shade

_DASHES = {"solid": "", "dash": "8 4", "dot": "2 3", "dashdot": "9 4 2 4", "longdash": "13 5"}
_SHADES = 100  # number of shades for the numbers of a heat map
_SEAM = 0.4  # units by which a cell of a heat map overlaps the next


def _around(*radii: float, first: float = 0.0) -> list[tuple[float, float]]:
    """Return corners at equal angles around the centre, clockwise from the top."""
    turns = [first + 2 * pi * place / len(radii) for place in range(len(radii))]
    return [(radius * sin(turn), -radius * cos(turn)) for radius, turn in zip(radii, turns, strict=True)]


_CORNERS = {
    "square": _around(*[1.2] * 4, first=pi / 4),
    "triangle": _around(*[1.15] * 3),
    "diamond": _around(*[1.15] * 4),
    "cross": [
        (x * turn, y * turn)
        for turn in (1, -1)
        for x, y in ((0, -0.45), (0.6, -1), (1, -0.6), (0.45, 0), (1, 0.6), (0.6, 1))
    ],
    "star": _around(*[1.25, 0.5] * 5),
}


def text_of(text: str) -> str:
    """Return a text escaped for its place between tags."""
    return escape(text, quote=False)


def px(value: float) -> str:
    """Return the text of a number of units, to a tenth."""
    return f"{value:.1f}".removesuffix(".0")


class PixelAxis(NamedTuple):
    """The mapping from numbers along an axis to positions in units."""

    scale: Scale
    limits: tuple[float, float]
    units: tuple[float, float]

    def at(self, value: float) -> float:
        """Return the position of a number."""
        low, high, place = (log10(one) if self.scale.log else one for one in (*self.limits, value))
        start, end = self.units
        return start + (place - low) / (high - low) * (end - start)

    def within(self, value: float) -> float:
        """Return the position of a number, or of the nearer end of the axis."""
        return min(max(self.at(value), min(self.units)), max(self.units))


class PanelFrame(NamedTuple):
    """The axes of a panel, and the name of its drawing."""

    panel: Panel
    x: PixelAxis
    y: PixelAxis
    name: str

    def colour(self, value: float) -> str:
        """Return the colour of a number of the panel."""
        low, high = (self.panel.colours and self.panel.colours.limits) or (0.0, 1.0)
        return shade(round((value - low) / (high - low) * _SHADES) / _SHADES)


def drawn_layer(layer: Layer, frame: PanelFrame) -> str:
    """Return the SVG of a layer within the axes of its panel."""
    match layer:
        case Line():
            return _line(layer, frame)
        case Points():
            return _points(layer, frame)
        case Bars():
            return "".join(_bars(layer, frame))
        case HeatMap():
            return "".join(_heat_map(layer, frame))
        case Area():
            corners = _path(layer.x, layer.y, frame)
            colour = frame.colour(layer.value)
            attributes = f'fill="{colour}" stroke="{colour}" stroke-width=".5"'
            return f'<path d="{corners}z" {attributes} data-say="{escape(layer.hover)}"/>'
        case MarkedPlace():
            return "".join(_mark(layer, frame))


def stroke(style: Style, width: float) -> str:
    """Return the attributes of a line with a style and a width in units."""
    dashes = f' stroke-dasharray="{_DASHES[style.dash]}"' if _DASHES[style.dash] else ""
    return f'fill="none" stroke="{style.colour}" stroke-width="{width}"{dashes}'


def marker(style: Style, x: float, y: float, size: float, edge: str = "", colour: str = "") -> str:
    """Return a marker centred at a place, ``size`` units wide."""
    inside = colour or (style.colour if style.filled else PAPER)
    width = 0.5 if style.filled and not edge else 1.5
    attributes = f'fill="{inside}" stroke="{edge or colour or style.colour}" stroke-width="{width}"'
    if style.marker in _CORNERS:
        corners = (f"{px(x + a * size / 2)},{px(y + b * size / 2)}" for a, b in _CORNERS[style.marker])
        return f'<polygon points="{" ".join(corners)}" {attributes}/>'
    return f'<circle cx="{px(x)}" cy="{px(y)}" r="{px(size / 2)}" {attributes}/>'


def _path(x: Sequence[float | None], y: Sequence[float | None], frame: PanelFrame) -> str:
    steps, begins = [], True
    for a, b in zip(x, y, strict=True):
        if a is None or b is None:
            begins = True
            continue
        steps.append(f"{'M' if begins else 'L'}{px(frame.x.at(a))} {px(frame.y.at(b))}")
        begins = False
    return "".join(steps)


def _line(line: Line, frame: PanelFrame) -> str:
    drawn = f'<path d="{_path(line.x, line.y, frame)}" {stroke(line.style, 2 if line.name else 0.7)}/>'
    if not line.marked:
        return drawn
    every = max(1, len(line.x) // 8)  # overlapping lines are visible by their markers
    first = frame.panel.layers.index(line) % 4 * every // 4
    known = [(a, b) for a, b in zip(line.x, line.y, strict=True) if a is not None and b is not None]
    return drawn + "".join(marker(line.style, frame.x.at(a), frame.y.at(b), 7) for a, b in known[first::every])


def _points(points: Points, frame: PanelFrame) -> str:
    sizes = [float(one) for one in np.broadcast_to(points.size, len(points.x))]
    drawn = []
    for place, (a, b) in enumerate(zip(points.x, points.y, strict=True)):
        colour = frame.colour(points.values[place]) if points.values else ""
        drawn.append(marker(points.style, frame.x.at(a), frame.y.at(b), sizes[place], colour=colour))
    for a, b, text in zip(points.x, points.y, points.text, strict=False):
        x, lines = px(frame.x.at(a) + 12), text.split("\n")
        top = frame.y.at(b) + 4 - 6 * (len(lines) - 1)
        rows = (
            f'<tspan x="{x}" y="{px(top + 12 * place)}">{text_of(line)}</tspan>' for place, line in enumerate(lines)
        )
        drawn.append(f'<text font-size="10.5">{"".join(rows)}</text>')
    return "".join(drawn)


def bar(style: Style, name: str, x: str, y: str, width: str, height: str) -> str:
    """Return a bar, with the hatches of its style from the drawing ``name``."""
    where = f'x="{x}" y="{y}" width="{width}" height="{height}"'
    drawn = f'<rect {where} fill="{style.colour}" stroke="{style.colour}" stroke-width=".5"/>'
    return drawn + (f'<rect {where} fill="url(#{name}-{style.colour[1:]})"/>' if style.hatch else "")


def bar_ends(bars: Bars) -> list[tuple[float, float]]:
    """Return the horizontal start and end of each bar."""
    return list(pairwise(bars.edges)) or [(place - 0.4, place + 0.4) for place in range(len(bars.names))]


def _bars(bars: Bars, frame: PanelFrame) -> Iterator[str]:
    bottom = frame.y.within(0.0)
    for (low, high), height in zip(bar_ends(bars), bars.heights, strict=True):
        if height:
            (left, right), top = (frame.x.at(low), frame.x.at(high)), frame.y.at(height)
            yield bar(bars.style, frame.name, px(left), px(top), px(right - left), px(bottom - top))


def _heat_map(heat: HeatMap, frame: PanelFrame) -> Iterator[str]:
    """Yield the cells of each colour as one path; neighbours of one colour in a row are one cell."""
    xs = [frame.x.within(edge) for edge in borders(heat.x, log=frame.panel.x.log).tolist()]
    ys = [frame.y.within(edge) for edge in borders(heat.y, log=frame.panel.y.log).tolist()]
    lefts, rights = [px(x) for x in xs], [px(min(x + _SEAM, xs[-1])) for x in xs]
    bottoms, tops = [px(y) for y in ys], [px(max(y - _SEAM, ys[-1])) for y in ys]
    cells: dict[str | None, list[str]] = {}
    for row, colours in enumerate(heat.texts(frame.colour)):
        starts = [place for place in range(len(colours)) if not place or colours[place] != colours[place - 1]]
        for start, end in pairwise([*starts, len(colours)]):
            cell = f"M{lefts[start]} {bottoms[row]}H{rights[end]}V{tops[row + 1]}H{lefts[start]}z"
            cells.setdefault(colours[start], []).append(cell)
    for colour, paths in cells.items():
        if colour is not None:
            yield f'<path d="{"".join(paths)}" fill="{colour}" shape-rendering="crispEdges"/>'


def _mark(mark: MarkedPlace, frame: PanelFrame) -> Iterator[str]:
    (left, right), (bottom, top) = frame.x.units, frame.y.units
    on_colour = any(isinstance(layer, HeatMap | Area) for layer in frame.panel.layers)
    for path in (
        None if mark.x is None else f"M{px(frame.x.at(mark.x))} {px(bottom)}V{px(top)}",
        None if mark.y is None else f"M{px(left)} {px(frame.y.at(mark.y))}H{px(right)}",
    ):
        if path is not None:
            yield f'<path d="{path}" stroke="{PAPER}" stroke-width="3.5" opacity=".7"/>' if on_colour else ""
            yield f'<path d="{path}" {stroke(mark.style, 1.4)}/>'
    if mark.x is not None and mark.y is not None:
        yield marker(mark.style, frame.x.at(mark.x), frame.y.at(mark.y), 12, PAPER, mark.style.colour)
