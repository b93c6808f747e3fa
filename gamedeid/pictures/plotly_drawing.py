"""A picture as a plotly figure: plain values, ready for JSON."""

from collections.abc import Sequence
from html import escape
from itertools import pairwise
from math import log10
from typing import Any, TypeAlias

from gamedeid.pictures.picture import Bars, HeatMap, Layer, Line, Mark, Panel, Picture, Points, Scale, borders
from gamedeid.pictures.styles import FAINT, INK, Style

_DASHES = {"solid": "solid", "dash": "dash", "dot": "dot", "dashdot": "dashdot", "longdash": "longdash"}
_MARKERS = {
    "circle": "circle",
    "square": "square",
    "triangle": "triangle-up",
    "diamond": "diamond",
    "cross": "x",
    "star": "star",
    "dot": "circle",
}
_TITLE, _LABELS, _LEGEND = 34, 62, 48  # pixels above a panel, below it, and above all panels
_HALO = {"color": "#ffffff", "width": 3.5}  # of dashes, so that they stand out from any colour
_SPACE = "\u2002"  # before what is written beside a point
_HATCH = {"fillmode": "overlay", "fgcolor": "#ffffff", "size": 6, "solidity": 0.2}
_BAR = 0.1  # of the width, for the colour bar of a panel
_Domain: TypeAlias = tuple[list[float], list[float]]
_LEFT, _RIGHT = 0.075, 0.015  # of the width, beside a panel


def specification(picture: Picture) -> dict[str, Any]:
    """Return what plotly draws: ``data``, ``layout`` and ``config``, JSON-ready, numbers with seven digits.

    The title, the caption and the finding are not in it; they belong beside the picture, where they can be read aloud.
    """
    height = picture.rows * picture.panel_height
    layout: dict[str, Any] = {
        "height": height + _LEGEND + 10,
        "autosize": True,
        "margin": {"l": 10, "r": 10, "t": _LEGEND, "b": 10},
        "font": {"family": "system-ui, sans-serif", "size": 12, "color": INK},
        "paper_bgcolor": "#ffffff",
        "plot_bgcolor": "#ffffff",
        "hovermode": "closest",
        "barmode": "overlay",
        "legend": {"orientation": "h", "x": 0, "xanchor": "left", "y": 1 + 6 / height, "yanchor": "bottom"},
        "shapes": [],
        "annotations": [],
    }
    drawing = _Drawing(layout)
    for place, panel in enumerate(picture.panels):
        row, column = divmod(place, picture.across)
        drawing.panel(panel, _domain(picture, panel, row, column), place + 1)
    config = {"responsive": True, "displaylogo": False, "showTips": False, "typesetMath": False}  # a dollar is a dollar
    return {"data": drawing.data, "layout": layout, "config": config}


class _Drawing:
    """The traces so far, and the layout that they need."""

    def __init__(self, layout: dict[str, Any]) -> None:
        self.data: list[dict[str, Any]] = []
        self._layout = layout
        self._listed: set[str] = set()

    def panel(self, panel: Panel, domain: _Domain, number: int) -> None:
        end = "" if number == 1 else str(number)
        for letter, other, scale, part in (("x", "y", panel.x, domain[0]), ("y", "x", panel.y, domain[1])):
            self._layout[f"{letter}axis{end}"] = {**_axis(scale), "domain": part, "anchor": f"{other}{end}"}
        self._layout["annotations"].append(
            {
                "text": f"<b>{escape(panel.title, quote=False)}</b>",
                "x": domain[0][0],
                "y": domain[1][1],
                "xref": "paper",
                "yref": "paper",
                "xanchor": "left",
                "yanchor": "bottom",
                "showarrow": False,
                "font": {"size": 13, "color": INK},
            }
        )
        axes = {"xaxis": f"x{end}", "yaxis": f"y{end}"}
        for layer in panel.layers:
            if isinstance(layer, Mark):
                on_colours = any(isinstance(one, HeatMap) for one in panel.layers)
                self._mark(layer, axes, halo=on_colours)
            else:
                self.data.append({**_trace(layer, panel, domain), **axes, **self._legend(layer)})

    def _legend(self, layer: Layer) -> dict[str, Any]:
        if isinstance(layer, HeatMap):
            return {"showlegend": False}
        listed = bool(layer.name) and layer.name not in self._listed
        self._listed.add(layer.name)
        return {"name": escape(layer.name, quote=False), "legendgroup": layer.name, "showlegend": listed}

    def _mark(self, mark: Mark, axes: dict[str, str], *, halo: bool) -> None:
        legend = self._legend(mark)
        across = {
            "x": {
                "x0": mark.x,
                "x1": mark.x,
                "y0": 0,
                "y1": 1,
                "xref": axes["xaxis"],
                "yref": f"{axes['yaxis']} domain",
            },
            "y": {
                "x0": 0,
                "x1": 1,
                "y0": mark.y,
                "y1": mark.y,
                "xref": f"{axes['xaxis']} domain",
                "yref": axes["yaxis"],
            },
        }
        drawn = [across[letter] for letter, at in (("x", mark.x), ("y", mark.y)) if at is not None]
        line = {"color": mark.style.colour, "width": 1.4, "dash": _DASHES[mark.style.dash]}
        both = mark.x is not None and mark.y is not None
        for place in drawn:
            if halo:
                self._layout["shapes"].append({"type": "line", **place, "line": _HALO, "opacity": 0.7})
            named = {} if both or place is not drawn[0] else legend
            self._layout["shapes"].append({"type": "line", **place, "line": line, **named})
        if both:
            marker = {**_marker(mark.style), "size": 12, "line": {"color": "#ffffff", "width": 1.5}}
            trace = {"type": "scatter", "mode": "markers", "x": [mark.x], "y": [mark.y], "marker": marker}
            self.data.append({**trace, **axes, **legend, "hoverinfo": "name"})


