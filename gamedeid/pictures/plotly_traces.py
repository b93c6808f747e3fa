"""One layer of a picture as a plotly trace."""

from collections.abc import Sequence
from html import escape
from itertools import pairwise
from math import log10
from typing import Any

from gamedeid.pictures.picture import Areas, Bars, HeatMap, Line, Panel, Points
from gamedeid.pictures.scales import MILLION, Scale, borders
from gamedeid.pictures.styles import COLOURS, INK, PAPER, Style, colour_at

MARKERS = {"triangle": "triangle-up", "cross": "x", "dot": "circle"}
"""Markers that plotly calls otherwise; dashes have the same names."""

STAKE = "$,.6~r"
"""How plotly writes dollars that somebody chose: without cents where there are none."""

_HATCH = {"fillmode": "overlay", "fgcolor": PAPER, "size": 6, "solidity": 0.2}
_SPACE = "\u2002"  # before what is written beside a point


def trace_of(layer: Line | Points | Bars | HeatMap, panel: Panel) -> dict[str, Any]:
    """Return the trace of a layer, without its axes, its axis of colours and its place in the legend.

    Numbers have seven digits.
    """
    if isinstance(layer, Line):
        return _line(layer, panel)
    if isinstance(layer, Points):
        return _points(layer)
    if isinstance(layer, Bars):
        return _bars(layer, panel)
    return _heat_map(layer, panel)


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


def _points(points: Points) -> dict[str, Any]:
    size = points.size if isinstance(points.size, int | float) else _numbers(points.size)
    marker: dict[str, Any] = {**marker_of(points.style), "size": size}
    if points.values:
        low, high = points.scale.limits or (0.0, 1.0)
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
    ends = list(pairwise(bars.edges))
    width = [high - low for low, high in ends]
    form = number_form(panel.x)
    said = _lines(bars.says).format(
        low=f"%{{customdata[0]:{form}}}",
        high=f"%{{customdata[1]:{form}}}",
        name="%{customdata[2]}",
        height=f"%{{y:{number_form(panel.y)}}}",
    )
    names = bars.names or [""] * len(ends)
    return {
        "type": "bar",
        "x": _numbers([low + wide / 2 for low, wide in zip(bars.edges, width, strict=False)]),
        "width": _numbers(width),
        "y": _numbers(bars.heights),
        "customdata": [[*_numbers(pair), *([name] if name else [])] for pair, name in zip(ends, names, strict=True)],
        "hovertemplate": f"{said}<extra></extra>",
        "marker": {
            "color": bars.style.colour,
            "line": {"color": bars.style.colour, "width": 0.5},
            "pattern": {"shape": bars.style.hatch, **_HATCH},
        },
    }


def _heat_map(heat: HeatMap, panel: Panel) -> dict[str, Any]:
    at = [
        f"{escape(scale.quantity, quote=False)} %{{customdata[{place}]:{STAKE}}}"
        for place, scale in enumerate((panel.x, panel.y))
    ]
    said = _lines(heat.says).format(f"%{{customdata[2]:{number_form(heat.scale)}}}")
    return {
        "type": "heatmap",
        "x": _numbers(borders(heat.x, log=panel.x.log)),
        "y": _numbers(borders(heat.y, log=panel.y.log)),
        "z": [_numbers([log10(value) if heat.log and value is not None else value for value in row]) for row in heat.z],
        "customdata": [
            [_numbers((one, other, value)) for one, value in zip(heat.x, row, strict=True)]
            for other, row in zip(heat.y, heat.z, strict=True)
        ],
        "hovertemplate": f"{', '.join(at)}:<br>{said}<extra></extra>",
    }


def area_traces(layer: Areas) -> list[dict[str, Any]]:
    """Return a trace for each area, without its axes."""
    low, high = layer.limits
    return [
        {
            "type": "scatter",
            "mode": "lines",
            "x": _numbers([*area.x, area.x[0]]),
            "y": _numbers([*area.y, area.y[0]]),
            "fill": "toself",
            "fillcolor": colour_at((area.value - low) / (high - low)),
            "line": {"color": colour_at((area.value - low) / (high - low)), "width": 0.5},
            "hoveron": "fills",
            "hoverinfo": "text",
            "text": _lines(area.hover),
            "showlegend": False,
        }
        for area in layer.areas
    ]


def colour_scale() -> list[list[Any]]:
    """Return the colours of numbers as plotly takes them."""
    steps = len(COLOURS) - 1
    return [[round(place / steps, 6), colour_at(place / steps)] for place in range(steps + 1)]


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
