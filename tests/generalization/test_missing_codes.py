"""Codes for missing values are named, and it is enough to list them, for values from any source."""

import pandas as pd
import pyarrow as pa
import pytest
from contract_cases import FRAMES
from questions import message, question
from written_tables import written

from gamedeid import GamedeidError, Hierarchy, InvalidDataError, InvalidHierarchyError, ReadOptions, Study
from gamedeid.generalization.readings import is_missing_code

KNOWN = ["NA", "n/a", "#N/A", "NaN", "null", "None", "unknown", ".", "..", "-", "?", "-99", "99999", "00000", "xxxxx"]


@pytest.mark.parametrize("value", [*KNOWN, -9, -9.0, 999])
def test_well_known_codes_are_known(value):
    assert is_missing_code(value)


@pytest.mark.parametrize("value", ["", "0", "9", "-10", "Nashville", "NAM", "37201", "90", 48, 48.5, "Other", "x" * 21])
def test_other_values_are_not(value):
    assert not is_missing_code(value)


def asked(changes=None, **attributes):
    return question({"attributes": {name: {"hierarchy": one} for name, one in attributes.items()}, **(changes or {})})


ROWS = {"age": [48, -9, 61, 48], "zip": ["37201", "NA", "37203", "37201"]}
MISSING = {"records.missing": "suppress", "records.missing_values": ["NA", "-9"]}


@pytest.mark.parametrize(
    ("column", "values", "codes"),
    [("age", [48, -9], '["-9"]'), ("age", [48.0, 999.0], '["999"]'), ("sex", ["Male", "NA"], '["NA"]')],
)
def test_an_unknown_value_that_is_a_code_for_a_missing_one_names_the_key(column, values, codes):
    said = message(InvalidDataError, Study.prepare, asked(**{column: column}), pd.DataFrame({column: values}))

    assert f" stands for a missing value, write [records] missing_values = {codes}" in said


def test_a_code_for_a_missing_value_is_not_a_zip_code():
    said = message(InvalidHierarchyError, Study.prepare, asked(zip="us_zip"), pd.DataFrame({"zip": ["37201", "99999"]}))

    assert said.startswith(
        "records: column `zip`, 1 row (first in row 2): hierarchy `us_zip`: 1 of the 2 distinct codes"
    )
    assert 'if `99999` stands for a missing value, write [records] missing_values = ["99999"]' in said


@pytest.mark.parametrize("kind", [*FRAMES, "memory csv", "memory parquet", "duckdb csv", "duckdb parquet"])
def test_listed_codes_are_missing_in_records_and_population_in_any_form(kind, tmp_path):
    table = pa.table({**ROWS, "name": ["", "a", "b", "c"]})
    changes = MISSING | {"records.drop": ["name"], "population.drop": ["name"]}
    if kind in FRAMES:
        study = Study.prepare(asked(changes, age="age", zip="us_zip"), *[FRAMES[kind](table)] * 2)
    else:
        engine, form = kind.split()
        path = str(written(table, tmp_path / "rows", form))
        changes |= {"records.path": path, "population.path": path}
        study = Study.prepare(asked(changes, age="age", zip="us_zip"), read_options=ReadOptions(engine=engine))

    assert [2, 1, 1] == sorted(study.instance.profiles.records.tolist(), reverse=True)
    assert [(False, False), (False, False), (True, True)] == sorted(
        map(tuple, study.instance.profiles.missing.tolist())
    )
    assert [True, True] == study.population.cells.missing.tolist()


def test_codes_for_missing_values_are_added_to_the_empty_text():
    assert ("", "NA") == asked({"records.missing_values": ["NA"]}, sex="sex").records.missing_values
    assert ("",) == asked({"records.missing_values": []}, sex="sex").records.missing_values
    study = Study.prepare(asked(MISSING, sex="sex"), pd.DataFrame({"sex": ["Male", "", "NA", " NA "]}))

    assert {"records": [1, 3]} == {"records": sorted(study.instance.profiles.records.tolist())}


def test_codes_in_a_table_of_ones_own_are_values():
    rows = Hierarchy.from_rows([["1", "low", "*"], ["-9", "unknown", "*"], ["NA", "unknown", "*"]], name="score")
    study = Study.prepare(asked(score=rows), pd.DataFrame({"score": ["1", "-9", "NA"]}))

    assert not study.instance.profiles.missing.any()


def test_a_listed_code_that_is_missing_is_refused_like_any_missing_value():
    said = message(
        GamedeidError, Study.prepare, asked({"records.missing_values": ["-9"]}, age="age"), pd.DataFrame(ROWS)[["age"]]
    )

    assert "has no value in 1 row" in said
