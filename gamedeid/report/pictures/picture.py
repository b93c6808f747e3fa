"""What a picture shows, in words and numbers, before any library draws it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor, log10
from typing import Any, TypeAlias

from gamedeid.report.pictures.styles import Style
from gamedeid.reprs import frozen, html_table, repr_of

_MOST_TICKS = 7
_SHOWN_ROWS = 10  # of the table, in a notebook


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """One axis of a panel.

    Parameters
    ----------
    label : what is measured, with its unit.
    log : whether equal distances are equal ratios.
    limits : lowest and highest value shown; None leaves that to the data, which ``log`` does not allow.
    money : whether numbers are dollars.
    shown : whether numbers stand along it.
    whole : whether only whole numbers do.
    """

    label: str
    log: bool = False
    limits: tuple[float, float] | None = None
    money: bool = False
    shown: bool = True
    whole: bool = False

    @property
    def ticks(self) -> list[float]:
        """Where numbers stand along a logarithmic axis: 1, 2 and 5 times powers of ten, or fewer of them.

        Examples
        --------
        >>> Scale(label="", log=True, limits=(60, 2000)).ticks
        [100.0, 200.0, 500.0, 1000.0, 2000.0]
        >>> Scale(label="", log=True, limits=(2, 20_000)).ticks
        [10.0, 100.0, 1000.0, 10000.0]
        """
        assert self.limits is not None  # noqa: S101  (a logarithmic axis knows its limits)
        low, high = self.limits
        powers = range(floor(log10(low)), ceil(log10(high)) + 1)
        every, few = ([float(f"{d}e{power}") for power in powers for d in digits] for digits in ((1, 2, 5), (1,)))
        within = [[tick for tick in ticks if low <= tick <= high] for ticks in (every, few)]
        return within[0] if len(within[0]) <= _MOST_TICKS else within[1]


@frozen
class Line:
    """Points joined in their order.

    Parameters
    ----------
    name : in the legend; lines of one name in several panels are listed once; "" is not listed.
    style : how it is drawn; markers only with ``marked``.
    x, y : (k,) floats; None in both breaks the line.
    marked : whether some of the points carry the style's marker.
    """

    name: str
    style: Style
    x: Sequence[float | None]
    y: Sequence[float | None]
    marked: bool = False


@frozen
class Points:
    """Separate points.

    Parameters
    ----------
    name, style : as of a line.
    x, y : (k,).
    size : diameters in pixels, (k,), or one for all.
    hover : what each point says when it is pointed at, (k,), or nothing.
    text : what is written to the right of each point, lines parted by line feeds, (k,), or nothing.
    values : (k,) numbers that the colour shows instead of the style's, or nothing.
    bar : what ``values`` measure, with the unit, beside a bar of the colours; "" draws no bar.
    limits : numbers at the ends of the colours; None takes the least and the greatest.
    money : whether ``values`` are dollars.
    """

    name: str
    style: Style
    x: Sequence[float]
    y: Sequence[float]
    size: float | Sequence[float] = 8.0
    hover: Sequence[str] = ()
    text: Sequence[str] = ()
    values: Sequence[float] = ()
    bar: str = ""
    limits: tuple[float, float] | None = None
    money: bool = False


@frozen
class Bars:
    """A histogram.

    Parameters
    ----------
    name, style : as of a line.
    edges : (k + 1,) rising; bar i stands from edge i to edge i + 1.
    heights : (k,).
    """

    name: str
    style: Style
    edges: Sequence[float]
    heights: Sequence[float]


@frozen
class HeatMap:
    """A number at every point of a grid, as colour.

    Parameters
    ----------
    bar : what is measured, with the unit.
    x, y : (i,) and (j,) rising.
    z : j rows of i numbers.
    limits : numbers at the ends of the colours; None takes the least and the greatest.
    money : whether the numbers are dollars.
    log : whether equal steps of colour are equal ratios; all numbers above 0.
    """

    bar: str
    x: Sequence[float]
    y: Sequence[float]
    z: Sequence[Sequence[float]]
    limits: tuple[float, float] | None = None
    money: bool = False
    log: bool = False

    @property
    def scale(self) -> Scale:
        """The bar of colours as an axis, with its limits."""
        flat = [value for row in self.z for value in row]
        return Scale(label=self.bar, log=self.log, limits=self.limits or (min(flat), max(flat)), money=self.money)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A place that stands out: dashed lines across the panel, and a mark where both are given.

    Parameters
    ----------
    name : in the legend.
    style : how it is drawn.
    x, y : where; None draws no line across that axis.
    """

    name: str
    style: Style
    x: float | None = None
    y: float | None = None


Layer: TypeAlias = Line | Points | Bars | HeatMap | Mark


@frozen
class Panel:
    """One pair of axes and what is drawn in it, the first layer at the bottom.

    Parameters
    ----------
    title : above it.
    x, y : its axes.
    layers : at least one.
    """

    title: str
    x: Scale
    y: Scale
    layers: tuple[Layer, ...]


@frozen
class Picture:
    """A picture, with what those need who cannot see it.

    Parameters
    ----------
    kind : "lines", "map", ...
    title : a few words.
    caption : what is drawn, with units.
    finding : what it shows, in words and numbers taken from the data.
    table : the numbers behind it, columns of equal length; caption says so where some are left out.
    panels : row by row.
    across : panels in a row.
    panel_height : pixels.
    of_a_record : columns of the table that tell values of a record; a notebook does not show them.
    """

    kind: str
    title: str
    caption: str
    finding: str
    table: Mapping[str, list[Any]]
    panels: tuple[Panel, ...]
    across: int = 1
    panel_height: int = 280
    of_a_record: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return repr_of(self, kind=self.kind, panels=len(self.panels), columns=list(self.table))

    def _repr_html_(self) -> str:
        """Return the numbers behind it; the drawing, its title and its words may tell values of a record."""
        shown = {name: column for name, column in self.table.items() if name not in self.of_a_record}
        rows = list(zip(*shown.values(), strict=True))
        return html_table(
            f"Picture: {self.kind}", list(shown), rows[:_SHOWN_ROWS], more=max(len(rows) - _SHOWN_ROWS, 0)
        )

    @property
    def rows(self) -> int:
        """Number of rows of panels."""
        return -(-len(self.panels) // self.across)


def borders(values: Sequence[float], *, log: bool) -> list[float]:
    """Return the borders, (k + 1,), of cells around rising values, (k,): half way between neighbours.

    Parameters
    ----------
    values : at least one; above 0 where ``log``.
    log : whether half way is the geometric mean.

    Examples
    --------
    >>> borders([1.0, 2.0, 4.0], log=False)
    [0.5, 1.5, 3.0, 5.0]
    >>> borders([1.0, 100.0], log=True)
    [0.1, 10.0, 1000.0]
    """
    if log:
        if len(values) == 1:
            return [values[0] / 1.1, values[0] * 1.1]
        inner = [(low * high) ** 0.5 for low, high in pairwise(values)]
        return [values[0] ** 2 / inner[0], *inner, values[-1] ** 2 / inner[-1]]
    if len(values) == 1:
        return [values[0] - 0.5, values[0] + 0.5]
    inner = [(low + high) / 2 for low, high in pairwise(values)]
    return [2 * values[0] - inner[0], *inner, 2 * values[-1] - inner[-1]]
