"""What a picture shows, in words and numbers, before any library draws it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil, floor, log10
from typing import Any, Literal, TypeAlias

from gamedeid.report.pictures.styles import Style
from gamedeid.reprs import frozen, html_table, repr_of

Unit: TypeAlias = Literal["", "dollars", "percent"]
"""What numbers are: plain, dollars, or shares from 0 to 1 that are shown in per cent."""

_MOST_TICKS = 5
MILLION = 10**6  # from here on numbers along an axis are told in millions
FROM_ZERO = 2.0  # times the number in whose place 0 stands along a logarithmic axis: all others are above that
_ROOM = 0.05  # of an axis, beside the lowest and the highest of what it shows
_SAME = 1e-9  # numbers this near, in proportion, are one number
_SHOWN_ROWS = 10  # of the table, in a notebook


@frozen
class Scale:
    """One axis of a panel.

    Parameters
    ----------
    label : what is measured, with its unit in brackets.
    log : whether equal distances are equal ratios.
    limits : lowest and highest value shown; None leaves that to the data, which ``log`` does not allow.
    unit : what the numbers are.
    shown : whether numbers stand along it.
    whole : whether only whole numbers do.
    only : the numbers that stand along it; None leaves that to the limits.
    zero : the number in whose place 0 stands along a logarithmic axis, below all others; None where 0 is not shown.
    """

    label: str
    log: bool = False
    limits: tuple[float, float] | None = None
    unit: Unit = ""
    shown: bool = True
    whole: bool = False
    only: tuple[float, ...] | None = None
    zero: float | None = None

    @property
    def quantity(self) -> str:
        """What is measured, without its unit."""
        return self.label.partition(" (")[0]

    @property
    def ticks(self) -> list[float] | None:
        """Where numbers stand; None leaves that to the drawing.

        Along a logarithmic axis that is 1, 2 and 5 times powers of ten, or fewer of them.

        Examples
        --------
        >>> Scale(label="", log=True, limits=(60, 2000)).ticks
        [100.0, 200.0, 500.0, 1000.0, 2000.0]
        >>> Scale(label="", log=True, limits=(2, 20_000)).ticks
        [10.0, 100.0, 1000.0, 10000.0]
        >>> Scale(label="", log=True, limits=(0.1, 200), zero=0.2).ticks
        [0.2, 1.0, 10.0, 100.0]
        """
        if self.only is not None:
            return list(self.only)
        if not self.log:
            return None
        assert self.limits is not None  # noqa: S101  (a logarithmic axis knows its limits)
        low, high = self.limits
        if self.zero is not None:
            low = self.zero * FROM_ZERO * 1.2
        powers = range(floor(log10(low)), ceil(log10(high)) + 1)
        every, few = ([float(f"{d}e{power}") for power in powers for d in digits] for digits in ((1, 2, 5), (1,)))
        within = [[tick for tick in ticks if low <= tick <= high] for ticks in (every, few)]
        chosen = within[0] if len(within[0]) <= _MOST_TICKS else within[1]
        return chosen if self.zero is None else [self.zero, *chosen]

    def text(self, value: float) -> str:
        """Return how a number reads along it.

        Examples
        --------
        >>> Scale(label="", unit="dollars").text(-1200), Scale(label="", unit="percent").text(0.125)
        ('-$1,200', '12.5%')
        >>> Scale(label="", log=True, limits=(0.1, 200), zero=0.2).text(0.2)
        '0'
        >>> Scale(label="", unit="dollars").text(2.5e6)
        '$2.5M'
        """
        shown = 0.0 if value == self.zero else round(100 * value if self.unit == "percent" else value, 10)
        millions = abs(shown) >= MILLION
        digits = f"{abs(shown) / MILLION:,.10g}M" if millions else f"{abs(shown):,.10g}"
        sign = "-" if shown < 0 else ""
        return f"{sign}{'$' if self.unit == 'dollars' else ''}{digits}{'%' if self.unit == 'percent' else ''}"


def _of_colours(scale: Scale) -> Scale:
    """Return the axis of a bar of colours: where all is one number, that number stands alone at its lower end."""
    low, high = scale.limits or (0.0, 0.0)
    return replace(scale, limits=(low, low + 1.0), only=(low,), log=False) if low >= high else scale


@frozen
class Line:
    """Points joined in their order.

    Parameters
    ----------
    name : in the legend; lines of one name in several panels are listed once; "" is not listed.
    style : how it is drawn; markers only with ``marked``.
    x, y : (k,) floats; None in both breaks the line.
    marked : whether some of the points carry the style's marker, and all answer to the pointer.
    said : its name when it is pointed at; "" takes the one in the legend.
    """

    name: str
    style: Style
    x: Sequence[float | None]
    y: Sequence[float | None]
    marked: bool = False
    said: str = ""


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
    unit : of ``values``.
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
    unit: Unit = ""

    @property
    def scale(self) -> Scale:
        """The bar of colours as an axis."""
        limits = self.limits or (min(self.values), max(self.values))
        return _of_colours(Scale(label=self.bar, limits=limits, unit=self.unit))


@frozen
class Bars:
    """A histogram.

    Parameters
    ----------
    name, style : as of a line.
    edges : (k + 1,) rising; bar i stands from edge i to edge i + 1.
    heights : (k,).
    names : what each bar is called along the axis, (k,), in place of the numbers at its edges; or nothing.
    says : what a bar says when it is pointed at, with ``{low}``, ``{high}`` (or ``{name}``) and ``{height}``.
    """

    name: str
    style: Style
    edges: Sequence[float]
    heights: Sequence[float]
    names: Sequence[str] = ()
    says: str = "{low} to {high}: {height}"


@frozen
class HeatMap:
    """A number at every point of a grid, as colour.

    Parameters
    ----------
    bar : what is measured, with the unit.
    x, y : (i,) and (j,) rising.
    z : j rows of i numbers; None where there is none.
    limits : numbers at the ends of the colours; None takes the least and the greatest.
    unit : of the numbers.
    log : whether equal steps of colour are equal ratios; all numbers above 0.
    says : what a point says when it is pointed at, with ``{}`` for its number.
    only : the numbers that stand beside the colours; None leaves that to the limits.
    """

    bar: str
    x: Sequence[float]
    y: Sequence[float]
    z: Sequence[Sequence[float | None]]
    limits: tuple[float, float] | None = None
    unit: Unit = ""
    log: bool = False
    says: str = "{}"
    only: tuple[float, ...] | None = None

    @property
    def scale(self) -> Scale:
        """The bar of colours as an axis, with its limits."""
        flat = [value for row in self.z for value in row if value is not None]
        limits = self.limits or (min(flat), max(flat))
        return _of_colours(Scale(label=self.bar, log=self.log, limits=limits, unit=self.unit, only=self.only))


@frozen
class Area:
    """A part of the plane.

    Parameters
    ----------
    x, y : (k,) its corners, in their order.
    value : what its colour shows.
    hover : what it says when it is pointed at.
    """

    x: Sequence[float]
    y: Sequence[float]
    value: float
    hover: str


@frozen
class Areas:
    """Parts of the plane with a number each, as colour.

    Parameters
    ----------
    bar, limits, unit, only : as of a heat map.
    areas : at least one; they do not overlap.
    """

    bar: str
    areas: tuple[Area, ...]
    limits: tuple[float, float]
    unit: Unit = ""
    only: tuple[float, ...] | None = None

    @property
    def scale(self) -> Scale:
        """The bar of colours as an axis."""
        return _of_colours(Scale(label=self.bar, limits=self.limits, unit=self.unit, only=self.only))


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


Layer: TypeAlias = Line | Points | Bars | HeatMap | Areas | Mark


@frozen
class Panel:
    """One pair of axes and what is drawn in it, the first layer at the bottom.

    Parameters
    ----------
    title : above it.
    x, y : its axes.
    layers : at least one.
    square : whether a dollar to the right is as long as a dollar upwards; both axes have the same limits.
    """

    title: str
    x: Scale
    y: Scale
    layers: tuple[Layer, ...]
    square: bool = False


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
    zooms : whether a page lets the reader look closer, with buttons that do and undo it.
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
    zooms: bool = False
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


def roomy(values: Sequence[float | None], label: str, unit: Unit = "", *, at_least: float | None = None) -> Scale:
    """Return an axis with a little room around what it shows; what is one number throughout stands alone on it.

    Parameters
    ----------
    values : what is shown; None where nothing is.
    label, unit : of the axis.
    at_least : a value that no number is below: no room is left under it.

    Examples
    --------
    >>> roomy([0.0, 100.0], "x", at_least=0.0).limits
    (0.0, 105.0)
    >>> roomy([0.0, 0.0], "x").only
    (0.0,)
    """
    known = [value for value in values if value is not None]
    low, high = min(known, default=0.0), max(known, default=0.0)
    if high - low <= _SAME * max(abs(low), abs(high)):
        around = abs(high) or 1.0
        return Scale(label=label, unit=unit, limits=(high - around, high + around), only=(high,))
    room = _ROOM * (high - low)
    below = low if at_least is not None and low <= at_least else low - room
    return Scale(label=label, unit=unit, limits=(below, high + room))


def rising_from_zero(values: Sequence[float], label: str, unit: Unit = "") -> Scale:
    """Return an axis of numbers from 0 on: logarithmic where those above 0 span more than a decade.

    Parameters
    ----------
    values : what is shown, each at least 0.
    label, unit : of the axis.

    Examples
    --------
    >>> rising_from_zero([0.0, 1.0, 1000.0], "x").zero
    0.25
    >>> rising_from_zero([0.0, 5.0, 10.0], "x").limits
    (0.0, 10.5)
    """
    positive = [value for value in values if value > 0]
    if not positive or max(positive) / min(positive) <= 10:  # noqa: PLR2004  (a decade)
        return roomy([0.0, *positive], label, unit, at_least=0.0)
    low, high = min(positive), max(positive)
    if len(positive) == len(values):
        return Scale(label=label, unit=unit, log=True, limits=(low / 1.2, high * 1.2))
    zero = low / (2 * FROM_ZERO)
    return Scale(label=label, unit=unit, log=True, limits=(zero / 1.4, high * 1.2), zero=zero)


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
