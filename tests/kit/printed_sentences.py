"""Sentences around results on a terminal, and findings of pictures: the function that prints each."""

import io
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import sample_pictures as sample
from rich.console import Console

from gamedeid.analysis.payoff_differences import payoff_differences
from gamedeid.analysis.risk_utility import risk_utility
from gamedeid.analysis.suggestions import Suggestions, suggest
from gamedeid.catalogue import sentence, sentences
from gamedeid.pictures.differences import histogram_picture, scatter_picture
from gamedeid.pictures.lines import SOLVER, deviation_picture, lines_picture
from gamedeid.pictures.maps import map_picture
from gamedeid.pictures.people import demographics_picture, uniqueness_picture
from gamedeid.pictures.strategies import RecordStrategies
from gamedeid.pictures.words import change_words
from gamedeid.report.terminal.checks import print_attacks, print_findings, print_verification
from gamedeid.report.terminal.distinctness import print_distinct
from gamedeid.report.terminal.people import print_demographics, print_estimates, print_study
from gamedeid.report.terminal.results import policy_does
from gamedeid.report.terminal.risk_utility import print_risk_utility
from gamedeid.report.terminal.suggestions import print_suggestions
from gamedeid.report.terminal.sweeps import MOST_ROWS, print_sweep
from gamedeid.risk.census.identifiable import identifiable
from gamedeid.scenario.determination import Thresholds


def printed(say: Callable[..., Any], *given: Any, **named: Any) -> list[str]:
    """Return the lines that a function prints."""
    to = Console(file=io.StringIO(), width=1000)
    to.soft_wrap = True
    say(*given, to, **named)
    return str(to.file.getvalue()).splitlines()  # type: ignore[attr-defined]


def attacked(*, otherwise: int = 0, **changed: Any) -> list[str]:
    """Return the lines printed about attacks by one recipient, on records that are one group."""
    counts = {"strategy": None, "records": 1, "attacks": 0, "successes": 0, "expected_successes": 0.0, "agrees": True}
    counts |= {"interval": None, "one_attribute_successes": None, "surprise": 0.5, **changed}
    group, agrees = SimpleNamespace(**counts), counts["agrees"]
    whole = {"recipient": "naive", "dollars_gained": 0.0, "dollars_paid": 0.0, "groups": [group]}
    one = SimpleNamespace(**counts, **whole, total_agrees=agrees, rows_seen_otherwise=otherwise)
    asked = {"released": 0, "game": "basic", "repeats": 1, "people": 1, "seed": 7}
    found = SimpleNamespace(**asked, recipients=[one], notes=["a note"], warnings=[], agrees=agrees)
    return printed(print_attacks, found, groups=True)


def searched(**changed: Any) -> list[str]:
    found = {"rule": "safe-harbor", "rows_looked_at": 1, "columns": 2, "findings": [], "sampled": [], "unread": []}
    return printed(print_findings, {**found, "unhandled": 0, **changed})


def verified(*, findings: Sequence[str] = (), unchecked: Sequence[str] = ()) -> SimpleNamespace:
    found = [SimpleNamespace(in_words=partial(str.format, one)) for one in findings]
    left = [SimpleNamespace(what=what, why="why") for what in unchecked]
    return SimpleNamespace(folder="out", findings=found, unchecked=left, checked=["one", "another"])


def counted(boundary: str = "at-most", *, empty: bool = False) -> Any:
    counts = sample.identified().counts
    if empty:
        counts = replace(counts, people=np.zeros_like(counts.people))
    return identifiable(counts, "year", boundary)


def distinct(released: str, **changed: Any) -> list[str]:
    plain = {"people": 4, "unmatched": 0, "distinct": {"1": 1.0}, "share": {"1": 0.25}, "total_risk": 2.0}
    plain |= {"policy": "raw", "attacker": "general", "released": released, "population_levels": {}}
    return printed(print_distinct, {**plain, "total_risk_share": 0.5, "warnings": (), **changed}, "Four", "record")


def estimated(**changed: Any) -> list[str]:
    plain = {"sample_size": 1, "population_size": 20, "sampling_fraction": 0.05, "e1_uses": "pitman", "reasons": {}}
    names = ("zayatz", "pitman", "snb", "mu_argus", "e1", "pitman_given")
    return printed(print_estimates, SimpleNamespace(**{**plain, "estimates": dict.fromkeys(names, 0.5), **changed}))


def biased(**biases: float | None) -> list[dict[str, Any]]:
    ends = ("median_relative_bias", "lower_quartile", "upper_quartile")
    plain = {"fraction": 0.1, "samples": 9, "no_solution": 0.0}
    return [{**plain, "estimator": name, **dict.fromkeys(ends, bias)} for name, bias in biases.items()]


