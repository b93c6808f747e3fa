"""A picture as SVG within a page, for paper and where no script runs; made in milliseconds, without matplotlib."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape
from math import ceil, floor, log10
from typing import TypeAlias

from gamedeid.report.pictures.picture import Areas, Bars, HeatMap, Layer, Line, Mark, Panel, Picture, Points
from gamedeid.report.pictures.scales import Scale, borders
from gamedeid.report.pictures.styles import FAINT, INK, Style, colour_at

WIDTH = 860
"""Units across; as high as the rows of panels ask for."""

_LOWER = 0.62  # of the height on a screen: paper has room for two figures on a page
_LEFT, _RIGHT, _BAR, _TOP, _BOTTOM, _LEGEND = 86, 12, 84, 28, 46, 30  # units around the axes of a panel
_COLOURS = 32  # of a heat map: more than a bar beside it can be told by
_DASHES = {"dash": "6 4", "dot": "1.5 3", "dashdot": "8 3 2 3", "longdash": "11 4"}
_LETTER = 6.4  # units that a letter of the legend takes
_TICKS = 4  # along a linear axis, about

Place: TypeAlias = Callable[[float], float]
"""From a number along an axis to units along the panel."""


def still(picture: Picture) -> str:
    """Return an ``svg`` element with a view box, the same each time; its words stand beside it, not in it.

    Parameters
    ----------
    picture : what is drawn.
    """
    row_height = picture.panel_height * _LOWER
    height = round(_LEGEND + picture.rows * row_height)
    across = WIDTH / picture.across
    parts = []
    for place, panel in enumerate(picture.panels):
        row, column = divmod(place, picture.across)
        corner = column * across, _LEGEND + row * row_height
        parts.append(_panel(panel, corner, (across, row_height)))
    return (
        f'<svg viewBox="0 0 {WIDTH} {height}" xmlns="http://www.w3.org/2000/svg" font-size="12" fill="{INK}">'
        f"{_legend(picture)}{''.join(parts)}</svg>"
    )


def _panel(panel: Panel, corner: tuple[float, float], size: tuple[float, float]) -> str:
    bar = next((layer.scale for layer in panel.layers if isinstance(layer, HeatMap)), None)
    wide = size[0] - _LEFT - _RIGHT - (_BAR if bar else 0)
    high = size[1] - _TOP - _BOTTOM
    ends = [_ends(scale, list(_values(panel, axis))) for axis, scale in (("x", panel.x), ("y", panel.y))]
    x, y = _place(panel.x, ends[0], 0, wide), _place(panel.y, ends[1], high, 0)
    drawn = "".join(_layer(layer, panel, x, y, wide, high) for layer in panel.layers)
    return (
        f'<g transform="translate({_n(corner[0] + _LEFT)} {_n(corner[1] + _TOP)})">'
        f'<text y="-10" font-weight="bold">{escape(panel.title)}</text>'
        f"{_axes(panel, ends, x, y, wide, high)}"
        f'<svg width="{_n(wide)}" height="{_n(high)}">{drawn}</svg>'
        f"{_colour_bar(bar, wide, high) if bar else ''}</g>"
    )


def _values(panel: Panel, axis: str) -> Iterator[float]:
    """Yield what is drawn along an axis; a bar stands on 0."""
    for layer in panel.layers:
        if isinstance(layer, Bars):
            yield from layer.edges if axis == "x" else (0.0, *layer.heights)
        elif isinstance(layer, Areas):
            yield from (value for area in layer.areas for value in (area.x if axis == "x" else area.y))
        elif isinstance(layer, Mark):
            at = layer.x if axis == "x" else layer.y
            yield from () if at is None else (at,)
        else:
            yield from (value for value in (layer.x if axis == "x" else layer.y) if value is not None)


def _ends(scale: Scale, values: Sequence[float]) -> tuple[float, float]:
    if scale.limits is not None:
        return scale.limits
    low, high = min(values), max(values)
    room = 0.05 * (high - low) or max(abs(high), 1.0) * 0.05
    return low - room, high + room


def _place(scale: Scale, ends: tuple[float, float], first: float, last: float) -> Place:
    low, high = (log10(end) if scale.log else end for end in ends)

    def place(value: float) -> float:
        at = log10(value) if scale.log else value
        return first + (last - first) * (at - low) / (high - low)

    return place


def _ticks(scale: Scale, ends: tuple[float, float]) -> list[float]:
    """Return where numbers stand: round ones, about as many as can be read."""
    if not scale.shown:
        return []
    if scale.ticks is not None:
        return scale.ticks
    low, high = sorted(ends)
    rough = (high - low) / _TICKS
    power = 10.0 ** floor(log10(rough))
    step = next(times * power for times in (1, 2, 5, 10) if times * power >= rough * 0.999)
    if scale.whole:
        step = max(1.0, round(step))
    return [round(step * place, 12) for place in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)]


def _axes(panel: Panel, ends: Sequence[tuple[float, float]], x: Place, y: Place, wide: float, high: float) -> str:
    parts = []
    grid = not any(isinstance(layer, HeatMap) for layer in panel.layers)
    for tick in _ticks(panel.x, ends[0]):
        at = _n(x(tick))
        parts.append(f'<path d="M{at} {_n(high)}v4" stroke="{INK}"/>')
        if grid:
            parts.append(f'<path d="M{at} 0v{_n(high)}" stroke="{FAINT}"/>')
        parts.append(f'<text x="{at}" y="{_n(high + 17)}" text-anchor="middle">{escape(panel.x.text(tick))}</text>')
    for tick in _ticks(panel.y, ends[1]):
        at = _n(y(tick))
        parts.append(f'<path d="M0 {at}h-4" stroke="{INK}"/>')
        if grid:
            parts.append(f'<path d="M0 {at}h{_n(wide)}" stroke="{FAINT}"/>')
        parts.append(f'<text x="-7" y="{at}" dy=".35em" text-anchor="end">{escape(panel.y.text(tick))}</text>')
    parts.append(f'<path d="M0 0v{_n(high)}h{_n(wide)}" fill="none" stroke="{INK}"/>')
    parts.append(f'<text x="{_n(wide / 2)}" y="{_n(high + 34)}" text-anchor="middle">{escape(panel.x.label)}</text>')
    lines = [panel.y.label]
    if _LETTER * len(panel.y.label) > high:
        what, unit = panel.y.quantity, panel.y.label.removeprefix(panel.y.quantity).strip()
        lines = [line for line in (what, unit) if line]
    parts.extend(_upwards(line, -_LEFT + 12 + 13 * place, high / 2) for place, line in enumerate(lines))
    return "".join(parts)


def _upwards(text: str, x: float, y: float) -> str:
    return f'<text transform="translate({_n(x)} {_n(y)}) rotate(-90)" text-anchor="middle">{escape(text)}</text>'


def _layer(layer: Layer, panel: Panel, x: Place, y: Place, wide: float, high: float) -> str:
    if isinstance(layer, HeatMap):
        return _heat_map(layer, panel, x, y)
    if isinstance(layer, Areas):
        low, most = layer.limits
        return "".join(
            _path(zip(map(x, area.x), map(y, area.y), strict=True), colour_at((area.value - low) / (most - low)))
            for area in layer.areas
        )
    if isinstance(layer, Bars):
        return "".join(
            _box(x(low), y(height), x(after), y(0.0), layer.style.colour)
            for low, after, height in zip(layer.edges, layer.edges[1:], layer.heights, strict=False)
            if height
        )
    if isinstance(layer, Mark):
        halo = any(isinstance(one, HeatMap | Areas) for one in panel.layers)
        return _mark(layer, x, y, wide, high, halo=halo)
    points = [None if None in {a, b} else (x(a), y(b)) for a, b in zip(layer.x, layer.y, strict=True)]  # type: ignore[arg-type]
    if isinstance(layer, Points):
        return "".join(_marker(layer.style, *point) for point in points if point is not None)
    return _line(layer, points)


def _path(corners: Iterable[tuple[float, float]], colour: str) -> str:
    return f'<path d="M{"L".join(f"{_n(a)} {_n(b)}" for a, b in corners)}z" fill="{colour}"/>'


def _line(line: Line, points: Sequence[tuple[float, float] | None]) -> str:
    path, command = [], "M"
    for point in points:
        if point is None:
            command = "M"
            continue
        path.append(f"{command}{_n(point[0])} {_n(point[1])}")
        command = "L"
    drawn = f'<path d="{"".join(path)}" fill="none" {_stroke(line.style, 1.8 if line.name else 0.6)}/>'
    if line.marked:
        every = max(1, len(points) // 8)
        drawn += "".join(_marker(line.style, *point) for point in points[every // 2 :: every] if point is not None)
    return drawn


def _mark(mark: Mark, x: Place, y: Place, wide: float, high: float, *, halo: bool) -> str:
    paths = [] if mark.x is None else [f"M{_n(x(mark.x))} 0v{_n(high)}"]
    paths += [] if mark.y is None else [f"M0 {_n(y(mark.y))}h{_n(wide)}"]
    path = "".join(paths)
    under = f'<path d="{path}" stroke="#ffffff" stroke-width="3.5" opacity=".7"/>' if halo else ""
    return f'{under}<path d="{path}" {_stroke(mark.style, 1.3)}/>'


def _heat_map(heat: HeatMap, panel: Panel, x: Place, y: Place) -> str:
    """Return the cells, those of one colour as one path, neighbours of a row as one box."""
    scale = heat.scale
    assert scale.limits is not None  # noqa: S101  (the bar of a heat map knows its limits)
    to_share = _place(scale, scale.limits, 0.0, 1.0)
    left = [_n(x(edge)) for edge in borders(heat.x, log=panel.x.log)]
    up = [_n(y(edge)) for edge in borders(heat.y, log=panel.y.log)]
    boxes: dict[int, list[str]] = {}
    for row, values in enumerate(heat.z):
        colours = [
            None if value is None else round(min(max(to_share(value), 0.0), 1.0) * (_COLOURS - 1)) for value in values
        ]
        start = 0
        for end in range(1, len(colours) + 1):
            if end == len(colours) or colours[end] != colours[start]:
                colour = colours[start]
                if colour is not None:
                    box = f"M{left[start]} {up[row]}H{left[end]}V{up[row + 1]}H{left[start]}z"
                    boxes.setdefault(colour, []).append(box)
                start = end
    paths = (f'<path d="{"".join(boxes[one])}" {_filled(one)}/>' for one in sorted(boxes))
    return f'<g stroke-width=".7">{"".join(paths)}</g>'


def _colour_bar(scale: Scale, wide: float, high: float) -> str:
    assert scale.limits is not None  # noqa: S101  (the bar of a heat map knows its limits)
    y, left, step = _place(scale, scale.limits, high, 0), wide + 8, high / _COLOURS
    parts = [
        _box(left, high - (one + 1) * step - 0.3, left + 11, high - one * step, colour_at(one / (_COLOURS - 1)))
        for one in range(_COLOURS)
    ]
    parts.extend(
        f'<text x="{_n(left + 15)}" y="{_n(y(tick))}" dy=".35em">{escape(scale.text(tick))}</text>'
        for tick in _ticks(scale, scale.limits)
    )
    return f"{''.join(parts)}{_upwards(scale.label, wide + _BAR, high / 2)}"


def _filled(place: int) -> str:
    """Return one of the colours, also around what it fills: printers leave light seams between neighbours."""
    colour = colour_at(place / (_COLOURS - 1))
    return f'fill="{colour}" stroke="{colour}"'


def _legend(picture: Picture) -> str:
    named = {
        layer.name: layer
        for panel in picture.panels
        for layer in panel.layers
        if not isinstance(layer, HeatMap | Areas)
    }
    parts, at = [], float(_LEFT)
    for name, layer in named.items():
        if not name:
            continue
        if isinstance(layer, Bars | Points):
            parts.append(_box(at + 8, 8, at + 20, 18, layer.style.colour))
        else:
            parts.append(f'<path d="M{_n(at)} 13h28" {_stroke(layer.style, 1.8)}/>')
        if isinstance(layer, Line) and layer.marked:
            parts.append(_marker(layer.style, at + 14, 13))
        parts.append(f'<text x="{_n(at + 34)}" y="17">{escape(name)}</text>')
        at += 34 + _LETTER * len(name) + 22
    return "".join(parts)


def _marker(style: Style, x: float, y: float) -> str:
    shape = {
        "square": "M-3.4-3.4h6.8v6.8h-6.8z",
        "triangle": "M0-4.2L4 3H-4z",
        "diamond": "M0-4.6L4.6 0 0 4.6-4.6 0z",
        "cross": "M-3.2-3.2L3.2 3.2M-3.2 3.2L3.2-3.2",
    }.get(style.marker, "M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0")
    fill = style.colour if style.filled else "#ffffff"
    return f'<path transform="translate({_n(x)} {_n(y)})" d="{shape}" fill="{fill}" stroke="{style.colour}"/>'


def _box(left: float, top: float, right: float, bottom: float, colour: str) -> str:
    return f'<path d="M{_n(left)} {_n(top)}H{_n(right)}V{_n(bottom)}H{_n(left)}z" fill="{colour}"/>'


def _stroke(style: Style, width: float) -> str:
    dash = _DASHES.get(style.dash)
    return f'stroke="{style.colour}" stroke-width="{width}"' + (f' stroke-dasharray="{dash}"' if dash else "")


def _n(value: float) -> str:
    """Return a number with as many digits as a printer can tell."""
    return f"{round(value, 1) + 0.0:g}"
