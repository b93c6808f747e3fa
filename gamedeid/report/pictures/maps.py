"""What a policy does over the plane of loss and benefit: detail, attacks, both payoffs (wan2015, Figures 8 to 10)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from gamedeid.amounts import dollars, four, money
from gamedeid.errors import InvalidScenarioError, nearest, quoted
from gamedeid.report.pictures.lines import stake_scale
from gamedeid.report.pictures.picture import HeatMap, Mark, Panel, Picture
from gamedeid.report.pictures.styles import STAKES
from gamedeid.report.pictures.words import capital, evenly_spaced, game_named, percent, rows_shown_words, stakes

_Measures: TypeAlias = Mapping[str, tuple[str, str, Callable[[float], str]]]
"""Measure -> its words, its unit, and how findings write it."""

_OF_RECORDS: _Measures = {
    "generalization_intensity": ("generalization intensity", "0 to 1", four),
    "attacked": ("share attacked", "share of records", percent),
    "publisher_payoff": ("publisher's payoff", "dollars per record", dollars),
    "adversary_payoff": ("adversary's payoff", "dollars per record", dollars),
}
_OF_ONE: _Measures = {
    "generalization_intensity": ("generalization intensity", "0 to 1", four),
    "attacked": ("adversary's reply", "1 attack, 0 none", lambda value: "attack" if value else "no attack"),
    "publisher_payoff": ("publisher's payoff", "dollars", dollars),
    "adversary_payoff": ("adversary's payoff", "dollars", dollars),
}

_DECADE = 10

MOST_VALUES = 11
"""Losses, and benefits, that the table beside a map has at most."""


def map_picture(
    columns: Mapping[str, Sequence[Any]], chosen: Mapping[str, float], policy: str = "basic", *, record: str = ""
) -> Picture:
    """Draw four measures of one policy over loss and benefit.

    Parameters
    ----------
    columns : of a sweep, of the dataset or of one record, in which the loss and the benefit are varied: ``policy``,
        ``benefit``, ``loss`` and the four measures ``generalization_intensity``, ``attacked``, ``publisher_payoff`` and
        ``adversary_payoff``, at least.
    chosen : the scenario's own stakes by name, dollars; marked.
    policy : which of the policies and games in the columns.
    record : what the one record is called that the columns are about, such as "record 17"; "" for those of a dataset.

    Returns
    -------
    the picture; :func:`gamedeid.save_picture` writes it.

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
    measures = _OF_ONE if record else _OF_RECORDS
    mark = Mark(name="chosen stakes", style=STAKES, x=chosen["loss"], y=chosen["benefit"])
    panels = tuple(
        Panel(
            title=capital(words),
            x=stake_scale("loss", losses),
            y=stake_scale("benefit", benefits),
            layers=(_heat_map(measure, unit, _grid(columns[measure], row_at), losses, benefits), mark),
        )
        for measure, (words, unit, _) in measures.items()
    )
    shown_points = {point: row_at[point] for point in _some_points(losses, benefits, chosen)}
    of = f": {record}" if record else ""
    shown = "generalization intensity (0 to 1), the adversary's reply, and the payoffs of both players (dollars)"
    if not record:
        shown = (
            "mean generalization intensity (0 to 1), share of records attacked, and mean payoffs of both players "
            "(dollars per record)"
        )
    return Picture(
        kind="map",
        title=f"{capital(game_named(policy))} over loss and benefit{of}",
        caption=(
            f"Under {game_named(policy)}: {shown} over the loss L (to the right) and the benefit V (upwards), both in "
            f"dollars. The dashed lines cross at the chosen stakes: {stakes(chosen)}."
            + rows_shown_words(len(shown_points), len(points))
        ),
        finding=_finding(columns, row_at, chosen, policy, measures),
        table=_table(columns, shown_points, measures),
        panels=panels,
        across=2,
        panel_height=340,
    )


def _grid(values: Sequence[Any], row_at: Mapping[tuple[float, float], int]) -> list[list[float]]:
    """Return the values of a measure, a row for each benefit and in it one for each loss, both rising."""
    rows: dict[float, list[float]] = {}
    for point in sorted(row_at, key=lambda point: (point[1], point[0])):
        rows.setdefault(point[1], []).append(float(values[row_at[point]]))
    return list(rows.values())


def _heat_map(
    measure: str, unit: str, z: list[list[float]], losses: Sequence[float], benefits: Sequence[float]
) -> HeatMap:
    """Return the colours of one measure: shares from 0 to 1, payoffs by their ratios where they span decades."""
    low, high = (pick(map(pick, z)) for pick in (min, max))
    ends = {"generalization_intensity": (0.0, high), "attacked": (0.0, 1.0)}.get(measure, (low, high))
    return HeatMap(
        bar=unit,
        x=losses,
        y=benefits,
        z=z,
        limits=ends if ends[0] < ends[1] else (ends[0], ends[0] + 1),
        unit="dollars" if measure.endswith("payoff") else "",
        log=measure == "publisher_payoff" and low > 0 and high >= _DECADE * low,
    )


def _some_points(
    losses: Sequence[float], benefits: Sequence[float], chosen: Mapping[str, float]
) -> list[tuple[float, float]]:
    """Return the points that the table shows: at most ``MOST_VALUES`` losses and benefits, the chosen among them."""
    some = []
    for name, values in (("loss", losses), ("benefit", benefits)):
        must = [place for place, value in enumerate(values) if value == chosen[name]]
        some.append([values[place] for place in evenly_spaced(len(values), MOST_VALUES, must)])
    return [(loss, benefit) for loss in some[0] for benefit in some[1]]


def _table(
    columns: Mapping[str, Sequence[Any]], row_at: Mapping[tuple[float, float], int], measures: _Measures
) -> dict[str, list[Any]]:
    table: dict[str, list[Any]] = {
        "loss (dollars)": [loss for loss, _ in row_at],
        "benefit (dollars)": [benefit for _, benefit in row_at],
    }
    for measure, (words, unit, _) in measures.items():
        table[f"{words} ({unit})"] = [float(columns[measure][row]) for row in row_at.values()]
    return table


def _finding(
    columns: Mapping[str, Sequence[Any]],
    row_at: Mapping[tuple[float, float], int],
    chosen: Mapping[str, float],
    policy: str,
    measures: _Measures,
) -> str:
    sentences = []
    here = row_at.get((chosen["loss"], chosen["benefit"]))
    if here is not None:
        values = ", ".join(f"{words} {form(columns[name][here])}" for name, (words, _, form) in measures.items())
        sentences.append(f"At the chosen stakes {game_named(policy)} has: {values}.")
    for name, (words, _, form) in measures.items():
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
    return f"loss {money(point[0])} and benefit {money(point[1])}"
