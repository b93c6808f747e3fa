"""Pictures of people in tables: likely unique people by place, sex and birth, and errors of estimators."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from gamedeid.amounts import exact_percent, number_of, percent
from gamedeid.catalogue import sentence, sentences
from gamedeid.choices import ESTIMATED_BY, EstimatorName
from gamedeid.pictures.picture import Bars, Layer, Line, MarkedPlace, Panel, Picture, Points
from gamedeid.pictures.scales import Scale, padded_scale
from gamedeid.pictures.styles import ATTACKED, GAME_STYLES, NOT_ATTACKED, POLICY, REFERENCE, Style
from gamedeid.risk.census.identifiable import Identifiable, IdentifiablePeople

BIRTH = {
    "date": "date of birth",
    "month": "month and year of birth",
    "year": "year of birth",
    "two-year": "year of birth within two years",
}
"""The known detail of a birth, in words."""

_TENTHS = 10
_BARS = ["none", *(f"\u2264{10 * tenth}" for tenth in range(1, _TENTHS)), "<100", "all"]
_ROOM = 1.04


def demographics_picture(found: Identifiable) -> Picture:
    """Draw the share of people who are likely unique, by age group, and the distribution of this share over places."""
    groups = [group.name for group in found.counts.groups]
    shares = [one.share or 0.0 for one in found.by_group]
    inhabited = [one for one in found.by_place if one.population]
    places = _places(inhabited)
    known = f"{found.counts.place}, sex and {BIRTH[found.detail]}"
    return Picture(
        kind="demographics",
        title=f"Likely unique by {known}",
        caption=(
            f"Share of the {number_of(found.total.population, 'person')} who are likely unique by {known}, by age "
            f"group (left), and the {number_of(len(inhabited), 'place')} with residents, by the share of their "
            "people who are (right)."
        ),
        finding=_finding(found, known, inhabited),
        table={
            "age group": [*groups, "in all"],
            "people": [one.population for one in (*found.by_group, found.total)],
            "likely unique": [one.identifiable for one in (*found.by_group, found.total)],
            "likely unique (per cent)": [
                None if one.share is None else 100 * one.share for one in (*found.by_group, found.total)
            ],
        },
        panels=(
            Panel(
                title="People, by age group",
                x=Scale(label="age group"),
                y=Scale(label="likely unique (per cent)", unit="percent", limits=(0.0, _ROOM * max([*shares, 0.01]))),
                layers=(_bars("likely unique people", groups, shares, "{name}: {height} likely unique"),),
            ),
            Panel(
                title="Places, by that share of their people",
                x=Scale(label="likely unique people of a place (per cent)"),
                y=Scale(label="places (per cent)", unit="percent", limits=(0.0, _ROOM * max([*places, 0.01]))),
                layers=(_bars("places", _BARS, places, "likely unique {name}: {height} of places"),),
            ),
        ),
        across=2,
        panel_height=340,
    )


def _bars(name: str, names: list[str], heights: list[float], says: str) -> Bars:
    return Bars(
        name=name, style=NOT_ATTACKED if name == "places" else ATTACKED, heights=heights, names=names, says=says
    )


def _places(inhabited: list[IdentifiablePeople]) -> list[float]:
    """Return the shares of places by likely unique people: none, up to a tenth, ... and all."""
    counted = np.zeros(len(_BARS))
    for one in inhabited:
        if one.identifiable in {0, one.population}:
            counted[0 if one.identifiable == 0 else -1] += 1
        else:
            counted[-(-_TENTHS * one.identifiable // one.population)] += 1
    shares: list[float] = (counted / max(1, len(inhabited))).tolist()
    return shares


def _finding(found: Identifiable, known: str, inhabited: list[IdentifiablePeople]) -> str:
    total = found.total
    groups = [
        (one.identifiable / one.population, group.name)
        for one, group in zip(found.by_group, found.counts.groups, strict=True)
        if one.population
    ]
    facts = {
        "people": total.population,
        "identifiable": total.identifiable,
        "share": total.share,
        "known": known,
        "ranged": len(groups) > 1,
        "least": min(groups, key=lambda one: one[0], default=None),
        "most": max(groups, key=lambda one: one[0], default=None),
        "places": len(inhabited),
        "all": sum(one.identifiable == one.population for one in inhabited),
        "none": sum(one.identifiable == 0 for one in inhabited),
    }
    return " ".join([sentence("people.identifiable", facts), *sentences("people.groups", facts)])


STYLES: dict[EstimatorName, Style] = {
    "zayatz": GAME_STYLES["basic"],
    "pitman": GAME_STYLES["sh-friendly"],
    "snb": GAME_STYLES["no-attack"],
    "mu_argus": POLICY,
    "e1": Style(colour="#000000", marker="star"),
    "pitman_given": Style(colour="#d55e00", marker="triangle", filled=False),
}
"""The style of each estimator."""

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
    rows : rows of a study of uniqueness, with the columns of ``study.csv``; None for an estimator without solution.
    truth : true share of unique people in the population, above 0.
    """
    by_fraction: dict[float, list[Mapping[str, Any]]] = {}
    for row in rows:
        by_fraction.setdefault(row["fraction"], []).append(row)
    ends = [row[name] for row in rows for name in ("lower_quartile", "upper_quartile")]
    bias = padded_scale([0.0, *ends], "", "percent")
    return Picture(
        kind="uniqueness",
        title="How far estimates of uniqueness are off",
        caption=(
            "Relative bias, (estimate - truth) / truth, of the estimated share of unique people, which in truth is "
            f"{percent(truth, 1)}; a panel for each sampling fraction. Marks are at the median of "
            f"{number_of(rows[0]['samples'], 'sample')}, upright lines go from the lower to the upper quartile, and "
            "the dotted line is no bias. Samples without a solution are left out."
        ),
        finding=" ".join(_uniqueness_finding(by_fraction)),
        table={words: [row[name] for row in rows] for name, words in _TABLE.items()},
        panels=tuple(_panel(fraction, found, bias) for fraction, found in by_fraction.items()),
        across=min(4, len(by_fraction)),
        panel_height=320,
    )


