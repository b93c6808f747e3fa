"""A picture as SVG: a file, or panels of a page that answer to the pointer and to the arrow keys."""

import json
from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise
from math import cos, log10, pi, sin
from pathlib import Path
from textwrap import wrap
from typing import Any, NamedTuple

import numpy as np

from gamedeid.pictures.picture import Area, Bars, HeatMap, Layer, Line, Mark, Panel, Picture, Points
from gamedeid.pictures.scales import Scale, borders
from gamedeid.pictures.styles import DARK, FAINT, INK, PAPER, Style, shade

WIDTH = 920
"""Units that a row of panels takes: pixels of a wide screen."""

_LEFT, _RIGHT, _BAR, _TITLE, _LABELS = 68, 16, 84, 36, 50  # units beside, above and below the axes of a panel
_DASHES = {"solid": "", "dash": "8 4", "dot": "2 3", "dashdot": "9 4 2 4", "longdash": "13 5"}
_HATCHES = {"/": "M-1 9L9-1", "x": "M-1 9L9-1M-1-1L9 9", ".": "M3 4H5"}
_LETTER, _KEY, _ROW, _MARGIN = (
    7.0,
    52.0,
    22.0,
    28.0,
)  # units of the legend: a letter, an entry without, a row, left of all
_FEW_NAMES = 5  # of bars: more of them stand aslant
_SHADES = 100  # that the numbers of a heat map are rounded to
_SEAM = 0.4  # units by which a cell of a heat map reaches under the next
_STYLE, _SCRIPT = (Path(__file__).with_name(name) for name in ("drawing.css", "pointer.js"))


def _around(*radii: float, first: float = 0.0) -> list[tuple[float, float]]:
    """Return corners at angles that are equal parts of a turn, from the top on."""
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


def page_style() -> str:
    """Return the style of drawings in a page, with what makes them dark in a dark scheme."""
    rules = "".join(
        f'.drawing [{where}="{light}"]{{{where}:{dark}}}'
        for light, dark in DARK.items()
        for where in ("fill", "stroke")
    )
    return f"{_STYLE.read_text('utf-8')}@media screen and (prefers-color-scheme: dark) {{{rules}}}\n"


def page_script() -> str:
    """Return the script that shows what stands at the pointer."""
    return _SCRIPT.read_text("utf-8")


def drawing(picture: Picture, name: str) -> str:
    """Return the legend and the panels of a picture as HTML, for an element of the class ``drawing``.

    Title, caption and finding are not in it; they belong next to the picture, where they can be read aloud.

    Parameters
    ----------
    picture : what is drawn.
    name : of the element; no other drawing of the page has it.
    """
    keys = "".join(
        f'<li><svg width="36" height="14" viewBox="-18 -7 36 14">{_key(layer, name)}</svg>{_text(layer_name)}</li>'
        for layer_name, layer in _listed(picture).items()
    )
    legend = f'<ul class="legend">{keys}</ul>' if keys else ""
    panels = (_panel(panel, picture, name, 'class="panel"') for panel in picture.panels)
    hidden = f'<svg width="0" height="0" class="defined"><defs>{_definitions(picture, name)}</defs></svg>'
    return f'{hidden}{legend}<div class="panels of-{picture.across}">{"".join(panels)}</div>'


