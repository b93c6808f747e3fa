"""Rows of one person: a column that repeats like a person's key gets the warning that rows count as people."""

import json
import re

import pandas as pd
import polars as pl
import pytest
from questions import question, written_question
from small_world import gamedeid_says

from gamedeid.data.persons import RepeatedKey
from gamedeid.study.facts import read_facts
from gamedeid.study.study import Study
from gamedeid.study.warnings import data_warnings

ROWS = 60
DROPPED = "Warning: A dropped column repeats like a person's key (60 rows, 20 values): rows are counted as people."


def visits(name="patient_id", each=3):
    """Visits of patients, ``each`` of every one."""
    keys = [f"SECRET{row // each}" for row in range(ROWS)]
    return pd.DataFrame(
        {"age": [40] * ROWS, "sex": ["Male"] * ROWS, name: keys, "income": [row % 9 for row in range(ROWS)]}
    )


def found_in(frame, drop=("patient_id",), keep=("income",)):
    return Study.prepare(question({"records.drop": list(drop), "records.keep": list(keep)}), frame).repeated_keys


def test_a_dropped_key_is_reported_without_its_name_and_values(tmp_path):
    visits().to_csv(tmp_path / "records.csv", index=False)
    asked = {"path": "records.csv", "drop": ["patient_id"], "keep": ["income"]}
    ran = gamedeid_says("run", written_question(tmp_path, {"records": asked}), "-o", tmp_path / "out")
    texts = {path.name: path.read_text() for path in (tmp_path / "out").iterdir()}

    assert (0, "") == (ran.code, ran.err)
    assert DROPPED in ran.out
    assert DROPPED in gamedeid_says("risk", "release", tmp_path / "out").out
    # the report counts records where it means those of the data
    assert re.search(r"pays, expect [^.;]* among 60 records", texts["report.html"])
    assert "among the 60 records of the data" in texts["report.html"]
    assert "60 people" not in texts["report.html"]
    assert [{"column": None, "rows": 60, "values": 20}] == json.loads(texts["summary.json"])["data"]["repeated_keys"]
    del texts["manifest.json"]  # which has the scenario as it is
    assert not any("SECRET" in text or "patient_id" in text for text in [ran.out, *texts.values()])


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame])
def test_a_kept_key_is_reported_by_its_name(make):
    frame = make(visits("SubjectNo").to_dict("list"))
    keys = found_in(frame, drop=(), keep=("SubjectNo", "income"))

    assert (RepeatedKey(column="SubjectNo", rows=ROWS, values=20),) == keys
    study = Study.prepare(question({"records.keep": ["SubjectNo", "income"]}), frame)
    assert ["Column SubjectNo repeats like a person's key (60 rows, 20 values)"] == [
        one.says.split(":")[0] for one in data_warnings(read_facts(study)) if one.kind == "rows-as-people"
    ]


@pytest.mark.parametrize("section", ["drop", "keep"])
def test_a_lazy_frames_unread_column_named_like_a_key_is_reported(section):
    frame = pl.DataFrame(visits().to_dict("list")).lazy()
    columns = {"drop": [], "keep": ["income"]}
    columns[section] += ["patient_id"]
    study = Study.prepare(question({f"records.{key}": names for key, names in columns.items()}), frame)
    column = "patient_id" if section == "keep" else None
    assert (RepeatedKey(column=column, rows=0, values=0),) == study.repeated_keys
    said = [one.says for one in data_warnings(read_facts(study)) if one.kind == "rows-as-people"]
    begins = "Column patient_id" if section == "keep" else "A dropped column"
    assert [f"{begins} is named like a person's key, and a lazy frame is not read to find out whether it repeats"] == [
        words.split(":")[0] for words in said
    ]


@pytest.mark.parametrize("written", [False, True])
def test_a_key_is_reported_where_ages_are_computed(written, tmp_path):
    frame = visits().drop(columns="age").assign(birth="1980-05-01", visit="2020-06-01")
    changes = {
        "attributes.age": {"hierarchy": "age", "born": "birth", "at": "visit"},
        "records.drop": ["patient_id", "birth", "visit"],
    }
    if written:
        frame.to_csv(tmp_path / "records.csv", index=False)
        changes["records.path"], frame = str(tmp_path / "records.csv"), None
    study = Study.prepare(question({**changes, "records.keep": ["income"]}), frame)

    assert (RepeatedKey(column=None, rows=ROWS, values=20),) == study.repeated_keys


@pytest.mark.parametrize(
    ("name", "each"), [("patient_id", 1), ("patient_id", 30), ("id", 1), ("visit", 3), ("name", 3), ("zip_code", 3)]
)
def test_a_column_that_is_not_a_repeated_key_is_not_reported(name, each):
    assert () == found_in(visits(name, each), drop=(name,))


def test_few_rows_missing_keys_and_unreadable_keys_are_not_reported():
    assert () == found_in(visits().head(19))
    assert () == found_in(visits().assign(patient_id=None))
    assert () == found_in(visits().assign(patient_id=[[row] for row in range(ROWS)]))
    assert () == found_in(visits().assign(patient_id=[row if row % 2 else "x" for row in range(ROWS)]))


def test_lazy_rows_are_not_searched():
    assert (RepeatedKey(column=None, rows=0, values=0),) == found_in(pl.LazyFrame(visits().to_dict("list")))
