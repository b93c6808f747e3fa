"""A picture as SVG: a file, or panels of a page that respond to the pointer and to the arrow keys."""

import json
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from textwrap import wrap
from typing import Any

from gamedeid.pictures.picture import Area, Bars, HeatMap, Layer, Line, MarkedPlace, Panel, Picture, Points
from gamedeid.pictures.scales import Scale
from gamedeid.pictures.styles import DARK, FAINT, INK, PAPER, shade
from gamedeid.pictures.svg_layers import PanelFrame, PixelAxis, bar, bar_ends, drawn_layer, marker, px, stroke, text_of

WIDTH = 920
"""Width of a row of panels, in units: pixels of a wide screen."""

_LEFT, _RIGHT, _BAR, _TITLE, _LABELS = 68, 16, 84, 36, 50  # units around the axes of a panel, on the left at least
_LABEL = 26  # units of the label of an axis, upright
_HATCHES = {"/": "M-1 9L9-1", "x": "M-1 9L9-1M-1-1L9 9", ".": "M3 4H5"}
_LETTER, _KEY, _ROW, _MARGIN = (
    7.0,
    52.0,
    22.0,
    28.0,
)  # units of the legend: a letter, an entry without letters, a row, the left margin
_FEW_NAMES = 5  # most names of bars that are printed level
_STYLE, _SCRIPT = (Path(__file__).with_name(name) for name in ("drawing.css", "pointer.js"))


def page_style() -> str:
    """Return the style of drawings in a page, with rules for a dark scheme."""
    rules = "".join(
        f'.drawing [{where}="{light}"]{{{where}:{dark}}}'
        for light, dark in DARK.items()
        for where in ("fill", "stroke")
    )
    return f"{_STYLE.read_text('utf-8')}@media screen and (prefers-color-scheme: dark) {{{rules}}}\n"


def page_script() -> str:
    """Return the script that shows hover texts at the pointer."""
    return _SCRIPT.read_text("utf-8")