def svg(picture: Picture) -> str:
    """Return a picture as an SVG file, with its title, its legend, and its caption and finding as a description."""
    drawn, y = [], 10.0
    for line in wrap(picture.title, WIDTH // 9):
        y += 20
        drawn.append(f'<text x="10" y="{y:g}" font-size="17" font-weight="bold">{_text(line)}</text>')
    for line in wrap(picture.subject, WIDTH // 7):
        y += 18
        drawn.append(f'<text x="10" y="{y:g}" font-size="13">{_text(line)}</text>')
    x, right, at = _MARGIN, _MARGIN, y - 4
    for name, layer in _listed(picture).items():
        wide = len(name) * _LETTER + _KEY
        x, right = right, right + wide
        if x == _MARGIN or right > WIDTH + _MARGIN:
            x, right, at = _MARGIN, _MARGIN + wide, at + _ROW
        drawn.append(
            f'<g transform="translate({x},{at:g})">{_key(layer, "picture")}<text x="24" y="4">{_text(name)}</text></g>'
        )
    y = at + 10
    for first in range(0, len(picture.panels), picture.across):
        row = picture.panels[first : first + picture.across]
        for place, panel in enumerate(row):
            width, height = WIDTH / picture.across, _height(panel, picture)
            where = f'x="{_n(place * width)}" y="{y:g}" width="{_n(width)}" height="{_n(height)}"'
            drawn.append(_panel(panel, picture, "picture", where, spots=False))
        y += max(_height(panel, picture) for panel in row)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {WIDTH} {y:g}" width="{WIDTH}" height="{y:g}"'
        f' font-family="system-ui, DejaVu Sans, sans-serif" font-size="12" fill="{INK}">\n'
        f"<title>{_text(picture.title)}</title><desc>{_text(f'{picture.caption} {picture.finding}')}</desc>\n"
        f'<defs>{_definitions(picture, "picture")}</defs><rect width="100%" height="100%" fill="{PAPER}"/>\n'
        f"{chr(10).join(drawn)}\n</svg>\n"
    )


def _text(text: str) -> str:
    return escape(text, quote=False)


def _n(value: float) -> str:
    """Return a number of units, to a tenth."""
    return f"{value:.1f}".removesuffix(".0")


def _listed(picture: Picture) -> dict[str, Layer]:
    """Return the entries of the legend."""
    listed: dict[str, Layer] = {}
    for panel in picture.panels:
        for layer in panel.layers:
            if not isinstance(layer, HeatMap | Area) and layer.name:
                listed.setdefault(layer.name, layer)
    return listed


def _key(layer: Layer, name: str) -> str:
    """Return what stands before an entry of the legend, around 0."""
    match layer:
        case Line(style=style, marked=marked):
            across = f'<path d="M-16 0H16" {_stroke(style, 2)}/>'
            return across + (_marker(style, 0, 0, 7) if marked else "")
        case Mark(style=style, x=x, y=y):
            across = f'<path d="M-16 0H16" {_stroke(style, 1.4)}/>'
            return across + (_marker(style, 0, 0, 11, PAPER, style.colour) if x is not None and y is not None else "")
        case Bars(style=style):
            return _bar(style, name, "-12", "-5", "24", "10")
        case Points(style=style, size=size, values=values):
            return _marker(style, 0, 0, size if isinstance(size, int | float) else 11.0, colour=INK if values else "")
    return ""


def _definitions(picture: Picture, name: str) -> str:
    """Return the hatches of bars, and the colours of numbers."""
    styles = {layer.style for panel in picture.panels for layer in panel.layers if isinstance(layer, Bars)}
    hatched = (
        f'<pattern id="{name}-{style.colour[1:]}" width="8" height="8" patternUnits="userSpaceOnUse">'
        f'<path d="{_HATCHES[style.hatch]}" stroke="{PAPER}" stroke-width=".9" fill="none"/></pattern>'
        for style in sorted(styles, key=lambda style: style.colour)
        if style.hatch
    )
    numbers = ""
    if any(panel.colours for panel in picture.panels):
        stops = "".join(f'<stop offset="{place / 10}" stop-color="{shade(place / 10)}"/>' for place in range(11))
        numbers = f'<linearGradient id="{name}-numbers" x1="0" x2="0" y1="1" y2="0">{stops}</linearGradient>'
    return "".join(hatched) + numbers


class _Axis(NamedTuple):
    """Where numbers stand along an axis, from one unit to another."""

    scale: Scale
    limits: tuple[float, float]
    units: tuple[float, float]

    def at(self, value: float) -> float:
        low, high, place = (log10(one) if self.scale.log else one for one in (*self.limits, value))
        start, end = self.units
        return start + (place - low) / (high - low) * (end - start)

    def within(self, value: float) -> float:
        """Return where a number stands, or the end that it is beyond."""
        return min(max(self.at(value), min(self.units)), max(self.units))


class _Frame(NamedTuple):
    """The axes of a panel, and the name of its drawing."""

    panel: Panel
    x: _Axis
    y: _Axis
    name: str

    def colour(self, value: float) -> str:
        low, high = (self.panel.colours and self.panel.colours.limits) or (0.0, 1.0)
        return shade(round((value - low) / (high - low) * _SHADES) / _SHADES)


def _height(panel: Panel, picture: Picture) -> float:
    """Return the units of a panel upwards; axes of a square one are as long as each other."""
    if not panel.square:
        return picture.panel_height
    return WIDTH / picture.across - _LEFT - _RIGHT - (_BAR if panel.colours else 0) + _TITLE + _LABELS


def _panel(panel: Panel, picture: Picture, name: str, attributes: str, *, spots: bool = True) -> str:
    width, height = WIDTH / picture.across, _height(panel, picture)
    right, bottom = width - _RIGHT - (_BAR if panel.colours else 0), height - _LABELS
    names = next((layer.names for layer in panel.layers if isinstance(layer, Bars) and layer.names), ())
    across = (-0.5, len(names) - 0.5) if names else panel.x.limits or (0.0, 1.0)
    x, y = _Axis(panel.x, across, (_LEFT, right)), _Axis(panel.y, panel.y.limits or (0.0, 1.0), (bottom, _TITLE))
    frame = _Frame(panel, x, y, name)
    if spots:
        said = json.dumps(list(_spots(frame)), separators=(",", ":"), ensure_ascii=False)
        attributes += f" data-spots='{escape(said, quote=False).replace(chr(39), '&#39;')}'"
    drawn = [
        f'<svg {attributes} viewBox="0 0 {_n(width)} {_n(height)}" font-size="12" fill="{INK}">',
        f'<text x="{_LEFT}" y="{_TITLE - 14}" font-size="13" font-weight="bold">{_text(panel.title)}</text>',
        *_axes(frame, names),
        *(_layer(layer, frame) for layer in panel.layers),
    ]
    if panel.colours is not None:
        drawn.append(_colour_bar(panel.colours, frame))
    return "".join([*drawn, "</svg>\n"])


def _axes(frame: _Frame, names: Sequence[str]) -> Iterator[str]:
    (left, right), (bottom, top) = frame.x.units, frame.y.units
    on_colour = any(isinstance(layer, HeatMap | Area) for layer in frame.panel.layers)
    grid, numbers = [], []
    ticks = [(frame.x.at(place), name) for place, name in enumerate(names)]
    ticks = ticks or [(frame.x.at(tick), frame.panel.x.text(tick)) for tick in frame.panel.x.ticks]
    for at, words in ticks:
        grid += [] if names else [f"M{_n(at)} {_n(bottom)}V{_n(top)}"]
        aslant = (
            f' transform="rotate(-40 {_n(at)} {_n(bottom + 14)})" text-anchor="end"'
            if len(names) > _FEW_NAMES
            else ' text-anchor="middle"'
        )
        numbers.append(f'<text x="{_n(at)}" y="{_n(bottom + 17)}"{aslant}>{_text(words)}</text>')
    for tick in frame.panel.y.ticks:
        at = frame.y.at(tick)
        grid.append(f"M{_n(left)} {_n(at)}H{_n(right)}")
        numbers.append(
            f'<text x="{_n(left - 7)}" y="{_n(at + 4)}" text-anchor="end">{_text(frame.panel.y.text(tick))}</text>'
        )
    if not on_colour:
        yield f'<path d="{"".join(grid)}" stroke="{FAINT}" stroke-width=".8"/>'
    yield f'<path d="M{_n(left)} {_n(top)}V{_n(bottom)}H{_n(right)}" stroke="{INK}" fill="none"/>'
    yield from numbers
    middle, up = (left + right) / 2, (bottom + top) / 2
    below = bottom + (46 if len(names) > _FEW_NAMES else 38)
    yield f'<text x="{_n(middle)}" y="{_n(below)}" text-anchor="middle">{_text(frame.panel.x.label)}</text>'
    where = f'transform="translate(14 {_n(up)}) rotate(-90)" text-anchor="middle"'
    yield f"<text {where}>{_text(frame.panel.y.label)}</text>"


def _colour_bar(scale: Scale, frame: _Frame) -> str:
    x, (bottom, top) = frame.x.units[1] + 10, frame.y.units
    if scale.names:
        places = [(top + 20 + _ROW * place, value) for place, value in enumerate(scale.ticks)]
        return "".join(
            f'<rect x="{_n(x)}" y="{_n(y - 10)}" width="12" height="12" fill="{frame.colour(value)}"/>'
            f'<text x="{_n(x + 17)}" y="{_n(y)}">{_text(scale.text(value))}</text>'
            for y, value in places
        )
    along = _Axis(scale, scale.limits or (0.0, 1.0), frame.y.units)
    drawn = [
        f'<rect x="{_n(x)}" y="{_n(top)}" width="12" height="{_n(bottom - top)}" fill="url(#{frame.name}-numbers)"/>'
    ]
    drawn += [
        f'<text x="{_n(x + 16)}" y="{_n(along.at(tick) + 4)}">{_text(scale.text(tick))}</text>' for tick in scale.ticks
    ]
    where = f'transform="translate({_n(x + _BAR - 12)} {_n((bottom + top) / 2)}) rotate(-90)" text-anchor="middle"'
    return "".join([*drawn, f"<text {where}>{_text(scale.label)}</text>"])


def _layer(layer: Layer, frame: _Frame) -> str:
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
            look = f'fill="{colour}" stroke="{colour}" stroke-width=".5"'
            return f'<path d="{corners}z" {look} data-say="{escape(layer.hover)}"/>'
        case Mark():
            return "".join(_mark(layer, frame))


def _stroke(style: Style, width: float) -> str:
    dashes = f' stroke-dasharray="{_DASHES[style.dash]}"' if _DASHES[style.dash] else ""
    return f'fill="none" stroke="{style.colour}" stroke-width="{width}"{dashes}'


def _marker(style: Style, x: float, y: float, size: float, edge: str = "", colour: str = "") -> str:
    inside = colour or (style.colour if style.filled else PAPER)
    width = 0.5 if style.filled and not edge else 1.5
    look = f'fill="{inside}" stroke="{edge or colour or style.colour}" stroke-width="{width}"'
    if style.marker in _CORNERS:
        corners = (f"{_n(x + a * size / 2)},{_n(y + b * size / 2)}" for a, b in _CORNERS[style.marker])
        return f'<polygon points="{" ".join(corners)}" {look}/>'
    return f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(size / 2)}" {look}/>'