def _panel(fraction: float, rows: Sequence[Mapping[str, Any]], bias: Scale) -> Panel:
    layers: list[Layer] = [MarkedPlace(name="no bias", style=REFERENCE, y=0.0)]
    for place, row in enumerate(rows, start=1):
        if row["median_relative_bias"] is None:
            continue
        name, style = row["estimator"], STYLES[row["estimator"]]
        layers.extend(
            (
                Line(name="", style=style, x=[place, place], y=[row["lower_quartile"], row["upper_quartile"]]),
                Points(
                    name=ESTIMATED_BY[name],
                    style=style,
                    x=[place],
                    y=[row["median_relative_bias"]],
                    hover=[_hover(row)],
                ),
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
    return f"{ESTIMATED_BY[row['estimator']]}: {middle:+.1%} ({low:+.1%} to {high:+.1%})"


def _uniqueness_finding(by_fraction: Mapping[float, Sequence[Mapping[str, Any]]]) -> list[str]:
    said = []
    for fraction, rows in by_fraction.items():
        biases = {row["estimator"]: row["median_relative_bias"] for row in rows}
        known = {name: bias for name, bias in biases.items() if bias is not None}
        single = [name for name in known if name != "e1"]
        best = min(single, key=lambda name: abs(known[name]), default=None)
        facts = {
            "fraction": exact_percent(fraction),
            "solved": single,
            "has_rule": "e1" in known,
            "rule": known.get("e1"),
        }
        if best is not None:
            facts |= {"estimator": ESTIMATED_BY[best], "bias": known[best]}
        said += sentences("pictures.least_bias", facts)
    return said
