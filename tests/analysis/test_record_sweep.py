import dataclasses
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from oracle_worlds import LAYOUTS, game_of, instance_of
from oracles import World
from uncompiled_kernels import plain_kernels
from worlds import CROSSING, HIDDEN, RISING, STRANGER, chains, payoffs, worlds

from gamedeid import Axis, InvalidScenarioError, Payoffs, Solution, policy_solution, solve, sweep
from gamedeid.analysis.sweep import record_blocks
from gamedeid.choices import GAMES, OUTCOMES
from gamedeid.data.profiles import Profiles
from gamedeid.game.frontier import Frontier
from gamedeid.game.instance import Instance
from gamedeid.game.policies import AppliedPolicy
from gamedeid.game.rules import Game
from gamedeid.game.solvers import backward_induction
from gamedeid.results.tables import columns_to_rows
from gamedeid.scenario.grid import STAKES


def rows_of(study: Any, *axes: Axis | str) -> list[dict[str, Any]]:
    read = [Axis.parse(axis) if isinstance(axis, str) else axis for axis in axes]
    return [row for block in record_blocks(study, read) for row in columns_to_rows(block.columns)]


def study_of(instance: Instance, floors: Any) -> Any:
    """Return a stand-in for a study with all that a sweep of one record uses."""
    return SimpleNamespace(
        instance=instance,
        person={},
        scenario_policy=AppliedPolicy(name="policy", levels=floors, in_words={}),
        game=lambda name: Game.of(name, instance, floors),
        frontier=lambda name: Frontier.compile(instance, Game.of(name, instance, floors).floors),
    )


def alone(world: World, instance: Instance, profile: int) -> Any:
    codes = instance.profiles.codes[profile : profile + 1]
    one = instance.for_profiles(Profiles.of(codes, list(instance.hierarchies.values())))
    return study_of(one, game_of(world, instance, "sh-friendly").floors[profile : profile + 1])


@given(
    world=st.one_of(worlds(), chains()),
    layout=st.sampled_from(LAYOUTS),
    money=st.lists(payoffs(), min_size=1, max_size=3),
    which=st.integers(0, 100),
)
@example(world=CROSSING, layout="dense", money=[{"benefit": 50.0, "loss": 50.0, "gain": 10.0, "cost": 1.0}], which=0)
@example(world=RISING, layout="dense", money=[], which=0)
@example(world=HIDDEN, layout="sparse", money=[], which=0)
@example(world=STRANGER, layout="sparse", money=[], which=0)
def test_every_point_has_the_answer_of_backward_induction_for_the_record_among_all_others(world, layout, money, which):
    instance = instance_of(world, layout)
    profile = which % instance.profiles.count
    own = instance.payoffs
    for one in money or [dict(zip(STAKES, (own.benefit, own.loss, own.cost, own.adversary_gain), strict=True))]:
        axes = [Axis(name=name, values=(one[name],)) for name in STAKES]
        rows = rows_of(alone(world, instance, profile), *axes)

        assert ["policy", *GAMES] == [row["policy"] for row in rows]
        there: Any = SimpleNamespace(instance=dataclasses.replace(instance, payoffs=Payoffs(**one)))
        floors = AppliedPolicy(name="policy", levels=game_of(world, instance, "sh-friendly").floors, in_words={})
        expected = [policy_solution(there, floors)]
        for name in GAMES:
            choice = backward_induction(there.instance, game_of(world, there.instance, name))
            expected.append(Solution(study=there, name=name, solver="backward-induction", choice=choice))
        for solution, row in zip(expected, rows, strict=True):
            assert solution.levels[profile].tolist() == [row[attribute] for attribute in instance.hierarchies]
            assert [getattr(solution, name)[profile] for name in OUTCOMES] == [row[name] for name in OUTCOMES]


@pytest.mark.parametrize("axes", [["benefit=1200,40,700", "loss=0,300,9000"], ["gain=1,5000", "cost=0.5,20"]])
def test_each_row_is_the_row_of_the_record_in_the_complete_answer(study, axes):
    for record in (0, 17, 399):
        rows = rows_of(study.alone(record=record), *axes)
        assert [*STAKES, "policy", *study.instance.hierarchies, *OUTCOMES] == list(rows[0])
        for place in range(0, len(rows), 4):
            stakes = Payoffs(**{name: rows[place][name] for name in STAKES})
            there = dataclasses.replace(study, instance=dataclasses.replace(study.instance, payoffs=stakes))
            solutions = [policy_solution(there, there.scenario_policy), *(solve(there, game=name) for name in GAMES)]
            for solution, row in zip(solutions, rows[place : place + 4], strict=True):
                expected = {name: column[record] for name, column in solution.strategies.items() if name != "record"}
                assert solution.name == row["policy"]
                assert expected == {name: row[name] for name in expected}


def test_the_loops_give_the_same_compiled_or_as_plain_python(study):
    one = study.alone(record=17)
    compiled = rows_of(one, "loss=0:3000:500", "benefit=100:2000:500")
    with plain_kernels():
        assert compiled == rows_of(one, "loss=0:3000:500", "benefit=100:2000:500")


def test_more_than_one_record_and_an_attribute_named_like_a_stake_are_refused(study):
    with pytest.raises(InvalidScenarioError, match="needs the study of one record"):
        sweep(study, ["loss=1"], per_record=True)
    one = study.alone(record=0)
    renamed = dict(zip(("age", "sex", "race", "policy"), one.instance.hierarchies.values(), strict=True))
    data = dataclasses.replace(one.instance.data, hierarchies=renamed)
    one = dataclasses.replace(one, instance=dataclasses.replace(one.instance, data=data))
    with pytest.raises(InvalidScenarioError, match=r"attributes\.policy: one record's sweep has a column of this name"):
        sweep(one, ["loss=1"], per_record=True)