def _path(x: Sequence[float | None], y: Sequence[float | None], frame: _Frame) -> str:
    steps, begins = [], True
    for a, b in zip(x, y, strict=True):
        if a is None or b is None:
            begins = True
            continue
        steps.append(f"{'M' if begins else 'L'}{_n(frame.x.at(a))} {_n(frame.y.at(b))}")
        begins = False
    return "".join(steps)


def _line(line: Line, frame: _Frame) -> str:
    drawn = f'<path d="{_path(line.x, line.y, frame)}" {_stroke(line.style, 2 if line.name else 0.7)}/>'
    if not line.marked:
        return drawn
    every = max(1, len(line.x) // 8)  # lines on top of each other show by their markers
    first = frame.panel.layers.index(line) % 4 * every // 4
    known = [(a, b) for a, b in zip(line.x, line.y, strict=True) if a is not None and b is not None]
    return drawn + "".join(_marker(line.style, frame.x.at(a), frame.y.at(b), 7) for a, b in known[first::every])


def _points(points: Points, frame: _Frame) -> str:
    sizes = [float(one) for one in np.broadcast_to(points.size, len(points.x))]
    drawn = []
    for place, (a, b) in enumerate(zip(points.x, points.y, strict=True)):
        colour = frame.colour(points.values[place]) if points.values else ""
        drawn.append(_marker(points.style, frame.x.at(a), frame.y.at(b), sizes[place], colour=colour))
    for a, b, text in zip(points.x, points.y, points.text, strict=False):
        x, lines = _n(frame.x.at(a) + 12), text.split("\n")
        top = frame.y.at(b) + 4 - 6 * (len(lines) - 1)
        rows = (f'<tspan x="{x}" y="{_n(top + 12 * place)}">{_text(line)}</tspan>' for place, line in enumerate(lines))
        drawn.append(f'<text font-size="10.5">{"".join(rows)}</text>')
    return "".join(drawn)


def _bar(style: Style, name: str, x: str, y: str, width: str, height: str) -> str:
    where = f'x="{x}" y="{y}" width="{width}" height="{height}"'
    drawn = f'<rect {where} fill="{style.colour}" stroke="{style.colour}" stroke-width=".5"/>'
    return drawn + (f'<rect {where} fill="url(#{name}-{style.colour[1:]})"/>' if style.hatch else "")


def _bar_ends(bars: Bars) -> list[tuple[float, float]]:
    """Return where each bar begins and ends to the right."""
    return list(pairwise(bars.edges)) or [(place - 0.4, place + 0.4) for place in range(len(bars.names))]


def _bars(bars: Bars, frame: _Frame) -> Iterator[str]:
    bottom = frame.y.within(0.0)
    for (low, high), height in zip(_bar_ends(bars), bars.heights, strict=True):
        if height:
            (left, right), top = (frame.x.at(low), frame.x.at(high)), frame.y.at(height)
            yield _bar(bars.style, frame.name, _n(left), _n(top), _n(right - left), _n(bottom - top))


def _heat_map(heat: HeatMap, frame: _Frame) -> Iterator[str]:
    """Yield the cells of each colour as one path; neighbours of one colour in a row are one cell."""
    xs = [frame.x.within(edge) for edge in borders(heat.x, log=frame.panel.x.log).tolist()]
    ys = [frame.y.within(edge) for edge in borders(heat.y, log=frame.panel.y.log).tolist()]
    cells: dict[str, list[str]] = {}
    for row, (bottom, top) in zip(heat.z, pairwise(ys), strict=True):
        colours = ["" if value is None else frame.colour(value) for value in row]
        starts = [place for place in range(len(row)) if not place or colours[place] != colours[place - 1]]
        for start, end in pairwise([*starts, len(row)]):
            right = min(xs[end] + _SEAM, xs[-1])
            cell = f"M{_n(xs[start])} {_n(bottom)}H{_n(right)}V{_n(max(top - _SEAM, ys[-1]))}H{_n(xs[start])}z"
            cells.setdefault(colours[start], []).append(cell)
    for colour, paths in cells.items():
        if colour:
            yield f'<path d="{"".join(paths)}" fill="{colour}" shape-rendering="crispEdges"/>'


def _mark(mark: Mark, frame: _Frame) -> Iterator[str]:
    (left, right), (bottom, top) = frame.x.units, frame.y.units
    on_colour = any(isinstance(layer, HeatMap | Area) for layer in frame.panel.layers)
    for path in (
        None if mark.x is None else f"M{_n(frame.x.at(mark.x))} {_n(bottom)}V{_n(top)}",
        None if mark.y is None else f"M{_n(left)} {_n(frame.y.at(mark.y))}H{_n(right)}",
    ):
        if path is not None:
            yield f'<path d="{path}" stroke="{PAPER}" stroke-width="3.5" opacity=".7"/>' if on_colour else ""
            yield f'<path d="{path}" {_stroke(mark.style, 1.4)}/>'
    if mark.x is not None and mark.y is not None:
        yield _marker(mark.style, frame.x.at(mark.x), frame.y.at(mark.y), 12, PAPER, mark.style.colour)


def _spots(frame: _Frame) -> Iterator[dict[str, Any]]:
    """Yield what is said where: places with their words, or the columns and rows of a heat map with its numbers.

    Places of lines and bars are upright lines across the panel, from ``from`` to ``to``.
    """
    upright = {"from": frame.y.units[0], "to": frame.y.units[1]}
    along: dict[float, list[str]] = {}
    for layer in frame.panel.layers:
        match layer:
            case Line(marked=True):
                for x, y in zip(layer.x, layer.y, strict=True):
                    if x is not None and y is not None:
                        along.setdefault(x, []).append(f"{layer.said or layer.name}: {frame.panel.y.words(y)}")
            case Points() if layer.hover:
                yield _places(frame, layer.x, layer.y) | {"says": list(layer.hover)}
            case Bars():
                ends = _bar_ends(layer)
                words = zip(ends, layer.heights, layer.names or ends, strict=True)
                says = [
                    layer.says.format(
                        low=frame.panel.x.words(low),
                        high=frame.panel.x.words(high),
                        name=name,
                        height=frame.panel.y.words(height),
                    )
                    for (low, high), height, name in words
                ]
                yield {"x": [round(frame.x.at((low + high) / 2), 1) for low, high in ends], **upright, "says": says}
            case HeatMap():
                across, up = frame.panel.x, frame.panel.y
                numbers = frame.panel.colours or up
                yield _places(frame, layer.x, layer.y) | {
                    "across": [f"{across.quantity} {across.words(value)}" for value in layer.x],
                    "up": [f"{up.quantity} {up.words(value)}" for value in layer.y],
                    "form": layer.says,
                    "says": [[None if value is None else numbers.words(value) for value in row] for row in layer.z],
                }
            case Area():
                yield _places(frame, [sum(layer.x) / len(layer.x)], [sum(layer.y) / len(layer.y)]) | {
                    "says": [layer.hover]
                }
    if along:
        first = f"{frame.panel.x.quantity} "
        says = ["\n".join([first + frame.panel.x.words(x), *lines]) for x, lines in along.items()]
        yield {"x": [round(frame.x.at(x), 1) for x in along], **upright, "says": says}


def _places(frame: _Frame, x: Sequence[float], y: Sequence[float]) -> dict[str, Any]:
    return {"x": [round(frame.x.at(one), 1) for one in x], "y": [round(frame.y.at(one), 1) for one in y]}
