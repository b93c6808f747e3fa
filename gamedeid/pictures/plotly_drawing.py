"""A picture as a plotly figure: plain values, ready for JSON."""

from html import escape
from math import log10
from pathlib import Path
from typing import Any

from gamedeid.pictures.picture import Area, Bars, HeatMap, Layer, Line, Mark, Panel, Picture
from gamedeid.pictures.plotly_traces import (
    STAKE,
    colour_scale,
    marker_of,
    number_form,
    tick_form,
    tick_words,
    trace_of,
)
from gamedeid.pictures.scales import Scale
from gamedeid.pictures.styles import FAINT, INK, PAPER

Domain = tuple[list[float], list[float]]
"""The part of the page, from 0 to 1 to the right and upwards, that a panel takes."""

WIDE, NARROW = 920, 350
"""Pixels that the two layouts are made for: of a screen or paper, and of a telephone."""

_TITLE, _LABELS = 34, 62  # pixels above a panel, and below it
_LEFT, _RIGHT, _BAR = 70, 14, 92  # pixels beside a panel, and for its bar of colours
_ENTRY, _KEY, _LETTER, _LINE = 14, 40, 7, 22  # pixels of the legend: above it, of an entry's key, a letter, a line
_HALO = {"color": PAPER, "width": 3.5}  # of dashes, so that they stand out from any colour
_BUTTONS = [["zoom2d", "pan2d", "zoomIn2d", "zoomOut2d", "resetScale2d"]]
_CLEAR = "rgba(0,0,0,0)"


def specification(picture: Picture) -> dict[str, Any]:
    """Return what plotly draws: ``data``, ``layout``, ``narrow`` and ``config``, JSON-ready, numbers with seven digits.

    ``layout`` is for places of ``WIDE`` pixels and ``narrow``, its panels one below the other, for those of ``NARROW``.
    Colours are those of the light scheme, the background is clear; ``figure.js`` beside this file has what chooses
    between the layouts and the schemes. The title, the caption and the finding are not in it; they belong beside the
    picture, where they can be read aloud.
    """
    drawing = _Drawing(picture)
    for place, panel in enumerate(picture.panels):
        drawing.panel(panel, _end(place))
    config = {
        "responsive": True,
        "displaylogo": False,
        "showTips": False,
        "typesetMath": False,  # a dollar is a dollar
        "displayModeBar": picture.zooms,
        "modeBarButtons": _BUTTONS,
    }
    return {
        "data": drawing.data,
        "layout": drawing.layout(picture.across, WIDE),
        "narrow": drawing.layout(1, NARROW),
        "config": config,
    }


def choosing_script() -> str:
    """Return the script with which a page chooses the layout and the colours of a figure, and tells what is in it."""
    return Path(__file__).with_name("figure.js").read_text("utf-8")


def _end(place: int) -> str:
    """Return how the names of the axes end of the panel at a place: x, x2, x3 and so on."""
    return str(place + 1) if place else ""


