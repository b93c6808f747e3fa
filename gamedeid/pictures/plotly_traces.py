"""One layer of a picture as a plotly trace."""

from collections.abc import Sequence
from functools import cache
from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from gamedeid.later import Later
from gamedeid.pictures.picture import Area, Bars, HeatMap, Line, Panel, Points
from gamedeid.pictures.scales import MILLION, Scale
from gamedeid.pictures.styles import COLOURS, INK, PAPER, Style

if TYPE_CHECKING:
    from plotly import colors
else:  # few pictures have colours of numbers
    colors = Later("plotly.colors")

MARKERS = {"triangle": "triangle-up", "cross": "x", "dot": "circle"}
"""Markers that plotly calls otherwise; dashes have the same names."""

STAKE = "$,.6~r"
"""How plotly writes dollars that somebody chose: without cents where there are none."""

_HATCH = {"fillmode": "overlay", "fgcolor": PAPER, "size": 6, "solidity": 0.2}
_SPACE = "\u2002"  # before what is written beside a point


def trace_of(layer: Line | Points | Bars | HeatMap | Area, panel: Panel) -> dict[str, Any]:
    """Return the trace of a layer, without its axes, its axis of colours and its place in the legend.

    Numbers have seven digits.
    """
    match layer:
        case Line():
            return _line(layer, panel)
        case Points():
            return _points(layer, panel)
        case Bars():
            return _bars(layer, panel)
        case HeatMap():
            return _heat_map(layer, panel)
        case Area():
            return _area(layer, panel)


def _line(line: Line, panel: Panel) -> dict[str, Any]:
    trace: dict[str, Any] = {
        "type": "scatter",
        "mode": "lines+markers" if line.marked else "lines",
        "x": _numbers(line.x),
        "y": _numbers(line.y),
        "line": {"color": line.style.colour, "dash": line.style.dash, "width": 2 if line.name else 0.6},
    }
    if not line.marked:
        return {**trace, "hoverinfo": "skip"}
    trace["marker"] = {**marker_of(line.style), "size": 7, "maxdisplayed": 9}
    words = escape(line.said or line.name, quote=False)
    return {**trace, "hovertemplate": f"{words}: %{{y:{number_form(panel.y)}}}<extra></extra>"}


def _points(points: Points, panel: Panel) -> dict[str, Any]:
    size = points.size if isinstance(points.size, int | float) else _numbers(points.size)
    marker: dict[str, Any] = {**marker_of(points.style), "size": size}
    if points.values:
        low, high = _ends(panel)
        marker |= {"color": _numbers(points.values), "colorscale": colour_scale(), "cmin": low, "cmax": high}
    trace: dict[str, Any] = {"type": "scatter", "mode": "markers", "x": _numbers(points.x), "y": _numbers(points.y)}
    if points.text:
        trace |= {
            "mode": "markers+text",
            "textposition": "middle right",
            "text": [_lines(f"{_SPACE}{text}".replace("\n", f"\n{_SPACE}")) for text in points.text],
        }
        trace["textfont"] = {"size": 10, "color": INK}
    if points.hover:
        trace |= {"hovertext": [_lines(text) for text in points.hover], "hoverinfo": "text"}
    else:
        trace |= {"hoverinfo": "name"}
    return {**trace, "marker": marker}


def _bars(bars: Bars, panel: Panel) -> dict[str, Any]:
    form = number_form(panel.x)
    said = _lines(bars.says).format(
        low=f"%{{customdata[0]:{form}}}",
        high=f"%{{customdata[1]:{form}}}",
        name="%{x}",
        height=f"%{{y:{number_form(panel.y)}}}",
    )
    where: dict[str, Any] = {"x": list(bars.names)}
    if bars.edges:
        ends = list(pairwise(bars.edges))
        where = {
            "x": _numbers([(low + high) / 2 for low, high in ends]),
            "width": _numbers([high - low for low, high in ends]),
            "customdata": [_numbers(pair) for pair in ends],
        }
    return {
        "type": "bar",
        **where,
        "y": _numbers(bars.heights),
        "hovertemplate": f"{said}<extra></extra>",
        "marker": {
            "color": bars.style.colour,
            "line": {"color": bars.style.colour, "width": 0.5},
            "pattern": {"shape": bars.style.hatch, **_HATCH},
        },
    }


def _heat_map(heat: HeatMap, panel: Panel) -> dict[str, Any]:
    x, y = (escape(scale.quantity, quote=False) for scale in (panel.x, panel.y))
    form = "" if panel.colours is None else number_form(panel.colours)
    said = _lines(heat.says).format(f"%{{z:{form}}}")
    return {
        "type": "heatmap",
        "x": _numbers(heat.x),
        "y": _numbers(heat.y),
        "z": [_numbers(row) for row in heat.z],
        "hovertemplate": f"{x} %{{x:{STAKE}}}, {y} %{{y:{STAKE}}}:<br>{said}<extra></extra>",
    }


def _area(area: Area, panel: Panel) -> dict[str, Any]:
    low, high = _ends(panel)
    (colour,) = colors.sample_colorscale(COLOURS, (area.value - low) / (high - low))
    return {
        "type": "scatter",
        "mode": "lines",
        "x": _numbers([*area.x, area.x[0]]),
        "y": _numbers([*area.y, area.y[0]]),
        "fill": "toself",
        "fillcolor": colour,
        "line": {"color": colour, "width": 0.5},
        "hoveron": "fills",
        "hoverinfo": "text",
        "text": _lines(area.hover),
    }


def _ends(panel: Panel) -> tuple[float, float]:
    """Return the numbers at the ends of a panel's colours."""
    return (panel.colours and panel.colours.limits) or (0.0, 1.0)


def colour_scale() -> list[list[Any]]:
    """Return the colours of numbers as plotly takes them."""
    return [[*one] for one in _colour_scale()]


@cache
def _colour_scale() -> tuple[tuple[float, str], ...]:
    shades, _ = colors.convert_colors_to_same_type([shade for _, shade in colors.get_colorscale(COLOURS)])
    return tuple((round(place, 6), shade) for place, shade in colors.make_colorscale(shades))


def marker_of(style: Style) -> dict[str, Any]:
    """Return how a style marks a point."""
    edge = {"color": style.colour, "width": 1.5 if not style.filled else 0.5}
    return {
        "symbol": MARKERS.get(style.marker, style.marker),
        "color": style.colour if style.filled else PAPER,
        "line": edge,
    }


def tick_form(scale: Scale) -> str:
    """Return how plotly writes the numbers along an axis."""
    large = scale.limits is not None and max(map(abs, scale.limits)) >= MILLION
    return {"": ",", "dollars": "$.4~s" if large else "$,", "percent": ".6~%"}[scale.unit]


def number_form(scale: Scale) -> str:
    """Return how plotly writes a number that is pointed at."""
    return {"": ",.4~f", "dollars": "$,.2f", "percent": ".3~p"}[scale.unit]


def tick_words(scale: Scale) -> list[str]:
    """Return what stands along an axis that says where."""
    return [scale.text(tick) for tick in scale.ticks or ()]


def _numbers(values: Sequence[float | None]) -> list[float | None]:
    return [None if value is None else float(f"{value:.7g}") for value in values]


def _lines(text: str) -> str:
    return escape(text, quote=False).replace("\n", "<br>")
