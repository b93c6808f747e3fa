"""With every reader, columns are named exactly and keep their order."""

from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from contract_cases import FRAMES, rows_of
from odd_names import SECRET, expected, population, records, scenario, scenario_of_files
from questions import message, question

from gamedeid import InvalidScenarioError, ReadOptions, solve
from gamedeid.data.engines.duckdb import group_file
from gamedeid.data.files.parquet import stored_columns
from gamedeid.data.files.tables import TableFile


def columns_of(solution: Any) -> dict[str, list[Any]]:
    """Return a release as columns, by its kept notes in order."""
    rows = sorted(rows_of(solution.release()), key=lambda row: row["note"])
    return {name: [row[name] for row in rows] for name in rows[0]}


@pytest.mark.parametrize("kind", FRAMES)
def test_columns_of_a_frame_are_named_exactly_and_keep_their_order(kind, tmp_path):
    make = FRAMES[kind]
    section = {"drop": ["People", "ZIP"], "count": "people"}
    solution = solve(scenario(tmp_path, population=section), make(records()), make(population()))

    assert list(expected(records()).items()) == list(columns_of(solution).items())
    assert 0 == solution.measures["withheld"]
    assert {100} == set(solution.people.tolist())


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
@pytest.mark.parametrize("form", ["csv", "parquet", "folder"])
def test_columns_of_a_file_are_named_exactly_and_keep_their_order(form, engine, tmp_path):
    solution = solve(scenario_of_files(tmp_path, form), read_options=ReadOptions(engine=engine))
    table = records(nested=form != "csv")

    assert list(expected(table).items()) == list(columns_of(solution).items())
    assert {100} == set(solution.people.tolist())
    assert SECRET not in str(pa.concat_tables(solution.release_blocks()).to_pydict())


def test_duckdb_counts_parquet_itself_where_names_differ_by_more_than_capital_letters(tmp_path, monkeypatch):
    monkeypatch.setattr(TableFile, "blocks", None)
    table = pa.table({"b.c": ["x", "y", "x"], "b": [{"c": "z"}] * 3, "a": ["1", "1", "1"]})
    pq.write_table(table, tmp_path / "table.parquet")
    groups = group_file(TableFile.open(tmp_path / "table.parquet"), ["a", "b.c"], ReadOptions())
    assert (["x", "y"], [2, 1]) == (groups.values.column("b.c").to_pylist(), groups.rows.tolist())


def test_a_folder_named_column_equals_value_adds_no_column(tmp_path):
    (tmp_path / "a=9").mkdir()
    pq.write_table(pa.table({"b": ["x"], "a": ["1"]}), tmp_path / "a=9" / "table.parquet")
    groups = group_file(TableFile.open(tmp_path / "a=9" / "table.parquet"), ["a"], ReadOptions())
    assert ["1"] == groups.values.column("a").to_pylist()


def test_a_nested_column_is_stored_as_several():
    inside = pa.struct([("one", pa.string()), ("two", pa.list_(pa.struct([("x", pa.int8()), ("y", pa.int8())])))])
    map_ = pa.map_(pa.string(), pa.int8())
    schema = pa.schema(
        {
            "a": pa.int8(),
            "a.b": inside,
            "b": pa.dictionary(pa.int8(), pa.string()),
            "c": map_,
            "d": pa.list_(pa.int8(), 2),
        }
    )

    assert [1, 2, 3, 5, 6] == stored_columns(schema, ["c", "a.b"])
    assert [[0], [4], [5, 6], [7]] == [stored_columns(schema, [name]) for name in ("a", "b", "c", "d")]


@pytest.mark.parametrize(
    "changes",
    [
        {"attributes.__gamedeid_rows": {"hierarchy": "age"}},
        {"records.keep": ["__gamedeid_record"]},
        {"population": {"count": "__GAMEDEID_people"}},
    ],
)
def test_reserved_column_names_are_refused(changes):
    said = message(InvalidScenarioError, question, changes)

    assert "begins with `__gamedeid_`, as columns of gamedeid's own do; rename the one in the data" in said
