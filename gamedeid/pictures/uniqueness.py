"""How far estimates of uniqueness are from the truth at each sampling fraction (dankar2012, Figures 3 to 5)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from gamedeid.amounts import exact_percent, number_of
from gamedeid.pictures.picture import Layer, Line, Mark, Panel, Picture, Points
from gamedeid.pictures.scales import Scale, roomy
from gamedeid.pictures.styles import GAME_STYLES, POLICY, REFERENCE, Style
from gamedeid.pictures.words import percent
from gamedeid.risk.uniqueness.estimates import WORDS, EstimatorName

STYLES: dict[EstimatorName, Style] = {
    "zayatz": GAME_STYLES["basic"],
    "pitman": GAME_STYLES["sh-friendly"],
    "snb": GAME_STYLES["no-attack"],
    "mu_argus": POLICY,
    "e1": Style(colour="#000000", marker="star"),
    "pitman_given": Style(colour="#d55e00", marker="triangle", filled=False),
}
"""How each looks."""

_TABLE = {
    "fraction": "sampling fraction",
    "estimator": "estimator",
    "median_relative_bias": "median relative bias",
    "lower_quartile": "lower quartile",
    "upper_quartile": "upper quartile",
    "no_solution": "share without solution",
}


def uniqueness_picture(rows: Sequence[Mapping[str, Any]], truth: float) -> Picture:
    """Draw the median relative bias of each estimator and its quartiles, a panel for each sampling fraction.

    Parameters
    ----------
    rows : of a study of uniqueness, with the columns of ``study.csv``; an estimator without any solution has None.
    truth : share of the population that is unique, above 0.

    Returns
    -------
    the picture; :func:`gamedeid.pictures.save_picture` writes it.
    """
    by_fraction: dict[float, list[Mapping[str, Any]]] = {}
    for row in rows:
        by_fraction.setdefault(row["fraction"], []).append(row)
    ends = [row[name] for row in rows for name in ("lower_quartile", "upper_quartile")]
    bias = roomy([0.0, *ends], "", "percent")
    return Picture(
        kind="uniqueness",
        title="How far estimates of uniqueness are off",
        caption=(
            "Relative bias, (estimate - truth) / truth, of the estimated share of unique people, which in truth is "
            f"{percent(truth)}; a panel for each sampling fraction. Marks stand at the median of "
            f"{number_of(rows[0]['samples'], 'sample')}, upright lines go from the lower to the upper quartile, and "
            "the dotted line is no bias. Samples without a solution are left out."
        ),
        finding=" ".join(_finding(by_fraction)),
        table={words: [row[name] for row in rows] for name, words in _TABLE.items()},
        panels=tuple(_panel(fraction, found, bias) for fraction, found in by_fraction.items()),
        across=min(4, len(by_fraction)),
        panel_height=320,
    )


def _panel(fraction: float, rows: Sequence[Mapping[str, Any]], bias: Scale) -> Panel:
    layers: list[Layer] = [Mark(name="no bias", style=REFERENCE, y=0.0)]
    for place, row in enumerate(rows, start=1):
        if row["median_relative_bias"] is None:
            continue
        name, style = row["estimator"], STYLES[row["estimator"]]
        layers.extend(
            (
                Line(name="", style=style, x=[place, place], y=[row["lower_quartile"], row["upper_quartile"]]),
                Points(name=WORDS[name], style=style, x=[place], y=[row["median_relative_bias"]], hover=[_hover(row)]),
            )
        )
    return Panel(
        title=f"{exact_percent(fraction)} sampled",
        x=Scale(label="estimators", limits=(0.5, len(rows) + 0.5), shown=False),
        y=replace(bias, label="relative bias (per cent)"),
        layers=tuple(layers),
    )


def _hover(row: Mapping[str, Any]) -> str:
    low, middle, high = (row[key] for key in ("lower_quartile", "median_relative_bias", "upper_quartile"))
    return f"{WORDS[row['estimator']]}: {middle:+.1%} ({low:+.1%} to {high:+.1%})"


def _finding(by_fraction: Mapping[float, Sequence[Mapping[str, Any]]]) -> list[str]:
    sentences = []
    for fraction, rows in by_fraction.items():
        known = [row for row in rows if row["median_relative_bias"] is not None]
        single = [row for row in known if row["estimator"] != "e1"]
        best = min(single, key=lambda row: abs(row["median_relative_bias"]))
        rule = [row["median_relative_bias"] for row in known if row["estimator"] == "e1"]
        words = (
            f"With {exact_percent(fraction)} sampled, {WORDS[best['estimator']]} has the least median relative bias "
        )
        words += f"of a single estimator, {best['median_relative_bias']:+.3f}"
        sentences.append(words + (f", and the decision rule has {rule[0]:+.3f}." if rule else "."))
    return sentences
