"""Is every released group of the game aware-no-attack chosen by enough people, and is its bound one?"""

import json
from collections import Counter
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import get_args
from unittest.mock import patch

import numpy as np
import pytest
from aware_worlds import Person, counted, group_of, group_sizes, random_world, strategies_of
from depth import tries
from hypothesis import given
from hypothesis import strategies as st
from oracle_worlds import cells_of, instance_of
from oracles import (
    World,
    adversary_attacks,
    information_loss,
    people,
    strategy_graph,
    walk_order,
)
from small_world import gamedeid_says, small_world
from worlds import worlds

from gamedeid.choices import PlannedFor
from gamedeid.game.groups import problem
from gamedeid.game.mechanism.plan import Plan, plan_game, smallest_group
from gamedeid.scenario.limits import Groups


def planned(world: World, planned_for: PlannedFor = "population", steps: int = 100) -> Plan:
    asked = Groups(planned_for=planned_for, steps=steps)
    return plan_game("aware-no-attack", instance_of(world), cells_of(world), asked)


@given(world=worlds(), planned_for=st.sampled_from(get_args(PlannedFor)))
def test_whoever_knows_every_strategy_attacks_no_record(world: World, planned_for: PlannedFor) -> None:
    own = strategies_of(planned(world, planned_for))
    sizes = group_sizes(world, own)
    for number, values in enumerate(world.records):
        if (strategy := own[tuple(values.values())]) is None:
            continue
        assert all(value is not None or level for value, level in zip(values.values(), strategy, strict=True))
        found = sizes[group_of(world, values, strategy)]
        if found == 0:  # a record that matches nobody
            assert 0 == people(replace(world, unmatched="safe"), number, strategy)
        assert not adversary_attacks(world, found)


@given(world=worlds())
def test_where_no_groups_are_listed_the_bound_of_a_record_is_its_finest_strategy(world: World) -> None:
    instance = instance_of(world)
    with patch.object(problem, "MOST_GROUPS", 0):
        bounds = plan_game("aware-basic", instance, cells_of(world), Groups(steps=0)).bounds
    heights = [len(rows[0]) for rows in world.ladders.values()]
    for record, values in enumerate(world.records):
        finest = tuple(top - 1 if value is None else 0 for value, top in zip(values.values(), heights, strict=True))
        if any(
            values == person and times for person, times in counted(world)
        ):  # else nobody of the population is its like
            best = world.benefit * (1 - information_loss(world, record, finest))
            assert best == pytest.approx(bounds[instance.profiles.of_record[record]])


def best_of_all(world: World) -> float:
    """Return the greatest mean payoff of the records, with every mechanism tried."""
    cells = Counter[Person]()
    for values, times in counted(world):
        cells[tuple(values.values())] += times
    walk = [None, *walk_order(strategy_graph(tuple(len(rows[0]) for rows in world.ladders.values())))]
    best = 0.0
    for chosen in product(walk, repeat=len(cells)):
        own = dict(zip(cells, chosen, strict=True))
        sizes = group_sizes(world, own)
        if any(0 < size and adversary_attacks(world, size) for size in sizes.values()):
            continue
        total = 0.0
        for record, values in enumerate(world.records):
            strategy = own[tuple(values.values())]
            total += 0.0 if strategy is None else world.benefit * (1 - information_loss(world, record, strategy))
        best = max(best, total / len(world.records))
    return best


@pytest.mark.parametrize("seed", range(tries(8, 200)))
def test_the_bound_is_above_the_best_of_all_mechanisms_and_the_search_below_it(seed: int) -> None:
    world = random_world(seed)
    best = best_of_all(world)
    for planned_for in get_args(PlannedFor):
        mechanism = planned(world, planned_for, steps=300)
        assert mechanism.found <= best + 1e-6
        assert best <= mechanism.bound + 1e-6
        assert mechanism.facts["people_needed"] == 5


def test_planned_for_the_records_small_worlds_are_mostly_solved() -> None:
    worlds_tried = [random_world(seed) for seed in range(8)]
    found = [planned(world, "records", steps=300).found for world in worlds_tried]
    assert sum(map(best_of_all, worlds_tried)) * 0.95 <= sum(found)


def test_a_damaged_mechanism_has_a_group_that_is_too_small() -> None:
    mechanism = planned(random_world(3))
    nodes = mechanism.nodes.copy()
    everybody, least = mechanism.everybody, mechanism.facts["people_needed"]
    alone = int(np.argmax((everybody.people < least) & (everybody.records > 0)))
    nodes[alone] = 0
    assert smallest_group(everybody, mechanism.nodes) >= least
    assert smallest_group(everybody, nodes) < least


def test_the_same_question_has_the_same_answer_however_often_it_is_asked() -> None:
    first, second = (planned(random_world(5), steps=50) for _ in range(2))
    assert first.nodes.tolist() == second.nodes.tolist()
    assert first.as_dict() == second.as_dict()


def test_a_run_says_how_large_its_groups_are_and_how_good_it_may_be(tmp_path: Path) -> None:
    said = gamedeid_says("run", small_world(tmp_path), "--game", "aware-no-attack", "-o", tmp_path / "out")
    assert 0 == said.code, said
    facts = json.loads((tmp_path / "out" / "summary.json").read_text())["mechanism"]
    assert (5, 5) == (facts["people_needed"], facts["smallest_group"])
    assert "Expected re-identifications of the aware-no-attack game: none" in said.out
    assert "if the recipient also knows how the release was made" in said.out
    assert {
        "release.csv",
        "strategies.csv",
        "summary.json",
        "report.json",
        "report.html",
        "manifest.json",
        "plan.csv",
    } == {path.name for path in (tmp_path / "out").iterdir()}
    checked = gamedeid_says("verify", "--verbose", tmp_path / "out", tmp_path / "scenario.toml")
    assert 0 == checked.code, checked


def test_planned_for_the_records_it_says_who_is_not_held_off(tmp_path: Path) -> None:
    words = ["--game", "aware-no-attack", "--set", "groups.planned_for=records"]
    assert (
        "A recipient who knows the profiles of the records can identify"
        in gamedeid_says("run", small_world(tmp_path), *words).out
    )


def test_fewer_people_than_a_group_needs_are_all_withheld(tmp_path: Path) -> None:
    said = gamedeid_says("run", small_world(tmp_path), "--game", "aware-no-attack", "--set", "payoffs.cost=1")
    assert "The aware-no-attack game withholds every record" in said.out


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (
            ["--solver", "lattice-search"],
            "the game aware-no-attack: a solver other than exact does not play",
        ),
        (["--set", "groups.steps=-1"], "groups.steps: expected a number of at least 0"),
        (
            ["--set", "records.person=income", "--set", "records.keep=[]"],
            "records.person: a game of the whole",
        ),
    ],
)
def test_what_it_cannot_do_is_refused(tmp_path: Path, words: list[str], complaint: str) -> None:
    said = gamedeid_says("run", small_world(tmp_path), "--game", "aware-no-attack", *words)
    assert 2 == said.code
    assert complaint in said.complaint