def beaten(many: int) -> list[str]:
    """Return the lines printed about the small world if ``many`` uniform policies beat its policy."""
    result = risk_utility(sample.small_study())
    better = np.zeros_like(result.beaten.better)
    better[:many] = True
    content = result.as_dict()
    shown = SimpleNamespace(
        as_dict=lambda: content,
        beaten=SimpleNamespace(better=better),
        **{name: getattr(result, name) for name in ("study", "uniform", "risk_name", "on_frontier")},
    )
    return printed(print_risk_utility, shown)


def renewed(**changed: int) -> list[str]:
    facts = dict.fromkeys(("keys", "files", "persons_then", "persons_now", "thresholds", "met", "lost"), 0)
    return sentences("changes.summary", {**facts, **changed})


def suggestions_for_small(at_least: float) -> Suggestions:
    study = sample.small_study()
    asked = Thresholds(own=[{"measure": "k_map", "at_least": at_least}])
    return suggest(study.with_scenario(study.scenario.model_copy(update={"thresholds": asked})))


def suggested(*, at_least: float = 5, unsolved: bool = False, **changed: Any) -> list[str]:
    """Return the lines printed about suggestions for the small world, or for a question without a release."""
    found = suggestions_for_small(at_least)
    if unsolved:
        left_out = changed.pop("left_out")
        present = replace(
            found.present, game="sh-friendly", thresholds=(), publisher_payoff=None, cost=None, unsolved="why"
        )
        best = replace(found.tried[0], proved=False, **changed)
        found = replace(found, present=present, tried=(best, present), left_out=left_out)
    return printed(print_suggestions, found)


def of_one(**changed: Any) -> list[str]:
    """Return the finding of the picture of a record's strategies, changed."""
    strategies = RecordStrategies.of(sample.small_study().alone(record=0), "basic")
    return [replace(strategies, **changed).picture("strategies", what="", how="", panels=()).finding]


def along(benefits: list[float], payoffs: list[float]) -> list[str]:
    """Return the finding of payoffs along the benefit; the policy's payoffs are 0."""
    policies = ["pairs", "basic"] * len(benefits)
    columns = {"policy": policies, "benefit": [one for one in benefits for _ in range(2)]}
    columns |= {
        key: [one for payoff in payoffs for one in (0.0, payoff)] for key in ("publisher_payoff", "adversary_payoff")
    }
    return [lines_picture({"benefit": columns}, sample.CHOSEN).finding]


def off(differences: list[float], optimal: list[float]) -> list[str]:
    """Return the finding of a solver's differences at benefits of $1, $2, ..."""
    columns = {"solver": [SOLVER] * len(optimal), "benefit": [float(one + 1) for one in range(len(optimal))]}
    columns |= {"publisher_difference": differences, "adversary_difference": differences, "optimal": optimal}
    return [deviation_picture({"benefit": columns}, {**sample.CHOSEN, "benefit": 2.0}).finding]


def mapped(**columns: list[float]) -> list[str]:
    """Return the finding of a map of one record over two losses."""
    plain = {
        "policy": ["basic"] * 2,
        "benefit": [100.0] * 2,
        "loss": [90.0, 180.0],
        "generalization_intensity": [0.0, 0.5],
    }
    plain |= {"attacked": [0.0, 1.0], "publisher_payoff": [100.0, 50.0], "adversary_payoff": [0.0, 0.0], **columns}
    return [map_picture(plain, sample.CHOSEN, "basic", record="record 1").finding]


SCATTERED = {"player": "adversary", "game": "the basic game", "policy": "Safe Harbor"}
SCATTERED |= {"least": 0.0, "least_at": 1.0, "most_at": 2.0}
DRAFT = {"has_population": False, "uniform": False, "few": False, "many": False, "persons": 60, "alike": 75}
JOINT_PEOPLE = {"persons": True, "own": True, "recipients": True}
JOINT_PEOPLE |= {"units_smaller": "1 person", "units_changed": "2 people"}
JOINT = {
    "persons": False,
    "own": False,
    "recipients": False,
    "records": 4,
    "in_earlier": 3,
    "units_smaller": "1 record",
    "units_changed": "2 records",
    "changed": 2,
}
TABLE = {
    "records": 4,
    "classes": 2,
    "suppressed": 1,
    "with_missing": 2,
    "has_population": True,
    "has_hierarchies": False,
}
TABLE |= {"people": 9, "unmatched": 1}
NEW = {"compared": True, "rows": 3, "profiles": 2, "seen_rows": 1, "seen_profiles": 1, "new_rows": 2, "new_profiles": 1}
STAGES = {"solver": "exact", "proved": False, "limited": None, "searched": 2.5, "strategies": 6, "gap": 1.0}
ROWS = {"benefit": [100.0] * (MOST_ROWS + 1), "loss": [float(one) for one in range(MOST_ROWS + 1)]}

