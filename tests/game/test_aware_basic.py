"""Are the strategies of the game aware-basic paid as they are said to be, and is its bound one?"""

from collections import Counter
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from aware_worlds import Own, complete, group_of, group_sizes, random_world, strategies_of
from depth import tries
from hypothesis import given
from oracle_worlds import cells_of, instance_of
from oracles import Values, World, adversary_attacks, information_loss, strategy_graph, walk_order
from small_world import gamedeid_says, small_world
from worlds import worlds

from gamedeid.game.mechanism.plan import Plan
from gamedeid.game.mechanism.planning import plan_game
from gamedeid.scenario.limits import Groups


def planned(world: World, steps: int = 100) -> Plan:
    return plan_game("aware-basic", instance_of(world), cells_of(world), Groups(steps=steps))


def costly_world(seed: int) -> World:
    """Return a world in which a re-identification costs nearly as much as a record is worth."""
    return replace(random_world(seed), loss=90.0)


def paid(world: World, own: Own, sizes: Counter[tuple[object, ...]], values: Values) -> float:
    """Return what the publisher is paid for a person, by the definition."""
    strategy = own[tuple(values.values())]
    if strategy is None:
        return 0.0
    size = sizes[group_of(world, values, strategy)]
    loss = world.loss / size if size and adversary_attacks(world, size) else 0.0
    return world.benefit * (1 - information_loss(replace(world, records=[values]), 0, strategy)) - loss


def mean_paid(world: World, own: Own, people: list[tuple[Values, int]]) -> float:
    sizes = group_sizes(world, own)
    total = sum(times for _, times in people)
    return sum(times * paid(world, own, sizes, values) for values, times in people) / total


@given(world=worlds().filter(complete))
def test_it_pays_what_it_says_against_whoever_knows_every_strategy(world: World) -> None:
    plan = planned(world)
    records = [(values, 1) for values in world.records]
    assert mean_paid(world, strategies_of(plan), records) == pytest.approx(plan.found, abs=1e-7 * world.benefit)


@given(world=worlds())
def test_no_strategies_pay_more_than_the_bound(world: World) -> None:
    plan = planned(world)
    assert plan.found <= plan.bound + 1e-9 * world.benefit


def best_of_all(world: World) -> float:
    """Return the greatest mean payoff of the population, with strategies for everybody tried in all ways."""
    cells = [tuple(values.values()) for values, _ in world.population or []]
    walk = [None, *walk_order(strategy_graph(tuple(len(rows[0]) for rows in world.ladders.values())))]
    people = [(values, times) for values, times in world.population or []]
    return max(
        mean_paid(world, dict(zip(cells, chosen, strict=True)), people) for chosen in product(walk, repeat=len(cells))
    )


@pytest.mark.parametrize("seed", range(tries(8, 200)))
def test_the_search_comes_near_the_best_of_all_strategies(seed: int) -> None:
    world = costly_world(seed)
    best, plan = best_of_all(world), planned(world)
    everybody = mean_paid(world, strategies_of(plan), list(world.population or []))
    assert everybody <= best + 1e-6
    assert 0.9 * best <= everybody


@pytest.mark.parametrize(("loss", "best"), [(90.0, 1220.0), (120.0, 1160.0)])
def test_the_worked_example(loss: float, best: float) -> None:
    ages = {"40": 3, "41": 2, "42": 9}
    world = World(
        ladders={
            "age": [
                [str(age), f"[{first}-{first + 2}]", "*"] for age in range(40, 49) for first in [age - (age - 40) % 3]
            ]
        },
        weights={"age": 1.0},
        records=[{"age": age} for age in ages],
        population=[({"age": age}, count) for age, count in ages.items()],
        benefit=100.0,
        loss=loss,
        gain=17.0,
        cost=4.0,
    )
    people = list(world.population or [])
    assert best == pytest.approx(14 * mean_paid(world, strategies_of(planned(world)), people))


def test_the_same_question_has_the_same_answer_however_often_it_is_asked() -> None:
    first, second = (planned(costly_world(5)) for _ in range(2))
    assert first.nodes.tolist() == second.nodes.tolist()
    assert first.as_dict() == second.as_dict()


def test_a_run_says_what_whoever_knows_makes_of_it(tmp_path: Path) -> None:
    said = gamedeid_says("run", small_world(tmp_path), "--game", "aware-basic", "-o", tmp_path / "out")
    assert 0 == said.code, said
    assert "if the recipient also knows how the release was made" in said.out
    checked = gamedeid_says("verify", "--verbose", tmp_path / "out", tmp_path / "scenario.toml")
    assert 0 == checked.code, checked
    audited = gamedeid_says("audit", tmp_path / "out", tmp_path / "scenario.toml", "--json")
    assert 0 == audited.code, audited


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (
            ["--solver", "lattice-search"],
            "the game aware-basic: a solver other than exact does not play",
        ),
        (["--set", "groups.planned_for=records"], "the game aware-basic is planned for the population only"),
        (
            ["--set", "records.person=income", "--set", "records.keep=[]"],
            "records.person: a game of the whole population needs one row",
        ),
    ],
)
def test_what_it_cannot_do_is_refused(tmp_path: Path, words: list[str], complaint: str) -> None:
    said = gamedeid_says("run", small_world(tmp_path), "--game", "aware-basic", *words)
    assert 2 == said.code
    assert complaint in said.complaint
