import dataclasses
import random
from typing import Any

import numpy as np
import pandas as pd
import pytest
from case_study import some_of_the_case_study
from depth import tries
from kept_worlds import scenario

import gamedeid.analysis.sweep
from gamedeid import Payoffs, Study, compare, solve, sweep
from gamedeid.choices import MEASURES
from gamedeid.game.frontier import Frontier
from gamedeid.game.rules import GAMES, Game
from gamedeid.game.solvers import backward_induction, exact
from gamedeid.results.tables import columns_to_rows


def rows_of(study: Study, *axes: str, per_record: bool = False, progress: Any = None) -> list[dict]:
    study = study.alone(record=3) if per_record else study
    blocks = sweep(study, axes, per_record=per_record, progress=progress)
    return [row for block in blocks for row in columns_to_rows(block.columns)]


def at(study: Study, payoffs: Payoffs) -> Study:
    return dataclasses.replace(study, instance=dataclasses.replace(study.instance, payoffs=payoffs))


@pytest.mark.parametrize(
    "axes",
    [
        ["loss=0,100,2000", "benefit=1200,3,600,1200"],
        ["cost=0.5,20,500", "loss=1:100000:log4"],
        ["benefit=1:5000:log7"],
        ["gain=0,100,4000", "benefit=50,1200"],
        ["gain=10,3000", "loss=0,50", "cost=1,20", "benefit=20,900"],
    ],
)
def test_every_point_has_the_solution_of_its_question_alone(study, axes):
    rows = rows_of(study, *axes)
    points = [row for row in rows if row["policy"] == "basic"]

    assert 4 * len(points) == len(rows)
    for place, point in enumerate(points):
        stakes = {name: point[name] for name in ("benefit", "loss", "cost", "gain")}
        alone = compare(at(study, Payoffs(**stakes)), solver="backward-induction").solutions
        here = rows[4 * place : 4 * place + 4]
        assert [*alone] == [row["policy"] for row in here]
        for expected, actual in zip(alone.values(), here, strict=True):
            assert {name: expected.measures[name] for name in MEASURES} == pytest.approx(
                {name: actual[name] for name in MEASURES}, rel=1e-9, abs=1e-9
            )


@pytest.mark.parametrize("per_record", [False, True])
def test_the_gain_follows_the_loss_unless_it_is_given(study, per_record):
    def found(study: Study, *axes: str) -> list[tuple[float, float]]:
        return [(row["loss"], row["gain"]) for row in rows_of(study, *axes, per_record=per_record)[::4]]

    assert [(7.0, 7.0), (1.0, 1.0)] == found(study, "loss=7,1")
    assert [(7.0, 5.0), (1.0, 5.0)] == found(study, "loss=7,1", "gain=5")
    given_gain = at(study, dataclasses.replace(study.instance.payoffs, gain=4.0))
    assert [(7.0, 4.0), (1.0, 4.0)] == found(given_gain, "loss=7,1")


@pytest.mark.parametrize("per_record", [False, True])
def test_points_are_in_the_order_of_the_axes_and_the_benefit_changes_fastest(study, per_record):
    rows = rows_of(study, "benefit=900,300", "loss=9,3", "cost=2,1", per_record=per_record)[::4]

    expected = [(loss, cost, benefit) for loss in (9, 3) for cost in (2, 1) for benefit in (900, 300)]
    assert expected == [(row["loss"], row["cost"], row["benefit"]) for row in rows]


@pytest.mark.parametrize(
    ("room", "rows", "per_record", "points"),
    [("ARRAY_ROWS", 1, False, [*range(20, 260, 20), 260]), ("OBJECT_ROWS", 50, True, [50, 100, 150, 200, 250, 260])],
)
def test_a_grid_computed_in_blocks_equals_the_grid_computed_at_once(study, monkeypatch, room, rows, per_record, points):
    axes = ["loss=0:3000:250", "benefit=100:2000:100"]
    whole = rows_of(study, *axes, per_record=per_record)
    monkeypatch.setattr(gamedeid.analysis.sweep, room, rows)
    reported = []
    found = rows_of(study, *axes, per_record=per_record, progress=lambda *numbers: reported.append(numbers))

    assert whole == found
    assert [(done, 260) for done in points] == reported


def test_no_sum_that_grows_and_shrinks_along_the_benefit_ends_below_zero(study):
    rows = rows_of(study, "loss=1:100000:log16", "benefit=1:100000:log16")

    assert min(row["generalization_intensity"] for row in rows) >= 0


def test_points_of_the_case_study_have_the_strategies_of_each_solved_alone():
    study = some_of_the_case_study(5000)
    instance, floors = study.instance, study.scenario_policy.levels
    frontiers = {name: Frontier.compile(instance, study.game(name).floors) for name in ("basic", "sh-friendly")}
    frontiers["no-attack"] = frontiers["basic"]
    seeded = random.Random(2015)  # noqa: S311  (points of a test, not secrets)

    for point in range(tries(12, 200)):
        stakes = Payoffs(
            benefit=seeded.choice([1200.0, seeded.uniform(1, 1500)]),
            loss=seeded.choice([300.0, seeded.uniform(0, 25_000)]),
            cost=seeded.choice([4.0, seeded.uniform(0.5, 100)]),
        )
        there = dataclasses.replace(instance, payoffs=stakes)
        for name in GAMES:
            solve = backward_induction if point % 100 == 0 else exact  # which are equal, as their own tests show
            expected = solve(there, Game.of(name, there, floors)).nodes
            chosen = frontiers[name].choose(there, forbids_attack=name == "no-attack")
            assert np.array_equal(expected, chosen)


@pytest.mark.parametrize("several", [False, True])
def test_a_varied_loss_moves_the_only_recipient_with_one_that_knows_all_and_none_of_several(several):
    """As the reference of the scenario says."""
    rows = pd.DataFrame({"age": ["20", "21", "34"] * 3, "sex": ["F"] * 9, "time": 1, "drug": "a"})
    others = {"clerk": {"knows": ["sex"], "loss": 1}} if several else {}
    study = Study.prepare(scenario({"owner": {"loss": 200}, **others}), rows)

    def payoffs(*varied: str) -> set[float]:
        points = rows_of(study, "loss=50,200,400", *varied)
        return {round(row["publisher_payoff"], 6) for row in points if row["policy"] == "basic"}

    assert (1 if several else 3) == len(payoffs())
    assert 1 == len(payoffs("recipients.owner.cost=20"))
    stakes = study.scenario.payoffs.model_copy(update={"loss": 400})
    moved = study.with_scenario(study.scenario.model_copy(update={"payoffs": stakes}))
    assert solve(moved).strategies.equals(solve(study).strategies)
