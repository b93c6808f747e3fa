"""Paths of the data of wan2015's case study, and UCI's Adult, the source of its records."""

import csv
import gzip
from pathlib import Path

import pandas as pd

from gamedeid.scenario.scenario import Scenario
from gamedeid.study.study import Study

TESTS = Path(__file__).parents[1]
SCENARIO = TESTS.parent / "scenarios" / "adult_tn.toml"
DATA = TESTS.parent / "scenarios" / "adult_tn"
RECORDS = DATA / "adult_tn.csv.gz"
POPULATION = DATA / "tn_population_2010.csv.gz"
ARX_HIERARCHIES = TESTS / "gold" / "arx_adult_hierarchies"
CENSUS_2010 = TESTS / "gold" / "zcta3_population_2010.csv"
TOP_CODE = 90
"""Adult gives this age to everybody of this age or older."""


def some_of_the_case_study(count: int) -> Study:
    """Return the study of ``count`` records of the case study, the same ones each time."""
    return Study.prepare(Scenario.read(SCENARIO), pd.read_csv(RECORDS, dtype=str).sample(count, random_state=2015))


def adult_rows() -> list[dict[str, str]]:
    """Return the rows of UCI's Adult: the records without ZIP codes, and the ages from before they were spread."""
    with gzip.open(RECORDS, "rt", encoding="ascii", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        del row["zip"]
        row["age"] = str(min(int(row["age"]), TOP_CODE))
    return rows


def write_adult(folder: Path) -> Path:
    """Write UCI's file ``adult.data`` into a folder, byte for byte, and return its path."""
    lines = [", ".join(row.values()) for row in adult_rows()]
    path = folder / "adult.data"
    path.write_text("\n".join([*lines, "", ""]), encoding="ascii", newline="")
    return path
