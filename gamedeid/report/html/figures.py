"""The report's figures: pictures of the stored aggregates, each with its text."""

from collections.abc import Iterator, Mapping
from typing import Any

from gamedeid.analysis.payoff_differences import Histogram
from gamedeid.choices import GAMES
from gamedeid.pictures.differences import histogram_picture
from gamedeid.pictures.lines import lines_picture
from gamedeid.pictures.maps import map_picture
from gamedeid.pictures.picture import Picture
from gamedeid.pictures.svg_drawing import drawing
from gamedeid.pictures.words import capitalized, policy_words
from gamedeid.report.words.run import question_kind
from gamedeid.reprs import frozen

CAPTIONS = {
    "lines": (
        "Mean payoff per record of the publisher (left) and of the adversary (right), as one figure at a time is "
        "varied; dashed lines mark the chosen figures."
    ),
    "map": (
        "The {game} over the loss (to the right) and the benefit (upwards), in dollars; the dashed lines cross at the "
        "chosen figures."
    ),
    "differences": (
        "Share of the records by how much more or less a game pays than {policy}, in dollars per record: the publisher "
        "to the left, {adversary} to the right."
    ),
}
"""The caption of each kind of figure, one sentence."""


@frozen
class Figure:
    """One figure of the page.

    Parameters
    ----------
    name : id of its HTML element.
    picture : the picture to draw.
    caption : one sentence below it; the picture's own longer caption is shown with its numbers.
    choice : the game for which it is shown; None if it is always shown.
    exact : whether it shows the best strategies, for any solver of the release.
    """

    name: str
    picture: Picture
    caption: str
    choice: str | None = None
    exact: bool = True

    @property
    def shown(self) -> dict[str, Any]:
        """The texts of the figure for the page."""
        return {
            "id": self.name,
            "choice": self.choice,
            "title": capitalized(self.picture.title),
            "drawing": drawing(self.picture, self.name),
            "caption": self.caption,
            "described": self.picture.caption,
            "finding": self.picture.finding,
            "columns": list(self.picture.table),
            "rows": [[_text(value) for value in row] for row in zip(*self.picture.table.values(), strict=True)],
        }


def figures(content: Mapping[str, Any], summary: Mapping[str, Any]) -> Iterator[Figure]:
    """Yield the figures in the order of the page: lines along each stake, maps of each game, differences."""
    chosen = summary["payoffs"]
    if "lines" in content:
        yield Figure(name="lines", picture=lines_picture(content["lines"], chosen), caption=CAPTIONS["lines"])
    for game in GAMES if "map" in content else ():
        yield Figure(
            name=f"map-{game}",
            picture=map_picture(content["map"], chosen, game),
            caption=CAPTIONS["map"].format(game=f"{game} game"),
            choice=game,
        )
    histogram = Histogram.from_dict(content["differences"])
    yield Figure(
        name="differences",
        picture=histogram_picture(histogram),
        caption=CAPTIONS["differences"].format(
            policy=policy_words(histogram.policy),
            adversary="all recipients together" if question_kind(summary).recipients else "the adversary",
        ),
        exact=False,
    )


def _text(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:,.4g}" if abs(value) < 1000 else f"{value:,.0f}"  # noqa: PLR2004
    return "" if value is None else f"{value:,}" if isinstance(value, int) else str(value)
