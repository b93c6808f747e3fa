"""Risk against utility, of uniform policies and of a strategy for each record: the picture, and its sentences."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from gamedeid.amounts import expectation, joined, number_of, percent, plural
from gamedeid.analysis.risk_utility import RiskUtility
from gamedeid.analysis.risk_utility_curve import RiskUtilityCurve
from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.catalogue import catalogue, sentence, sentences
from gamedeid.choices import RiskName
from gamedeid.pictures.picture import Layer, Line, MarkedPlace, Panel, Picture, Points
from gamedeid.pictures.scales import FROM_ZERO, Scale, Unit, padded_scale, zero_based_scale
from gamedeid.pictures.styles import (
    BETTER_UNIFORM,
    RECORD_LEVEL,
    REFERENCE,
    UNIFORM,
    UNIFORM_FRONTIER,
    style_of,
)
from gamedeid.pictures.words import (
    MOST_ROWS,
    capitalized,
    evenly_spaced,
    legend_name,
    policy_name,
    policy_words,
    rows_shown_words,
)

MOST_UNIFORM = 2_000
"""Most uniform policies that are drawn, without those that beat the policy or are on the frontier."""

CURVE_POINTS = 300
"""Most releases of the curve that are drawn."""

KEPT = "information kept"

RISK_WORDS: Mapping[RiskName, str] = catalogue("frontier")["risks"]
"""The name of each risk."""


def frontier_picture(result: RiskUtility) -> Picture:
    """Draw every uniform policy, the curve of a strategy for each record, the policy and the games."""
    content = result.as_dict()
    policy = policy_name(result.names[0])
    scale = _risk_scale(result)
    table, left_out = _table(result)
    log = " The scale of the risk is logarithmic" if scale.log else ""
    if log:
        log += "; no risk is at its left end, before the dotted line." if scale.zero is not None else "."
    return Picture(
        kind="frontier",
        title="Risk against utility",
        caption=(
            f"Each small mark is a uniform policy, one strategy for all records: its risk, {scale.quantity}, to the "
            "right, and the information that it keeps upwards: the mean of 1 - information loss, which times the "
            "benefit is its value in dollars per record. The more to the upper left, the better. Crosses beat "
            f"{policy}, the dashed line goes along those that no other uniform policy beats, and the solid line is the "
            "most that a strategy for each record keeps at every risk." + log + left_out
        ),
        finding=" ".join(risk_utility_words(content)),
        table=table,
        panels=(_frontier_panel(result, scale),),
        panel_height=460,
        zooms=True,
    )


def _risk_scale(result: RiskUtility) -> Scale:
    values = [*result.uniform.risk(result.risk_name), *result.releases.risk(result.risk_name), result.curve.risk[-1]]
    if not result.curve.risk[0]:  # other risks of the curve may be far below all marked ones
        values.append(0.0)
    unit: Unit = "percent" if result.risk_name == "attacked" else ""
    in_words = "per cent of records" if unit else f"of {number_of(result.curve.records, 'record')}"
    return zero_based_scale([float(value) for value in values], f"{RISK_WORDS[result.risk_name]} ({in_words})", unit)


def _frontier_panel(result: RiskUtility, scale: Scale) -> Panel:
    def x(risks: FloatArray) -> list[float]:
        return [scale.zero if scale.zero is not None and not risk else float(risk) for risk in risks]

    uniform, name, curve = result.uniform, result.risk_name, result.curve
    better = result.beaten.better
    others = np.flatnonzero(~better)
    others = others[evenly_spaced(len(others), MOST_UNIFORM)]
    kept = uniform.information_kept
    frontier = _uniform_frontier(result)
    places = _drawn_places(curve, scale)
    shown = [*kept.tolist(), *result.releases.information_kept.tolist(), *curve.information_kept[places].tolist()]
    policy = result.names[0]
    layers: list[Layer] = []
    if scale.zero is not None:
        layers.append(MarkedPlace(name="no risk: left of this line", style=REFERENCE, x=scale.zero * FROM_ZERO))
    for some, style, words in (
        (others, UNIFORM, "uniform policies"),
        (np.flatnonzero(better), BETTER_UNIFORM, f"uniform policies better than {policy_name(policy)}"),
    ):
        if len(some):
            hover = [_hover(result, int(node)) for node in some]
            risks = uniform.risk(name)[some]
            layers.append(Points(name=words, style=style, x=x(risks), y=kept[some].tolist(), size=6.0, hover=hover))
    corners_x, corners_y = _stairs(x(uniform.risk(name)[frontier]), kept[frontier].tolist())
    layers += [
        Line(name="uniform frontier", style=UNIFORM_FRONTIER, x=corners_x, y=corners_y),
        Line(
            name="a strategy for each record",
            style=RECORD_LEVEL,
            x=x(curve.risk[places]),
            y=curve.information_kept[places].tolist(),
        ),
    ]
    for place, release in enumerate(result.names):
        risk, of = float(result.releases.risk(name)[place]), float(result.releases.information_kept[place])
        said = f"{policy_name(release)}: {percent(of)} kept\n{risk_words(name, risk)}"
        at = x(np.array([risk]))
        named = legend_name(release, policy)
        layers.append(Points(name=named, style=style_of(release), x=at, y=[of], size=11.0, hover=[said]))
    return Panel(
        title=f"{capitalized(KEPT)} against risk",
        x=scale,
        y=padded_scale(shown, f"{KEPT} (per cent)", "percent", at_least=0.0),
        layers=tuple(layers),
    )


def _drawn_places(curve: RiskUtilityCurve, scale: Scale) -> IntArray:
    """Return the positions of the drawn releases of the curve: on a logarithmic axis only those within it."""
    places = curve.shown(CURVE_POINTS)
    if not scale.log or scale.limits is None:
        return places
    least = scale.limits[0] if scale.zero is None else scale.zero * FROM_ZERO
    risk = curve.risk[places]
    has_a_place: BoolArray = ((risk == 0) & (scale.zero is not None)) | (risk >= least)
    return places[has_a_place]


def _hover(result: RiskUtility, node: int) -> str:
    levels = result.study.instance.levels_of(node)
    risk = risk_words(result.risk_name, float(result.uniform.risk(result.risk_name)[node]))
    return f"uniform: {uniform_words(levels)}\n{percent(float(result.uniform.information_kept[node]))} kept\n{risk}"


def _uniform_frontier(result: RiskUtility) -> IntArray:
    """Return the uniform policies that no other one beats, by increasing risk."""
    nodes = np.flatnonzero(result.on_frontier)
    order = np.lexsort((result.uniform.information_kept[nodes], result.uniform.risk(result.risk_name)[nodes]))
    return nodes[order]


def _stairs(x: Sequence[float], y: Sequence[float]) -> tuple[list[float], list[float]]:
    """Return the corners of a step line, which keeps its height until the next point."""
    across = [x[0], *(value for value in x[1:] for _ in (0, 1))]
    up = [value for value in y[:-1] for _ in (0, 1)] + [y[-1]]
    return across, up


def _table(result: RiskUtility) -> tuple[dict[str, list[Any]], str]:
    """Return the policy, the games, the uniform frontier and the curve as rows, and the words on rows left out."""
    name, curve = result.risk_name, result.curve
    times = 100.0 if name == "attacked" else 1.0
    unit = " (per cent)" if name == "attacked" else ""
    frontier, places = _uniform_frontier(result), curve.shown(CURVE_POINTS)
    half = (MOST_ROWS - len(result.names)) // 2
    chosen = frontier[evenly_spaced(len(frontier), half)]
    along = places[evenly_spaced(len(places), half)]
    rows: list[tuple[str, float, float]] = [
        (policy_name(one), float(result.releases.risk(name)[place]), float(result.releases.information_kept[place]))
        for place, one in enumerate(result.names)
    ]
    for node in chosen.tolist():
        levels = uniform_words(result.study.instance.levels_of(node))
        risk, kept = float(result.uniform.risk(name)[node]), float(result.uniform.information_kept[node])
        rows.append((f"uniform: {levels}", risk, kept))
    rows += [
        ("a strategy for each record", float(curve.risk[place]), float(curve.information_kept[place]))
        for place in along
    ]
    total = len(result.names) + len(frontier) + len(curve.risk)
    return {
        "release": [row[0] for row in rows],
        f"{RISK_WORDS[name]}{unit}": [times * row[1] for row in rows],
        f"{KEPT} (per cent)": [100 * row[2] for row in rows],
    }, rows_shown_words(len(rows), total)


def risk_amount(name: RiskName, value: float) -> str:
    """Return a risk as a number or share, without its name.

    Examples
    --------
    >>> risk_amount("adversary", 48.104), risk_amount("marketer", 0.0), risk_amount("attacked", 0.0256)
    ('48.1', 'no', '2.56%')
    """
    if name == "attacked":
        return percent(value)
    return expectation(value, "no")


def risk_words(name: RiskName, value: float, unit: str = "record") -> str:
    """Return a risk in words.

    Parameters
    ----------
    name : name of the risk.
    value : a number of re-identifications, or a share of the records.
    unit : the counted unit, "record" or "person".

    Examples
    --------
    >>> risk_words("adversary", 48.104), risk_words("attacked", 0.0256)
    ('48.1 expected re-identifications', '2.56% of records attacked')
    """
    if name == "attacked":
        return f"{percent(value)} of {plural(unit)} attacked"
    if not value:
        return RISK_WORDS[name].replace("expected re-identifications", "no expected re-identification")
    return f"{risk_amount(name, value)} {RISK_WORDS[name]}"


def uniform_words(levels: Mapping[str, int]) -> str:
    """Return the strategy of a uniform policy.

    Examples
    --------
    >>> uniform_words({"age": 1, "zip": 0})
    'age 1, zip 0'
    """
    return ", ".join(f"{name} {level}" for name, level in levels.items())


def risk_utility_words(content: Mapping[str, Any]) -> list[str]:
    """Return the content of ``frontier.json`` in sentences, with the answer in the first."""
    uniform, asked = content["uniform"], content["policy"]
    name, measure = content["risk"]["name"], content["risk"]["measure"]
    unit = "person" if "persons" in content["data"] else "record"
    policy = policy_words(asked["name"])
    position = content["releases"][asked["name"]]
    risks, information = content["at_policy_risk"], content["at_policy_information"]
    each = information["record_level"][measure]
    several = "; ".join(
        f"{attribute} at level {joined(map(str, levels), 'or')}"
        for attribute, levels in asked["levels"].items()
        if len(levels) > 1
    )
    facts = {
        **uniform,
        "single": uniform["policies"] == 1,
        "beat_on_both": uniform["beat_policy_on_both"],
        "beat_on_one": uniform["beat_policy"] - uniform["beat_policy_on_both"],
        "front_beats": uniform["on_frontier"] > 1 and uniform["on_frontier_and_beat_policy"],
        "policy": policy,
        "the_policy": capitalized(policy),
        "unit": unit,
        "people": plural(unit),
        "kept": position["information_kept"],
        "uniform_within": risks["uniform"] is not None,
        "uniform_kept": risks["uniform"] and risks["uniform"]["information_kept"],
        "each_kept": risks["record_level"]["information_kept"],
        "risk": risk_words(name, position[measure], unit),
        "uniform_risk": risk_words(name, information["uniform"][measure], unit),
        "each_risk": risk_amount(name, each) if each else "none",
        "is_uniform": asked["is_uniform"],
        "several": several if not asked["is_uniform"] else "",
        "no_risk": not position[measure],
    }
    facts["beating"] = sentence("frontier.beating", facts)
    return sentences("frontier.findings", facts)
