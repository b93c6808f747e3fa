"""Changes that meet the thresholds of a scenario, on a terminal: the cheapest, all tried ones, and the stakes."""

import shlex
from collections.abc import Iterable, Iterator
from typing import Any

from rich.console import Console

from gamedeid.amounts import NO_DOLLARS, dollars, expectation, money, percent
from gamedeid.analysis.suggestions import SuggestedQuestion, Suggestions
from gamedeid.catalogue import catalogue, sentence, sentences
from gamedeid.report.terminal.console import print_lines, print_rows
from gamedeid.report.terminal.sweeps import exact_money
from gamedeid.report.words.determination import threshold_row
from gamedeid.study.warnings import counted_words

TRIED, STAKES = (
    ("game", "change", "thresholds met", "attacked", "payoff", "cost"),
    ("stake", "present", "round value", "payoff then", "ranges tried"),
)
"""Columns of :func:`tried_rows` and :func:`stake_rows`."""

NONE = "none"
"""Text of a cell without a value."""


def print_suggestions(found: Suggestions, to: Console) -> None:
    """Print the suggestion, the thresholds before and after it, all tried changes, and the stakes."""
    present, cheapest = found.present, found.cheapest
    unit = counted_words(found.data.as_dict())[1]
    to.print(found.title or "Suggestions")
    print_lines(suggestion_words(found), to)
    shown = {"present": present, "suggested": present if cheapest is None else cheapest}
    shown = {name: one for name, one in shown.items() if one.thresholds and (name == "present" or one != present)}
    if shown:
        judged = zip(*(map(threshold_row, one.thresholds) for one in shown.values()), strict=True)
        rows = ((*some[0][1:3], *(f"{row[3]}: {row[4]}" for row in some)) for some in judged)
        print_rows(("threshold", "asks for", *shown), rows, to, left=2)
    print_rows(TRIED, tried_rows(found), to, left=2)
    to.print(legend_words(unit))
    if found.stakes:
        to.print(sentence("suggestions.stakes", {"game": present.game}))
        print_rows(STAKES, stake_rows(found), to)
    print_lines((sentence("suggestions.not_tried", {"why": why}) for why in found.left_out), to)


def tried_rows(found: Suggestions) -> list[tuple[str, ...]]:
    """Return the games and limits that were tried, as rows."""
    return [
        (
            one.game,
            ", ".join(_changes(one)) or "as it is",
            f"{sum(each.verdict == 'met' for each in one.thresholds)} of {len(one.thresholds)}"
            if one.thresholds
            else "no release",
            NONE if one.attacked is None else percent(one.attacked),
            *(NONE if value is None else dollars(value) for value in (one.publisher_payoff, one.cost)),
        )
        for one in found.tried
    ]


def stake_rows(found: Suggestions) -> list[tuple[str, ...]]:
    """Return a value of the nearest range of each stake, as rows."""
    return [
        (
            f"{stake.direction} {stake.stake}",
            money(stake.present),
            NONE if stake.value is None else exact_money(stake.value),
            NONE if stake.publisher_payoff is None else dollars(stake.publisher_payoff),
            f"{stake.tried:,} of {stake.ranges:,}",
        )
        for stake in found.stakes
    ]


def run_command(scenario: str, one: SuggestedQuestion, overrides: Iterable[str] = (), policy: str | None = None) -> str:
    """Return the command that runs a question, with overrides of the scenario's keys and with this policy."""
    options = catalogue("suggestions")["options"]
    given: list[tuple[str, str]] = [(options["game"], one.game)]
    given += [(options["key"], change) for change in overrides]
    given += [(options["key"], f"{key}={str(value).lower()}") for key, value in one.changes.items()]
    given += [] if policy is None else [(options["policy"], policy)]
    words = [word for option in (*given, (options["folder"], "DIR")) for word in option]
    return shlex.join(["gamedeid", "run", scenario, *words])


def suggestion_words(found: Suggestions) -> list[str]:
    """Return sentences on whether the present question meets the thresholds, and on the cheapest change that does."""
    present, changed = found.present, found.change
    cost = None if changed is None else changed.cost
    measures = catalogue("determination")["measures"]
    facts = {
        "game": present.game,
        "present_meets": present.met,
        "present_unsolved": present.unsolved is not None,
        "unmet": "; ".join(dict.fromkeys(measures[one.measure] for one in present.thresholds if one.verdict != "met")),
        "found": changed is not None,
        "proved": changed is None or changed.proved,
        "cost": cost,
        "gain": None if cost is None else -cost,
        "dearer": cost is not None and cost > NO_DOLLARS,
        "free": cost is not None and abs(cost) <= NO_DOLLARS,
        "pays": cost is not None and cost < -NO_DOLLARS,
        "unit": counted_words(found.data.as_dict())[1],
        "change": "" if changed is None else change_words(changed),
        **_attack_facts(present, changed),
    }
    said = sentences("suggestions.verdict", facts)
    return said[:1] if present.met and changed is None else said


def legend_words(unit: str) -> str:
    """Return the legend for the columns of the games and limits."""
    return " ".join(sentences("suggestions.legend", {"unit": unit}))


def _attack_facts(present: SuggestedQuestion, changed: SuggestedQuestion | None) -> dict[str, Any]:
    """Return the facts on attacks before and after the change, if more re-identifications are expected after it."""
    before, after = present.expected_reidentifications, None if changed is None else changed.expected_reidentifications
    if changed is None or changed.attacked is None or before is None or after is None or after <= before:
        return {"more_attacks": False}
    return {
        "more_attacks": True,
        "attacked": changed.attacked,
        "attacked_before": present.attacked,
        "expected": expectation(after),
        "expected_before": expectation(before),
    }


def change_words(one: SuggestedQuestion) -> str:
    """Return a question with another game or limits, as a clause."""
    return sentence("suggestions.change", {"game": one.game, "changes": list(_changes(one))})


def _changes(one: SuggestedQuestion) -> Iterator[str]:
    for key, value in one.changes.items():
        name = key.removeprefix("limits.")
        yield name if value is True else f"{name} {value:.4g}"
