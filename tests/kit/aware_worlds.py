"""Worlds for the games against an adversary who knows every strategy, and their groups, counted person by person."""

from collections import Counter

import numpy as np
from oracles import Strategy, Values, World, seen

from gamedeid.game.mechanism.plan import Plan
from gamedeid.kernels.tables import WITHHELD

Person = tuple[str | None, ...]
Own = dict[Person, Strategy | None]


def strategies_of(plan: Plan) -> Own:
    """Return each person's values -> strategy."""
    instance = plan.population.instance
    found: Own = {}
    for codes, node in zip(instance.profiles.codes, plan.nodes.tolist(), strict=True):
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


def group_sizes(world: World, own: Own) -> Counter[tuple[object, ...]]:
    """Count the people of every released group one by one."""
    sizes: Counter[tuple[object, ...]] = Counter()
    for values, times in counted(world):
        if (strategy := own[tuple(values.values())]) is not None:
            sizes[group_of(world, values, strategy)] += times
    return sizes


def complete(world: World) -> bool:
    """Return whether no value is missing and every record matches a person of the population."""
    there = {tuple(values.values()) for values, times in counted(world) if times}
    return all(None not in person for person in there) and all(
        tuple(values.values()) in there for values in world.records
    )


def random_world(seed: int) -> World:
    """Return a world of four kinds of people with two attributes of two levels, and five records."""
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
    )
