"""How many people are likely unique by sex, place and birth: by age group, and from place to place (sweeney2000)."""

import numpy as np

from gamedeid.amounts import number_of
from gamedeid.pictures.picture import Bars, Panel, Picture
from gamedeid.pictures.scales import Scale
from gamedeid.pictures.styles import ATTACKED, SPARED
from gamedeid.pictures.words import percent
from gamedeid.risk.census.identifiable import Identifiable
from gamedeid.risk.census.shares import Share

BIRTH = {
    "date": "date of birth",
    "month": "month and year of birth",
    "year": "year of birth",
    "two-year": "year of birth within two years",
}
"""What is known of a birth, by the detail."""

_TENTHS = 10
_BARS = ["none", *(f"\u2264{10 * tenth}" for tenth in range(1, _TENTHS)), "<100", "all"]
_ROOM = 1.04


def demographics_picture(found: Identifiable, place: str = "place") -> Picture:
    """Draw the share of people who are likely unique, by age group, and how many places have such a share.

    Parameters
    ----------
    found : from :func:`gamedeid.risk.demographics` or :func:`gamedeid.risk.identifiable`.
    place : what a place is called, such as "zip".

    Returns
    -------
    the picture; :func:`gamedeid.pictures.save_picture` writes it.
    """
    groups = [group.name for group in found.counts.groups]
    shares = [one.share or 0.0 for one in found.by_group]
    lived_in = [one for one in found.by_place if one.population]
    places = _places(lived_in)
    known = f"{place}, sex and {BIRTH[found.detail]}"
    return Picture(
        kind="demographics",
        title=f"Likely unique by {known}",
        caption=(
            f"Share of the {number_of(found.total.population, 'person')} who are likely unique by {known}, by age "
            f"group (left), and the {number_of(len(lived_in), 'place')} where anybody lives, by the share of their "
            "people who are (right)."
        ),
        finding=_finding(found, known, lived_in),
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
                x=Scale(label="age group", limits=(0.0, float(len(groups)))),
                y=Scale(label="likely unique (per cent)", unit="percent", limits=(0.0, _ROOM * max([*shares, 0.01]))),
                layers=(_bars("likely unique people", groups, shares, "{name}: {height} likely unique"),),
            ),
            Panel(
                title="Places, by that share of their people",
                x=Scale(label="likely unique people of a place (per cent)", limits=(0.0, float(len(_BARS)))),
                y=Scale(label="places (per cent)", unit="percent", limits=(0.0, _ROOM * max([*places, 0.01]))),
                layers=(_bars("places", _BARS, places, "likely unique {name}: {height} of places"),),
            ),
        ),
        across=2,
        panel_height=340,
    )


def _bars(name: str, names: list[str], heights: list[float], says: str) -> Bars:
    style = SPARED if name == "places" else ATTACKED
    edges = [float(edge) for edge in range(len(names) + 1)]
    return Bars(name=name, style=style, edges=edges, heights=heights, names=names, says=says)


def _places(lived_in: list[Share]) -> list[float]:
    """Return the shares of places in which none, up to a tenth, ... and all of the people are likely unique."""
    counted = np.zeros(len(_BARS))
    for one in lived_in:
        if one.identifiable in {0, one.population}:
            counted[0 if one.identifiable == 0 else -1] += 1
        else:
            counted[-(-_TENTHS * one.identifiable // one.population)] += 1
    shares: list[float] = (counted / max(1, len(lived_in))).tolist()
    return shares


def _finding(found: Identifiable, known: str, lived_in: list[Share]) -> str:
    total = found.total
    if not total.population:
        return "Nobody lives in these places."
    text = (
        f"{percent(total.identifiable / total.population)} of {number_of(total.population, 'person')} are likely "
        f"unique by {known}"
    )
    groups = [
        (one.identifiable / one.population, group.name)
        for one, group in zip(found.by_group, found.counts.groups, strict=True)
        if one.population
    ]
    if len(groups) > 1:
        most, least = max(groups, key=lambda one: one[0]), min(groups, key=lambda one: one[0])
        text += f", from {percent(least[0])} of the age group {least[1]} to {percent(most[0])} of {most[1]}"
    nobody = sum(one.identifiable == 0 for one in lived_in)
    everybody = sum(one.identifiable == one.population for one in lived_in)
    return text + (
        f". In {everybody:,} of {number_of(len(lived_in), 'place')} everybody is likely unique, and in {nobody:,} "
        "nobody."
    )
