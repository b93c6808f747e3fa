"""A data frame gets the draft of the same table on disk; without a file, it is passed again to be solved."""

import tomllib
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from contract_cases import FRAMES
from questions import message

import gamedeid
from gamedeid.errors import InvalidDataError, InvalidScenarioError

SHIPPED = Path(__file__).parents[2] / "scenarios" / "quickstart"


def table(name: str) -> pa.Table:
    return pa.Table.from_pandas(pd.read_csv(SHIPPED / f"{name}.csv", dtype={"zip": str}))


KINDS = {**FRAMES, "categories": lambda arrow: arrow.to_pandas().astype({"sex": "category"})}


@pytest.mark.parametrize("kind", KINDS)
def test_a_frame_is_drafted_as_the_same_table_on_disk(kind, tmp_path):
    pq.write_table(table("records"), tmp_path / "records.parquet")
    expected = gamedeid.draft_scenario(tmp_path / "records.parquet", year=2026)
    draft = gamedeid.draft_scenario(KINDS[kind](table("records")), year=2026)
    assert expected.columns == draft.columns
    assert expected.table.rows == draft.table.rows


@pytest.mark.parametrize("kind", ["pandas", "polars", "arrow"])
def test_the_draft_of_a_frame_is_solved_with_the_frame(kind, tmp_path):
    pq.write_table(table("records"), tmp_path / "records.parquet")
    parts = {"name": "drop"}
    file = gamedeid.draft_scenario(tmp_path / "records.parquet", year=2026, parts=parts).write(tmp_path / "file")
    frame = KINDS[kind](table("records"))
    path = gamedeid.draft_scenario(frame, year=2026, parts=parts).write(tmp_path / "frame")
    assert "path" not in tomllib.loads(path.read_text("utf-8"))["records"]
    solution = gamedeid.solve(path, frame, game="no-attack")
    assert gamedeid.solve(file, game="no-attack").strategies.equals(pd.DataFrame(solution.strategies))
    assert type(frame) is type(solution.release())


def test_records_and_population_are_frames(tmp_path):
    records, people = table("records").to_pandas(), table("population").to_pandas()
    path = gamedeid.draft_scenario(records, people, year=2026, parts={"name": "drop"}).write(tmp_path / "draft")
    content = tomllib.loads(path.read_text("utf-8"))
    assert "people" == content["population"]["count"]
    assert "path" not in content["population"]
    assert len(records) == len(gamedeid.solve(path, records, people).strategies)


def test_without_the_frame_a_drafted_question_is_refused(tmp_path):
    path = gamedeid.draft_scenario(table("records"), year=2026, parts={"name": "drop"}).write(tmp_path / "draft")
    assert message(InvalidDataError, gamedeid.solve, path).startswith("[records] names no file")


def test_a_draft_holds_no_value_of_a_few_rows(tmp_path):
    frame = table("records").to_pandas()
    folder = gamedeid.draft_scenario(frame, year=2026, parts={"name": "drop"}).write(tmp_path / "draft").parent
    text = "".join(file.read_text("utf-8") for file in folder.iterdir())
    assert [] == [name for name in frame["name"] if name in text]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (7, "data: expected a pandas, Polars or Arrow table, not int"),
        (pd.DataFrame({"a": []}), "data: has no rows"),
        (pd.DataFrame({1: [1]}), "data: columns are named by texts"),
        (pd.DataFrame({"a": [1, "x"]}), "data: column `a` mixes kinds of values"),
        (pd.DataFrame({"19": ["f"], "37129": ["m"]}), "data: its first row seems to hold values"),
    ],
)
def test_an_invalid_table_is_refused(data, said):
    assert message(InvalidDataError, gamedeid.draft_scenario, data, year=2026).startswith(said)


def test_a_column_without_a_hierarchy_is_not_an_attribute_of_a_frame():
    frame = pd.DataFrame({"when": [pd.Timedelta(days=1)] * 3, "sex": ["f", "m", "f"]})
    draft = gamedeid.draft_scenario(frame, year=2026)
    assert draft.no_attribute("when")
    with pytest.raises(InvalidScenarioError, match="cannot be an attribute"):
        draft.with_parts({"when": "attribute"})
