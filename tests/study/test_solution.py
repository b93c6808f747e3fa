"""The outcome of every record, and the measures over all records."""

import pandas as pd
import pytest
from questions import message, question

from gamedeid import InvalidScenarioError, Study, compare, policy_solution, solve
from gamedeid.choices import GAMES, OUTCOMES

PEOPLE = pd.DataFrame({"age": [48, 48, 51, 93], "sex": ["Male", "Male", "Male", "Female"]})


def test_a_withheld_record_has_payoff_zero_and_is_not_attacked():
    """The only person is attacked at every strategy, which costs the publisher more than the benefit."""
    study = Study.prepare(question({"payoffs.loss": 1000}), PEOPLE[:1])
    for game in GAMES:
        solution = solve(study, game=game)
        assert solution.withheld.all()
        assert ([[5, 1]], [0], [0.0]) == (
            solution.levels.tolist(),
            solution.people.tolist(),
            solution.success_probability.tolist(),
        )
        measures = solution.measures
        assert (1.0, 1.0, 1.0, 0.0, 0.0) == tuple(
            measures[name]
            for name in ("withheld", "suppressed", "generalization_intensity", "attacked", "publisher_payoff")
        )
        assert (1.0, 0.0) == (solution.information_loss[0], solution.adversary_payoff[0])


def test_a_policy_is_applied_as_it_is_and_has_no_search():
    study = Study.prepare(question({"payoffs.loss": 1000}), PEOPLE[:1])
    solution = policy_solution(study, study.scenario_policy)

    assert ("safe-harbor", None, [False]) == (solution.name, solution.solver, solution.withheld.tolist())
    assert dict.fromkeys(["solver", "searched", "searched_most", "proved", "gap", "gap_most"]) == solution.search


def test_strategies_are_a_row_for_each_record_in_input_order():
    scenario = question({"records.missing": "suppress"})
    shuffled = pd.DataFrame({"sex": ["Female", "Male", "Male", None], "age": [93, 48, 51, 48]})
    solution = solve(scenario, shuffled)
    table = solution.strategies

    assert ["record", "age", "sex", *OUTCOMES] == list(table.columns)
    assert [0, 1, 2, 3] == list(table["record"])
    of_record = solution.study.instance.profiles.of_record
    assert solution.levels[of_record].tolist() == table[["age", "sex"]].to_numpy().tolist()
    for name in OUTCOMES:
        assert getattr(solution, name)[of_record].tolist() == table[name].tolist()
    assert 1 == table["sex"][3]


@pytest.mark.parametrize("odd", [True, None, 1.5, [], {}, "exakt"])
def test_an_unknown_game_or_solver_is_refused(odd):
    if odd is not None:  # the scenario's game
        assert message(InvalidScenarioError, solve, question(), PEOPLE, game=odd).startswith("there is no game `")
    for call in (solve, compare):
        said = message(InvalidScenarioError, call, question(), PEOPLE, solver=odd)
        assert said.startswith("there is no solver `")
        assert (odd == "exakt") == said.endswith("; did you mean `exact`?")
