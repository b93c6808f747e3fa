"""A picture as a matplotlib figure, and as the bytes of a PNG file."""

import io
import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from textwrap import fill
from typing import Any, Literal

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.collections import PathCollection
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.patches import Patch
from matplotlib.ticker import FixedFormatter, FixedLocator, NullLocator

from gamedeid.errors import FontWarning
from gamedeid.pictures.picture import Area, Bars, HeatMap, Layer, Line, MarkedPlace, Panel, Picture, Points
from gamedeid.pictures.scales import Scale, borders
from gamedeid.pictures.styles import COLOURS, FAINT, INK

_DASHES = {"solid": "-", "dash": (0, (5, 2)), "dot": (0, (1, 2)), "dashdot": (0, (6, 2, 1, 2)), "longdash": (0, (9, 3))}
_MARKERS = {"circle": "o", "square": "s", "triangle": "^", "diamond": "D", "cross": "X", "star": "*", "dot": "."}
_PIXELS = 100  # per inch, for the sizes of a picture
_PIXELS_ACROSS = 1600  # width of a file
_WIDTH = 3.5  # inches of a panel, twice that for a single one: letters of 8 points keep their size on a printed page
_FEW_NAMES = 5  # most names of bars that are printed level
_TITLE_POINTS = 11
_LETTER = 0.0078  # mean width of a letter in inches, for each point of its size
_NO_FONT = "Glyph .* missing from font"  # how matplotlib's warning begins
_SETTINGS: Any = {
    "text.parse_math": False,  # a dollar sign does not start a formula
    "font.family": ["DejaVu Sans", "sans-serif"],
    "font.size": 8,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": INK,
    "axes.titlecolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "hatch.color": "#ffffff",
    "hatch.linewidth": 0.8,
}


def draw(picture: Picture) -> Figure:
    """Return a matplotlib figure of a picture, independent of pyplot and of the user's settings."""
    with _settings():
        return _figure(picture)


def image(picture: Picture) -> bytes:
    """Return the bytes of a PNG file of a picture, always the same, with title, caption and finding as metadata."""
    stream = io.BytesIO()
    words = f"{picture.caption} {picture.finding}"
    metadata = {"Title": picture.title, "Description": words, "Software": "gamedeid"}
    with _settings(), _one_warning_of_boxes():
        figure = _figure(picture)
        figure.savefig(stream, format="png", dpi=_PIXELS_ACROSS / figure.get_figwidth(), metadata=metadata)
    return stream.getvalue()


