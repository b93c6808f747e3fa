"""The description of a picture in words and numbers, which any library can draw."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, TypeAlias

from gamedeid.choices import PictureKind
from gamedeid.pictures.scales import Scale
from gamedeid.pictures.styles import Style
from gamedeid.reprs import frozen
from gamedeid.results.manifest import ResultWarning
from gamedeid.results.result import Result, Text


@frozen
class Line:
    """A line through points, in their order.

    Parameters
    ----------
    name : name in the legend; lines with one name in several panels are listed once; "" is not listed.
    style : style of the line; markers are drawn only with ``marked``.
    x, y : (k,) floats; None in both is a break of the line.
    marked : whether some points have the style's marker, and all have hover texts.
    said : name in hover texts; "" for the name in the legend.
    """

    name: str
    style: Style
    x: Sequence[float | None]
    y: Sequence[float | None]
    marked: bool = False
    said: str = ""


@frozen
class Points:
    """A set of separate points.

    Parameters
    ----------
    name, style : as for a line.
    x, y : (k,).
    size : diameters in pixels, (k,), or one diameter for all.
    hover : hover text of each point, (k,), or empty.
    text : text to the right of each point, with line feeds between lines, (k,), or empty.
    values : (k,) numbers for the panel's colours in place of the style's colour, or empty.
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
    """A histogram, or one bar for each category.

    Parameters
    ----------
    name, style : as for a line.
    heights : (k,).
    edges : edges of a histogram, (k + 1,) rising: bar i extends from edge i to edge i + 1.
    names : names of categories, (k,), in place of edges.
    says : hover text of a bar, with ``{low}``, ``{high}`` (or ``{name}``) and ``{height}``.
    """

    name: str
    style: Style
    heights: Sequence[float]
    edges: Sequence[float] = ()
    names: Sequence[str] = ()
    says: str = "{low} to {high}: {height}"


@frozen
class HeatMap:
    """A heat map: a colour for the number at every point of a grid.

    Parameters
    ----------
    x, y : (i,) and (j,) rising coordinates.
    z : j rows of i numbers; None for no number.
    says : hover text of a point, with ``{}`` for its number.
    """

    x: Sequence[float]
    y: Sequence[float]
    z: Sequence[Sequence[float | None]]
    says: str = "{}"

    def texts(self, text_of: Callable[[float], str]) -> list[list[str | None]]:
        """Return a text of the number at each point, j rows of i; None for no number. Most points share theirs."""
        texts = {value: None if value is None else text_of(value) for row in self.z for value in set(row)}
        return [[texts[value] for value in row] for row in self.z]


@frozen
class Area:
    """A part of the plane, filled with the colour of a number.

    Parameters
    ----------
    x, y : (k,) its corners, in order.
    value, hover : the number of its colour, and its hover text.
    """

    x: Sequence[float]
    y: Sequence[float]
    value: float
    hover: str


@frozen
class MarkedPlace:
    """A marked place: dashed lines across the panel, and a marker if both coordinates are given.

    Parameters
    ----------
    x, y : coordinates; None for no line across that axis.
    """

    name: str
    style: Style
    x: float | None = None
    y: float | None = None


Layer: TypeAlias = Line | Points | Bars | HeatMap | Area | MarkedPlace


@frozen
class Panel:
    """One pair of axes and the layers drawn in it, the first at the bottom.

    Parameters
    ----------
    layers : the layers, at least one.
    colours : the scale of numbers that are shown as colours, with limits; None for no such numbers.
    square : whether a dollar has the same length on both axes, which then have the same limits.
    """

    title: str
    x: Scale
    y: Scale
    layers: tuple[Layer, ...]
    colours: Scale | None = None
    square: bool = False


@frozen
class Picture(Result):
    """A picture, with words and a table for readers who cannot see it; the document has these and no drawing.

    Parameters
    ----------
    kind : kind of picture: "lines", "map", ...
    title : title, a few words.
    caption : description of the drawing, with units.
    finding : result of the picture, in words and numbers from the data.
    table : its numbers, in columns of equal length; the caption says if rows are left out.
    panels : panels, row by row.
    across : number of panels in a row.
    panel_height : height of a panel, pixels.
    zooms : whether a page has buttons that enlarge it.
    warnings : of the data, and of the games shown; the caption has their sentences too.
    subject : the data of the picture, such as the title of the scenario; drawn below the title.
    of_a_record : columns of the table with values of a record; a notebook does not show them.
    """

    document = "picture"
    keys: ClassVar = ("kind", "title", "caption", "finding", "table", "warnings")
    shown = ("kind", "table")
    table_of = "numbers"

    kind: PictureKind
    title: Text
    caption: Text
    finding: Text
    table: Mapping[str, list[Any]]
    panels: tuple[Panel, ...]
    across: int = 1
    panel_height: int = 280
    zooms: bool = False
    warnings: tuple[ResultWarning, ...] = ()
    subject: str = ""
    of_a_record: tuple[str, ...] = ()

    @property
    def numbers(self) -> dict[str, list[Any]]:
        """The numbers of the picture, without values of a record, which drawing, title and words may contain."""
        return {name: column for name, column in self.table.items() if name not in self.of_a_record}

    @property
    def rows(self) -> int:
        """Number of rows of panels."""
        return -(-len(self.panels) // self.across)