PRINTED: dict[str, Callable[[], list[str]]] = {
    "attacks on a game": attacked,
    "attacks that differ": lambda: attacked(attacks=10, successes=9, expected_successes=5.0, agrees=False, otherwise=2),
    "attacks without a formula": lambda: attacked(attacks=10, successes=5, expected_successes=None, surprise=None),
    "a search for identifiers": searched,
    "a search of a part": lambda: searched(sampled=["a"], unread=["b", "c"], unhandled=1),
    "people likely unique": lambda: [
        *printed(print_demographics, counted(), None),
        demographics_picture(counted()).finding,
    ],
    "people below a threshold": lambda: printed(print_demographics, counted("below"), None),
    "no people": lambda: [
        *printed(print_demographics, counted(empty=True), None),
        demographics_picture(counted(empty=True)).finding,
    ],
    "estimates of uniqueness": lambda: estimated(reasons={"snb": "too few classes"}),
    "estimators compared": lambda: printed(
        print_study, [{**one, "no_solution": 0.25} for one in biased(snb=0.5)], 0.125
    ),
    "distinct people": lambda: distinct("population"),
    "distinct records": lambda: distinct("records", people=1, unmatched=1, price_per_reidentification=2.0),
    "no price": lambda: distinct("records", price_per_reidentification=None),
    "equally likely values": lambda: [sentence("distinct.released_bins", {"people": 40, "bins": 365, "released": 1})],
    "releases together": lambda: sentences("risks.joint", JOINT),
    "releases of people together": lambda: sentences("risks.joint", {**JOINT, **JOINT_PEOPLE}),
    "earlier releases in the explorer": lambda: sentences("earlier.known", {"releases": 1, "who": "The recipient"}),
    "a table": lambda: sentences("risks.measured", TABLE),
    "worst groups": lambda: [sentence("risks.worst_groups", {})],
    "strategies that are not proved": lambda: sentences("run.searched", {**STAGES, "gap_most": 3.0}),
    "a policy by attribute": lambda: [policy_does("pairs", {"age": "level 1", "sex": "as it is"})],
    "regions": lambda: [sentence("run.regions", {"read": "4 records", "count": 1, "attribute": "zip"})],
    "regions that are solved": lambda: [sentence("run.regions_solved", {})],
    "new rows": lambda: [sentence("run.applied", NEW)],
    "a release next to the finished run's": lambda: [sentence("run.both", {})],
    "rows released before": lambda: [sentence("run.applied", {**NEW, "new_rows": 0})],
    "rows that nothing is compared with": lambda: [sentence("run.applied", {**NEW, "compared": False})],
    "solvers": lambda: [sentence("run.compared", {"reference": "exact"})],
    "uniform policies on a terminal": lambda: beaten(3),
    "a renewal": lambda: [*renewed(keys=1), *renewed(files=2, thresholds=2, met=1, lost=1)],
    "a renewal with people": lambda: [
        *renewed(persons_then=1),
        *renewed(persons_now=1),
        *renewed(persons_then=1, persons_now=1),
    ],
    "a renewal of other data": lambda: renewed(keys=2, files=1),
    "a renewal without changes": renewed,
    "a change that costs": suggested,
    "no change": lambda: suggested(at_least=1),
    "no change that helps": lambda: suggested(at_least=1000),
    "a change for nothing": lambda: printed(
        print_suggestions,
        replace(free := suggestions_for_small(5), tried=(replace(free.tried[0], cost=0.0), free.present)),
    ),
    "a change that pays the publisher more": lambda: printed(
        print_suggestions,
        replace(more := suggestions_for_small(5), tried=(replace(more.tried[0], cost=-2.5), more.present)),
    ),
    "a change that permits more attacks": lambda: printed(
        print_suggestions,
        replace(
            worse := suggestions_for_small(5),
            tried=(replace(worse.tried[0], attacked=0.5, expected_reidentifications=99.0), worse.present),
        ),
    ),
    "a change within limits": lambda: suggested(
        unsolved=True, cost=None, changes={"limits.uniform": True}, left_out=("a reason",)
    ),
    "many uniform policies": lambda: [sentence("frontier.more", {"left": 2, "policy": "Safe Harbor"})],
    "a long sweep": lambda: printed(lambda to: print_sweep(ROWS, to, followed=None)),
    "a stake along which nothing changes": lambda: printed(
        lambda to: print_sweep({"policy": [], "cost": []}, to, followed=None)
    ),
    "a run that may not be repeated": lambda: [
        sentence("run.repeated", {"drawn": drawn, "timed": not drawn}) for drawn in (True, False)
    ],
    "notes of a run": lambda: sentences("commands.run", {"others_left_out": True}),
    "a finished run whose signature was not checked": lambda: sentences(
        "commands.apply", {"unchecked": True, "folder": "january"}
    ),
    "notes of a comparison": lambda: sentences("commands.compare", {"aware_left_out": True}),
    "a sweep on a terminal": lambda: sentences("commands.sweep", {"left_out": ["attacked", "withheld"]}),
    "a whole sweep on a terminal": lambda: sentences("commands.sweep", {"left_out": []}),
    "the explorer": lambda: [sentence(f"commands.{name}", {"idle": 15.0}) for name in ("explore", "explored")],
    "checks that were made, and checks that were not": lambda: [
        *printed(print_verification, verified(), with_values=False, verbose=False),
        *printed(print_verification, verified(unchecked=["input: records"]), with_values=False, verbose=False),
        *printed(
            print_verification,
            verified(findings=["a: x", "b: y"], unchecked=["a", "b", "c", "d"]),
            with_values=False,
            verbose=False,
        ),
    ],
    "a column that looks like an identifier": lambda: [
        sentence("checks.action", {"columns": "zip, place", "action": "drop the column"})
    ],
    "a threshold": lambda: [
        sentence(
            "determination.judged",
            {"the_verdict": "Met", "name": "0.2", "measure": "risk", "value": "0.1", "bound": "at most 0.2"},
        )
    ],
    "questions of a draft": lambda: [
        sentence("commands.table", {"name": "a.csv", "rows": 1, "columns": 2, "form": ""}),
        sentence("commands.questions", {"questions": 2}),
        sentence(
            "commands.question", {"number": 1, "questions": 2, "column": "a", "reason": "few values", "shapes": ""}
        ),
        sentence("commands.question", {"number": 2, "questions": 2, "column": "b", "reason": "few", "shapes": '"a9"'}),
        sentence("commands.not_written", {"asked": 1}),
    ],
    "a draft": lambda: [
        sentence("commands.not_written", {"asked": 0}),
        sentence("commands.drafted", {"folder": "d", "file": "scenario.toml"}),
        *sentences("commands.why", {**DRAFT, "many": True, "strategies": 90_000, "most": 65_536, "few": True}),
    ],
    "a draft with a population": lambda: [
        *sentences("commands.why", {**DRAFT, "has_population": True}),
        *sentences("commands.why", {**DRAFT, "has_population": True, "uniform": True}),
    ],
    "changes of payoffs": lambda: [change_words(amount) for amount in (0.0, 2.0, -0.001)],
    "differences of payoffs": lambda: [
        histogram_picture(payoff_differences(sample.comparison())).finding,
        scatter_picture(sample.comparison()).finding,
    ],
    "payoffs that differ": lambda: [sentence("pictures.scatter", {**SCATTERED, "level": False, "most": 3.0})],
    "payoffs that do not differ": lambda: [sentence("pictures.scatter", {**SCATTERED, "level": True})],
    "payoffs along a stake": lambda: along([50.0, 100.0], [1.0, -1.0]),
    "equal payoffs along a stake": lambda: along([50.0, 60.0], [0.0, 0.0]),
    "payoffs at one value": lambda: along([50.0], [1.0]),
    "a solver that is off": lambda: off([0.0, 2.0], [1.0, 0.5]),
    "a solver that is exact": lambda: off([0.0, 0.0], [1.0, 1.0]),
    "a map": mapped,
    "a map whose values read alike": lambda: mapped(publisher_payoff=[60.001, 60.002]),
    "an attack on one person": lambda: sentences("recipients.attacks", {"free": False, "some": 1, "limit": 1})[:1],
    "a record that is released": of_one,
    "a record that is withheld": lambda: of_one(chosen=None, policy=None),
    "a record that cannot be released": lambda: of_one(chosen=None, permitted=np.zeros(6, np.bool_)),
    "biases": lambda: [uniqueness_picture(biased(zayatz=0.5, snb=-0.25, e1=0.125), 0.5).finding],
    "no solution": lambda: [uniqueness_picture(biased(snb=None, e1=None), 0.5).finding],
}
"""Case -> the function that returns its printed lines."""
