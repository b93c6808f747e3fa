"""Results as tables on a terminal, or as plain text in a pipe."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Console

from gamedeid.amounts import dollars, percent
from gamedeid.analysis.comparison import Comparison
from gamedeid.catalogue import catalogue, sentence, sentences
from gamedeid.pictures.words import capitalized, policy_words
from gamedeid.report.terminal.console import (
    in_narrow_rows,
    print_lines,
    print_rows,
    print_side_by_side,
    print_table,
    table_of,
)
from gamedeid.report.words.aware import mechanism_words
from gamedeid.report.words.detail import column_grid, column_words, strategy_words
from gamedeid.report.words.limits import limit_words
from gamedeid.report.words.measures import ALL_ATTACKED, LEGEND, MARK, MEASURES, shown_measures
from gamedeid.report.words.recipients import outcome_grid
from gamedeid.report.words.run import data_words, earlier_words, is_proved, known_earlier_words, person_words
from gamedeid.report.words.verdict import Verdict, measure_rows, verdict_in, verdict_of, verdict_on
from gamedeid.scenario.sections import LIMITED_DATA_SET
from gamedeid.study.facts import read_facts, study_warnings
from gamedeid.study.solution import Solution
from gamedeid.study.study import Study
from gamedeid.study.warnings import Warnings, warning_sentences

if TYPE_CHECKING:
    from gamedeid.analysis.regional_comparison import RegionalComparison
    from gamedeid.analysis.solver_comparison import SolverComparison
    from gamedeid.study.applied import Applied


def print_run(solution: Solution, to: Console, summary: Mapping[str, Any]) -> None:
    """Print the verdict on a run, its warnings, its measures, and its most frequent strategies."""
    study = solution.study
    unit = "records" if study.persons is None else "people"
    to.print(f"{study.scenario.title or 'Records'}: {solution.name}{' game' if solution.solver else ''}")
    print_lines(verdict_of(summary), to)
    print_data(study, to, summary["warnings"])
    print_lines(earlier_words(summary), to)
    _print_figures(verdict_on(summary), to)
    measures = shown_measures([solution.measures])
    rows = [(measure.name, measure.form(solution.measures[key])) for key, measure in measures.items()]
    expected = MEASURES["expected_reidentifications"].form(solution.marketer["reidentifications"])
    records = (unit, f"{solution.measures['records']:,}")
    table = table_of(("", ""), [records, *rows, (f"... {ALL_ATTACKED}", expected)])
    table.show_header = False
    print_table(table, to)
    if solution.recipients:
        print_rows(*outcome_grid(solution.recipients), to)
        to.print(sentence("recipients.outcomes", {}))
    print_lines(limit_words(summary), to)
    print_agreement(study.scenario.floor, to)
    _print_search(solution, to)
    if summary["strategies"]:
        to.print(sentence("run.strategies", {}))
        heights = {name: one.levels for name, one in study.instance.hierarchies.items()}
        most_chosen = (
            (strategy_words(row["levels"], heights), f"{row['records']:,}", percent(row["share"]))
            for row in summary["strategies"][:5]
        )
        print_rows(("released", unit, "share"), most_chosen, to)
        to.print(column_words(summary))
        print_rows(*column_grid(summary["columns"]), to)


def _print_figures(verdict: Verdict, to: Console) -> None:
    """Print the verdict's figures, a row for each recipient, and those of all games; in short words on a terminal."""
    columns, rows = list(verdict.recipients.headings), verdict.recipients.rows
    games = list(verdict.games.headings)
    if to.is_terminal:
        columns[1:3] = "attacked", "expected"
        rows = [(name, *row[1:]) for name, row in zip(catalogue("verdict")["short"].values(), rows, strict=bool(rows))]
        games[games.index(MEASURES["expected_reidentifications"].name)] = "expected"
    if rows:
        print_rows(columns, rows, to, whole=(0, 3))  # names, and chances with ranges
    to.print(verdict.games_heading)
    print_rows(games, verdict.games.rows, to, whole=(0,))


def _print_search(solution: Solution, to: Console) -> None:
    """Print the search for the strategies, and its proof; nothing for a policy."""
    study, search = solution.study, solution.search
    if solution.mechanism is not None and solution.mechanism.facts is not None:
        found, unit = solution.mechanism.facts.as_dict(), study.instance.profiles.unit
        print_lines(mechanism_words(found, study.scenario.groups, unit=unit, own=study.is_own_population), to)
    elif solution.solver is not None:
        proved = is_proved(search, study.instance.payoffs.benefit)
        facts = {**search, "proved": proved, "strategies": study.instance.lattice.size, "limited": solution.limits}
        print_lines(sentences("run.searched", facts), to)


def print_comparison(comparison: Comparison, to: Console) -> None:
    """Print the policy and the games side by side, a row for each measure; one after another if too wide."""
    study, policy = comparison.study, comparison.study.scenario_policy
    to.print(study.scenario.title or "Comparison")
    print_lines(verdict_in(study, comparison.policies, policy.name).sentences, to)
    print_data(study, to)
    print_lines(known_earlier_words(study.scenario), to)
    rows = comparison.rows
    searched = {
        "strategies searched": _optional(rows, "searched", lambda value: f"{value:,.2f}"),
        "found the optimum": _optional(rows, "optimal", percent),
    }
    print_policies(comparison.policies, to, searched)
    to.print(policy_does(policy.name, policy.in_words))
    print_agreement(policy.name, to)


