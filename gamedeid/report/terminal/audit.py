"""The two adversaries of a release side by side, in lines of text."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console

from gamedeid.amounts import percent
from gamedeid.report.aware_words import AWARE, NAIVE, RECIPIENT_ROWS, SPREAD, aware_words, spread_words
from gamedeid.report.terminal.console import new_table, print_table
from gamedeid.report.terminal.results import MEASURES
from gamedeid.risk.mechanism.aware_risk import AUDITED, AwareRisk

SIDES = ("naive", "aware")


def print_audit(found: AwareRisk, groups: Sequence[Mapping[str, Any]], to: Console) -> None:
    """Print what a recipient who knows the mechanism can do, and the measures for both recipients.

    Parameters
    ----------
    found : what came of the audit.
    groups : the worst groups, as ``found.worst_groups`` gives them.
    to : where it is printed.
    """
    solution, plain = found.solution, found.as_dict()
    study = solution.study
    to.print(f"{study.scenario.title or 'Records'}: {solution.name}{' game' if solution.solver else ''}, audited")
    unit = study.instance.profiles.unit
    for words in aware_words(plain, unit=unit, released=not solution.withheld.all()):
        to.print(words)
    table = new_table("if the recipient ...", NAIVE, AWARE)
    for key in AUDITED:
        words, form = MEASURES[key]
        table.add_row(words, form(plain["naive"][key]), form(plain["aware"][key]))
        if key == "expected_reidentifications":
            table.add_row(f"... {SPREAD}", *(spread_words(plain[one]["spread"]) for one in SIDES))
    for size in plain["naive"]["groups"]:
        who = "one person" if size == "1" else f"{size} people or fewer"
        table.add_row(f"released in a group of {who}", *(percent(plain[side]["groups"][size]) for side in SIDES))
    for name, does in plain.get("recipients", {}).items():
        for measure, (words, form) in RECIPIENT_ROWS.items():
            table.add_row(f"{name}: {words}", *(form(does[side][measure]) for side in SIDES))
    print_table(table, to)
    if groups:
        _print_groups(groups, to)


def _print_groups(groups: Sequence[Mapping[str, Any]], to: Console) -> None:
    to.print("Smallest groups worth attacking, by levels:")
    shown = "values" if "values" in groups[0] else "levels"
    table = new_table(*groups[0][shown], "match", "would be released so", "records", left=0)
    for group in groups:
        numbers = (f"{group[key]:,}" for key in ("people", "aware_people", "records"))
        table.add_row(*map(str, group[shown].values()), *numbers)
    print_table(table, to)
