"""Questions that every kind of frame and every engine must answer alike: one description of each case."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv
from oracles import World

from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.scenario.scenario import Scenario
from gamedeid.study.solution import Solution

ADULT = Path(__file__).parents[2] / "scenarios" / "adult_tn.toml"

NUMBER = "note"
"""A kept column that identifies the records, in whatever order they are returned."""


@dataclass(frozen=True, kw_only=True)
class Case:
    """A question and its data as Arrow tables; without a population, the records are the population."""

    scenario: Scenario
    records: pa.Table
    population: pa.Table | None


def case_of(world: World) -> Case:
    """Return a world of the oracle as tables, each record with a number."""
    names = list(world.ladders)
    plain: dict[str, Any] = {
        "attributes": {
            name: {"hierarchy": Hierarchy.from_rows(rows, name=name), "weight": world.weights[name]}
            for name, rows in world.ladders.items()
        },
        "records": {"keep": [NUMBER], "missing": "suppress"},
        "game": "basic",
        "payoffs": {  # stakes of a scenario are above 0
            "benefit": world.benefit,
            "loss": world.loss or 1e-6,
            "cost": world.cost,
            "gain": world.gain or 1e-6,
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
            "game": "basic",
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


def case_study() -> Case:
    """Return the case study with 8,000 of its records, each with a number."""
    scenario = Scenario.read(ADULT)
    text = pa.csv.ConvertOptions(column_types={"zip": pa.string()}, strings_can_be_null=False)
    records, population = (
        pa.csv.read_csv(scenario.folder / path, convert_options=text)
        for path in (scenario.records.path, scenario.population.path)
    )
    records = records.slice(0, 8000)
    records = records.append_column(NUMBER, pa.array(range(records.num_rows)))
    kept = scenario.records.model_copy(update={"keep": (*scenario.records.keep, NUMBER)})
    return Case(scenario=scenario.model_copy(update={"records": kept}), records=records, population=population)


def in_duckdb(table: pa.Table) -> Any:
    """Return a relation of DuckDB with the table's column names, upper and lower case kept."""
    places = [f"c{place}" for place in range(table.num_columns)]
    quoted = [name.replace('"', '""') for name in table.column_names]
    named = ", ".join(f'{place} AS "{name}"' for place, name in zip(places, quoted, strict=True))
    return duckdb.connect().from_arrow(table.rename_columns(places)).project(named)


FRAMES: Mapping[str, Callable[[pa.Table], Any]] = {
    "pandas": lambda table: table.to_pandas(),
    "polars": pl.from_arrow,
    "polars lazy": lambda table: pl.from_arrow(table).lazy(),
    "arrow": lambda table: table,
    "duckdb": in_duckdb,
}
"""Kind of frame -> the function that makes one from a table."""


def rows_of(frame: Any) -> list[dict[str, Any]]:
    """Return a frame of any kind as plain rows."""
    for collect in ("toArrow", "compute", "to_arrow_table", "collect"):  # of Spark, Dask, DuckDB, Polars
        if not isinstance(frame, pa.Table | pd.DataFrame | pl.DataFrame) and hasattr(frame, collect):
            frame = getattr(frame, collect)()
    if isinstance(frame, pl.DataFrame):
        return frame.to_dicts()
    if isinstance(frame, pd.DataFrame):
        frame = pa.Table.from_pandas(frame, preserve_index=False)
    rows: list[dict[str, Any]] = frame.to_pylist()
    return rows


def by_value(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return rows without their number, sorted by value."""
    bare = [{name: value for name, value in row.items() if name != "record"} for row in rows]
    return sorted(bare, key=str)


def texts(rows: list[dict[str, Any]]) -> list[dict[str, str]]:
    """Return rows as a CSV file holds them: numbers are text, and a missing value is empty."""
    return [{name: "" if value is None else str(value) for name, value in row.items()} for row in rows]


def assert_same_solution(expected: Solution, found: Solution, *, ordered: bool, as_text: bool = False) -> None:
    """Check that two solutions of a question are the same, in the same order if the rows have one."""
    assert expected.measures == found.measures
    assert expected.search == found.search
    strategies, theirs = rows_of(expected.strategies), rows_of(found.strategies)
    release, released = (rows_of(one.release(keep_order=True)) for one in (expected, found))
    if as_text:
        release, released = texts(release), texts(released)
    if ordered:
        assert (strategies, release) == (theirs, released)
    else:
        assert by_value(strategies) == by_value(theirs)
        assert sorted(release, key=lambda row: int(row[NUMBER])) == sorted(released, key=lambda row: int(row[NUMBER]))
        assert [list(row) for row in release[:1]] == [list(row) for row in released[:1]]
