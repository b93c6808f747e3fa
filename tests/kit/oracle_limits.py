"""What should come out within limits on the whole dataset: every strategy of every profile with every other."""

import random
from collections import Counter
from itertools import product

import numpy as np
from numpy.typing import NDArray
from oracles import Game, Outcome, World, permitted, release, seen, strategy_graph, walk_order, withhold

Combinations = dict[str, NDArray[np.float64]]


def limited_world(seed: int) -> World:
    """Draw a world of at most five profiles in which attacks pay here and there, and nothing is missing."""
    draw = random.Random(seed)  # noqa: S311  (the same worlds in every run)
    ladders = {
        "a": [["p", "pq", "*"], ["q", "pq", "*"], ["r", "rs", "*"], ["s", "rs", "*"]],
        "b": [["x", "*"], ["y", "*"], ["z", "*"]],
    }
    values = [{"a": a, "b": b} for a, b in product("pqrs", "xyz")]
    people = [(one, draw.choice([1, 1, 2, 3, 5, 9])) for one in values]
    kinds = draw.sample(values, draw.randint(1, 5))
    records = [dict(one) for one in kinds for _ in range(draw.choice([1, 1, 1, 2, 4]))]
    floor = {"a": draw.randint(0, 1), "b": draw.randint(0, 1)}
    return World(
        ladders=ladders,
        weights={"a": draw.choice([1.0, 0.5, 2.0]), "b": 1.0},
        records=records,
        population=people,
        benefit=draw.choice([100.0, 90.0]),
        loss=draw.choice([40.0, 90.0, 300.0]),
        gain=draw.choice([40.0, 90.0]),
        cost=draw.choice([4.0, 9.5, 20.0]),
        unmatched="error",
        floors=[floor for _ in records],
    )


def options(world: World, record: int, game: Game) -> list[Outcome]:
    """Return what can become of a record: each permitted strategy, and withholding."""
    strategies = walk_order(strategy_graph(world.heights))
    open_to_it = [one for one in strategies if permitted(world, record, game, one)]
    return [release(world, record, one, searched=0) for one in open_to_it] + [withhold(searched=0)]


def combinations(world: World, game: Game) -> Combinations:
    """Return what all combinations come to, (c,) each: one option for all records that have the same values.

    The highest risk is over the released records, whether attacking them pays or not.
    """
    kinds: dict[tuple[tuple[str, str | None], ...], list[int]] = {}
    for record, values in enumerate(world.records):
        kinds.setdefault(tuple(values.items()), []).append(record)
    sums = {name: np.zeros(1) for name in ("total", "reidentifications", "attacks", "gained", "lost", "risk")}
    for records in kinds.values():
        times = len(records)
        rows = {
            (
                times * one.publisher_payoff,
                times * one.success_probability * one.attacked,
                times * float(one.attacked),
                times * one.adversary_payoff,
                times * one.information_loss,
                one.success_probability,
            )
            for one in options(world, records[0], game)
        }
        table = np.array(sorted(rows))
        for place, name in enumerate(sums):
            how = np.maximum if name == "risk" else np.add
            sums[name] = how.outer(sums[name], table[:, place]).ravel()
    return sums


def best_within(world: World, found: Combinations, limits: dict[str, float]) -> float | None:
    """Return the greatest total payoff of the combinations within limits; None where none is."""
    records, near = len(world.records), 1e-9
    within = np.ones(len(found["total"]), bool)
    reached = {
        "expected_reidentifications": found["reidentifications"],
        "attacked": found["attacks"] / records,
        "list_price": found["gained"],
        "information_loss": found["lost"] / records,
        "record_risk": found["risk"],
    }
    for name, limit in limits.items():
        if name == "publisher_payoff":
            within &= found["total"] / records >= limit - near * world.benefit
        else:
            within &= reached[name] <= limit + near * max(limit, 1.0)
    return float(found["total"][within].max()) if within.any() else None


def shown(world: World, record: int, strategy: tuple[int, ...]) -> tuple[str | None, ...]:
    """Return what is published of a record at a strategy."""
    return tuple(seen(world, world.records[record], strategy))


def uniform_outcomes(
    world: World, game: Game, strategy: tuple[int, ...], records: list[int], *, risk: float, cell: int
) -> list[Outcome]:
    """Return what becomes of records that all get one strategy: who may not be released at it is withheld."""
    near, found = 1e-9, dict.fromkeys(records, withhold(searched=0))
    for record in records:
        if permitted(world, record, game, strategy):
            one = release(world, record, strategy, searched=0)
            if one.publisher_payoff > -near * world.benefit and one.success_probability <= risk + near:
                found[record] = one
    sizes = Counter(shown(world, record, strategy) for record in records if not found[record].withheld)
    return [
        withhold(searched=0) if not one.withheld and sizes[shown(world, record, strategy)] < cell else one
        for record, one in found.items()
    ]


def best_uniform(
    world: World, game: Game, groups: list[list[int]], *, most: float, risk: float = 1.0, cell: int = 1
) -> float:
    """Return the greatest total payoff of one strategy, or withholding, for each group of records.

    At most so many re-identifications may be expected.
    """
    best = [0.0]
    strategies = walk_order(strategy_graph(world.heights))
    for chosen in product([*strategies, None], repeat=len(groups)):
        outcomes: list[Outcome] = []
        for strategy, records in zip(chosen, groups, strict=True):
            if strategy is not None:
                outcomes += uniform_outcomes(world, game, strategy, records, risk=risk, cell=cell)
        if sum(one.success_probability for one in outcomes if one.attacked) <= most + 1e-9:
            best.append(sum(one.publisher_payoff for one in outcomes))
    return max(best)
