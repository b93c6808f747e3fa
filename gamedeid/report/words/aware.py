"""A recipient who knows how the release was made: the value of this knowledge, and games against this recipient."""

from collections.abc import Callable, Mapping
from math import isclose
from typing import Any

from gamedeid.amounts import dollars, number, number_of, percent, plural
from gamedeid.catalogue import catalogue, sentences
from gamedeid.choices import AWARE_GAMES
from gamedeid.pictures.words import capitalized
from gamedeid.report.words.measures import SPREAD, SUMS_DIFFER, Grid, spread_words
from gamedeid.scenario.limits import Groups
from gamedeid.scenario.scenario import Scenario
from gamedeid.study.warnings import Warnings

COLUMNS = ("if the recipient ...", "counts matching people", "knows how it was made")
"""Columns of the table of both recipients."""

_OF_RECIPIENTS: Mapping[str, tuple[str, Callable[[float], str]]] = {
    "attacked": ("attacks, if it gets the release", percent),
    "expected_reidentifications": ("expected re-identifications", lambda amount: number(amount, 1)),
}
"""Measure of each recipient in the table -> its name and format."""


def aware_grid(found: Mapping[str, Any] | str) -> Grid:
    """Return the measures for both recipients; no row if they are not known."""
    if isinstance(found, str):
        return Grid(COLUMNS, [])
    sides = (found["naive"], found["aware"])
    rows = [
        (name, *(form(side[key]) for side in sides))
        for name, key, form in (
            ("Records worth attacking", "attacked", percent),
            ("Expected re-identifications", "expected_reidentifications", lambda amount: number(amount, 1)),
            (capitalized(SPREAD), "spread", spread_words),
            ("Publisher\u2019s payoff per record", "publisher_payoff", dollars),
        )
    ]
    rows += [
        (f"Released in a group of {size} people or fewer", *(percent(side["groups"][size]) for side in sides))
        for size in sides[0]["groups"]
        if size != "1"
    ]
    return Grid(COLUMNS, [*rows, *recipient_rows(found)])


def recipient_rows(found: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """Return the measures of each recipient, counting matching people and knowing how the release was made."""
    return [
        (f"{name}: {words}", *(form(does[side][measure]) for side in ("naive", "aware")))
        for name, does in found.get("recipients", {}).items()
        for measure, (words, form) in _OF_RECIPIENTS.items()
    ]


def aware_words(found: Mapping[str, Any] | str, *, unit: str, released: bool, own: bool) -> list[str]:
    """Return sentences that compare a recipient who knows how the release was made with one who counts people.

    Parameters
    ----------
    found : as :meth:`~gamedeid.risk.aware.AwareRisk.as_dict` returns it; a text with the reason if it is not computed.
    unit : the counted unit, "record" or "person".
    released : whether any record is released.
    own : whether the records are their own population.
    """
    if isinstance(found, str):
        return sentences("aware.unknown", {"found": found})
    if not released:
        return sentences("aware.withheld", {})
    naive, aware, records, key = found["naive"], found["aware"], found["records"], "expected_reidentifications"
    same, several = aware[key] == naive[key], "recipients" in found
    if several:
        same = isclose(aware[key], naive[key], rel_tol=SUMS_DIFFER) and aware["attacked"] == naive["attacked"]
    facts = {
        **found,
        "several": several,
        "gains": not same,
        "dearer": dollars(aware["publisher_payoff"]) != dollars(naive["publisher_payoff"]),
        "units_without_aware_people": number_of(found["without_aware_people"], unit),
        "looked_up": "the records" if own else "the population",
        "numbers": "the records" if own else "the numbers of the population",
        "unit": unit,
    }
    digits = next((few for few in (1, 2, 3) if number(aware[key], few) != number(naive[key], few)), 4)
    for side in ("naive", "aware"):
        share = found[side]["attacked"]
        facts[f"{side}_expected"] = number(found[side][key], digits)
        worth = f"{round(share * records):,} of {number_of(records, unit)} ({percent(share)})"
        facts[f"{side}_worth"] = worth if round(share * records) else f"no {unit}"
    return sentences("aware.knowing", facts)


def with_unplayed(warnings: Warnings, scenario: Scenario) -> Warnings:
    """Return warnings for a reader of varied stakes, with one if the scenario's game is not among those shown."""
    said = sentences("aware.unplayed", {"game": scenario.game if scenario.game in AWARE_GAMES else None})
    return [*warnings, *({"says": words} for words in said)]


def mechanism_words(mechanism: Mapping[str, Any], groups: Groups | None, *, unit: str, own: bool) -> list[str]:
    """Return the results of the groups for a recipient who knows how each person would have been released.

    Parameters
    ----------
    unit : the counted unit, "record" or "person".
    own : whether the records are their own population.
    """
    return sentences("aware.groups", _mechanism_facts(mechanism, groups, unit, own))


def mechanism_notes(mechanism: Mapping[str, Any], groups: Groups | None, *, unit: str, own: bool) -> list[str]:
    """Return these results with the aim of the search, and the parts that a verification does not recompute."""
    facts = _mechanism_facts(mechanism, groups, unit, own)
    return [words for table in ("planned", "groups", "unverified") for words in sentences(f"aware.{table}", facts)]


def _mechanism_facts(found: Mapping[str, Any], groups: Groups | None, unit: str, own: bool) -> dict[str, Any]:
    payoff, gap = found["publisher_payoff"], found["payoff_bound"] - found["publisher_payoff"]
    words, applied = catalogue("aware"), found.get("applied", {})
    outcomes = words["applied"]
    return {
        **found,
        "rules": [] if groups is None else groups.rules,
        "kept_of_persons": groups is not None and bool(groups.kept) and unit == "person",
        "searched": "applied" not in found,
        "opened": found.get("smallest_group"),
        "unit": unit,
        "units": plural(unit),
        "own": own,
        "for_records": found["planned_for"] == "records",
        "applied": "; ".join(f"{number_of(count, unit)} {outcomes[name]}" for name, count in applied.items() if count),
        "proved_by": words["bounds"][found["bound_by"]],
        "attacked": percent(found["attacked"]) if found.get("attacked") else "none",
        "more": percent(gap / payoff) if payoff > 0 else dollars(gap),
    }