def _trace(layer: Line | Points | Bars | HeatMap, panel: Panel, domain: _Domain) -> dict[str, Any]:
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
        "line": {"color": line.style.colour, "dash": _DASHES[line.style.dash], "width": 2 if line.name else 0.6},
    }
    if line.marked:
        trace["marker"] = {**_marker(line.style), "size": 7, "maxdisplayed": 9}
    return trace if line.name else {**trace, "hoverinfo": "skip"}


def _points(points: Points, domain: _Domain) -> dict[str, Any]:
    size = points.size if isinstance(points.size, int | float) else _numbers(points.size)
    marker: dict[str, Any] = {**_marker(points.style), "size": size}
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


def _heat_map(heat: HeatMap, panel: Panel, domain: _Domain) -> dict[str, Any]:
    scale = heat.scale
    assert scale.limits is not None  # noqa: S101  (the bar of a heat map knows its limits)
    x, y, z = ("$" if money else "" for money in (panel.x.money, panel.y.money, heat.money))
    told = f"{panel.x.label}: %{{customdata[0]:{x},}}<br>{panel.y.label}: %{{customdata[1]:{y},}}<br>"
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
        "hovertemplate": f"{told}{heat.bar}: %{{customdata[2]:{z},.4~f}}<extra></extra>",
        "zmin": low,
        "zmax": high,
    }


def _bar(scale: Scale, domain: _Domain) -> dict[str, Any]:
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
        bar |= {"tickvals": [log10(tick) for tick in scale.ticks], "ticktext": _tick_words(scale)}
    return bar


def _marker(style: Style) -> dict[str, Any]:
    edge = {"color": style.colour, "width": 1.5 if not style.filled else 0.5}
    return {"symbol": _MARKERS[style.marker], "color": style.colour if style.filled else "#ffffff", "line": edge}


def _axis(scale: Scale) -> dict[str, Any]:
    axis: dict[str, Any] = {
        "title": {"text": escape(scale.label, quote=False), "standoff": 8},
        "gridcolor": FAINT,
        "linecolor": INK,
        "zeroline": False,
        "ticks": "outside" if scale.shown else "",
        "showticklabels": scale.shown,
        "showgrid": scale.shown,
        "automargin": True,
        "tickformat": "$," if scale.money else ",",
    }
    if scale.log:
        assert scale.limits is not None  # noqa: S101
        axis |= {"type": "log", "range": [log10(end) for end in scale.limits]}
        axis |= {
            "tickvals": scale.ticks,
            "ticktext": [f"{'$' if scale.money else ''}{tick:,g}" for tick in scale.ticks],
        }
    elif scale.limits is not None:
        axis["range"] = list(scale.limits)
    if scale.whole:
        axis |= {"tick0": 0, "dtick": 1}
    return axis


def _domain(picture: Picture, panel: Panel, row: int, column: int) -> _Domain:
    """Return the part of the page, from 0 to 1 to the right and upwards, that a panel takes."""
    width = 1 / picture.across
    bar = any(isinstance(layer, HeatMap) or (isinstance(layer, Points) and layer.values) for layer in panel.layers)
    height = picture.rows * picture.panel_height
    top = row * picture.panel_height + _TITLE
    bottom = (row + 1) * picture.panel_height - _LABELS
    left, right = column * width + _LEFT, (column + 1) * width - _RIGHT - (_BAR if bar else 0)
    return [round(left, 6), round(right, 6)], [round(1 - bottom / height, 6), round(1 - top / height, 6)]


def _tick_words(scale: Scale) -> list[str]:
    return [f"{'$' if scale.money else ''}{tick:,g}" for tick in scale.ticks]


def _numbers(values: Sequence[float | None]) -> list[float | None]:
    return [None if value is None else float(f"{value:.7g}") for value in values]


def _lines(text: str) -> str:
    return escape(text, quote=False).replace("\n", "<br>")
