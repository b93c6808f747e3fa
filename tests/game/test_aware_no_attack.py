"""Is every released group of the game aware-no-attack chosen by enough people, and is its bound one?"""

from collections import Counter
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from depth import tries
from hypothesis import given
from hypothesis import strategies as st
from oracle_worlds import cells_of, instance_of
from oracles import (
    Strategy,
    Values,
    World,
    adversary_attacks,
    information_loss,
    people,
    seen,
    strategy_graph,
    walk_order,
)
from small_world import gamedeid_says, small_world
from worlds import worlds

from gamedeid.choices import PlannedFor
from gamedeid.game.mechanism.no_attack import NoAttackMechanism, plan_no_attack
from gamedeid.kernels.tables import WITHHELD

Person = tuple[str | None, ...]


def planned(world: World, planned_for: PlannedFor = "population", steps: int = 100) -> NoAttackMechanism:
    return plan_no_attack(instance_of(world), cells_of(world), planned_for=planned_for, steps=steps)


def strategies_of(mechanism: NoAttackMechanism) -> dict[Person, Strategy | None]:
    """Return the strategy of everybody, by values."""
    instance = mechanism.everybody.instance
    found: dict[Person, Strategy | None] = {}
    for codes, node in zip(instance.profiles.codes, mechanism.nodes.tolist(), strict=True):
        values = tuple(
            hierarchy.leaves[code] if code < len(hierarchy.leaves) else None
            for code, hierarchy in zip(codes, instance.hierarchies.values(), strict=True)
        )
        found[values] = None if node == WITHHELD else instance.lattice.levels_of(node)
    return found


def counted(world: World) -> list[tuple[Values, int]]:
    return world.population if world.population is not None else [(values, 1) for values in world.records]


def group_of(world: World, values: Values, strategy: Strategy) -> tuple[object, ...]:
    return (strategy, *seen(world, values, strategy))


def group_sizes(world: World, own: dict[Person, Strategy | None]) -> Counter[tuple[object, ...]]:
    """Count the people of every released group one by one."""
    sizes: Counter[tuple[object, ...]] = Counter()
    for values, times in counted(world):
        if (strategy := own[tuple(values.values())]) is not None:
            sizes[group_of(world, values, strategy)] += times
    return sizes


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


def greedy_one_by_one(world: World) -> float:
    """Return the mean payoff of the records: strategies by mean information loss, each keeps groups that are enough."""
    everywhere = range(len(world.records))
    walk = walk_order(strategy_graph(tuple(len(rows[0]) for rows in world.ladders.values())))
    mean = {g: sum(information_loss(world, record, g) for record in everywhere) for g in walk}
    own: dict[Person, Strategy | None] = {tuple(values.values()): None for values, _ in counted(world)}
    for strategy in sorted(walk, key=lambda g: (round(mean[g], 7), walk.index(g))):
        sizes: Counter[tuple[object, ...]] = Counter()
        free = [(values, times) for values, times in counted(world) if own[tuple(values.values())] is None]
        for values, times in free:
            sizes[group_of(world, values, strategy)] += times
        for values, _ in free:
            size = sizes[group_of(world, values, strategy)]
            if size and not adversary_attacks(world, size):
                own[tuple(values.values())] = strategy
    paid = [
        0.0 if strategy is None else world.benefit * (1 - information_loss(world, record, strategy))
        for record, values in enumerate(world.records)
        for strategy in [own[tuple(values.values())]]
    ]
    return sum(paid) / len(paid)


def complete(world: World) -> bool:
    """Tell whether nobody's value is missing and every record is somebody of the population."""
    there = {tuple(values.values()) for values, times in counted(world) if times}
    return all(None not in person for person in there) and all(
        tuple(values.values()) in there for values in world.records
    )


@given(world=worlds().filter(complete))
def test_the_search_begins_with_the_greedy_mechanism(world: World) -> None:
    assert greedy_one_by_one(world) == pytest.approx(planned(world, steps=0).greedy, abs=1e-6 * world.benefit)


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


