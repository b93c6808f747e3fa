"""Limits on the whole dataset compared with all combinations of strategies, shadow prices, and one strategy for all."""

import random
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
import pytest
from depth import tries
from hypothesis import given
from hypothesis import strategies as st
from oracle_limits import (
    best_between_groups,
    best_in_cells,
    best_uniform,
    best_within,
    combinations,
    combinations_for,
    differences,
    drawn_recipients,
    efficient,
    first_uniform,
    limited_world,
)
from oracle_recipients import PlainRecipient, permitted_outcomes
from oracle_worlds import game_of, instance_of
from oracles import GAMES, Game, Outcome, World, strategy_graph, walk_order
from recipient_instances import instance_with
from worlds import few_strategies, worlds

from gamedeid.errors import UnmetLimitsError
from gamedeid.game.frontier import Frontier
from gamedeid.game.instance import Instance
from gamedeid.game.limits.within import LimitReached, WithinLimits, choose_uniform, choose_within_limits
from gamedeid.game.solvers import SOLVERS
from gamedeid.scenario.limits import Limits

PRICED = ("expected_reidentifications", "attacked", "list_price", "information_loss")


def within(
    world: World,
    game: Game,
    limits: dict[str, Any],
    recipients: list[PlainRecipient] | None = None,
    groups: list[int] | None = None,
) -> WithinLimits:
    instance = instance_of(world) if recipients is None else instance_with(world, recipients)
    played = game_of(world, instance, game)
    frontier = Frontier.compile(instance, played.floors)
    free = SOLVERS["exact"](instance, played)
    counts = None
    if groups is not None:
        counts = np.zeros((max(groups) + 1, instance.profiles.count), np.int64)
        np.add.at(counts, (groups, instance.profiles.of_record), 1)
    return choose_within_limits(instance, played, frontier, Limits.model_validate(limits), free, groups=counts)


def is_best(expected: float | None, play: Callable[[], WithinLimits]) -> WithinLimits | None:
    """Check that the answer is the best, proved and within limits, or, for None, that it reports that none exists."""
    if expected is None:
        with pytest.raises(UnmetLimitsError):
            play()
        return None
    found = play()
    assert expected == pytest.approx(found.payoff, abs=1e-6)
    assert found.choice.proved
    keeps(found.limits)
    return found


def keeps(limits: Iterable[LimitReached]) -> None:
    for one in limits:
        exceeds = one.limit - one.reached if one.name == "publisher_payoff" else one.reached - one.limit
        assert exceeds <= 1e-7


def price_holds(found: WithinLimits, others: list[float], best_at: Callable[[float], float | None]) -> None:
    """Check that at other values of the first limit no payoff exceeds the bound from its shadow price."""
    first = found.limits[0]
    assert first.shadow_price is not None
    for other in others:
        best = best_at(other)
        assert best is None or best <= found.by_prices + first.shadow_price * (other - first.limit) + 1e-5


def drawn_limits(world: World, draw: random.Random) -> dict[str, float]:
    """Draw limits, most of which bind: fractions of the largest possible totals."""
    records = len(world.records)
    everything = {
        "expected_reidentifications": draw.choice([0.0, 0.25, 0.5, 1.0, 1.5]),
        "attacked": min(draw.choice([0, 1, 2, 3]) / records, 1.0),
        "list_price": draw.choice([0.0, 5.0, 20.0, 60.0]),
        "record_risk": draw.choice([1.0, 0.5, 0.25, 0.1]),
        "information_loss": draw.choice([0.05, 0.2, 0.4, 0.6]),
        "publisher_payoff": draw.choice([10.0, 50.0, 70.0]),
    }
    names = draw.sample(sorted(everything), draw.choice([1, 1, 2, 3, 6]))
    return {name: everything[name] for name in names}


@pytest.mark.parametrize("seed", [*range(tries(50, 3000)), 216])  # 216: prices whose program needs a second try
def test_the_best_strategies_within_limits_are_those_of_all_combinations(seed):
    draw = random.Random(seed)  # noqa: S311
    world, game = limited_world(seed), draw.choice(GAMES)
    limits = drawn_limits(world, draw)
    expected = best_within(world, combinations(world, game), limits)
    is_best(expected, lambda: within(world, game, limits))