def drawing(picture: Picture, name: str) -> str:
    """Return the legend and the panels of a picture as HTML, for an element of the class ``drawing``.

    It has no title, caption or finding; they belong next to the picture, for screen readers.
    """
    keys = "".join(
        f'<li><svg width="36" height="14" viewBox="-18 -7 36 14">{_key(layer, name)}</svg>{text_of(layer_name)}</li>'
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
        drawn.append(f'<text x="10" y="{y:g}" font-size="17" font-weight="bold">{text_of(line)}</text>')
    for line in wrap(picture.subject, WIDTH // 7):
        y += 18
        drawn.append(f'<text x="10" y="{y:g}" font-size="13">{text_of(line)}</text>')
    x, right, at = _MARGIN, _MARGIN, y - 4
    for name, layer in _listed(picture).items():
        wide = len(name) * _LETTER + _KEY
        x, right = right, right + wide
        if x == _MARGIN or right > WIDTH + _MARGIN:
            x, right, at = _MARGIN, _MARGIN + wide, at + _ROW
        entry = f'{_key(layer, "picture")}<text x="24" y="4">{text_of(name)}</text>'
        drawn.append(f'<g transform="translate({x},{at:g})">{entry}</g>')
    y = at + 10
    for first in range(0, len(picture.panels), picture.across):
        row = picture.panels[first : first + picture.across]
        for place, panel in enumerate(row):
            width, height = WIDTH / picture.across, _height(panel, picture)
            where = f'x="{px(place * width)}" y="{y:g}" width="{px(width)}" height="{px(height)}"'
            drawn.append(_panel(panel, picture, "picture", where, spots=False))
        y += max(_height(panel, picture) for panel in row)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {WIDTH} {y:g}" width="{WIDTH}" height="{y:g}"'
        f' font-family="system-ui, DejaVu Sans, sans-serif" font-size="12" fill="{INK}">\n'
        f"<title>{text_of(picture.title)}</title><desc>{text_of(f'{picture.caption} {picture.finding}')}</desc>\n"
        f'<defs>{_definitions(picture, "picture")}</defs><rect width="100%" height="100%" fill="{PAPER}"/>\n'
        f"{chr(10).join(drawn)}\n</svg>\n"
    )


def _listed(picture: Picture) -> dict[str, Layer]:
    """Return the entries of the legend."""
    listed: dict[str, Layer] = {}
    for panel in picture.panels:
        for layer in panel.layers:
            if not isinstance(layer, HeatMap | Area) and layer.name:
                listed.setdefault(layer.name, layer)
    return listed


def _key(layer: Layer, name: str) -> str:
    """Return the symbol of an entry of the legend, centred at 0."""
    match layer:
        case Line(style=style, marked=marked):
            across = f'<path d="M-16 0H16" {stroke(style, 2)}/>'
            return across + (marker(style, 0, 0, 7) if marked else "")
        case MarkedPlace(style=style, x=x, y=y):
            across = f'<path d="M-16 0H16" {stroke(style, 1.4)}/>'
            return across + (marker(style, 0, 0, 11, PAPER, style.colour) if x is not None and y is not None else "")
        case Bars(style=style):
            return bar(style, name, "-12", "-5", "24", "10")
        case Points(style=style, size=size, values=values):
            return marker(style, 0, 0, size if isinstance(size, int | float) else 11.0, colour=INK if values else "")
    return ""


def _definitions(picture: Picture, name: str) -> str:
    """Return the hatches of bars, and the gradient of the colour scale."""
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


def _height(panel: Panel, picture: Picture) -> float:
    """Return the height of a panel in units; both axes of a square panel have the same length."""
    if not panel.square:
        return picture.panel_height
    return WIDTH / picture.across - _left(picture) - _RIGHT - (_BAR if panel.colours else 0) + _TITLE + _LABELS


def _left(picture: Picture) -> float:
    """Return the units to the left of the axes: room for the longest number along one, and for its label."""
    letters = max((len(panel.y.text(tick)) for panel in picture.panels for tick in panel.y.ticks), default=0)
    return max(_LEFT, _LABEL + letters * _LETTER)


def _panel(panel: Panel, picture: Picture, name: str, attributes: str, *, spots: bool = True) -> str:
    width, height = WIDTH / picture.across, _height(panel, picture)
    left, right, bottom = _left(picture), width - _RIGHT - (_BAR if panel.colours else 0), height - _LABELS
    names = next((layer.names for layer in panel.layers if isinstance(layer, Bars) and layer.names), ())
    across = (-0.5, len(names) - 0.5) if names else panel.x.limits or (0.0, 1.0)
    x, y = (
        PixelAxis(panel.x, across, (left, right)),
        PixelAxis(panel.y, panel.y.limits or (0.0, 1.0), (bottom, _TITLE)),
    )
    frame = PanelFrame(panel, x, y, name)
    if spots:
        said = json.dumps(list(_spots(frame)), separators=(",", ":"), ensure_ascii=False)
        attributes += f" data-spots='{escape(said, quote=False).replace(chr(39), '&#39;')}'"
    drawn = [
        f'<svg {attributes} viewBox="0 0 {px(width)} {px(height)}" font-size="12" fill="{INK}">',
        f'<text x="{px(left)}" y="{_TITLE - 14}" font-size="13" font-weight="bold">{text_of(panel.title)}</text>',
        *_axes(frame, names),
        *(drawn_layer(layer, frame) for layer in panel.layers),
    ]
    if panel.colours is not None:
        drawn.append(_colour_bar(panel.colours, frame))
    return "".join([*drawn, "</svg>\n"])


def _axes(frame: PanelFrame, names: Sequence[str]) -> Iterator[str]:
    (left, right), (bottom, top) = frame.x.units, frame.y.units
    on_colour = any(isinstance(layer, HeatMap | Area) for layer in frame.panel.layers)
    grid, numbers = [], []
    ticks = [(frame.x.at(place), name) for place, name in enumerate(names)]
    ticks = ticks or [(frame.x.at(tick), frame.panel.x.text(tick)) for tick in frame.panel.x.ticks]
    for at, words in ticks:
        grid += [] if names else [f"M{px(at)} {px(bottom)}V{px(top)}"]
        rotation = (
            f' transform="rotate(-40 {px(at)} {px(bottom + 14)})" text-anchor="end"'
            if len(names) > _FEW_NAMES
            else ' text-anchor="middle"'
        )
        numbers.append(f'<text x="{px(at)}" y="{px(bottom + 17)}"{rotation}>{text_of(words)}</text>')
    for tick in frame.panel.y.ticks:
        at = frame.y.at(tick)
        grid.append(f"M{px(left)} {px(at)}H{px(right)}")
        numbers.append(
            f'<text x="{px(left - 7)}" y="{px(at + 4)}" text-anchor="end">{text_of(frame.panel.y.text(tick))}</text>'
        )
    if not on_colour:
        yield f'<path d="{"".join(grid)}" stroke="{FAINT}" stroke-width=".8"/>'
    yield f'<path d="M{px(left)} {px(top)}V{px(bottom)}H{px(right)}" stroke="{INK}" fill="none"/>'
    yield from numbers
    middle, up = (left + right) / 2, (bottom + top) / 2
    below = bottom + (46 if len(names) > _FEW_NAMES else 38)
    yield f'<text x="{px(middle)}" y="{px(below)}" text-anchor="middle">{text_of(frame.panel.x.label)}</text>'
    where = f'transform="translate(14 {px(up)}) rotate(-90)" text-anchor="middle"'
    yield f"<text {where}>{text_of(frame.panel.y.label)}</text>"


def _colour_bar(scale: Scale, frame: PanelFrame) -> str:
    x, (bottom, top) = frame.x.units[1] + 10, frame.y.units
    if scale.names:
        places = [(top + 20 + _ROW * place, value) for place, value in enumerate(scale.ticks)]
        return "".join(
            f'<rect x="{px(x)}" y="{px(y - 10)}" width="12" height="12" fill="{frame.colour(value)}"/>'
            f'<text x="{px(x + 17)}" y="{px(y)}">{text_of(scale.text(value))}</text>'
            for y, value in places
        )
    along = PixelAxis(scale, scale.limits or (0.0, 1.0), frame.y.units)
    drawn = [
        f'<rect x="{px(x)}" y="{px(top)}" width="12" height="{px(bottom - top)}" fill="url(#{frame.name}-numbers)"/>'
    ]
    drawn += [
        f'<text x="{px(x + 16)}" y="{px(along.at(tick) + 4)}">{text_of(scale.text(tick))}</text>'
        for tick in scale.ticks
    ]
    where = f'transform="translate({px(x + _BAR - 12)} {px((bottom + top) / 2)}) rotate(-90)" text-anchor="middle"'
    return "".join([*drawn, f"<text {where}>{text_of(scale.label)}</text>"])


def _spots(frame: PanelFrame) -> Iterator[dict[str, Any]]:
    """Yield the hover texts: places with their words, or the columns and rows of a heat map with its numbers.

    The places of lines and bars are vertical lines across the panel, from ``from`` to ``to``.
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
                ends = bar_ends(layer)
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
                    "says": layer.texts(numbers.words),
                }
            case Area():
                yield _places(frame, [sum(layer.x) / len(layer.x)], [sum(layer.y) / len(layer.y)]) | {
                    "says": [layer.hover]
                }
    if along:
        first = f"{frame.panel.x.quantity} "
        says = ["\n".join([first + frame.panel.x.words(x), *lines]) for x, lines in along.items()]
        yield {"x": [round(frame.x.at(x), 1) for x in along], **upright, "says": says}


def _places(frame: PanelFrame, x: Sequence[float], y: Sequence[float]) -> dict[str, Any]:
    return {"x": [round(frame.x.at(one), 1) for one in x], "y": [round(frame.y.at(one), 1) for one in y]}
