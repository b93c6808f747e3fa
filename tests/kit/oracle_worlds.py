"""Turns a world of the oracle into an instance of the package, or into frames."""

from collections.abc import Sequence
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
from oracles import Values, World

from gamedeid.arrays import IntArray
from gamedeid.choices import GameName, SolverName
from gamedeid.data.encode import encode
from gamedeid.data.profiles import Column, PopulationCells, Profiles
from gamedeid.game.compiled_data import CompiledData
from gamedeid.game.instance import Instance
from gamedeid.game.rules import Game
from gamedeid.game.solvers import SOLVERS, Choice
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.kernels.tables import WITHHELD
from gamedeid.population.choose import CountedPopulation, Layout
from gamedeid.scenario.payoffs import Payoffs
from gamedeid.study.solution import Solution
from gamedeid.study.study import Study

TABLES: tuple[Layout, ...] = ("dense", "sparse")
"""Layouts that store the counts of people of strategies."""

LAYOUTS: tuple[Layout, ...] = (*TABLES, "scan")


def hierarchies_of(world: World) -> dict[str, Hierarchy]:
    """Return the world's ladders as hierarchies; the order of leaves may differ from the world's rows."""
    return {attribute: _ladder(attribute, tuple(map(tuple, rows))) for attribute, rows in world.ladders.items()}


@lru_cache(maxsize=256)  # tests ask for a world's ladders many times
def _ladder(attribute: str, rows: tuple[tuple[str, ...], ...]) -> Hierarchy:
    return Hierarchy.from_rows(rows, name=attribute)


def codes_of(world: World, everybody: Sequence[Values]) -> IntArray:
    """Return the leaf codes, (people, a), of people's values."""
    columns = {}
    for attribute in world.ladders:
        found = [values[attribute] for values in everybody]
        known = sorted({value for value in found if value is not None})
        codes = np.array([-1 if value is None else known.index(value) for value in found], np.int32)
        columns[attribute] = Column(values=known, codes=codes)
    return encode(columns, hierarchies_of(world), table_name="records", allow_missing=True)


def profiles_of(world: World) -> Profiles:
    """Return the distinct records."""
    return Profiles.of(codes_of(world, world.records), list(hierarchies_of(world).values()))


def cells_of(world: World) -> PopulationCells:
    """Return the population; without one, the records."""
    if world.population is None:
        return PopulationCells.of_profiles(profiles_of(world))
    people = np.array([times for _, times in world.population])
    codes = codes_of(world, [values for values, _ in world.population])
    return PopulationCells.of(codes, people, list(hierarchies_of(world).values()))


def instance_of(world: World, layout: Layout = "dense", *, cells: PopulationCells | None = None) -> Instance:
    """Return the instance of a world; ``cells`` replace its population if given."""
    people = cells_of(world) if cells is None else cells
    data = CompiledData.compile(
        hierarchies_of(world),
        weights=world.weights,
        profiles=profiles_of(world),
        population=CountedPopulation(cells=people, unmatched=world.unmatched, layout=layout),
    )
    return Instance.of(data, Payoffs(benefit=world.benefit, loss=world.loss, cost=world.cost, gain=world.gain))


def floors_of(world: World, instance: Instance) -> IntArray:
    """Return the policy's levels, (q, a), of every profile."""
    floors = np.zeros((instance.profiles.count, len(world.ladders)), np.int8)
    for profile, floor in zip(instance.profiles.of_record, world.floors, strict=True):
        floors[profile] = [floor.get(attribute, 0) for attribute in world.ladders]
    return floors


def game_of(world: World, instance: Instance, name: GameName) -> Game:
    """Return one of the three games on the profiles of an instance of this world."""
    return Game.of(name, instance, floors_of(world, instance))


def policy_of(world: World, instance: Instance) -> Solution:
    """Return the policy's solution: each record at its floor."""
    nodes = instance.lattice.nodes(game_of(world, instance, "sh-friendly").floors)
    choice = Choice(nodes=nodes, searched=np.zeros(len(nodes), np.int64), proved=False)
    return _solution(instance, "policy", None, choice)


def played(
    world: World,
    name: GameName,
    solver: SolverName = "exact",
    layout: Layout = "dense",
    *,
    cells: PopulationCells | None = None,
) -> Solution:
    """Return the outcome of every profile of the world in one game."""
    instance = instance_of(world, layout, cells=cells)
    return _solution(instance, name, solver, SOLVERS[solver](instance, game_of(world, instance, name)))


def strategies(solution: Solution) -> list[tuple[int, ...] | None]:
    """Return the levels chosen for every *record*, None where it is withheld."""
    lattice = solution.study.instance.lattice
    by_profile = [None if node == WITHHELD else lattice.levels_of(node) for node in solution.choice.nodes]
    return [by_profile[profile] for profile in solution.study.instance.profiles.of_record]


def first_records(instance: Instance) -> list[int]:
    """Return for each profile the number of the first record that has it."""
    return [int(np.argmax(instance.profiles.of_record == profile)) for profile in range(instance.profiles.count)]


def open_nodes(instance: Instance, profile: int) -> IntArray:
    """Return the nodes of all strategies that have the profile's missing values at the top level."""
    levels = instance.lattice.levels(np.arange(instance.lattice.size))
    return np.flatnonzero((levels >= instance.base[profile]).all(axis=1))


def leaf_floors(world: World) -> dict[str, dict[str, int]]:
    """Return for each attribute the level that the policy asks for, by value."""
    floors: dict[str, dict[str, int]] = {attribute: {} for attribute in world.ladders}
    for record, floor in zip(world.records, world.floors, strict=True):
        for attribute, level in floor.items():
            floors[attribute][str(record[attribute])] = level
    return floors


def study_of(world: World, owners: Sequence[int] = (), *, shuffled: bool = False, **of_records: Any) -> Study:
    """Return the world as the package reads it from frames; ``owners`` are the persons of the records."""
    rules = [
        {"when": {attribute: [leaf]}, "levels": {attribute: level}}
        for attribute, by_leaf in leaf_floors(world).items()
        for leaf, level in by_leaf.items()
    ]
    scenario: dict[str, Any] = {
        "records": {"missing": "suppress", **of_records},
        "attributes": {
            attribute: {
                "hierarchy": Hierarchy.from_rows(rows, name=attribute),
                "weight": world.weights[attribute],
                "safe_harbor": 0,
            }
            for attribute, rows in world.ladders.items()
        },
        "game": "basic",
        "payoffs": {name: getattr(world, name) for name in ("benefit", "loss", "gain", "cost")},
        "floor": "own",
        "policy": {"own": {"rules": rules}},
    }
    records = pd.DataFrame(world.records, dtype=object)
    if owners:
        scenario["records"]["person"] = "who"
        records["who"] = [f"KEY{owner}" for owner in owners]
    population = None
    if world.population is not None:
        scenario["population"] = {"count": "count", "unmatched": world.unmatched}
        population = pd.DataFrame([values for values, _ in world.population], dtype=object)
        population = population.assign(count=[times for _, times in world.population])
    return Study.prepare(scenario, records.iloc[::-1] if shuffled else records, population)


def _solution(instance: Instance, name: str, solver: SolverName | None, choice: Choice) -> Solution:
    study: Any = SimpleNamespace(instance=instance)  # all that a solution uses, except to release rows
    return Solution(study=study, name=name, solver=solver, choice=choice)
