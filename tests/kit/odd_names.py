"""A question with column names that engines confuse with other names, and its expected release."""

from pathlib import Path
from typing import Any

import pyarrow as pa
from written_tables import written

from gamedeid.scenario.scenario import Scenario

SECRET = "PLANTED-in-a-dropped-column"  # noqa: S105  (a mark, no password)

KEPT = ["note", "patient.ward", "Note", '`odd` "name"', "^.*$", "*", "_metadata"]
"""Names with dots or signs, that differ in case only, or that mean something to an engine."""

DROPPED = ["ZIP", "patient", "SEX.", "patient.name"]

FORM: dict[str, Any] = {
    "attributes": {
        "zip": {"hierarchy": "zips.csv", "role": "other"},
        "sex.": {"hierarchy": "sexes.csv", "role": "other"},
    },
    "records": {"drop": DROPPED, "keep": KEPT},
    "population": {"count": "people"},
    "game": "basic",
    "payoffs": {"benefit": 100, "loss": 90, "cost": 20},
}


def records(*, nested: bool = True) -> pa.Table:
    """Return records whose columns are in another order than the attributes and the kept columns."""
    rows = 4
    patient: Any = [{"ward": SECRET, "name": SECRET}] * rows if nested else [SECRET] * rows
    return pa.table(
        {
            "ZIP": [SECRET] * rows,
            "Note": ["N1", "N2", "N3", "N4"],
            "patient": patient,
            "patient.ward": ["north", "south", "north", "south"],
            "zip": ["1", "1", "2", "2"],
            "_metadata": ["m"] * rows,
            "SEX.": [SECRET] * rows,
            '`odd` "name"': ["o"] * rows,
            "sex.": ["Male", "Male", "Female", "Female"],
            "note": ["n1", "n2", "n3", "n4"],
            "^.*$": ["r"] * rows,
            "patient.name": [SECRET] * rows,
            "*": ["s"] * rows,
        }
    )


def population() -> pa.Table:
    """Return 100 people of each kind; a column with almost the same name as the count says 1."""
    return pa.table(
        {"ZIP": ["9", "9"], "People": [1, 1], "zip": ["1", "2"], "people": [100, 100], "sex.": ["Male", "Female"]}
    )


def expected(table: pa.Table) -> dict[str, list[str]]:
    """Return the release: all records unchanged, in the columns' order."""
    return {name: table.column(name).to_pylist() for name in table.column_names if name not in DROPPED}


def scenario(folder: Path, **changed: Any) -> Scenario:
    """Write the hierarchies, and return the question."""
    (folder / "zips.csv").write_text("1;*\n2;*\n")
    (folder / "sexes.csv").write_text("Male;*\nFemale;*\n")
    return Scenario.parse({**FORM, **changed}, folder=folder)


def scenario_of_files(folder: Path, form: str) -> Scenario:
    """Write the tables too, as CSV, as Parquet or as a folder of Parquet files."""
    path = written(records(nested=form != "csv"), folder / "records", form)
    people = written(population(), folder / "people", "csv" if form == "csv" else "parquet")
    sections = {
        "records": {**FORM["records"], "path": path.name},
        "population": {**FORM["population"], "path": people.name, "drop": ["People", "ZIP"]},
    }
    return scenario(folder, **sections)