@contextmanager
def _one_warning_of_boxes() -> Iterator[None]:
    """Warn once of letters without a font: matplotlib warns of each, and names it, which may be from the data."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.filterwarnings("always", _NO_FONT)
        yield
    others = [one for one in caught if not re.match(_NO_FONT, str(one.message))]
    for one in others:
        warnings.warn_explicit(one.message, one.category, one.filename, one.lineno)
    if len(others) < len(caught):
        words = "the picture as .png shows letters that its font lacks as boxes; .svg and .html show them"
        warnings.warn(words, FontWarning, stacklevel=4)


@contextmanager
def _settings() -> Iterator[None]:
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(_SETTINGS)
        yield


def _figure(picture: Picture) -> Figure:
    width = _WIDTH * max(picture.across, 2)
    figure = Figure(figsize=(width, picture.rows * picture.panel_height / _PIXELS + 0.9), layout="constrained")
    figure.set_layout_engine(ConstrainedLayoutEngine(h_pad=0.08, w_pad=0.08))
    title = "\n".join(_wrapped(text, width) for text in (picture.title, picture.subject) if text)
    figure.suptitle(title, x=0.01, ha="left", fontsize=_TITLE_POINTS, fontweight="bold")
    legend: dict[str, Any] = {}
    for place, panel in enumerate(picture.panels):
        axes = figure.add_subplot(picture.rows, picture.across, place + 1)
        _panel(panel, axes)
        for handle, name in zip(*axes.get_legend_handles_labels(), strict=True):
            legend.setdefault(name, handle)
    if legend:
        columns = _columns(list(legend), width)
        drawn = figure.legend([*legend.values()], [*legend], loc="outside lower left", ncols=columns, frameon=False)
        for key in drawn.legend_handles:
            if isinstance(key, PathCollection) and key.get_array() is not None:  # a colour scale of numbers
                key.set_array(None)
                key.set_facecolor(INK)
    return figure


def _columns(names: Sequence[str], width: float) -> int:
    """Return the number of columns of a legend that fit into ``width`` inches."""
    for columns in range(len(names), 1, -1):
        split = np.array_split(names, columns)  # as in a legend
        widest = [max(map(len, some.tolist())) for some in split]
        if sum(widest) * _LETTER * 8 + 0.6 * columns <= width:
            return columns
    return 1


def _wrapped(text: str, width: float) -> str:
    return fill(text, max(20, int(width / (_LETTER * _TITLE_POINTS * 1.1))))


def _panel(panel: Panel, axes: Axes) -> None:
    axes.set_title(panel.title, loc="left", fontsize=9, fontweight="bold")
    colours = ScalarMappable(None if panel.colours is None else Normalize(*panel.colours.limits or ()), COLOURS)
    for order, layer in enumerate(panel.layers, start=2):
        _layer(layer, panel, axes, order, colours)
    if panel.colours is not None:
        _bar(colours, panel.colours, axes)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.set_axisbelow(True)
    grid = not any(isinstance(layer, HeatMap | Area) for layer in panel.layers)
    names = max((len(bars.names) for bars in panel.layers if isinstance(bars, Bars)), default=0)
    if names:
        axes.set_xlabel(panel.x.label)
        axes.tick_params(axis="x", length=0, rotation=45 if names > _FEW_NAMES else 0)
    else:
        _axis(panel.x, "x", axes, grid=grid)
    _axis(panel.y, "y", axes, grid=grid)
    if panel.square:
        axes.set_aspect("equal", adjustable="box", anchor="NW")


def _axis(scale: Scale, letter: Literal["x", "y"], axes: Axes, *, grid: bool) -> None:
    form = {"label": scale.label, "scale": "log" if scale.log else "linear", "lim": scale.limits}
    axes.set(**{f"{letter}{name}": value for name, value in form.items()})
    axis = axes.xaxis if letter == "x" else axes.yaxis
    axis.set_major_locator(FixedLocator(scale.ticks))
    axis.set_major_formatter(FixedFormatter([scale.text(tick) for tick in scale.ticks]))
    axis.set_minor_locator(NullLocator())
    if scale.shown and grid:
        axis.grid(visible=True, color=FAINT, linewidth=0.6)


def _layer(layer: Layer, panel: Panel, axes: Axes, order: int, colours: ScalarMappable) -> None:
    match layer:
        case Line():
            _line(layer, axes, order)
        case Points():
            _points(layer, axes, order, colours)
        case Bars():
            _bars(layer, axes, order)
        case HeatMap():
            _heat_map(layer, panel, axes, order, colours)
        case Area():
            (shade,) = colours.to_rgba(np.array([layer.value]))
            axes.fill(layer.x, layer.y, facecolor=shade, edgecolor=shade, linewidth=0.3, zorder=order)
        case MarkedPlace():
            _mark(layer, axes, order)


def _line(line: Line, axes: Axes, order: int) -> None:
    style, every = line.style, max(1, len(line.x) // 8)
    axes.plot(
        np.array(line.x, float),  # NaN at breaks of the line
        np.array(line.y, float),
        color=style.colour,
        linestyle=_DASHES[style.dash],
        linewidth=1.6 if line.name else 0.7,
        marker=_MARKERS[style.marker] if line.marked else None,
        markerfacecolor=style.colour if style.filled else "white",
        markersize=5,
        markevery=(order % 4 * every // 4, every),  # so that overlapping lines are visible by their markers
        label=line.name or "_",
        zorder=order,
    )


def _points(points: Points, axes: Axes, order: int, colours: ScalarMappable) -> None:
    style = points.style
    arguments: dict[str, Any] = {"facecolors": style.colour if style.filled else "white", "edgecolors": style.colour}
    if points.values:
        arguments = {"c": points.values, "edgecolors": "none", **_colour_arguments(colours)}
    axes.scatter(
        points.x,
        points.y,
        s=(0.72 * np.asarray(points.size)) ** 2,
        marker=_MARKERS[style.marker],
        linewidths=0.5 if style.filled else 1.2,
        label=points.name or "_",
        zorder=order,
        **arguments,
    )
    placement: dict[str, Any] = {"xytext": (11, 0), "textcoords": "offset points", "ha": "left", "va": "center"}
    for x, y, text in zip(points.x, points.y, points.text, strict=False):
        axes.annotate(text, (x, y), fontsize=7, zorder=order, **placement)


def _bars(bars: Bars, axes: Axes, order: int) -> None:
    where: dict[str, Any] = {"x": bars.names}
    if bars.edges:
        where = {"x": bars.edges[:-1], "width": np.diff(bars.edges), "align": "edge"}
    axes.bar(
        height=bars.heights,
        **where,
        color=bars.style.colour,
        edgecolor=bars.style.colour if not bars.style.hatch else "white",
        hatch=bars.style.hatch * 3 or None,
        linewidth=0.3,
        label=bars.name or "_",
        zorder=order,
    )


def _heat_map(heat: HeatMap, panel: Panel, axes: Axes, order: int, colours: ScalarMappable) -> None:
    axes.pcolormesh(
        borders(heat.x, log=panel.x.log),
        borders(heat.y, log=panel.y.log),
        np.array(heat.z, float),  # NaN for no number
        **_colour_arguments(colours),
        zorder=order,
    )


def _colour_arguments(colours: ScalarMappable) -> dict[str, Any]:
    """Return the arguments that map numbers to colours."""
    return {"cmap": colours.cmap, "norm": colours.norm}


def _bar(drawn: ScalarMappable, scale: Scale, axes: Axes) -> None:
    if scale.names:
        swatches = [Patch(color=shade) for shade in drawn.to_rgba(np.array(scale.ticks)).tolist()]
        axes.legend(swatches, scale.names, loc="upper left", bbox_to_anchor=(1, 1), frameon=False)
        return
    bar = axes.figure.colorbar(drawn, ax=axes, label=scale.label, pad=0.02)
    bar.set_ticks(scale.ticks, labels=[scale.text(tick) for tick in scale.ticks])
    bar.minorticks_off()


def _mark(mark: MarkedPlace, axes: Axes, order: int) -> None:
    arguments: dict[str, Any] = {"color": mark.style.colour, "linewidth": 1.1, "linestyle": _DASHES[mark.style.dash]}
    for at, across in ((mark.x, axes.axvline), (mark.y, axes.axhline)):
        if at is not None:
            across(at, color="white", linewidth=2.4, alpha=0.7, zorder=order)
            across(at, **arguments, label=mark.name if None in {mark.x, mark.y} else "_", zorder=order)
    if mark.x is not None and mark.y is not None:
        arguments |= {"marker": _MARKERS[mark.style.marker], "markersize": 9, "markeredgecolor": "white"}
        axes.plot([mark.x], [mark.y], **arguments, label=mark.name, zorder=order + 1)
