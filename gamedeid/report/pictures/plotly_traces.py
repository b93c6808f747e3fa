"""One layer of a picture as a plotly trace."""

from collections.abc import Sequence
from html import escape
from itertools import pairwise
from math import log10
from typing import Any, TypeAlias

from gamedeid.report.pictures.picture import Bars, HeatMap, Line, Panel, Points, Scale, borders
from gamedeid.report.pictures.styles import INK, Style

Domain: TypeAlias = tuple[list[float], list[float]]
"""The part of the page, from 0 to 1 to the right and upwards, that a panel takes."""

MARKERS = {"triangle": "triangle-up", "cross": "x", "dot": "circle"}
"""Markers that plotly calls otherwise; dashes have the same names."""

_HATCH = {"fillmode": "overlay", "fgcolor": "#ffffff", "size": 6, "solidity": 0.2}
_SPACE = "\u2002"  # before what is written beside a point


def trace_of(layer: Line | Points | Bars | HeatMap, panel: Panel, domain: Domain) -> dict[str, Any]:
    """Return the trace of a layer, without its axes and its place in the legend; numbers have seven digits."""
    if isinstance(layer, Line):
        return _line(layer)
    if isinstance(layer, Points):
        return _points(layer, domain)
    if isinstance(layer, Bars):
        return _bars(layer, panel)
    return _heat_map(layer, panel, domain)


def _line(line: Line) -> dict[str, Any]:
    trace: dict[str, Any] = {
        "type": "scatter",
        "mode": "lines+markers" if line.marked else "lines",
        "x": _numbers(line.x),
        "y": _numbers(line.y),
        "line": {"color": line.style.colour, "dash": line.style.dash, "width": 2 if line.name else 0.6},
    }
    if line.marked:
        trace["marker"] = {**marker_of(line.style), "size": 7, "maxdisplayed": 9}
    return trace if line.name else {**trace, "hoverinfo": "skip"}


def _points(points: Points, domain: Domain) -> dict[str, Any]:
    size = points.size if isinstance(points.size, int | float) else _numbers(points.size)
    marker: dict[str, Any] = {**marker_of(points.style), "size": size}
    if points.values:
        low, high = points.limits or (min(points.values), max(points.values))
        marker |= {"color": _numbers(points.values), "colorscale": "Cividis", "cmin": low, "cmax": high}
        if points.bar:
            marker |= {"showscale": True, "colorbar": _bar(Scale(label=points.bar, money=points.money), domain)}
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
    return {**trace, "marker": marker}


def _bars(bars: Bars, panel: Panel) -> dict[str, Any]:
    ends = list(pairwise(bars.edges))
    width = [high - low for low, high in ends]
    low, high = (f"%{{customdata[{end}]:{'$' if panel.x.money else ''},.2f}}" for end in (0, 1))
    return {
        "type": "bar",
        "x": _numbers([low + wide / 2 for low, wide in zip(bars.edges, width, strict=False)]),
        "width": _numbers(width),
        "y": _numbers(bars.heights),
        "customdata": [_numbers(pair) for pair in ends],
        "hovertemplate": f"{low} to {high}: %{{y}}<extra>%{{fullData.name}}</extra>",
        "marker": {
            "color": bars.style.colour,
            "line": {"color": bars.style.colour, "width": 0.5},
            "pattern": {"shape": bars.style.hatch, **_HATCH},
        },
    }


def _heat_map(heat: HeatMap, panel: Panel, domain: Domain) -> dict[str, Any]:
    scale = heat.scale
    assert scale.limits is not None  # noqa: S101  (the bar of a heat map knows its limits)
    x, y, z = ("$" if money else "" for money in (panel.x.money, panel.y.money, heat.money))
    axes = f"{panel.x.label}: %{{customdata[0]:{x},}}<br>{panel.y.label}: %{{customdata[1]:{y},}}<br>"
    low, high = (log10(end) if heat.log else end for end in scale.limits)
    return {
        "type": "heatmap",
        "x": _numbers(borders(heat.x, log=panel.x.log)),
        "y": _numbers(borders(heat.y, log=panel.y.log)),
        "z": [_numbers([log10(value) if heat.log else value for value in row]) for row in heat.z],
        "customdata": [
            [_numbers((one, other, value)) for one, value in zip(heat.x, row, strict=True)]
            for other, row in zip(heat.y, heat.z, strict=True)
        ],
        "colorscale": "Cividis",
        "colorbar": _bar(scale, domain),
        "hovertemplate": f"{axes}{heat.bar}: %{{customdata[2]:{z},.4~f}}<extra></extra>",
        "zmin": low,
        "zmax": high,
    }


def _bar(scale: Scale, domain: Domain) -> dict[str, Any]:
    low, high = domain[1]
    bar: dict[str, Any] = {
        "title": {"text": escape(scale.label, quote=False), "side": "right"},
        "thickness": 12,
        "x": domain[0][1] + 0.008,
        "xanchor": "left",
        "xpad": 0,
        "y": (low + high) / 2,
        "ypad": 0,
        "len": high - low,
        "outlinewidth": 0,
        "tickformat": "$," if scale.money else ",",
    }
    if scale.log:
        bar |= {"tickvals": [log10(tick) for tick in scale.ticks], "ticktext": tick_words(scale)}
    return bar


def marker_of(style: Style) -> dict[str, Any]:
    """Return how a style marks a point."""
    edge = {"color": style.colour, "width": 1.5 if not style.filled else 0.5}
    return {
        "symbol": MARKERS.get(style.marker, style.marker),
        "color": style.colour if style.filled else "#ffffff",
        "line": edge,
    }


def tick_words(scale: Scale) -> list[str]:
    """Return what stands at the ticks of a logarithmic axis."""
    return [f"{'$' if scale.money else ''}{tick:,g}" for tick in scale.ticks]


def _numbers(values: Sequence[float | None]) -> list[float | None]:
    return [None if value is None else float(f"{value:.7g}") for value in values]


def _lines(text: str) -> str:
    return escape(text, quote=False).replace("\n", "<br>")
