"""Are the payoffs and bounds of the games against a recipient who knows the method right, and attacks ruled out?"""

import json
from dataclasses import replace
from typing import get_args
from unittest.mock import patch

import numpy as np
import pandas as pd
import pytest
from aware_worlds import complete, counted, group_of, group_sizes, random_world, strategies_of
from depth import tries
from groups_reached import Verdict
from hypothesis import example, given
from hypothesis import strategies as st
from oracle_groups import GroupWorld, mean_payoff
from oracle_worlds import cells_of, instance_of
from oracles import World, adversary_attacks, information_loss, people
from small_world import gamedeid_prints, refused, small_world
from worlds import worlds

import gamedeid
from gamedeid.choices import AwareGameName, PlannedFor
from gamedeid.game.groups import problem
from gamedeid.game.mechanism.plan import Plan, plan_game, smallest_group
from gamedeid.game.rules import Game
from gamedeid.game.solvers import exact
from gamedeid.kernels.tables import WITHHELD
from gamedeid.risk.aware import AwareRisk, aware_risk
from gamedeid.scenario.limits import Groups

every_game = pytest.mark.parametrize("game", get_args(AwareGameName))


def planned(game: AwareGameName, world: World, planned_for: PlannedFor = "population", steps: int = 100) -> Plan:
    return plan_game(game, instance_of(world), cells_of(world), Groups(planned_for=planned_for, steps=steps))[1]


def costly_world(seed: int) -> World:
    """Return a world in which a re-identification costs almost the benefit of a record."""
    return replace(random_world(seed), loss=90.0)


def asked_of(game: AwareGameName, world: World, planned_for: PlannedFor = "population") -> GroupWorld:
    """Return the question in the form of the oracle of groups."""
    return GroupWorld(world=world, game=game, planned_for=planned_for, kept={}, rules={})


# Payoffs and their bounds


@given(world=worlds().filter(complete))
def test_the_stated_payoff_holds_against_a_recipient_who_knows_every_strategy(world):
    plan = planned("aware-basic", world)
    paid = mean_payoff(asked_of("aware-basic", world), strategies_of(plan), "records")
    assert paid == pytest.approx(plan.facts.publisher_payoff, abs=1e-7 * world.benefit)


@given(world=worlds())
def test_no_strategy_pays_more_than_the_bound(world):
    plan = planned("aware-basic", world)
    assert plan.facts.publisher_payoff <= plan.facts.payoff_bound + 1e-9 * world.benefit


@pytest.mark.parametrize("seed", range(tries(8, 200)))
def test_the_search_comes_near_the_best_of_all_strategies(seed):
    verdict = Verdict.of(asked_of("aware-basic", costly_world(seed)))
    assert [] == list(verdict.broken())
    assert 0.9 * verdict.best <= verdict.reached


@pytest.mark.parametrize(("loss", "best"), [(90.0, 1220.0), (120.0, 1160.0)])
def test_the_worked_example(loss, best):
    ages = {"40": 3, "41": 2, "42": 9}
    rows = [[str(age), f"[{first}-{first + 2}]", "*"] for age in range(40, 49) for first in [age - (age - 40) % 3]]
    world = World(
        ladders={"age": rows},
        weights={"age": 1.0},
        records=[{"age": age} for age in ages],
        population=[({"age": age}, count) for age, count in ages.items()],
        benefit=100.0,
        loss=loss,
        gain=17.0,
        cost=4.0,
        unmatched="error",
        floors=[{} for _ in ages],
    )
    own = strategies_of(planned("aware-basic", world))
    assert best == pytest.approx(14 * mean_payoff(asked_of("aware-basic", world), own, "population"))


@given(world=worlds(), planned_for=st.sampled_from(get_args(PlannedFor)))
def test_a_recipient_who_knows_every_strategy_attacks_no_record(world, planned_for):
    own = strategies_of(planned("aware-no-attack", world, planned_for))
    sizes = group_sizes(world, own)
    for number, values in enumerate(world.records):
        if (strategy := own[tuple(values.values())]) is None:
            continue
        assert all(value is not None or level for value, level in zip(values.values(), strategy, strict=True))
        found = sizes[group_of(world, values, strategy)]
        if found == 0:  # a record that matches no person
            assert 0 == people(replace(world, unmatched="safe"), number, strategy)
        assert not adversary_attacks(world, found)


