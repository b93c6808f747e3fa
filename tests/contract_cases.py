"""What every kind of frame and every engine has to make of the same question: one description of each case."""

from dataclasses import dataclass
from typing import Any

import pyarrow as pa
from oracles import World

from gamedeid.hierarchy import Hierarchy
from gamedeid.scenario import Scenario

NUMBER = "note"
"""A kept column that tells the records apart, whatever order they come back in."""


@dataclass(frozen=True, kw_only=True)
class Case:
    """A question and its data as Arrow tables; without a population the records are their own."""

    scenario: Scenario
    records: pa.Table
    population: pa.Table | None


def case_of(world: World) -> Case:
    """Return a world of the oracle as a question about tables, each record with a number."""
    names = list(world.ladders)
    plain: dict[str, Any] = {
        "attributes": {
            name: {"hierarchy": Hierarchy.from_rows(rows, name=name), "weight": world.weights[name]}
            for name, rows in world.ladders.items()
        },
        "records": {"keep": [NUMBER], "missing": "suppress"},
        "payoffs": {  # a scenario has no stakes of nothing
            "benefit": world.benefit,
            "loss": world.loss or 1e-9,
            "cost": world.cost,
            "gain": world.gain or 1e-9,
        },
        "floor": "limited-data-set",
    }
    records = {name: pa.array([record[name] for record in world.records], pa.string()) for name in names}
    records[NUMBER] = pa.array(range(len(world.records)), pa.int64())
    population = None
    if world.population is not None:
        plain["population"] = {"count": "people", "unmatched": world.unmatched}
        population = pa.table(
            {name: pa.array([values[name] for values, _ in world.population], pa.string()) for name in names}
            | {"people": pa.array([times for _, times in world.population], pa.int64())}
        )
    return Case(scenario=Scenario.parse(plain), records=pa.table(records), population=population)


def gaps_and_kinds() -> Case:
    """Return people with missing values, in columns of several types."""
    scenario = Scenario.parse(
        {
            "attributes": {"age": {"hierarchy": "age"}, "sex": {"hierarchy": "sex"}, "race": {"hierarchy": "race"}},
            "records": {"keep": [NUMBER, "word"], "drop": ["name"], "missing": "suppress", "missing_values": ["", "?"]},
            "population": {"count": "people", "unmatched": "unique"},
            "payoffs": {"benefit": 100, "loss": 90, "cost": 20},
        }
    )
    records = pa.table(
        {
            "name": [f"SECRET{row}" for row in range(8)],
            "age": pa.array([48, 48, None, 93, 20, 20, 48, 61], pa.int64()),
            "sex": ["Male", "Male", "Female", "Female", None, "?", "", "Male"],
            NUMBER: pa.array(range(8), pa.int64()),
            "race": pa.array(["White", "Black", "White", None, "Other", "White", "White", "White"]).dictionary_encode(),
            "word": ["a", None, 'c,"d"', "", "e", "e", "e\nf", "é"],
        }
    )
    population = pa.table(
        {
            "people": pa.array([3, 1, 2, 5, 0, 7], pa.int32()),
            "race": pa.array(["White", "Black", "White", "White", "Other", "White"]).dictionary_encode(),
            "sex": ["Male", "Male", "Female", "Male", "Male", None],
            "age": pa.array([48, 48, 93, 61, 20, 20], pa.int64()),
        }
    )
    return Case(scenario=scenario, records=records, population=population)
