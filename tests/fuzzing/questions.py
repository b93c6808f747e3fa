"""Small valid questions from which inputs are drawn; all of them give exit code 0."""

import copy
import csv
import io
from dataclasses import dataclass
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet

from fuzzing.mutation import to_toml

Table = list[list[str]]

AGES = "40;[40-41];*\n41;[40-41];*\n50;[50-51];*\n51;[50-51];*\n"
ZIPS = """title = "Places"
kind = "prefix"
role = "zip"
length = 5
keep = [4, 3]
[[merge]]
from_level = 2
values = ["37201"]
prefixes = ["380"]
"""
YEARS = 'kind = "interval"\nrole = "age"\nlow = 40\nhigh = 51\nwidths = [2, 4]\n'
STATES = """kind = "table"
integer = false
rows = [["TN", "South", "*"], ["KY", "South", "*"], ["NY", "North", "*"]]
"""
RECORDS: Table = [
    ["name", "age", "sex", "zip", "income"],
    *([f"TOKEN-{row}-NAME", age, sex, code, f"KEPT-{row}-ROW"] for row, (age, sex, code) in enumerate(
        [("40", "Male", "37010"), ("41", "Male", "37012"), ("50", "Female", "37201"), ("51", "Female", "38001"),
         ("51", "Male", "38001"), ("40", "Male", "37010"), ("41", "Female", "37012")]
    )),
]  # fmt: skip
PEOPLE: Table = [
    ["age", "sex", "zip", "street", "count"],
    *([age, sex, code, f"TOKEN-{row}-STREET", count] for row, (age, sex, code, count) in enumerate(
        [("40", "Male", "37010", "1"), ("41", "Male", "37012", "5"), ("50", "Female", "37201", "2"),
         ("51", "Female", "38001", "2"), ("50", "Male", "38001", "10"), ("51", "Male", "38001", "1"),
         ("41", "Female", "37012", "30"), ("40", "Female", "37201", "3")]
    )),
]  # fmt: skip
TOKENS = tuple(row[0] for row in RECORDS[1:]) + tuple(row[3] for row in PEOPLE[1:])
KEPT = tuple(row[-1] for row in RECORDS[1:])


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A scenario as nested values, and its tables and hierarchies.

    Parameters
    ----------
    scenario : content of ``scenario.toml``.
    records, people : the tables as text, header first; ``people`` is empty where there is no population.
    hierarchies : file name -> content.
    """

    scenario: dict[str, Any]
    records: Table
    people: Table
    hierarchies: dict[str, str]

    def files(self) -> dict[str, bytes]:
        """Return all files: the tables as CSV, or as Parquet where the scenario calls them so."""
        files = {"scenario.toml": to_toml(self.scenario)}
        files |= {name: content.encode() for name, content in self.hierarchies.items()}
        for section, table in (("records", self.records), ("population", self.people)):
            path = self.scenario.get(section, {}).get("path")
            if path:
                files[path] = as_parquet(table) if path.endswith(".parquet") else as_csv(table)
        return files


def as_csv(table: Table, delimiter: str = ",") -> bytes:
    """Return a table as CSV."""
    stream = io.StringIO()
    csv.writer(stream, delimiter=delimiter, lineterminator="\n").writerows(table)
    return stream.getvalue().encode()


def as_parquet(table: Table) -> bytes:
    """Return a table as Parquet, all of it text but the count."""
    columns = {
        name: pa.array([int(one) for one in column] if name == "count" else list(column))
        for name, *column in zip(*table, strict=True)
    }
    return parquet_bytes(pa.table(columns))


def parquet_bytes(table: pa.Table, **how: Any) -> bytes:
    """Return an Arrow table as a Parquet file."""
    stream = pa.BufferOutputStream()
    pa.parquet.write_table(table, stream, **how)
    return bytes(stream.getvalue().to_pybytes())


def drawn(rng: Random) -> Question:
    """Return one of the questions."""
    return copy.deepcopy(rng.choice(QUESTIONS))


def _scenario(**sections: Any) -> dict[str, Any]:
    scenario = {
        "title": "A few people",
        "records": {"path": "records.csv", "drop": ["name"], "keep": ["income"]},
        "population": {"path": "people.csv", "count": "count", "drop": ["street"]},
        "attributes": {
            "age": {"hierarchy": "ages.csv", "role": "age"},
            "sex": {"hierarchy": "sex", "role": "other"},
            "zip": {"hierarchy": "zips.toml", "role": "zip"},
        },
        "game": "basic",
        "payoffs": {"benefit": 100, "loss": 90, "cost": 20},
    }
    changed = {**scenario, **sections}
    return {key: value for key, value in changed.items() if value is not None}


_FILES = {"ages.csv": AGES, "zips.toml": ZIPS}
_RECORDS = {"path": "records.csv", "drop": ["name"], "keep": ["income"]}

PLAIN = Question(scenario=_scenario(), records=RECORDS, people=PEOPLE, hierarchies=_FILES)
"""A population that is counted."""

POLICIES = Question(
    scenario=_scenario(
        floor="pairs",
        policy={
            "pairs": {"levels": {"age": 1}, "rules": [{"when": {"sex": ["Male"]}, "levels": {"zip": 2}}]},
            "safe-harbor": {"census": "2010"},
        },
        attacker={"voters": {"knows": ["sex"], "levels": {"zip": 1}, "price": 17.5, "covers": 0.5}},
        sources={"benefit": "a survey", "loss": "a fine"},
    ),
    records=RECORDS,
    people=PEOPLE,
    hierarchies=_FILES,
)
"""Custom policies and attackers."""

GAPS = Question(
    scenario=_scenario(
        records={**_RECORDS, "missing": "suppress", "missing_values": ["", "NA"]},
        population=None,
        attributes={
            "age": {"hierarchy": "years.toml", "weight": 2.0},
            "sex": {"hierarchy": "sex", "weight": 0.0, "role": "other"},
            "zip": {"hierarchy": "us_zip"},
        },
    ),
    records=[*RECORDS[:-1], [*RECORDS[-1][:1], "NA", "", *RECORDS[-1][3:]]],
    people=[],
    hierarchies={"years.toml": YEARS},
)
"""Records that are their own population, with missing values."""

SAMPLE = Question(
    scenario=_scenario(population={"sampling_fraction": 0.1}), records=RECORDS, people=[], hierarchies=_FILES
)
"""A sample of an unknown population."""

STRANGERS = Question(
    scenario=_scenario(
        population={"path": "people.csv", "count": "count", "drop": ["street"], "unmatched": "safe"},
        payoffs={"benefit": 10.5, "loss": 90, "cost": 1, "gain": 40},
    ),
    records=[*RECORDS, ["TOKEN-0-NAME", "50", "Male", "99501", "KEPT-9-ROW"]],
    people=PEOPLE,
    hierarchies=_FILES,
)
"""A record that matches no person."""

STORED = Question(
    scenario=_scenario(
        records={**_RECORDS, "path": "records.parquet"},
        population={"path": "people.parquet", "count": "count", "drop": ["street"]},
    ),
    records=RECORDS,
    people=PEOPLE,
    hierarchies=_FILES,
)
"""Tables in Parquet."""

STATED = Question(
    scenario=_scenario(
        records={"path": "records.csv", "drop": ["name"], "keep": ["income"], "columns": ["name", "home", "income"]},
        population=None,
        attributes={"home": {"hierarchy": "states.toml", "role": "other", "safe_harbor": 1}},
    ),
    records=[[f"TOKEN-{row}-NAME", home, f"KEPT-{row}-ROW"] for row, home in enumerate(["TN", "TN", "KY", "NY"])],
    people=[],
    hierarchies={"states.toml": STATES},
)
"""A table without a header."""

PANEL = Question(
    scenario=_scenario(
        records={"path": "records.csv", "person": "name", "keep": ["income"], "missing": "suppress"}, population=None
    ),
    records=[*RECORDS, ["TOKEN-0-NAME", "41", "Male", "37010", "KEPT-7-ROW"], ["TOKEN-2-NAME", "50", "", "37201", "8"]],
    people=[],
    hierarchies=_FILES,
)
"""Several records of one person, some of which differ."""

QUESTIONS = (PLAIN, POLICIES, GAPS, SAMPLE, STRANGERS, STORED, STATED, PANEL)