@pytest.mark.parametrize("seed", range(tries(25, 2000)))
def test_the_best_strategies_within_limits_against_recipients_are_those_of_all_combinations(seed):
    draw = random.Random(seed)  # noqa: S311
    world, game = limited_world(seed), draw.choice(GAMES)
    recipients, limits = drawn_recipients(draw), drawn_limits(world, draw)
    expected = best_within(world, combinations_for(world, recipients, game), limits)
    is_best(expected, lambda: within(world, game, limits, recipients))


@pytest.mark.parametrize("seed", range(tries(10, 1000)))
def test_at_any_list_price_no_payoff_exceeds_the_bound_of_the_shadow_price_for_all_recipients(seed):
    draw = random.Random(seed)  # noqa: S311
    world = limited_world(seed)
    recipients = drawn_recipients(draw)
    every = combinations_for(world, recipients, "basic")

    found = within(world, "basic", {"list_price": draw.uniform(0, 100)}, recipients)

    others = [draw.uniform(0, 200) for _ in range(20)]
    price_holds(found, others, lambda other: best_within(world, every, {"list_price": other}))


@pytest.mark.parametrize("seed", range(tries(12, 500)))
def test_the_nearest_chance_of_a_record_is_the_least_with_which_the_other_limits_can_be_kept(seed):
    draw = random.Random(seed)  # noqa: S311
    world = limited_world(seed)
    every = combinations(world, "basic")
    limits = {"record_risk": 0.02, "information_loss": draw.choice([0.1, 0.3, 0.5])}
    if seed % 2:
        limits["expected_reidentifications"] = 1.0
    enough = [
        risk
        for risk in sorted({*every["risk"].tolist()})
        if best_within(world, every, limits | {"record_risk": max(risk, 1e-9)}) is not None
    ]
    if enough and enough[0] <= limits["record_risk"]:
        return

    with pytest.raises(UnmetLimitsError) as unmet:
        within(world, "basic", limits)

    told = re.search(r"record_risk = ([0-9.]+)(?=, with|$)", str(unmet.value).split("nearest that can be met")[-1])
    assert bool(enough) == bool(told), unmet.value
    assert not enough or (told and float(told[1]) == pytest.approx(enough[0], rel=1e-5))


@pytest.mark.parametrize("seed", range(tries(20, 1000)))
def test_at_any_limit_no_payoff_exceeds_the_bound_of_the_shadow_price(seed):
    draw = random.Random(seed)  # noqa: S311
    world, name = limited_world(seed), draw.choice(PRICED)
    every = combinations(world, "basic")
    limit = value_of(name, draw)
    if best_within(world, every, {name: limit}) is None:
        return

    found = within(world, "basic", {name: limit})

    others = [value_of(name, draw) for _ in range(20)]
    price_holds(found, others, lambda other: best_within(world, every, {name: other}))


def value_of(name: str, draw: random.Random) -> float:
    most = {"expected_reidentifications": 3.0, "attacked": 1.0, "list_price": 100.0, "information_loss": 1.0}
    return draw.uniform(0, most[name])


@pytest.mark.parametrize("seed", range(tries(10, 200)))
def test_limits_that_the_game_keeps_anyway_change_nothing(seed):
    world = limited_world(seed)
    instance = instance_of(world)
    free = SOLVERS["exact"](instance, game_of(world, instance, "basic"))

    found = within(world, "basic", {"expected_reidentifications": 1000.0, "attacked": 1.0, "record_risk": 1.0})

    assert free.nodes.tolist() == found.choice.nodes.tolist()
    assert [0.0, 0.0, None] == [one.shadow_price for one in found.limits]
    assert found.gap == 0


@pytest.mark.parametrize("seed", range(tries(20, 2000)))
def test_the_best_strategies_in_cells_are_within_limits_and_what_is_proved_holds(seed):
    draw = random.Random(seed)  # noqa: S311
    world, game, least = limited_world(seed, most=4), draw.choice(GAMES), draw.choice([2, 3, 4])
    limits = drawn_limits(world, draw) if seed % 2 else {}
    expected = best_in_cells(world, game, limits, least)
    if expected is None:
        with pytest.raises(UnmetLimitsError, match="keep smallest_cell"):
            within(world, game, limits | {"smallest_cell": least})
        return

    found = within(world, game, limits | {"smallest_cell": least})

    assert found.payoff - 1e-6 <= expected <= found.bound + 1e-6
    assert found.limits[-1].name == "smallest_cell"
    assert not found.limits[-1].reached or found.limits[-1].reached >= least
    keeps(found.limits[:-1])
    assert found.choice.proved or limits
    assert not found.choice.proved or expected == pytest.approx(found.payoff, abs=1e-6)


