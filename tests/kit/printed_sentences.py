"""Sentences around results on a terminal, and findings of pictures: what prints each, and parts of what is printed."""

import io
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import sample_pictures as sample
from rich.console import Console

from gamedeid.analysis.payoff_differences import differences_of
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
    """Return what is printed of attacks by one recipient, on records that are one group."""
    counts = {"strategy": None, "records": 1, "attacks": 0, "successes": 0, "expected_successes": 0.0, "agrees": True}
    counts |= {"interval": None, "one_attribute_successes": None, "surprise": 0.5, **changed}
    group, agrees = SimpleNamespace(**counts), counts["agrees"]
    whole = {"recipient": "naive", "dollars_gained": 0.0, "dollars_paid": 0.0, "groups": [group]}
    one = SimpleNamespace(**counts, **whole, total_agrees=agrees, rows_seen_otherwise=otherwise)
    asked = {"released": 0, "game": "basic", "repeats": 1, "people": 1, "seed": 7}
    found = SimpleNamespace(**asked, recipients=[one], notes=["a note"], agrees=agrees)
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
    return printed(print_distinct, {**plain, "total_risk_share": 0.5, **changed}, "Four")


def estimated(**changed: Any) -> list[str]:
    plain = {"sample_size": 1, "population_size": 20, "sampling_fraction": 0.05, "e1_uses": "pitman", "reasons": {}}
    names = ("zayatz", "pitman", "snb", "mu_argus", "e1", "pitman_given")
    return printed(print_estimates, SimpleNamespace(**{**plain, "estimates": dict.fromkeys(names, 0.5), **changed}))


def biased(**biases: float | None) -> list[dict[str, Any]]:
    ends = ("median_relative_bias", "lower_quartile", "upper_quartile")
    plain = {"fraction": 0.1, "samples": 9, "no_solution": 0.0}
    return [{**plain, "estimator": name, **dict.fromkeys(ends, bias)} for name, bias in biases.items()]


def beaten(many: int) -> list[str]:
    """Return what is printed of the small world, as if so many uniform policies beat the policy."""
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
    return sentences("changes.summary", {**dict.fromkeys(("keys", "files", "thresholds", "met", "lost"), 0), **changed})


def suggestions_for_small(at_least: float) -> Suggestions:
    study = sample.small_study()
    asked = Thresholds(own=[{"measure": "k_map", "at_least": at_least}])
    return suggest(study.with_scenario(study.scenario.model_copy(update={"thresholds": asked})))


def suggested(*, at_least: float = 5, unsolved: bool = False, **changed: Any) -> list[str]:
    """Return what is printed of suggestions for the small world; of a question without a release, if so asked."""
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
    """Return the finding of the strategies of a record, changed."""
    strategies = RecordStrategies.of(sample.small_study().alone(record=0), "basic")
    return [replace(strategies, **changed).picture("strategies", what="", how="", panels=()).finding]


def along(benefits: list[float], payoffs: list[float]) -> list[str]:
    """Return the finding of payoffs along the benefit, where those of the policy are 0."""
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
JOINT = {"records": 4, "in_earlier": 3, "smaller": 1, "changed": 2}
TABLE = {"records": 4, "classes": 2, "suppressed": 1, "with_missing": 2, "has_population": True}
TABLE |= {"people": 9, "unmatched": 1}
NEW = {"compared": True, "rows": 3, "profiles": 2, "seen_rows": 1, "seen_profiles": 1, "new_rows": 2, "new_profiles": 1}
STAGES = {"solver": "exact", "proved": False, "limited": None, "searched": 2.5, "strategies": 6, "gap": 1.0}
ROWS = {"benefit": [100.0] * (MOST_ROWS + 1), "loss": [float(one) for one in range(MOST_ROWS + 1)]}

