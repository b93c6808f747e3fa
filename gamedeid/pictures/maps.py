"""Maps of a policy over loss and benefit: detail, attacks, both payoffs (wan2015, Figures 8 to 10)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from math import ceil, log
from typing import Any

import numpy as np

from gamedeid.amounts import dollars, four_decimals, money, percent
from gamedeid.analysis.record_regions import RecordRegion
from gamedeid.catalogue import FORMS, sentence
from gamedeid.choices import GAMES
from gamedeid.errors import InvalidScenarioError
from gamedeid.pictures.lines import SHARE_OF_BENEFIT, share_of, stake_scale
from gamedeid.pictures.picture import Area, HeatMap, Layer, Line, MarkedPlace, Panel, Picture
from gamedeid.pictures.scales import Scale, Unit, colour_scale
from gamedeid.pictures.styles import BORDER, STAKES
from gamedeid.pictures.words import capitalized, evenly_spaced, policy_words, rows_shown_words, stakes
from gamedeid.reprs import frozen


@frozen
class _Measure:
    """One panel of a map.

    Parameters
    ----------
    words : name of the measure.
    in_table : its unit in the table; numbers are multiplied by ``times``.
    form : its format in findings.
    bar, unit : label and unit of the colour scale.
    says : hover text of a point.
    names : names of 0 and 1, for a measure without other values.
    of_benefit : whether the colours show it as a share of the benefit, which hides other effects in dollars.
    """

    words: str
    in_table: str
    form: Callable[[float], str]
    bar: str
    unit: Unit = ""
    says: str = "{}"
    of_benefit: bool = False
    names: tuple[str, str] | tuple[()] = ()

    @property
    def times(self) -> float:
        return 100.0 if self.unit == "percent" and not self.of_benefit else 1.0


_SAME = 9  # decimals to which values are the same: sums are rounded in other ways at each point

_OF_RECORDS: Mapping[str, _Measure] = {
    "generalization_intensity": _Measure(
        words="generalization intensity",
        in_table="0 to 1",
        form=four_decimals,
        bar="0 is full detail, 1 none",
        says="generalization intensity {}",
    ),
    "attacked": _Measure(
        words="share attacked",
        in_table="per cent of records",
        form=FORMS["short percent"],
        bar="per cent of records",
        unit="percent",
        says="{} attacked",
    ),
    "publisher_payoff": _Measure(
        words="publisher's payoff",
        in_table="dollars per record",
        form=dollars,
        bar=SHARE_OF_BENEFIT,
        unit="percent",
        says="publisher's payoff {} of the benefit",
        of_benefit=True,
    ),
    "adversary_payoff": _Measure(
        words="adversary's payoff",
        in_table="dollars per record",
        form=dollars,
        bar="dollars per record",
        unit="dollars",
        says="adversary's payoff {} per record",
    ),
}
_OF_ONE: Mapping[str, _Measure] = {
    **_OF_RECORDS,
    "attacked": _Measure(
        words="adversary's reply",
        in_table="1 attack, 0 none",
        form=lambda value: "attack" if value else "no attack",
        bar="",
        names=("no attack", "attack"),
    ),
    "publisher_payoff": replace(_OF_RECORDS["publisher_payoff"], in_table="dollars"),
    "adversary_payoff": replace(
        _OF_RECORDS["adversary_payoff"], in_table="dollars", bar="dollars", says="adversary's payoff {}"
    ),
}

_SEAM = 1e-8  # benefits within this relative distance are the two sides of a seam

_BEND = 0.03  # logarithm of the benefit within which a bent border is drawn straight

MOST_VALUES = 11
"""Most losses, and most benefits, in the table of a map."""


def map_picture(
    columns: Mapping[str, Sequence[Any]],
    chosen: Mapping[str, float],
    policy: str,
    *,
    record: str = "",
    regions: Sequence[RecordRegion] = (),
) -> Picture:
    """Draw four measures of one policy over loss and benefit.

    Parameters
    ----------
    columns : columns of a sweep over loss and benefit, of the dataset or of one record: ``policy``,
        ``benefit``, ``loss`` and the four measures ``generalization_intensity``, ``attacked``, ``publisher_payoff`` and
        ``adversary_payoff``, at least.
    chosen : the scenario's own stakes by name, dollars; marked.
    policy : the policy or game in the columns that is drawn.
    record : name of the record that the columns are about, such as "record 17"; "" for a dataset.
    regions : those of that record, from :func:`gamedeid.analysis.record_regions.record_regions` for the same losses and
        benefits: their borders are exact, while the columns only have the points of a grid.

    Raises
    ------
    InvalidScenarioError : the columns do not vary loss and benefit.
    """
    rows = [place for place, name in enumerate(columns["policy"]) if name == policy]
    points = [(float(columns["loss"][row]), float(columns["benefit"][row])) for row in rows]
    losses, benefits = (sorted(set(values)) for values in zip(*points, strict=True))
    if len(set(points)) != len(points) or len(points) != len(losses) * len(benefits):
        raise InvalidScenarioError("a map needs loss and benefit varied, and nothing else")
    row_at = dict(zip(points, rows, strict=True))
    measures = _OF_ONE if record else _OF_RECORDS
    x, y = stake_scale("loss", losses), stake_scale("benefit", benefits)
    if x.log != y.log:
        regions = [replace(one, left=_bent(one.left), right=_bent(one.right)) for one in regions]
    mark = MarkedPlace(name="chosen stakes", style=STAKES, x=chosen["loss"], y=chosen["benefit"])
    numbers = {name: _values(name, measure, columns) for name, measure in measures.items()}
    panels = []
    for name, measure in measures.items():
        values = numbers[name]
        layers: list[Layer] = _areas(name, regions)
        if not layers:
            z = [[values[row_at[loss, benefit]] for loss in losses] for benefit in benefits]
            layers = [HeatMap(x=losses, y=benefits, z=z, says=measure.says)]
        panels.append(
            Panel(
                title=capitalized(measure.words),
                x=x,
                y=y,
                layers=(*layers, *([_borders(regions)] if regions else []), mark),
                colours=_colours(name, measure, values, columns["policy"], rows),
            )
        )
    shown_points = {point: row_at[point] for point in _some_points(losses, benefits, chosen)}
    of = f": {record}" if record else ""
    shown = "generalization intensity, the adversary's reply, the publisher's payoff and the adversary's"
    if not record:
        shown = "mean generalization intensity, share of records attacked, and mean payoffs of both players"
    return Picture(
        kind="map",
        title=f"{capitalized(policy_words(policy))} over loss and benefit{of}",
        caption=(
            f"Under {policy_words(policy)}: {shown}, over the loss L (to the right) and the benefit V (upwards) in "
            "dollars; colours mean the same in the maps of all games, and the dashed lines cross at the chosen stakes: "
            f"{stakes(chosen)}."
            + (" White lines are the exact borders at which the strategy or the reply changes." if regions else "")
            + rows_shown_words(len(shown_points), len(points))
        ),
        finding=_finding(columns, numbers, row_at, chosen, policy, measures),
        table=_table(columns, shown_points, measures),
        panels=tuple(panels),
        across=2,
        panel_height=340,
    )


def _areas(name: str, regions: Sequence[RecordRegion]) -> list[Layer]:
    """Return the filled regions of a measure that is constant in each; empty for another measure."""
    if name not in {"generalization_intensity", "attacked"}:
        return []
    return [
        Area(
            x=[loss for loss, _ in region.corners],
            y=[benefit for _, benefit in region.corners],
            value=float(getattr(region, name)),
            hover=_region_words(region),
        )
        for region in regions
    ]


def _bent(border: Sequence[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    """Return a border, straight in dollars, with points on the way: with one logarithmic axis it is drawn bent."""
    points = list(border[:1])
    for (loss, benefit), (loss_above, benefit_above) in pairwise(border):
        parts = 1 if loss == loss_above else max(ceil(log(benefit_above / benefit) / _BEND), 1)
        on_the_way = np.geomspace(benefit, benefit_above, parts + 1)[1:-1]
        losses = np.interp(on_the_way, [benefit, benefit_above], [loss, loss_above])
        points += [*zip(losses.tolist(), on_the_way.tolist(), strict=True), (loss_above, benefit_above)]
    return tuple(points)


def _borders(regions: Sequence[RecordRegion]) -> Line:
    """Return the borders of regions, without the seams between parts of one region."""
    points: list[tuple[float | None, float | None]] = []
    for border in (side for region in regions for side in (region.left, region.right)):
        for place, (loss, benefit) in enumerate(border):
            if place and benefit - border[place - 1][1] <= _SEAM * benefit:
                points.append((None, None))
            points.append((loss, benefit))
        points.append((None, None))
    return Line(name="", style=BORDER, x=[x for x, _ in points], y=[y for _, y in points])


def _region_words(region: RecordRegion) -> str:
    reply = "attacked" if region.attacked else "not attacked"
    if region.withheld:
        return "withheld"
    levels = ", ".join(map(str, region.levels))
    return f"levels ({levels}): {reply}\ngeneralization intensity {four_decimals(region.generalization_intensity)}"


def _values(name: str, measure: _Measure, columns: Mapping[str, Sequence[Any]]) -> list[float | None]:
    """Return the coloured number of a measure for each row of the columns; None for no number."""
    if not measure.of_benefit:
        return [float(value) for value in columns[name]]
    pairs = zip(columns[name], columns["benefit"], strict=True)
    return [share_of(float(payoff), float(benefit)) for payoff, benefit in pairs]


def _colours(
    name: str, measure: _Measure, values: Sequence[float | None], policies: Sequence[str], rows: Sequence[int]
) -> Scale:
    """Return the colour scale of a measure: its ends are those of all games, or lower if the policy loses.

    Losses of more than the benefit have one colour: else no other difference would be visible.
    """
    low, high = 0.0, 1.0
    if name != "attacked":
        of_games = [value for value, policy in zip(values, policies, strict=True) if policy in GAMES]
        known = [value for value in of_games or values if value is not None]
        low, high = min(known, default=0.0), max(known, default=0.0)
        if name != "publisher_payoff":
            low = 0.0
        low = min([low, *(max(value, -1.0) for row in rows if (value := values[row]) is not None)])
    return colour_scale((low, high), measure.bar, measure.unit, measure.names)


def _some_points(
    losses: Sequence[float], benefits: Sequence[float], chosen: Mapping[str, float]
) -> list[tuple[float, float]]:
    """Return the points of the table: at most ``MOST_VALUES`` losses and benefits, including the chosen ones."""
    some = []
    for name, values in (("loss", losses), ("benefit", benefits)):
        must = [place for place, value in enumerate(values) if value == chosen[name]]
        some.append([values[place] for place in evenly_spaced(len(values), MOST_VALUES, must)])
    return [(loss, benefit) for loss in some[0] for benefit in some[1]]


def _table(
    columns: Mapping[str, Sequence[Any]], row_at: Mapping[tuple[float, float], int], measures: Mapping[str, _Measure]
) -> dict[str, list[Any]]:
    table: dict[str, list[Any]] = {
        "loss (dollars)": [loss for loss, _ in row_at],
        "benefit (dollars)": [benefit for _, benefit in row_at],
    }
    for name, measure in measures.items():
        values = [measure.times * float(columns[name][row]) for row in row_at.values()]
        table[f"{measure.words} ({measure.in_table})"] = values
    return table


def _finding(
    columns: Mapping[str, Sequence[Any]],
    numbers: Mapping[str, Sequence[float | None]],
    row_at: Mapping[tuple[float, float], int],
    chosen: Mapping[str, float],
    policy: str,
    measures: Mapping[str, _Measure],
) -> str:
    said = []
    here = row_at.get((chosen["loss"], chosen["benefit"]))
    if here is not None:
        values = ", ".join(f"{one.words} {one.form(float(columns[name][here]))}" for name, one in measures.items())
        said.append(sentence("pictures.map_chosen", {"policy": policy_words(policy), "values": values}))
    for name, measure in measures.items():
        shown = numbers[name]
        by_point = {point: round(value, _SAME) for point, row in row_at.items() if (value := shown[row]) is not None}
        if not by_point:
            continue
        form = _of_benefit if measure.of_benefit else measure.form
        low, high = (pick(by_point, key=by_point.__getitem__) for pick in (min, max))
        facts = {
            "measure": measure.words,
            "level": form(by_point[low]) == form(by_point[high]),
            "attacks": sum(by_point.values()) if measure.names else 0.0,
            "points": len(by_point),
            "low": form(by_point[low]),
            "low_at": _at(low),
            "high": form(by_point[high]),
            "high_at": _at(high),
        }
        said.append(sentence("pictures.map", facts))
    return " ".join(said)


def _of_benefit(share: float) -> str:
    return f"{'-' if share < 0 else ''}{percent(abs(share), 1)} of the benefit"


def _at(point: tuple[float, float]) -> str:
    return f"loss {money(point[0])} and benefit {money(point[1])}"