@given(world=worlds())
def test_where_no_groups_are_listed_the_bound_of_a_record_is_its_finest_strategy(world):
    with patch.object(problem, "MOST_GROUPS", 0):
        choice, _ = plan_game("aware-basic", instance_of(world), cells_of(world), Groups(steps=0))
    heights = [len(rows[0]) for rows in world.ladders.values()]
    of_record = instance_of(world).profiles.of_record
    for record, values in enumerate(world.records):
        finest = tuple(top - 1 if value is None else 0 for value, top in zip(values.values(), heights, strict=True))
        if any(values == person and times for person, times in counted(world)):  # like a person of the population
            worth = world.benefit * (1 - information_loss(world, record, finest))
            assert worth == pytest.approx(choice.bounds[of_record[record]])


@given(world=worlds())
@example(
    world=World(
        ladders={"sex": [["Female", "*"], ["Male", "*"]], "area": [["north", "*"], ["south", "*"]]},
        weights={"sex": 1.0, "area": 0.0},
        records=[{"sex": None, "area": "north"}],  # matches no one, and is worth nothing as it is
        population=[({"sex": "Male", "area": "south"}, 2)],
        unmatched="safe",
        floors=[{"area": 0}],
        benefit=100.0,
        loss=100.0,
        gain=100.0,
        cost=100.0,
    )
)
def test_the_no_attack_payoff_bounds_a_record_even_outside_the_population(world):
    instance = instance_of(world)
    choice, _ = plan_game("aware-no-attack", instance, cells_of(world), Groups(steps=0))
    naive = exact(instance, Game.of("no-attack", instance, instance.base))
    worth, most = (
        np.where(nodes == WITHHELD, 0.0, instance.values(instance.all_profiles, np.maximum(nodes, 0)))
        for nodes in (choice.nodes, naive.nodes)
    )
    assert choice.bounds == pytest.approx(most, abs=1e-6)
    assert (worth <= choice.bounds + 1e-6).all()


@pytest.mark.parametrize("planned_for", get_args(PlannedFor))
@pytest.mark.parametrize("seed", range(tries(8, 200)))
def test_the_bound_is_above_the_best_of_all_mechanisms_and_the_search_below_it(seed, planned_for):
    verdict = Verdict.of(asked_of("aware-no-attack", random_world(seed), planned_for))
    assert [] == list(verdict.broken())


def test_small_worlds_planned_for_the_records_are_mostly_solved():
    verdicts = [Verdict.of(asked_of("aware-no-attack", random_world(seed), "records")) for seed in range(8)]
    assert sum(one.best for one in verdicts) * 0.95 <= sum(one.found for one in verdicts)


def test_a_damaged_mechanism_has_a_group_that_is_too_small():
    mechanism = planned("aware-no-attack", random_world(3))
    nodes = mechanism.nodes.copy()
    everybody, least = mechanism.population, mechanism.facts.people_needed
    alone = int(np.argmax((everybody.people < least) & (everybody.records > 0)))
    nodes[alone] = 0
    assert 5 == least
    assert smallest_group(everybody, mechanism.nodes) >= least
    assert smallest_group(everybody, nodes) < least