def random_world(seed: int) -> World:
    """Return four kinds of people of two attributes, two levels each, and records of some of them."""
    generator = np.random.default_rng(seed)
    ladders = {"a": [["p", "*"], ["q", "*"]], "b": [["r", "*"], ["s", "*"]]}
    kinds = [{"a": a, "b": b} for a in "pq" for b in "rs"]
    people_of = generator.integers(1, 6, len(kinds))
    records = [kinds[place] for place in generator.integers(0, len(kinds), 5)]
    return World(
        ladders=ladders,
        weights={"a": 1.0, "b": float(generator.integers(1, 4))},
        records=records,
        population=[(kind, int(times)) for kind, times in zip(kinds, people_of, strict=True)],
        benefit=100.0,
        loss=20.0,
        gain=20.0,
        cost=4.0,
        unmatched="error",
        floors=[{} for _ in records],
    )


@pytest.mark.parametrize("seed", range(tries(8, 200)))
def test_the_bound_is_above_the_best_of_all_mechanisms_and_the_search_below_it(seed: int) -> None:
    world = random_world(seed)
    best = best_of_all(world)
    for planned_for in get_args(PlannedFor):
        mechanism = planned(world, planned_for, steps=300)
        assert mechanism.found <= best + 1e-6
        assert best <= mechanism.bound + 1e-6
        assert mechanism.least == 5


def test_planned_for_the_records_small_worlds_are_mostly_solved() -> None:
    worlds_tried = [random_world(seed) for seed in range(8)]
    found = [planned(world, "records", steps=300).found for world in worlds_tried]
    assert sum(map(best_of_all, worlds_tried)) * 0.95 <= sum(found)


def test_a_damaged_mechanism_has_a_group_that_is_too_small() -> None:
    mechanism = planned(random_world(3))
    nodes = mechanism.nodes.copy()
    alone = int(np.argmax((mechanism.everybody.people < mechanism.least) & (mechanism.everybody.records > 0)))
    nodes[alone] = 0
    assert mechanism.smallest_group >= mechanism.least
    assert replace(mechanism, nodes=nodes).smallest_group < mechanism.least


def test_the_same_question_has_the_same_answer_however_often_it_is_asked() -> None:
    first, second = (planned(random_world(5), steps=50) for _ in range(2))
    assert first.nodes.tolist() == second.nodes.tolist()
    assert first.as_dict() == second.as_dict()


def test_a_run_says_how_large_its_groups_are_and_how_good_it_may_be(tmp_path: Path) -> None:
    said = gamedeid_says("run", small_world(tmp_path), "--game", "aware-no-attack", "-o", tmp_path / "out")
    assert 0 == said.code, said
    assert "Every released group is chosen by at least 5 people, the smallest by 5" in said.out
    assert "No report is written of the aware-no-attack game" in said.out
    assert {"release.csv", "strategies.csv", "summary.json", "manifest.json"} == {
        path.name for path in (tmp_path / "out").iterdir()
    }
    checked = gamedeid_says("verify", tmp_path / "out", tmp_path / "scenario.toml")
    assert 0 == checked.code, checked
    assert "Not checked: how many people of the population have the strategy of each record" in checked.out


def test_planned_for_the_records_it_says_who_is_not_held_off(tmp_path: Path) -> None:
    words = ["--game", "aware-no-attack", "--set", "mechanism.planned_for=records"]
    assert "They were planned for the records" in gamedeid_says("run", small_world(tmp_path), *words).out


def test_fewer_people_than_a_group_needs_are_all_withheld(tmp_path: Path) -> None:
    said = gamedeid_says("run", small_world(tmp_path), "--game", "aware-no-attack", "--set", "payoffs.cost=1")
    assert "The aware-no-attack game withholds every record" in said.out
    assert "No group of at least 90 people is released." in said.out


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--solver", "lattice-search"], "the game aware-no-attack has a search of its own; leave the solver out"),
        (["--set", "mechanism.steps=-1"], "mechanism.steps: expected a number of at least 0"),
        (["--set", "records.person=name", "--set", "records.drop=[]"], "takes every record for a person of its own"),
    ],
)
def test_what_it_cannot_do_is_refused(tmp_path: Path, words: list[str], complaint: str) -> None:
    said = gamedeid_says("run", small_world(tmp_path), "--game", "aware-no-attack", *words)
    assert 2 == said.code
    assert complaint in said.complaint