class _Drawing:
    """The traces so far, and what stands in every layout that they need."""

    def __init__(self, picture: Picture) -> None:
        self.data: list[dict[str, Any]] = []
        self._picture = picture
        self._shapes: list[dict[str, Any]] = []
        self._listed: dict[str, None] = {}

    def panel(self, panel: Panel, end: str) -> None:
        axes = {"xaxis": f"x{end}", "yaxis": f"y{end}"}
        in_colours = any(isinstance(one, HeatMap | Area) for one in panel.layers)
        for layer in panel.layers:
            if isinstance(layer, Mark):
                self._mark(layer, axes, halo=in_colours)
                continue
            trace = {**trace_of(layer, panel), **axes, **self._legend(layer)}
            if isinstance(layer, HeatMap):
                trace["coloraxis"] = f"coloraxis{end}"
            self.data.append(trace)
        if panel.colours is not None and not any(isinstance(one, HeatMap) for one in panel.layers):
            self.data.append({**_bar_alone(f"coloraxis{end}"), **axes})

    def layout(self, across: int, width: int) -> dict[str, Any]:
        """Return the layout with so many panels in a row, for a place of so many pixels."""
        picture = self._picture
        rows = -(-len(picture.panels) // across)
        height, legend = rows * picture.panel_height, self._legend_height(width)
        lines = all(isinstance(layer, Line | Mark) for panel in picture.panels for layer in panel.layers)
        layout: dict[str, Any] = {
            "height": height + legend + 10,
            "autosize": True,
            "margin": {"l": 10, "r": 10, "t": legend, "b": 10},
            "font": {"family": "system-ui, sans-serif", "size": 12, "color": INK},
            "paper_bgcolor": _CLEAR,
            "plot_bgcolor": _CLEAR,
            "hovermode": "x unified" if lines else "closest",
            "hoverlabel": {"bgcolor": PAPER, "bordercolor": INK, "font": {"color": INK, "size": 12}, "align": "left"},
            "dragmode": False,  # a finger scrolls the page
            "barmode": "overlay",
            "legend": {"orientation": "h", "x": 0, "xanchor": "left", "y": 1 + 6 / height, "yanchor": "bottom"},
            "shapes": self._shapes,
            "annotations": [],
        }
        for place, panel in enumerate(picture.panels):
            end = _end(place)
            domain = _domain(picture, panel, divmod(place, across), (rows, across), width)
            for letter, other, scale, part in (("x", "y", panel.x, domain[0]), ("y", "x", panel.y, domain[1])):
                axis = {**_axis(scale, fixed=not picture.zooms), "domain": part, "anchor": f"{other}{end}"}
                layout[f"{letter}axis{end}"] = axis
            if any(isinstance(layer, Bars) and layer.names for layer in panel.layers):
                layout[f"xaxis{end}"] |= {"type": "category", "ticks": "", "showgrid": False}
            if panel.square:
                layout[f"yaxis{end}"] |= {"scaleanchor": f"x{end}", "scaleratio": 1, "constrain": "domain"}
                layout[f"xaxis{end}"] |= {"constrain": "domain", "constraintoward": "left"}
                layout[f"yaxis{end}"]["constraintoward"] = "top"
                for letter in "xy":  # margins that follow the labels would move the domains again and again
                    layout[f"{letter}axis{end}"]["automargin"] = False
            if panel.colours is not None:
                layout[f"coloraxis{end}"] = _colours(panel.colours, domain)
            layout["annotations"].append(_title(panel.title, domain))
        return layout

    def _legend_height(self, width: int) -> int:
        """Return the pixels above the panels: room for the legend, whose entries are taken to be as wide as needed."""
        rows, used = 1, 0
        widest = max((len(name) for name in self._listed), default=0) * _LETTER + _KEY
        for _ in self._listed:  # plotly gives all entries the width of the widest
            if used and used + widest > width:
                rows, used = rows + 1, 0
            used += widest
        return _ENTRY + _LINE * rows

    def _legend(self, layer: Layer) -> dict[str, Any]:
        if isinstance(layer, HeatMap | Area):
            return {"showlegend": False}
        listed = bool(layer.name) and layer.name not in self._listed
        if listed:
            self._listed[layer.name] = None
        return {"name": escape(layer.name, quote=False), "legendgroup": layer.name, "showlegend": listed}

    def _mark(self, mark: Mark, axes: dict[str, str], *, halo: bool) -> None:
        legend = self._legend(mark)
        drawn = []
        for letter, other, at in (("x", "y", mark.x), ("y", "x", mark.y)):
            if at is not None:
                there = {f"{letter}0": at, f"{letter}1": at, f"{letter}ref": axes[f"{letter}axis"]}
                drawn.append(there | {f"{other}0": 0, f"{other}1": 1, f"{other}ref": f"{axes[f'{other}axis']} domain"})
        line = {"color": mark.style.colour, "width": 1.4, "dash": mark.style.dash}
        both = mark.x is not None and mark.y is not None
        for place in drawn:
            if halo:
                self._shapes.append({"type": "line", **place, "line": _HALO, "opacity": 0.7})
            named = {} if both or place is not drawn[0] else legend
            self._shapes.append({"type": "line", **place, "line": line, **named})
        if both:
            marker = {**marker_of(mark.style), "size": 12, "line": {"color": PAPER, "width": 1.5}}
            trace = {"type": "scatter", "mode": "markers", "x": [mark.x], "y": [mark.y], "marker": marker}
            self.data.append({**trace, **axes, **legend, "hoverinfo": "name"})


def _bar_alone(colours: str) -> dict[str, Any]:
    """Return a trace without a point that shows a bar of colours: the legend cannot draw points that have an axis."""
    marker = {"color": [0], "coloraxis": colours}
    return {"type": "scatter", "mode": "markers", "x": [None], "y": [None], "marker": marker} | {
        "showlegend": False,
        "hoverinfo": "skip",
    }


def _title(text: str, domain: Domain) -> dict[str, Any]:
    return {
        "text": f"<b>{escape(text, quote=False)}</b>",
        "x": domain[0][0],
        "y": domain[1][1],
        "xref": "paper",
        "yref": "paper",
        "xanchor": "left",
        "yanchor": "bottom",
        "showarrow": False,
        "font": {"size": 13, "color": INK},
    }


def _colours(scale: Scale, domain: Domain) -> dict[str, Any]:
    """Return an axis of colours with its bar, to the right of a panel."""
    assert scale.limits is not None  # noqa: S101  (a bar of colours knows its limits)
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
        "tickformat": tick_form(scale),
    }
    if scale.ticks is not None:
        bar |= {"tickvals": scale.ticks, "ticktext": tick_words(scale)}
    return {"colorscale": colour_scale(), "cmin": scale.limits[0], "cmax": scale.limits[1], "colorbar": bar}


def _axis(scale: Scale, *, fixed: bool) -> dict[str, Any]:
    words = f"{escape(scale.quantity, quote=False)} %{{x:{STAKE if scale.unit == 'dollars' else number_form(scale)}}}"
    axis: dict[str, Any] = {
        "title": {"text": escape(scale.label, quote=False), "standoff": 8},
        "gridcolor": FAINT,
        "linecolor": INK,
        "zeroline": False,
        "ticks": "outside" if scale.shown else "",
        "showticklabels": scale.shown,
        "showgrid": scale.shown,
        "automargin": True,
        "fixedrange": fixed,
        "tickformat": tick_form(scale),
        "unifiedhovertitle": {"text": f"<b>{words}</b>"},
    }
    if scale.ticks is not None:
        axis |= {"tickvals": scale.ticks, "ticktext": tick_words(scale)}
    if scale.limits is not None:
        axis["range"] = [log10(end) if scale.log else end for end in scale.limits]
    if scale.log:
        axis["type"] = "log"
    if scale.whole:
        axis |= {"tick0": 0, "dtick": 1}
    return axis


def _domain(picture: Picture, panel: Panel, place: tuple[int, int], shape: tuple[int, int], width: int) -> Domain:
    """Return where a panel stands: at a row and a column, of so many rows and columns, in a place of so many pixels."""
    (row, column), (rows, across) = place, shape
    height = rows * picture.panel_height
    top = row * picture.panel_height + _TITLE
    bottom = (row + 1) * picture.panel_height - _LABELS
    left = column / across + _LEFT / width
    right = (column + 1) / across - (_RIGHT + (_BAR if panel.colours else 0)) / width
    return [round(left, 6), round(right, 6)], [round(1 - bottom / height, 6), round(1 - top / height, 6)]