PRINTED: dict[str, tuple[Any, ...]] = {
    "attacks on a game": (
        attacked,
        "Simulated attacks on 0 released records (the basic game): 1 world of 1 person each, seed 7.",
        "Mean of 1 world:",
        "naive: no record is worth an attack to this recipient.",
        "The successes agree with the formulas: naive.",
        "Recipient naive, by the records' strategies (levels):",
        "a note",
    ),
    "attacks that differ": (
        lambda: attacked(attacks=10, successes=9, expected_successes=5.0, agrees=False, otherwise=2),
        "naive: more successes than expected by the formulas: 9 of 10 attacks in all worlds, expected 5.0.",
        "naive: in 1 of 1 group of records the successes differ from the expected ones (1 with more, 0 with",
        "naive: the chance differs from the strategies in 2 released rows: other numbers of candidates match.",
        "The release differs from its strategies",
    ),
    "attacks without a formula": (
        lambda: attacked(attacks=10, successes=5, expected_successes=None, surprise=None),
        "naive: there is no formula for a list with errors; the successes are not compared.",
    ),
    "a search for identifiers": (
        searched,
        "1 row, 2 columns: the 18 identifiers of Safe Harbor",
        "No unresolved findings.",
    ),
    "a search of a part": (
        lambda: searched(sampled=["a"], unread=["b", "c"], unhandled=1),
        "1 finding not resolved.",
        "a: the search took an evenly spaced sample of the distinct values.",
        "b, c: the search took the name only; the values are bytes or cannot be read.",
    ),
    "people likely unique": (
        lambda: [*printed(print_demographics, counted(), None), demographics_picture(counted()).finding],
        "Likely unique by zip, sex and year of birth:",
        "Places with people: ",
        "and at most as many people as sex and birth have values.",
        "By age group, the share is lowest at",
        "All people are likely unique in",
    ),
    "people below a threshold": (
        lambda: printed(print_demographics, counted("below"), None),
        "and fewer people than sex and birth have values.",
    ),
    "no people": (
        lambda: [
            *printed(print_demographics, counted(empty=True), None),
            demographics_picture(counted(empty=True)).finding,
        ],
        "The table has no people.",
    ),
    "estimates of uniqueness": (
        lambda: estimated(reasons={"snb": "too few classes"}),
        "Sample: 1 person of 20 (5.00%). Unique people of the population, by estimate:",
        ": too few classes.",
    ),
    "estimators compared": (
        lambda: printed(print_study, [{**one, "no_solution": 0.25} for one in biased(snb=0.5)], 0.125),
        "12.50% of the population are unique.",
        " at 0.1: no solution in 25.0% of samples.",
    ),
    "distinct people": (
        lambda: distinct("population"),
        "Four: raw seen by general, 4 people of the population released",
    ),
    "distinct records": (
        lambda: distinct("records", people=1, unmatched=1, price_per_reidentification=2.0),
        "Four: raw seen by general, 1 record released",
        "1 of them matches no one in the population as released, and is not counted.",
        "The price of the list is $2.00 per expected re-identification.",
    ),
    "no price": (
        lambda: distinct("records", price_per_reidentification=None),
        "No re-identification is expected, so that none has a price.",
    ),
    "equally likely values": (
        lambda: [sentence("distinct.released_bins", {"people": 40, "bins": 365, "released": 1})],
        "40 people over 365 equally likely values, 1 of them released (estimates)",
    ),
    "releases together": (
        lambda: sentences("risks.joint", JOINT),
        "4 records released; 3 of people with a row in an earlier release.",
        "leave fewer people in question for 1 record than this release alone.",
        "2 records have a value that an earlier row rules out",
    ),
    "a table": (
        lambda: sentences("risks.measured", TABLE),
        "4 records in 2 classes.",
        "1 record has `*` in every attribute: one class.",
        "2 records have a missing value of an attribute.",
        "The population has 9 people.",
        "1 record matches no one in the population: k-map and the figures of the journalist leave it out",
    ),
    "worst groups": (lambda: [sentence("risks.worst_groups", {})], "Smallest groups worth attacking, by levels:"),
    "strategies that are not proved": (
        lambda: sentences("run.searched", {**STAGES, "gap_most": 3.0}),
        "exact: not proved optimal; 2.50 of 6 strategies searched per record",
        "Other strategies pay at most $1.00 more per record on average, and at most $3.00 more for any record.",
    ),
    "a policy by attribute": (
        lambda: [policy_does("pairs", {"age": "level 1", "sex": "as it is"})],
        "The policy \u201cpairs\u201d releases age: level 1; sex: as it is.",
    ),
    "regions": (
        lambda: [sentence("run.regions", {"read": "4 records", "count": 1, "attribute": "zip"})],
        "4 records; 1 region by zip",
    ),
    "regions that are solved": (lambda: [sentence("run.regions_solved", {})], "Each game is solved exactly"),
    "new rows": (
        lambda: [sentence("run.applied", NEW)],
        "3 rows of 2 profiles: 1 row of 1 profile released before, 2 rows of 1 new profile.",
    ),
    "rows released before": (
        lambda: [sentence("run.applied", {**NEW, "new_rows": 0})],
        "3 rows of 2 profiles, all released before.",
    ),
    "rows that nothing is compared with": (
        lambda: [sentence("run.applied", {**NEW, "compared": False})],
        "only the original records show which of them were released before.",
    ),
    "solvers": (
        lambda: [sentence("run.compared", {"reference": "exact"})],
        "Differences are mean absolute differences per record from exact; times are of this machine.",
    ),
    "uniform policies on a terminal": (
        lambda: beaten(3),
        "A and B have no more risk than the policy \u201cpairs\u201d: A releases all alike (",
        "Uniform policies that beat the policy \u201cpairs\u201d, by levels; * on the frontier:",
    ),
    "a renewal": (
        lambda: [*renewed(keys=1), *renewed(files=2, thresholds=2, met=1, lost=1)],
        "Since the earlier run 1 key of the scenario has changed, and no file that the run reads.",
        "No threshold is named now",
        "Since the earlier run 2 files that the run reads have changed, and no key of the scenario.",
        "Thresholds that are met now: 1 of 2.",
        "1 threshold was met earlier and is not met now, or no longer set.",
    ),
    "a renewal of other data": (lambda: renewed(keys=2, files=1), "2 keys of the scenario and 1 file that the run"),
    "a renewal without changes": (renewed, "no key of the scenario and no file that the run reads has changed."),
    "a change that costs": (
        suggested,
        "does not meet these thresholds, or leaves them undecided: people who match",
        "that was tried and meets all thresholds costs the publisher $",
        " per record: the no-attack game.",
        "Cost: the publisher's payoff in the present question less the payoff after the change, per record;",
        "the nearest values with which the basic game meets all thresholds:",
    ),
    "no change": (
        lambda: suggested(at_least=1),
        "The present question, the basic game, meets all thresholds: no change is needed.",
    ),
    "no change that helps": (lambda: suggested(at_least=1000), "that was tried meets all thresholds."),
    "a change for nothing": (
        lambda: printed(
            print_suggestions,
            replace(free := suggestions_for_small(5), tried=(replace(free.tried[0], cost=0.0), free.present)),
        ),
        "costs the publisher nothing: the no-attack game.",
    ),
    "a change that pays the publisher more": (
        lambda: printed(
            print_suggestions,
            replace(more := suggestions_for_small(5), tried=(replace(more.tried[0], cost=-2.5), more.present)),
        ),
        "and pays the publisher most brings $2.50 more per record than the present question: the no-attack game.",
    ),
    "a change that permits more attacks": (
        lambda: printed(
            print_suggestions,
            replace(
                worse := suggestions_for_small(5),
                tried=(replace(worse.tried[0], attacked=0.5, expected_reidentifications=99.0), worse.present),
            ),
        ),
        "This change raises the expected re-identifications from ",
        " to 99.0, if the recipient counts matching people: attacks pay on 50.00% of the records instead of ",
        "The thresholds do not forbid it.",
    ),
    "a change within limits": (
        lambda: suggested(unsolved=True, cost=None, changes={"limits.uniform": True}, left_out=("a reason",)),
        "The present question, the sh-friendly game, has no release within its limits.",
        "and pays the publisher most: the no-attack game with uniform.",
        "Its release is not proved the best within its limits",
        "Not tried: a reason.",
    ),
    "many uniform policies": (
        lambda: [sentence("frontier.more", {"left": 2, "policy": "Safe Harbor"})],
        "2 more uniform policies beat Safe Harbor; uniform.csv has all of them.",
    ),
    "a long sweep": (
        lambda: printed(lambda to: print_sweep([ROWS], to)),
        "Throughout: benefit $100.",
        "The recipient counts matching people; one who also knows how the release was made may find more.",
        "1 more row is not shown.",
    ),
    "notes of a run": (
        lambda: sentences("commands.run", {"others_left_out": True}),
        "With so many profiles or strategies the other games take long; gamedeid compare plays them.",
    ),
    "notes of a comparison": (
        lambda: sentences("commands.compare", {"aware_left_out": True}),
        "With so many profiles the games aware-basic and aware-no-attack take long;",
    ),
    "a sweep on a terminal": (
        lambda: sentences("commands.sweep", {"left_out": ["attacked", "withheld"]}),
        "and the columns that are not shown (attacked and withheld): send it",
    ),
    "a whole sweep on a terminal": (
        lambda: sentences("commands.sweep", {"left_out": []}),
        "The CSV has every row and digit: send it",
    ),
    "the explorer": (
        lambda: [sentence(f"commands.{name}", {"idle": 15.0}) for name in ("explore", "explored")],
        "Ctrl-C ends it; so do 15 minutes without a request of the page.",
        "Ended: no request of the page for 15 minutes.",
    ),
    "checks that were made, and checks that were not": (
        lambda: [
            *printed(print_verification, verified()),
            *printed(print_verification, verified(unchecked=["input: records"])),
            *printed(print_verification, verified(findings=["a: x", "b: y"], unchecked=["a", "b", "c", "d"])),
        ],
        "Not checked: input: records.\n2 checks made; --verbose lists them, and why others were not made.\n",
        "out: all checks passed.",
        "out: all checks that were made passed.",
        "Not checked: a; b; c; and 1 more.",
        "out: verification failed, 2 findings.",
    ),
    "a column that looks like an identifier": (
        lambda: [sentence("checks.action", {"columns": "zip, place", "action": "drop the column"})],
        "zip, place: drop the column.",
    ),
    "a threshold": (
        lambda: [
            sentence(
                "determination.judged",
                {"the_verdict": "Met", "name": "0.2", "measure": "risk", "value": "0.1", "bound": "at most 0.2"},
            )
        ],
        "Met: 0.2, risk: 0.1, at most 0.2 asked.",
    ),
    "questions of a draft": (
        lambda: [
            sentence("commands.table", {"name": "a.csv", "rows": 1, "columns": 2, "form": ""}),
            sentence("commands.questions", {"questions": 2}),
            sentence(
                "commands.question", {"number": 1, "questions": 2, "column": "a", "reason": "few values", "shapes": ""}
            ),
            sentence(
                "commands.question", {"number": 2, "questions": 2, "column": "b", "reason": "few", "shapes": '"a9"'}
            ),
            sentence("commands.not_written", {"asked": 1}),
        ],
        "a.csv: 1 row, 2 columns",
        "2 columns in doubt. a: a recipient could know it (attribute)",
        "(1/2) a: few values.",
        '(2/2) b: few. Most values look like "a9" (a: a letter, 9: a digit).',
        "1 column, marked ?, is in doubt.",
    ),
    "a draft": (
        lambda: [
            sentence("commands.not_written", {"asked": 0}),
            sentence("commands.drafted", {"folder": "d", "file": "scenario.toml"}),
            *sentences("commands.why", {"has_population": False, "few": True, "persons": 60, "alike": 75}),
        ],
        "No column is in doubt.",
        "Written to d. Read scenario.toml; until its stakes are yours",
        "The file has 60 people, fewer than 75: at the stakes of the draft this withholds all of them",
        "and 75 records alike in each group, an attack does not pay.",
    ),
    "a draft with a population": (
        lambda: sentences("commands.why", {"has_population": True, "few": False}),
        "One strategy for all records shows nothing by that.",
    ),
    "changes of payoffs": (
        lambda: [change_words(amount) for amount in (0.0, 2.0, -0.001)],
        "the same\n$2.00 more\nless than $0.01 less",
    ),
    "differences of payoffs": (
        lambda: [
            histogram_picture(differences_of(sample.comparison())).finding,
            scatter_picture(sample.comparison()).finding,
        ],
        "Compared with the policy \u201cpairs\u201d, the basic game pays the publisher more for",
        "The adversary gets more for",
    ),
    "payoffs that differ": (
        lambda: [sentence("pictures.scatter", {**SCATTERED, "level": False, "most": 3.0})],
        "is between $0.00 (where the latter is $1.00) and $3.00 (where it is $2.00).",
    ),
    "payoffs that do not differ": (
        lambda: [sentence("pictures.scatter", {**SCATTERED, "level": True})],
        "The adversary's payoff under the basic game, less that under Safe Harbor, is $0.00 for every record.",
    ),
    "payoffs along a stake": (
        lambda: along([50.0, 100.0], [1.0, -1.0]),
        "At the chosen stakes the publisher's mean payoff per record is: pairs $0.00, basic -$1.00.",
        "Along the benefit, from $50 to $100, the basic game pays the publisher $1.00 more per record at the best",
        "value ($50) and $1.00 less at the worst ($100), compared with the policy \u201cpairs\u201d.",
    ),
    "equal payoffs along a stake": (
        lambda: along([50.0, 60.0], [0.0, 0.0]),
        "At each value of the benefit from $50 to $60 the basic game pays the publisher the same per record",
    ),
    "payoffs at one value": (
        lambda: along([50.0], [1.0]),
        "At a benefit of $50 the basic game pays the publisher $1.00 more",
    ),
    "a solver that is off": (
        lambda: off([0.0, 2.0], [1.0, 0.5]),
        "At the chosen stakes lattice-search finds the best payoff for 50.0% of the records; its mean difference",
        "Along the benefit, from $1 to $2, this difference is at most $2.00, at $2, where 50.0% of the records have",
    ),
    "a solver that is exact": (
        lambda: off([0.0, 0.0], [1.0, 1.0]),
        "to $2, it finds the best payoff for every record.",
    ),
    "a map": (
        mapped,
        "At the chosen stakes the basic game has: generalization intensity 0.0000, adversary's reply no attack",
        "The generalization intensity is lowest, 0.0000, at loss $90 and benefit $100, and highest, 0.5000,",
        "The adversary attacks at 1 of 2 points.",
        "The adversary's payoff is $0.00 at every point.",
    ),
    "a record that is released": (
        of_one,
        "The adversary attacks at 2 of 6 strategies; the basic game permits 6.",
        "The game releases age [40-41], sex Male, levels (1, 0); the adversary does not attack.",
        "It pays the publisher $66.67 and the adversary $0.00.",
        "The policy \u201cpairs\u201d, with levels (1, 0), pays them $66.67 and $0.00.",
        "The least generalized strategy pays them $10.00 and $70.00.",
    ),
    "a record that is withheld": (
        lambda: of_one(chosen=None, policy=None),
        "No permitted strategy is worth its risk: the record is withheld.",
    ),
    "a record that cannot be released": (
        lambda: of_one(chosen=None, permitted=np.zeros(6, np.bool_)),
        "the basic game permits none. The record is withheld.",
    ),
    "biases": (
        lambda: [uniqueness_picture(biased(zayatz=0.5, snb=-0.25, e1=0.125), 0.5).finding],
        "has the least median relative bias of the single estimators, -0.250.",
        "The decision rule has a bias of +0.125.",
    ),
    "no solution": (
        lambda: [uniqueness_picture(biased(snb=None, e1=None), 0.5).finding],
        "With 10% sampled, no single estimator has a solution.",
    ),
}
"""Case -> the lines that it prints, and parts of them."""