@pytest.mark.parametrize("seed", range(tries(8, 500)))
def test_at_any_limit_no_payoff_exceeds_the_bound_of_the_shadow_price_in_cells(seed):
    draw = random.Random(seed)  # noqa: S311
    world, least, name = limited_world(seed, most=4), draw.choice([2, 3]), draw.choice(PRICED[:3])
    limit = value_of(name, draw) / 4

    found = within(world, "basic", {name: limit, "smallest_cell": least})

    others = [value_of(name, draw) for _ in range(3)]
    price_holds(found, others, lambda other: best_in_cells(world, "basic", {name: other}, least))


@pytest.mark.parametrize("seed", range(tries(20, 500)))
def test_the_best_single_strategy_for_all_records_is_that_of_all_strategies(seed):
    draw = random.Random(seed)  # noqa: S311
    world, game = limited_world(seed), draw.choice(GAMES)
    most, risk, cell = draw.choice([0.0, 0.5, 1.0, 9.0]), draw.choice([1.0, 0.5, 0.2]), draw.choice([1, 2, 3])
    limits = {"expected_reidentifications": most, "record_risk": risk, "smallest_cell": cell, "uniform": True}

    found = within(world, game, limits)

    expected = best_uniform(world, game, [list(range(len(world.records)))], most=most, risk=risk, cell=cell)
    assert expected == pytest.approx(found.payoff, abs=1e-6)
    released = found.choice.nodes[found.choice.nodes >= 0]
    assert len(set(released.tolist())) <= 1
    assert found.choice.proved


@pytest.mark.parametrize("seed", range(tries(10, 300)))
def test_the_best_strategies_for_groups_are_those_of_all_combinations(seed):
    world = limited_world(seed)
    most = random.Random(seed).choice([0.0, 0.5, 1.0])  # noqa: S311
    groups: dict[str | None, list[int]] = {}
    for record, values in enumerate(world.records):
        groups.setdefault(values["b"], []).append(record)

    found = within(world, "basic", {"expected_reidentifications": most, "uniform": ("b",)})

    expected = best_uniform(world, "basic", list(groups.values()), most=most)
    assert expected == pytest.approx(found.payoff, abs=1e-6)


def drawn_groups(world: World, draw: random.Random) -> list[int]:
    """Draw the group of each record, as a kept column has it: none of two or three groups is empty."""
    most = min(len(world.records), draw.choice([2, 3]))
    groups = [*range(most), *(draw.randrange(most) for _ in world.records[most:])]
    draw.shuffle(groups)
    return groups


@pytest.mark.parametrize("seed", range(tries(30, 2000)))
def test_the_best_strategies_within_limits_of_groups_are_those_of_all_combinations(seed):
    draw = random.Random(seed)  # noqa: S311
    world, game = limited_world(seed, most=4), draw.choice(GAMES)
    groups = drawn_groups(world, draw)
    keys = {"information_loss": draw.choice([0.0, 0.1, 0.3]), "attacked": draw.choice([0.0, 0.4, 0.6])}
    keys = {name: keys[name] for name in draw.choice([["information_loss"], ["attacked"], [*keys]])}
    asked = {f"groups.{name}": limit for name, limit in keys.items()}
    if seed % 3 == 0:
        asked["publisher_payoff"] = draw.choice([10.0, 40.0])
    limits: dict[str, Any] = {"groups": {"column": "kept", "least": 1, **keys}}
    limits |= {name: limit for name, limit in asked.items() if name == "publisher_payoff"}
    expected = best_between_groups(world, game, groups, asked, efficient)
    found = is_best(expected, lambda: within(world, game, limits, groups=groups))
    if found is not None and "attacked" not in keys:  # a limit on losses: its prices bound the payoff of all strategies
        every = best_between_groups(world, game, groups, asked, list)
        assert every is not None
        assert every <= found.by_prices + 1e-6