def print_data(study: Study, to: Console, warnings: Warnings | None = None) -> None:
    """Print the facts of the data, and the warnings; those of the three games unless others are given."""
    data = read_facts(study)
    to.print(data_words(data))
    print_lines(person_words(data), to)
    print_warnings(study_warnings(study) if warnings is None else warnings, to)


def print_warnings(warnings: Warnings, to: Console) -> None:
    """Print each warning on one line."""
    print_lines((f"Warning: {words}" for words in warning_sentences(warnings)), to)


def print_policies(
    policies: Mapping[str, Mapping[str, Any]], to: Console, others: Mapping[str, Sequence[str]] | None = None
) -> None:
    """Print policies and games side by side, a row for each measure, with the best values of all policies marked."""
    rows = [
        (words, *(f"{MARK}{text}" if is_best else text for text, is_best in zip(texts, best, strict=True)))
        for _, words, texts, best in measure_rows(policies)
    ]
    rows += [(words, *texts) for words, texts in (others or {}).items()]
    print_side_by_side(list(policies), in_narrow_rows(rows, to), to)
    to.print(f"{LEGEND}.")


def policy_does(name: str, in_words: Mapping[str, str]) -> str:
    """Return a sentence with the effect of a policy on each attribute."""
    attributes = "; ".join(f"{attribute}: {words}" for attribute, words in in_words.items())
    return sentence("run.policy", {"the_policy": capitalized(policy_words(name)), "attributes": attributes})


def print_agreement(policy: str, to: Console) -> None:
    """Print the legal status of a release by the limited data set, which is not de-identified; else nothing."""
    if policy == LIMITED_DATA_SET:
        to.print(catalogue("law")["lines"][policy])


def _optional(rows: Sequence[Mapping[str, Any]], key: str, form: Callable[[Any], str]) -> list[str]:
    return ["" if row[key] is None else form(row[key]) for row in rows]


def print_regions(comparison: "RegionalComparison", to: Console) -> None:
    """Print the verdict, the facts of the data, and the policy and the games side by side."""
    found = comparison.as_dict()
    policies, policy, data, divided = found["policies"], found["policy"], found["data"], found["regions"]
    to.print(found["title"] or "Comparison")
    benefit = comparison.study.scenario.payoffs.benefit
    verdict = Verdict(policies=policies, played=policy["name"], policy=policy["name"], benefit=benefit, regional=True)
    print_lines(verdict.sentences, to)
    to.print(sentence("run.regions", {**divided, "read": data_words(data)}))
    print_warnings(found["warnings"], to)
    print_policies(policies, to)
    to.print(sentence("run.regions_solved", {}))
    to.print(policy_does(policy["name"], policy["does"]))
    print_agreement(policy["name"], to)


def print_applied(applied: "Applied", summary: Mapping[str, Any], to: Console) -> None:
    """Print the answer for the rows, and the number of new ones."""
    print_run(applied.solution, to, summary)
    seen_rows, seen_profiles = applied.seen_rows or 0, applied.seen_profiles or 0
    facts = {
        "compared": applied.seen_rows is not None and applied.seen_profiles is not None,
        "rows": applied.rows,
        "profiles": applied.profiles,
        "seen_rows": seen_rows,
        "seen_profiles": seen_profiles,
        "new_rows": applied.rows - seen_rows,
        "new_profiles": applied.profiles - seen_profiles,
    }
    print_lines((sentence("run.applied", facts), sentence("run.both", {})), to)


SOLVER_ROWS: dict[str, tuple[str, Callable[[Any], str]]] = {
    "publisher_payoff": ("publisher's payoff per record", dollars),
    "adversary_payoff": ("adversary's payoff per record", dollars),
    "publisher_difference": ("publisher's payoff differs by", dollars),
    "adversary_difference": ("adversary's payoff differs by", dollars),
    "optimal": ("found the optimum", percent),
    "searched": ("strategies searched per record", lambda value: f"{value:,.2f}"),
    "milliseconds_per_record": ("milliseconds per record", lambda value: f"{value:.2g}"),
    "seconds": ("seconds for all records", lambda value: f"{value:.2g}"),
}
"""Measure of a solver -> its words and format."""


def print_solvers(comparison: "SolverComparison", to: Console) -> None:
    """Print a column for each solver."""
    study = comparison.study
    to.print(f"{study.scenario.title or 'Solvers'}: {comparison.game} game")
    print_data(study, to, study_warnings(study, [comparison.game]))
    solvers = comparison.timed_rows()
    rows = ((words, *(form(one[key]) for one in solvers)) for key, (words, form) in SOLVER_ROWS.items())
    print_side_by_side([one["solver"] for one in solvers], rows, to)
    to.print(sentence("run.compared", {"reference": comparison.reference}))
