"""The description of a picture, in words and numbers, which any library can draw."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from gamedeid.pictures.scales import Scale
from gamedeid.pictures.styles import Style
from gamedeid.reprs import Shown, frozen


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
    values : (k,) numbers that the panel's colours show instead of the style's, or nothing.
    """

    name: str
    style: Style
    x: Sequence[float]
    y: Sequence[float]
    size: float | Sequence[float] = 8.0
    hover: Sequence[str] = ()
    text: Sequence[str] = ()
    values: Sequence[float] = ()


@frozen
class Bars:
    """A histogram, or a bar for each of some categories.

    Parameters
    ----------
    name, style : as of a line.
    heights : (k,).
    edges : of a histogram, (k + 1,) rising: bar i stands from edge i to edge i + 1.
    names : the categories, (k,), in place of edges.
    says : what a bar says when it is pointed at, with ``{low}``, ``{high}`` (or ``{name}``) and ``{height}``.
    """

    name: str
    style: Style
    heights: Sequence[float]
    edges: Sequence[float] = ()
    names: Sequence[str] = ()
    says: str = "{low} to {high}: {height}"


@frozen
class HeatMap:
    """A number at every point of a grid, as colour.

    Parameters
    ----------
    x, y : (i,) and (j,) rising.
    z : j rows of i numbers; None where there is none.
    says : what a point says when it is pointed at, with ``{}`` for its number.
    """

    x: Sequence[float]
    y: Sequence[float]
    z: Sequence[Sequence[float | None]]
    says: str = "{}"


@frozen
class Area:
    """A part of the plane, filled with the colour of a number.

    Parameters
    ----------
    x, y : (k,) its corners, in their order.
    value, hover : what its colour shows, and what it says when it is pointed at.
    """

    x: Sequence[float]
    y: Sequence[float]
    value: float
    hover: str


@frozen
class MarkedPlace:
    """A place that stands out: dashed lines across the panel, and a mark where both are given.

    Parameters
    ----------
    x, y : where; None draws no line across that axis.
    """

    name: str
    style: Style
    x: float | None = None
    y: float | None = None


Layer: TypeAlias = Line | Points | Bars | HeatMap | Area | MarkedPlace


@frozen
class Panel:
    """One pair of axes and what is drawn in it, the first layer at the bottom.

    Parameters
    ----------
    layers : at least one.
    colours : the scale of the numbers that are shown as colour, with limits; None where none are.
    square : whether a dollar to the right is as long as a dollar upwards; both axes have the same limits.
    """

    title: str
    x: Scale
    y: Scale
    layers: tuple[Layer, ...]
    colours: Scale | None = None
    square: bool = False


@frozen
class Picture(Shown):
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
    zooms : whether a page has buttons that make it larger.
    subject : what data it is of, such as the title of the scenario; drawn below the title.
    of_a_record : columns of the table that tell values of a record; a notebook does not show them.
    """

    shown = ("kind", "table")
    table_of = "numbers"

    kind: str
    title: str
    caption: str
    finding: str
    table: Mapping[str, list[Any]]
    panels: tuple[Panel, ...]
    across: int = 1
    panel_height: int = 280
    zooms: bool = False
    subject: str = ""
    of_a_record: tuple[str, ...] = ()

    @property
    def numbers(self) -> dict[str, list[Any]]:
        """The numbers behind it; the drawing, its title and its words may give values of a record away."""
        return {name: column for name, column in self.table.items() if name not in self.of_a_record}

    @property
    def rows(self) -> int:
        """Number of rows of panels."""
        return -(-len(self.panels) // self.across)
