"""What becomes of one person, whose values somebody types in: in the policy and in every game."""

from collections.abc import Mapping
from typing import Any

from gamedeid.errors import InvalidScenarioError, quoted
from gamedeid.explorer.answers import Answer
from gamedeid.report.policy_words import policy_words
from gamedeid.study.solution import Solution
from gamedeid.study.study import Study


def describe_person(study: Study, values: object) -> dict[str, Any]:
    """Return, of the policy and each game, what is released of a person and what an attack would come to.

    Parameters
    ----------
    study : the question at some setting.
    values : attribute -> value as the data have it, as text.

    Raises
    ------
    InvalidScenarioError : values that are not one text for each attribute, or that a hierarchy lacks.
    UnmatchedRecordError : nobody in the population has them, and the scenario makes an error of that.
    """
    if not isinstance(values, Mapping) or not all(isinstance(value, str) for value in values.values()):
        raise InvalidScenarioError(f"values: expected an object with a text for each attribute, not {quoted(values)}")
    answer = Answer.of(study.alone(values={name: value.strip() for name, value in values.items()}))
    return {"policies": [_outcome(name, solution) for name, solution in answer.solutions.items()]}


def _outcome(name: str, solution: Solution) -> dict[str, Any]:
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
        "name": name,
        "words": policy_words(name),
        "kind": "policy" if solution.solver is None else "game",
        "released": None if solution.withheld[0] else released,
        "levels": None if solution.withheld[0] else dict(zip(instance.hierarchies, levels, strict=True)),
        "people": int(solution.people[0]),
        "chance": float(solution.success_probability[0]),
        "attacked": bool(solution.attacked[0]),
        "publisher_payoff": float(solution.publisher_payoff[0]),
        "adversary_payoff": float(solution.adversary_payoff[0]),
    }
