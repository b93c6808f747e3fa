"""A picture as a plotly figure: plain values, ready for JSON."""

from html import escape
from math import log10
from typing import Any

from gamedeid.report.pictures.picture import HeatMap, Layer, Mark, Panel, Picture, Points, Scale
from gamedeid.report.pictures.plotly_traces import Domain, marker_of, tick_words, trace_of
from gamedeid.report.pictures.styles import FAINT, INK

_TITLE, _LABELS, _LEGEND = 34, 62, 48  # pixels above a panel, below it, and above all panels
_HALO = {"color": "#ffffff", "width": 3.5}  # of dashes, so that they stand out from any colour
_BAR = 0.1  # of the width, for the colour bar of a panel
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

    def panel(self, panel: Panel, domain: Domain, number: int) -> None:
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
                self.data.append({**trace_of(layer, panel, domain), **axes, **self._legend(layer)})

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
        line = {"color": mark.style.colour, "width": 1.4, "dash": mark.style.dash}
        both = mark.x is not None and mark.y is not None
        for place in drawn:
            if halo:
                self._layout["shapes"].append({"type": "line", **place, "line": _HALO, "opacity": 0.7})
            named = {} if both or place is not drawn[0] else legend
            self._layout["shapes"].append({"type": "line", **place, "line": line, **named})
        if both:
            marker = {**marker_of(mark.style), "size": 12, "line": {"color": "#ffffff", "width": 1.5}}
            trace = {"type": "scatter", "mode": "markers", "x": [mark.x], "y": [mark.y], "marker": marker}
            self.data.append({**trace, **axes, **legend, "hoverinfo": "name"})


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
            "ticktext": tick_words(scale),
        }
    elif scale.limits is not None:
        axis["range"] = list(scale.limits)
    if scale.whole:
        axis |= {"tick0": 0, "dtick": 1}
    return axis


def _domain(picture: Picture, panel: Panel, row: int, column: int) -> Domain:
    """Return the part of the page, from 0 to 1 to the right and upwards, that a panel takes."""
    width = 1 / picture.across
    bar = any(isinstance(layer, HeatMap) or (isinstance(layer, Points) and layer.values) for layer in panel.layers)
    height = picture.rows * picture.panel_height
    top = row * picture.panel_height + _TITLE
    bottom = (row + 1) * picture.panel_height - _LABELS
    left, right = column * width + _LEFT, (column + 1) * width - _RIGHT - (_BAR if bar else 0)
    return [round(left, 6), round(right, 6)], [round(1 - bottom / height, 6), round(1 - top / height, 6)]
