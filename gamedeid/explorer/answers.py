"""What the policy and every game keep and risk at a setting, and what becomes of one person there."""

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import numpy as np

from gamedeid.analysis.stretches import best_nodes
from gamedeid.choices import GAMES
from gamedeid.errors import InvalidScenarioError, quoted
from gamedeid.game.solvers import Choice
from gamedeid.parallel import cores
from gamedeid.pictures.words import policy_words
from gamedeid.reprs import frozen
from gamedeid.study.solution import Solution
from gamedeid.study.solve import policy_solution
from gamedeid.study.study import Study


@frozen(eq=False)
class Answer:
    """The policy and the games at one setting.

    Parameters
    ----------
    study : the question at this setting, its frontiers compiled.
    solutions : policy or game -> what becomes of every record; the policy first.
    """

    study: Study
    solutions: Mapping[str, Solution]

    @classmethod
    def of(cls, study: Study) -> "Answer":
        """Return the answers of the policy and of all games, which are those of ``gamedeid compare``.

        They are computed by all cores. What they share, the policy and the frontiers of ``study``, must be there.
        """
        policy = study.scenario_policy
        tasks: dict[str, Callable[[], Solution]] = {name: partial(_best, study, name) for name in GAMES}
        tasks[policy.name] = partial(policy_solution, study, policy)  # last, since it takes half as long as a game
        with ThreadPoolExecutor(min(cores(), len(tasks))) as pool:
            solutions = dict(zip(tasks, pool.map(_measured, tasks.values()), strict=True))
        return cls(study=study, solutions={name: solutions[name] for name in (policy.name, *GAMES)})

    def as_list(self) -> list[dict[str, Any]]:
        """Return name, words, kind ("policy" or "game"), measures and the marketer's risk of each, the policy first."""
        return [
            {
                "name": name,
                "words": policy_words(name),
                "kind": "policy" if solution.solver is None else "game",
                "measures": solution.measures,
                "marketer": solution.marketer,
            }
            for name, solution in self.solutions.items()
        ]


def _measured(solve: Callable[[], Solution]) -> Solution:
    """Return a solution whose measures are computed."""
    solution = solve()
    solution.measures  # noqa: B018  (computed when first asked for)
    return solution


def _best(study: Study, game: str) -> Solution:
    """Return the best strategies of a game: by its frontier, which takes milliseconds once it is compiled."""
    nodes = best_nodes(study, game)
    choice = Choice(nodes=nodes, searched=np.zeros(len(nodes), np.int64), proved=True)
    return Solution(study=study, name=game, solver="exact", choice=choice)


def describe_person(study: Study, values: object) -> dict[str, Any]:
    """Return, of the policy and each game, what is released of a person and what an attack would come to.

    Parameters
    ----------
    values : attribute -> value as the data have it, as text.
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
