"""The search for groups: its result after an interruption, and that cores do not change its answer."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pandas as pd
import pytest
from ortools.math_opt.python import mathopt
from small_world import process_environment

import gamedeid
from gamedeid import parallel
from gamedeid.game.mechanism.plan import Plan, plan_game
from gamedeid.progress import unreported
from gamedeid.scenario.limits import Groups

QUICKSTART = Path(__file__).parents[2] / "scenarios" / "quickstart.toml"


@pytest.fixture(scope="module")
def planned() -> Callable[..., Plan]:
    tables = (pd.read_csv(QUICKSTART.with_suffix("") / name, dtype=str) for name in ("records.csv", "population.csv"))
    study = gamedeid.Study.prepare(QUICKSTART, *(table[table["zip"] == "03481"] for table in tables))

    def of(progress: Callable[[int, int], None] = unreported, **asked: float) -> Plan:
        asked_for = Groups(**asked)
        return plan_game("aware-no-attack", study.instance, study.population.cells, asked_for, progress=progress)[1]

    return of


def interrupt_at(step: int) -> Callable[[int, int], None]:
    def progress(done: int, _: int) -> None:
        if done == step:
            raise KeyboardInterrupt

    return progress


def test_an_interruption_keeps_the_best_so_far_where_seconds_are_given(planned):
    before, stopped = planned(steps=16), planned(interrupt_at(17), steps=400, seconds=1000)

    assert 17 == stopped.facts.steps
    assert before.facts.publisher_payoff <= stopped.facts.publisher_payoff <= stopped.facts.payoff_bound


def test_an_interruption_ends_a_search_by_steps(planned):
    with pytest.raises(KeyboardInterrupt):
        planned(interrupt_at(17), steps=400)


def test_a_search_of_the_default_length_ends_where_sixty_steps_gain_little_and_one_of_named_steps_goes_on(planned):
    ended, further = planned().facts, planned(steps=400).facts
    before = [worth for step, worth, _ in ended.history if step <= ended.steps - 60]
    latest = ended.history[-1][1]

    assert ended.steps < further.steps
    assert before[0] < before[-1] <= latest <= before[-1] * (1 + 6e-4)
    assert planned(steps=ended.steps).facts.history == ended.history


def test_cores_do_not_change_the_answer(planned, monkeypatch):
    plans = []
    for workers in (1, 2, 5):
        monkeypatch.setattr(parallel, "cores", lambda workers=workers: workers)
        plans.append(planned(steps=40))

    assert 1 == len({plan.nodes.tobytes() for plan in plans})
    assert 1 == len({(plan.facts.publisher_payoff, plan.facts.payoff_bound) for plan in plans})
    assert (planned(steps=0).nodes != plans[0].nodes).any()


@pytest.mark.parametrize("closed", [False, True])
def test_standard_output_has_nothing_of_the_solver(monkeypatch, capfd, closed):
    question = {
        "attributes": {"age": {"hierarchy": "age"}, "sex": {"hierarchy": "sex"}},
        "payoffs": {"benefit": 100, "loss": 90, "cost": 40},
    }
    people = pd.DataFrame({"age": [48, 48, 49, 51, 93], "sex": ["Male", "Male", "Male", "Female", "Female"]})
    solve, printed = mathopt.solve, []

    def solve_aloud(*model: Any, **how: Any) -> Any:
        printed.append("tmpSolver.run();\n")  # HiGHS does this when it repairs a solution
        if not closed:
            os.write(1, printed[-1].encode())
        return solve(*model, **how)

    before = gamedeid.solve(question, people, game="aware-no-attack")
    with monkeypatch.context() as patch:
        patch.setattr(mathopt, "solve", solve_aloud)
        if closed:
            patch.setattr(os, "dup", Mock(side_effect=OSError))
        after = gamedeid.solve(question, people, game="aware-no-attack")
    os.write(1, b"as ever\n")

    assert printed
    said = capfd.readouterr()
    assert ("as ever\n", closed) == (said.out, said.err == "")
    assert before.measures == after.measures


def test_profiles_that_can_be_in_the_same_groups_are_one_variable_of_the_program(monkeypatch):
    question = {"attributes": {"age": {"hierarchy": "age"}}, "payoffs": {"benefit": 100, "loss": 90, "cost": 10}}
    solve, variables = mathopt.solve, []

    def solve_counted(model: mathopt.Model, *others: Any, **how: Any) -> Any:
        variables.append(len(list(model.variables())))
        return solve(model, *others, **how)

    monkeypatch.setattr(mathopt, "solve", solve_counted)
    solution = gamedeid.solve(question, pd.DataFrame({"age": range(30, 50)}), game="aware-no-attack")

    # 15 ages can be in both groups of nine or more, 5 only in the wide one, which needs four of the others
    assert [3 + 2 * 2] == variables
    assert {"[30-44]": 11, "[30-59]": 9} == solution.release()["age"].value_counts().to_dict()
    assert solution.mechanism.facts.optimal


IN_A_BUFFER = """
import ctypes

import pandas as pd
from ortools.math_opt.python import mathopt

import gamedeid

solve = mathopt.solve


def solve_aloud(*model, **how):
    ctypes.CDLL(None).printf(b"tmpSolver.run();\\n")
    return solve(*model, **how)


mathopt.solve = solve_aloud
question = {"attributes": {"age": {"hierarchy": "age"}}, "payoffs": {"benefit": 100, "loss": 90, "cost": 40}}
gamedeid.solve(question, pd.DataFrame({"age": [48, 48, 49, 51, 93]}), game="aware-no-attack")
print("as ever")
"""


def test_what_the_solver_leaves_in_the_buffer_of_a_pipe_stays_out_of_standard_output():
    environment = {name: value for name, value in process_environment().items() if name != "PYTHONUNBUFFERED"}
    said = subprocess.run(
        [sys.executable, "-c", IN_A_BUFFER], env=environment, capture_output=True, text=True, check=True
    )

    assert "as ever\n" == said.stdout
    assert "tmpSolver.run();" in said.stderr
