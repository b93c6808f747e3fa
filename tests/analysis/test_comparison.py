"""The policy and the three games side by side."""

import pandas as pd
import pytest
from questions import message, question

from gamedeid.analysis.comparison import compare, compare_study, share_optimal
from gamedeid.choices import GAMES
from gamedeid.errors import InvalidScenarioError
from gamedeid.study.solve import solve_study
from gamedeid.study.study import Study

PEOPLE = pd.DataFrame({"age": [48, 48, 51, 93, 20, 21], "sex": ["Male", "Male", "Male", "Female", "Female", "Male"]})
MINE = {"policy.mine.levels": {"age": 1}, "floor": "mine"}


def test_the_policy_comes_first_and_then_the_games():
    comparison = compare(question(), PEOPLE)

    assert ["safe-harbor", *GAMES] == [row["policy"] for row in comparison.rows] == list(comparison.solutions)
    assert {"basic", "sh-friendly", "no-attack"} == set(GAMES)


def test_each_row_has_the_measures_of_its_solution():
    comparison = compare(question(), PEOPLE)

    for row in comparison.rows:
        measures = comparison.solutions[row["policy"]].measures
        assert measures.items() <= row.items()
        assert {"policy", "searched", "optimal"} == set(row) - set(measures)
    assert comparison.rows[1]["publisher_payoff"] == comparison.table.loc["basic", "publisher_payoff"]
    assert ["safe-harbor", *GAMES] == list(comparison.table.index)


def test_no_other_strategy_pays_more_than_the_basic_game():
    payoff = {row["policy"]: row["publisher_payoff"] for row in compare(question(), PEOPLE).rows}

    assert payoff["basic"] == max(payoff.values())
    assert payoff["sh-friendly"] >= payoff["safe-harbor"]


def test_a_policy_is_not_searched_and_not_optimal():
    rows = {row["policy"]: row for row in compare(question(), PEOPLE).rows}

    assert (None, None) == (rows["safe-harbor"]["searched"], rows["safe-harbor"]["optimal"])
    assert {1.0} == {rows[game]["optimal"] for game in GAMES}


def test_what_a_solver_does_not_promise_is_measured():
    comparison = compare(question(), PEOPLE, solver="lattice-search")

    assert set(GAMES) == set(comparison.optimal)
    for row in comparison.rows[1:]:
        assert comparison.optimal[row["policy"]] == row["optimal"]
        assert 0 <= row["optimal"] <= 1
    assert {} == compare(question(), PEOPLE).optimal


def test_the_share_of_optimal_records_counts_records_not_profiles():
    study = Study.prepare(question(), PEOPLE)
    best = solve_study(study, "basic")
    worse = solve_study(study, "no-attack")
    of_record = study.instance.profiles.of_record
    equal = (abs(best.publisher_payoff - worse.publisher_payoff) < 1e-9)[of_record]

    assert 1.0 == share_optimal(best, best)
    assert share_optimal(worse, best) == equal.mean()


def test_the_floor_may_be_an_own_policy():
    comparison = compare(question(MINE), PEOPLE)

    assert ["mine", *GAMES] == list(comparison.solutions)
    levels = comparison.solutions["sh-friendly"].levels
    assert (levels[:, 0] >= 1).all()


def test_progress_is_asked_for_each_game():
    asked = []

    def progress(game):
        asked.append(game)
        return lambda *_: None

    compare_study(Study.prepare(question(), PEOPLE), progress=progress)
    assert list(GAMES) == asked


def test_a_scenario_may_be_a_path(tmp_path):
    path = tmp_path / "question.toml"
    path.write_text(
        '[attributes.age]\nhierarchy = "age"\n[attributes.sex]\nhierarchy = "sex"\n'
        "[payoffs]\nbenefit = 100\nloss = 90\ncost = 40\n"
    )

    assert compare(question(), PEOPLE).rows == compare(path, PEOPLE).rows


@pytest.mark.parametrize("solver", ["exakt", "Exact"])
def test_a_solver_that_nobody_knows_is_refused(solver):
    assert f"there is no solver `{solver}`; did you mean `exact`?" == message(
        InvalidScenarioError, compare, question(), PEOPLE, solver=solver
    )