def test_a_record_joins_no_group_that_too_few_people_without_its_values_would_join():
    """Two people fill the group of f in both towns; without the ward it would hold only the one of x."""
    rows = [("y", "p", "m"), ("y", "p", "f")] * 2 + [("x", "p", "f"), ("y", "q", "m"), ("y", "q", "f")]
    people = pd.DataFrame(rows, columns=["town", "ward", "sex"])
    kinds = {
        name: gamedeid.Hierarchy.from_rows([[value, "*"] for value in sorted(set(people[name]))], name=name)
        for name in people
    }
    scenario = {
        "records": {"missing": "suppress"},
        "attributes": {
            name: {"hierarchy": kind, "role": "other", "weight": 0 if name == "ward" else 1}
            for name, kind in kinds.items()
        },
        "payoffs": {"benefit": 100, "loss": 20, "gain": 60, "cost": 30},
    }

    def played(town: str) -> AwareRisk:
        record = pd.DataFrame([(town, None, "f")], columns=["town", "ward", "sex"])
        return aware_risk(gamedeid.solve(scenario, record, people, game="aware-no-attack"))

    assert played("x").solution.withheld.all()
    assert [3] == played("y").people.tolist()  # released unchanged


@pytest.mark.parametrize(("game", "world"), [("aware-basic", costly_world), ("aware-no-attack", random_world)])
def test_the_same_question_always_has_the_same_answer(game, world):
    first, second = (planned(game, world(5)) for _ in range(2))
    assert first.nodes.tolist() == second.nodes.tolist()
    assert first.facts == second.facts


# Commands


@every_game
def test_a_run_states_the_outcome_against_a_recipient_who_knows_the_method(tmp_path, game):
    said = gamedeid_prints("run", small_world(tmp_path), "--game", game, "-o", tmp_path / "out")
    assert "if the recipient also knows how the release was made" in said
    gamedeid_prints("verify", "--verbose", tmp_path / "out", tmp_path / "scenario.toml")
    if game == "aware-basic":
        gamedeid_prints("audit", tmp_path / "out", tmp_path / "scenario.toml", "--json")
        return
    assert "Expected re-identifications of the aware-no-attack game: none" in said
    facts = json.loads((tmp_path / "out" / "summary.json").read_text())["mechanism"]
    assert (5, 5) == (facts["people_needed"], facts["smallest_group"])
    files = "release.csv strategies.csv summary.json report.json report.html manifest.json plan.csv"
    assert set(files.split()) == {path.name for path in (tmp_path / "out").iterdir()}


def test_all_records_are_withheld_if_none_is_of_the_population(tmp_path):
    asked = ["run", small_world(tmp_path), "--game", "aware-no-attack", "--set", "groups.planned_for=records"]
    (tmp_path / "records.csv").write_text("name,age,sex,income\nSECRETA,,Male,<=50K\n")
    changes = ["--set", "records.missing=suppress", "--set", "groups.k=2"]
    said = gamedeid_prints(*asked, *changes, "--no-report", "-o", tmp_path / "out")
    assert "The aware-no-attack game withholds every record" in said


def test_a_record_outside_the_population_may_join_a_group_of_it(tmp_path):
    asked = ["run", small_world(tmp_path), "--game", "aware-no-attack", "--set", "records.missing=suppress"]
    (tmp_path / "people.csv").write_text("age,sex,count\n41,Male,3\n41,Female,3\n")
    (tmp_path / "records.csv").write_text("name,age,sex,income\nSECRETA,41,,<=50K\n")
    said = gamedeid_prints(*asked, "--no-report", "-o", tmp_path / "out")
    assert "The smallest released group has 6 people" in said
    gamedeid_prints("verify", tmp_path / "out", tmp_path / "scenario.toml", "--set", "records.missing=suppress")


@every_game
@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--solver", "lattice-search"], "the game {game}: a solver other than exact does not play"),
        (["--set", "groups.steps=-1"], "groups.steps: expected a number of at least 0"),
        (
            ["--set", "records.person=income", "--set", "records.keep=[]"],
            "records.person: a game of the whole population needs one row",
        ),
    ],
)
def test_unsupported_questions_are_refused(tmp_path, game, words, complaint):
    assert complaint.format(game=game) in refused("run", small_world(tmp_path), "--game", game, *words)


def test_the_game_of_small_groups_is_not_planned_for_the_records(tmp_path):
    words = ["--game", "aware-basic", "--set", "groups.planned_for=records"]
    assert "the game aware-basic is planned for the population only" in refused("run", small_world(tmp_path), *words)
