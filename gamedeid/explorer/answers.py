"""Texts of the measures of the policy and of every game at a setting, and the outcomes of one person."""

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from gamedeid.analysis.comparison import Comparison, release_facts
from gamedeid.analysis.stretches import best_solution
from gamedeid.analysis.suggestions import Suggestions
from gamedeid.catalogue import sentence
from gamedeid.choices import GAMES, GameName
from gamedeid.errors import InvalidScenarioError, quoted
from gamedeid.parallel import cores
from gamedeid.pictures.words import policy_words
from gamedeid.report.terminal.suggestions import (
    STAKES,
    TRIED,
    legend_words,
    run_command,
    stake_rows,
    suggestion_words,
    tried_rows,
)
from gamedeid.report.words.measures import ALL_ATTACKED, MEASURES, best_values, shown_measures
from gamedeid.report.words.recipients import together_words
from gamedeid.report.words.verdict import verdict_in
from gamedeid.study.solution import Solution
from gamedeid.study.solve import policy_solution
from gamedeid.study.study import Study
from gamedeid.study.warnings import counted_words


def compare_compiled(study: Study) -> Comparison:
    """Return the solutions of the policy and of all games, equal to those of ``gamedeid compare``.

    They are computed on all cores. The policy and the frontiers of ``study``, which they share, must exist.
    """
    policy = study.scenario_policy
    tasks: dict[str, Callable[[], Solution]] = {name: partial(best_solution, study, name) for name in GAMES}
    tasks[policy.name] = partial(policy_solution, study, policy)  # last: it takes half the time of a game
    with ThreadPoolExecutor(min(cores(), len(tasks))) as pool:
        solutions = dict(zip(tasks, pool.map(_measured, tasks.values()), strict=True))
    return Comparison(study=study, solutions={name: solutions[name] for name in (policy.name, *GAMES)})


def _measured(solve: Callable[[], Solution]) -> Solution:
    """Return a solution with its measures computed."""
    solution = solve()
    solution.measures  # noqa: B018  (computed when first asked for)
    return solution


def _named(solution: Solution) -> dict[str, str]:
    """Return the name, words and kind ("policy" or "game") of a solution."""
    kind = "policy" if solution.solver is None else "game"
    return {"name": solution.name, "words": policy_words(solution.name), "kind": kind}


def answer_measures(answer: Comparison) -> list[dict[str, Any]]:
    """Return name, words, kind, measures and the marketer's risk of the policy and each game, the policy first."""
    return [
        {**_named(solution), "measures": solution.measures, "marketer": solution.marketer}
        for solution in answer.solutions.values()
    ]


def describe_person(study: Study, values: object) -> dict[str, Any]:
    """Return the release of a person and the outcome of an attack, for the policy and each game.

    Parameters
    ----------
    values : attribute -> value as in the data, as text.
    """
    if not isinstance(values, Mapping) or not all(isinstance(value, str) for value in values.values()):
        raise InvalidScenarioError(f"values: expected an object with a text for each attribute, not {quoted(values)}")
    answer = compare_compiled(study.alone(values={name: value.strip() for name, value in values.items()}))
    return {"policies": [_outcome(solution) for solution in answer.solutions.values()]}


def _outcome(solution: Solution) -> dict[str, Any]:
    instance = solution.study.instance
    levels, codes = solution.levels[0].tolist(), instance.profiles.codes[0].tolist()
    missing = instance.profiles.missing[0].tolist()
    released = {
        attribute: "*" if gone else hierarchy.label(level, code)
        for (attribute, hierarchy), level, code, gone in zip(
            instance.hierarchies.items(), levels, codes, missing, strict=True
        )
    }
    return {
        **_named(solution),
        "released": None if solution.withheld[0] else released,
        "levels": None if solution.withheld[0] else dict(zip(instance.hierarchies, levels, strict=True)),
        "people": int(solution.people[0]),
        "chance": float(solution.success_probability[0]),
        "attacked": bool(solution.attacked[0]),
        "publisher_payoff": float(solution.publisher_payoff[0]),
        "adversary_payoff": float(solution.adversary_payoff[0]),
    }


EXPECTED = "expected_reidentifications"


def answer_table(answer: Comparison) -> list[dict[str, Any]]:
    """Return the measures as rows: key, words, the text for the policy and each game, and the names of the best."""
    measures = [solution.measures for solution in answer.solutions.values()]
    rows = [
        _row(key, measure.name, key, [one[key] for one in measures], answer)
        for key, measure in shown_measures(measures).items()
    ]
    found = [solution.marketer["reidentifications"] for solution in answer.solutions.values()]
    return [*rows, _row(f"{EXPECTED}_if_all_attacked", f"... {ALL_ATTACKED}", EXPECTED, found, answer)]


def _row(key: str, words: str, measure: str, values: list[float], answer: Comparison) -> dict[str, Any]:
    texts = [MEASURES[measure].form(value) for value in values]
    best = best_values(measure, values, texts)
    names = list(answer.solutions)
    return {
        "key": key,
        "words": words,
        "texts": dict(zip(names, texts, strict=True)),
        "best": [name for name, is_best in zip(names, best, strict=True) if is_best],
    }


def answer_verdict(answer: Comparison, game: GameName) -> list[str]:
    """Return the verdict on a game compared with the policy and the other games, as sentences."""
    study = answer.study
    policies = {name: release_facts(solution).as_dict() for name, solution in answer.solutions.items()}
    sentences = verdict_in(study, policies, game).sentences
    if not study.instance.recipients.is_paper_adversary:
        sentences.append(together_words(answer.solutions[game].recipients))
    return sentences


def describe_suggestions(found: Suggestions) -> dict[str, Any]:
    """Return changes that meet the thresholds, as on a terminal, and the values that the page can set."""
    changed = found.change
    limited = changed is not None and bool(changed.changes)
    unit = counted_words(found.data.as_dict())[1]
    return {
        "words": suggestion_words(found),
        "game": None if changed is None or limited else changed.game,
        "command": run_command("SCENARIO", changed) if changed is not None and limited else None,
        "tried": {"columns": TRIED, "rows": tried_rows(found), "words": legend_words(unit)},
        "stakes": {
            "columns": STAKES,
            "rows": stake_rows(found),
            "words": sentence("suggestions.stakes", {"game": found.present.game}),
            "values": [{"stake": one.stake, "value": one.value} for one in found.stakes],
        },
        "left_out": [sentence("suggestions.not_tried", {"why": why}) for why in found.left_out],
    }
