"""Styles of pictures: elements differ by colour, and also by dash and by marker."""

from functools import lru_cache
from typing import Literal, TypeAlias

from gamedeid.reprs import frozen

Dash: TypeAlias = Literal["solid", "dash", "dot", "dashdot", "longdash"]
Marker: TypeAlias = Literal["circle", "square", "triangle", "diamond", "cross", "star", "dot"]

INK = "#1f1f1f"
"""Colour of all text: contrast 16 to 1 against white."""

FAINT = "#d9d9d9"
"""Colour of grid lines and of connections."""

PAPER = "#ffffff"
"""Colour of the page, which fills hollow markers and surrounds marks on other colours."""

DARK = {
    INK: "#ececec",
    FAINT: "#4a4a4a",
    PAPER: "#16191d",
    "#000000": "#ffffff",
    "#fdfdfd": "#fdfdfd",
    "#3d3d3d": "#c8ccd0",
    "#757575": "#a0a4a8",
    "#0072b2": "#56b4e9",
    "#d55e00": "#ff9a4d",
    "#007a5a": "#35c9a0",
    "#8a3d74": "#e39bcb",
}
"""Colour of a picture -> its colour on a dark page; ``PAPER`` becomes the colour of that page."""


@frozen
class Style:
    """The style of one element.

    Parameters
    ----------
    colour : #rrggbb; contrast at least 3 to 1 against white, except for connections.
    filled : whether markers are filled with the colour, or with white.
    hatch : pattern of bars, in addition to their colour.
    """

    colour: str
    dash: Dash = "solid"
    marker: Marker = "circle"
    filled: bool = True
    hatch: Literal["", "/", "x", "."] = ""


COLOURS = "cividis"
"""matplotlib's name of the colours of numbers: they grow lighter evenly, for every kind of colour vision."""

_SHADES = "00224e 013271 2f426d 48526c 5e636f 727374 878478 9d9576 b6a96f cebc63 e7d150 fee838"


@lru_cache(maxsize=256)  # a map has thousands of cells, of few colours
def shade(place: float) -> str:
    """Return the colour, as #rrggbb, at a place from 0 to 1, or at the nearer end.

    It is interpolated between twelve colours of matplotlib's cividis, whose data are in the public domain.

    Examples
    --------
    >>> shade(0.0), shade(2.0)
    ('#00224e', '#fee838')
    """
    shades = _SHADES.split()
    last = len(shades) - 1
    at = min(max(place, 0.0), 1.0) * last
    below = min(int(at), last - 1)
    ends = (bytes.fromhex(shades[one]) for one in (below, below + 1))
    return "#" + bytes(round(one + (at - below) * (other - one)) for one, other in zip(*ends, strict=True)).hex()


POLICY = Style(colour="#3d3d3d", dash="longdash", marker="square", filled=False)
"""Style of the policy that the games are compared with, under any name, and of its strategy."""

GAME_STYLES = {
    "basic": Style(colour="#0072b2", marker="circle"),
    "sh-friendly": Style(colour="#d55e00", dash="dash", marker="triangle", hatch="/"),
    "no-attack": Style(colour="#007a5a", dash="dashdot", marker="diamond", hatch="x"),
    "aware-basic": Style(colour="#8a3d74", marker="cross", hatch="."),
    "aware-no-attack": Style(colour="#000000", marker="star"),
    "within limits": Style(colour="#000000", dash="dot", marker="star"),
}
"""Styles of the games, and of the release within limits on the whole dataset, which aware games do not have.

Colours after Okabe and Ito, with a darker green for contrast against white.
"""

CHOSEN = Style(colour="#000000", dash="dash", marker="circle", filled=False)
"""Style of a chosen strategy, around its own marker."""

STAKES = Style(colour="#000000", dash="dash", marker="cross")
"""Style of the scenario's own stakes."""

ATTACKED = Style(colour="#d55e00", marker="triangle")
"""Style of strategies that the adversary attacks."""

NOT_ATTACKED = Style(colour="#0072b2", marker="circle")
"""Style of strategies that the adversary does not attack."""

FORBIDDEN = Style(colour="#757575", marker="diamond", filled=False)
"""Style of strategies that the game does not permit."""

REFERENCE = Style(colour="#757575", dash="dot", marker="dot")
"""Style of reference lines, such as equal payoffs."""

UNIFORM = Style(colour="#757575", marker="circle", filled=False)
"""Style of uniform policies."""

BETTER_UNIFORM = Style(colour="#8a3d74", marker="cross")
"""Style of uniform policies that beat the policy."""

UNIFORM_FRONTIER = Style(colour="#757575", dash="dash")
"""Style of the frontier of uniform policies."""

RECORD_LEVEL = Style(colour="#000000")
"""Style of the curve of a strategy for each record."""

BORDER = Style(colour="#fdfdfd")
"""Style of the borders between areas of a map."""

CONNECTION = Style(colour=FAINT)
"""Style of the edges of a lattice."""


def style_of(policy: str) -> Style:
    """Return the style of a game, or of a policy by any other name."""
    return GAME_STYLES.get(policy, POLICY)
