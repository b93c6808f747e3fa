"""What a policy does over the plane of loss and benefit: detail, attacks, both payoffs (wan2015, Figures 8 to 10)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gamedeid.errors import InvalidScenarioError, nearest, quoted
from gamedeid.pictures.lines import stake_scale
from gamedeid.pictures.picture import HeatMap, Mark, Panel, Picture
from gamedeid.pictures.styles import STAKES
from gamedeid.pictures.words import capital, dollars, four, game_named, percent, said_of, some_of, stake, stakes

_PANELS: dict[str, tuple[str, str, Callable[[float], str]]] = {
    "generalization_intensity": ("generalization intensity", "0 to 1", four),
    "attacked": ("share attacked", "share of records", percent),
    "publisher_payoff": ("publisher's payoff", "dollars per record", dollars),
    "adversary_payoff": ("adversary's payoff", "dollars per record", dollars),
}
"""Measure -> its words, its unit, and how findings write it."""

_DECADE = 10

MOST_VALUES = 11
"""Losses, and benefits, that the table beside a map has at most."""


def map_picture(columns: Mapping[str, Sequence[Any]], chosen: Mapping[str, float], policy: str = "basic") -> Picture:
    """Draw four measures of one policy over loss and benefit.

    Parameters
    ----------
    columns : of a sweep, of the dataset or of one record, in which the loss and the benefit are varied: ``policy``,
        ``benefit``, ``loss`` and the four measures ``generalization_intensity``, ``attacked``, ``publisher_payoff`` and
        ``adversary_payoff``, at least.
    chosen : the scenario's own stakes by name, dollars; marked.
    policy : which of the policies and games in the columns.

    Raises
    ------
    InvalidScenarioError : no such policy in the columns, or loss and benefit are not what is varied.
    """
    known = list(dict.fromkeys(columns["policy"]))
    if policy not in known:
        raise InvalidScenarioError(f"there is no policy or game {quoted(policy)}{nearest(policy, known)}")
    rows = [place for place, name in enumerate(columns["policy"]) if name == policy]
    points = [(float(columns["loss"][row]), float(columns["benefit"][row])) for row in rows]
    losses, benefits = (sorted(set(values)) for values in zip(*points, strict=True))
    if len(set(points)) != len(points) or len(points) != len(losses) * len(benefits):
        raise InvalidScenarioError("a map needs loss and benefit varied, and nothing else")
    row_at = dict(zip(points, rows, strict=True))
    mark = Mark(name="chosen stakes", style=STAKES, x=chosen["loss"], y=chosen["benefit"])
    panels = tuple(
        Panel(
            title=capital(words),
            x=stake_scale("loss", losses),
            y=stake_scale("benefit", benefits),
            layers=(_heat_map(measure, columns, row_at, losses, benefits), mark),
        )
        for measure, (words, _, _) in _PANELS.items()
    )
    kept = {point: row_at[point] for point in _some_points(losses, benefits, chosen)}
    return Picture(
        kind="map",
        title=f"{capital(game_named(policy))} over loss and benefit",
        caption=(
            f"Under {game_named(policy)}: mean generalization intensity (0 to 1), share of records attacked, and mean "
            "payoffs of the publisher and the adversary (dollars per record) over the loss L (to the right) and the "
            f"benefit V (upwards), both in dollars. The dashed lines cross at the chosen stakes: {stakes(chosen)}."
            + said_of(len(kept), len(points))
        ),
        finding=_finding(columns, row_at, chosen, policy),
        table=_table(columns, kept),
        panels=panels,
        across=2,
        panel_height=340,
    )


def _heat_map(
    measure: str,
    columns: Mapping[str, Sequence[Any]],
    row_at: Mapping[tuple[float, float], int],
    losses: Sequence[float],
    benefits: Sequence[float],
) -> HeatMap:
    """Return the colours of one measure: shares from 0 to 1, payoffs by their ratios where they span decades."""
    z = [[float(columns[measure][row_at[loss, benefit]]) for loss in losses] for benefit in benefits]
    low, high = (pick(map(pick, z)) for pick in (min, max))
    ends = {"generalization_intensity": (0.0, high), "attacked": (0.0, 1.0)}.get(measure, (low, high))
    return HeatMap(
        bar=_PANELS[measure][1],
        x=losses,
        y=benefits,
        z=z,
        limits=ends if ends[0] < ends[1] else (ends[0], ends[0] + 1),
        money=measure.endswith("payoff"),
        log=measure == "publisher_payoff" and low > 0 and high >= _DECADE * low,
    )


def _some_points(
    losses: Sequence[float], benefits: Sequence[float], chosen: Mapping[str, float]
) -> list[tuple[float, float]]:
    """Return the points that the table shows: at most ``MOST_VALUES`` losses and benefits, the chosen among them."""
    some = []
    for name, values in (("loss", losses), ("benefit", benefits)):
        must = [place for place, value in enumerate(values) if value == chosen[name]]
        some.append([values[place] for place in some_of(len(values), MOST_VALUES, must)])
    return [(loss, benefit) for loss in some[0] for benefit in some[1]]


def _table(columns: Mapping[str, Sequence[Any]], row_at: Mapping[tuple[float, float], int]) -> dict[str, list[Any]]:
    table: dict[str, list[Any]] = {
        "loss (dollars)": [loss for loss, _ in row_at],
        "benefit (dollars)": [benefit for _, benefit in row_at],
    }
    for measure, (words, unit, _) in _PANELS.items():
        table[f"{words} ({unit})"] = [float(columns[measure][row]) for row in row_at.values()]
    return table


def _finding(
    columns: Mapping[str, Sequence[Any]],
    row_at: Mapping[tuple[float, float], int],
    chosen: Mapping[str, float],
    policy: str,
) -> str:
    sentences = []
    here = row_at.get((chosen["loss"], chosen["benefit"]))
    if here is not None:
        values = ", ".join(f"{words} {form(columns[name][here])}" for name, (words, _, form) in _PANELS.items())
        sentences.append(f"At the chosen stakes {game_named(policy)} has: {values}.")
    for name, (words, _, form) in _PANELS.items():
        by_point = {point: float(columns[name][row]) for point, row in row_at.items()}
        low, high = (pick(by_point, key=by_point.__getitem__) for pick in (min, max))
        if by_point[low] == by_point[high]:
            sentences.append(f"The {words} is {form(by_point[low])} everywhere.")
            continue
        sentences.append(
            f"The {words} is lowest, {form(by_point[low])}, at {_at(low)} and highest, {form(by_point[high])}, at "
            f"{_at(high)}."
        )
    return " ".join(sentences)


def _at(point: tuple[float, float]) -> str:
    return f"loss {stake(point[0])} and benefit {stake(point[1])}"