@pytest.mark.parametrize("seed", range(tries(10, 300)))
def test_one_strategy_for_all_records_is_the_best_within_limits_of_groups(seed):
    draw = random.Random(seed)  # noqa: S311
    world, most = limited_world(seed), draw.choice([0.0, 0.2, 0.5])
    groups = drawn_groups(world, draw)
    limits = {"uniform": True, "groups": {"column": "kept", "least": 1, "attacked": most, "information_loss": most}}

    found = within(world, "basic", limits, groups=groups)

    expected = best_uniform(
        world,
        "basic",
        [list(range(len(world.records)))],
        most=np.inf,
        fits=lambda outcomes: max(differences(outcomes, groups).values()) <= most + 1e-9,
    )
    assert expected == pytest.approx(found.payoff, abs=1e-6)


# --- one strategy for all, or for each group --------------------------------------------------------------------------


EVERYBODY = {"uniform": True}


def chosen(instance: Instance, world: World, game: Game, limits: Mapping[str, Any]) -> WithinLimits:
    return choose_uniform(instance, game_of(world, instance, game), Limits.model_validate(dict(limits)))


def nodes_of(instance: Instance, outcomes: list[Outcome]) -> list[int]:
    return [-1 if one.strategy is None else instance.lattice.node(one.strategy) for one in outcomes]


@given(
    world=worlds().map(few_strategies),
    game=st.sampled_from(GAMES),
    cell=st.sampled_from([None, 1, 2, 3, 5]),
    risk=st.sampled_from([None, 1.0, 0.5, 0.2]),
)
def test_one_strategy_for_all_is_the_first_of_the_best_of_all_strategies(world, game, cell, risk):
    instance, records = instance_of(world), list(range(len(world.records)))
    expected = first_uniform(world, game, records, risk=risk or 1.0, cell=cell or 1)

    found = chosen(instance, world, game, {**EVERYBODY, "smallest_cell": cell, "record_risk": risk})

    assert nodes_of(instance, expected) == found.choice.nodes[instance.profiles.of_record].tolist()
    total = sum(one.publisher_payoff for one in expected)
    assert [total] * 3 == pytest.approx([found.payoff, found.bound, found.by_prices], abs=1e-6)
    assert found.choice.proved
    assert found.without is None


@given(world=worlds().map(few_strategies), game=st.sampled_from(GAMES), attribute=st.integers(0, 3))
def test_each_group_gets_the_first_of_the_best_of_all_strategies_for_it(world, game, attribute):
    instance = instance_of(world)
    name = list(world.ladders)[attribute % len(world.ladders)]
    groups: dict[str | None, list[int]] = {}
    for record, values in enumerate(world.records):
        groups.setdefault(values[name], []).append(record)
    expected = np.empty(len(world.records), np.int64)
    for records in groups.values():
        expected[records] = nodes_of(instance, first_uniform(world, game, records))

    found = chosen(instance, world, game, {"uniform": (name,)})

    assert expected.tolist() == found.choice.nodes[instance.profiles.of_record].tolist()


@pytest.mark.parametrize("game", ["basic", "no-attack"])
@pytest.mark.parametrize("seed", range(tries(20, 1000)))
def test_against_recipients_it_is_the_best_of_all_strategies_too(seed, game):
    world, recipients = limited_world(seed), drawn_recipients(random.Random(seed))  # noqa: S311
    instance = instance_with(world, recipients)
    totals = dict.fromkeys(walk_order(strategy_graph(world.heights)), 0.0)
    for record in range(len(world.records)):
        for outcome in permitted_outcomes(world, recipients, record, game):
            assert outcome.strategy is not None
            totals[outcome.strategy] += max(outcome.publisher_payoff, 0.0)

    found = chosen(instance, world, game, EVERYBODY)

    assert max(totals.values()) == pytest.approx(found.payoff, abs=1e-6)


def test_strategies_that_cannot_be_optimal_are_not_tried():
    world = limited_world(3)
    instance = instance_of(world)

    found = chosen(instance, world, "basic", EVERYBODY)

    assert found.choice.searched.max() < instance.lattice.size
