"""A small registry of people with all that complicates a release: gaps, rare people, kept and dropped columns."""

from pathlib import Path
from typing import Any

import numpy as np

AGES = "".join(
    f"{age};[{age // 10 * 10}-{age // 10 * 10 + 9}];{'old' if age >= 50 else 'young'};*\n" for age in range(30, 70)
)
ZIPS = 'kind = "prefix"\nlength = 3\nrole = "other"\n'

SCENARIO = """
game = "basic"
title = "A registry"
floor = "decades"
[records]
path = "records.csv"
drop = ["name"]
keep = ["note", "stay"]
missing = "suppress"
missing_values = ["NA"]
[population]
path = "people.csv"
count = "count"
unmatched = "{unmatched}"
[attributes.age]
hierarchy = "ages.csv"
role = "age"
[attributes.sex]
hierarchy = "sex"
[attributes.area]
hierarchy = "areas.toml"
weight = 0.5
[payoffs]
benefit = 100
loss = {loss}
cost = 20
[policy.decades]
levels = {{ age = 1 }}
rules = [{{ when = {{ sex = ["Female"] }}, levels = {{ area = 1 }} }}]
"""


def registry(folder: Path, *, unmatched: str = "unique", loss: float = 400, records: int = 40) -> Path:
    """Write the registry into a folder, and return its scenario.

    Some ages and areas are missing, some records match no person, and some are so rare that they are withheld.
    """
    folder.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(7)

    def people(count: int) -> list[list[Any]]:
        ages = random.integers(30, 70, count)
        sexes = random.choice(["Male", "Female"], count)
        areas = random.choice(["371", "372", "381", "901"], count, p=[0.4, 0.3, 0.25, 0.05])
        return [list(row) for row in zip(ages.tolist(), sexes.tolist(), areas.tolist(), strict=True)]

    rows = people(records)
    for place, row in enumerate(rows):
        if place % 9 == 4:
            row[place % 3 if place % 3 != 1 else 0] = "NA"
    lines = [
        f"SECRET{place},{age},{sex},{area},{note},{place % 5}"
        for place, ((age, sex, area), note) in enumerate(
            zip(rows, random.choice(["a", "b", "=c", '"d,e"'], records), strict=True)
        )
    ]
    crowd = people(300) + [[age, "Male", "371"] for age in range(30, 50)]
    if unmatched == "error":
        crowd += [row for row in rows if "NA" not in row]
        crowd += [
            [30 if one == "NA" and place == 0 else "371" if one == "NA" else one for place, one in enumerate(row)]
            for row in rows
            if "NA" in row
        ]
    texts = {
        "scenario.toml": SCENARIO.format(unmatched=unmatched, loss=loss),
        "ages.csv": AGES,
        "areas.toml": ZIPS,
        "records.csv": "\n".join(["name,age,sex,area,note,stay", *lines]) + "\n",
        "people.csv": "\n".join(
            ["age,sex,area,count", *(f"{a},{s},{z},{1 + number % 3}" for number, (a, s, z) in enumerate(crowd))]
        )
        + "\n",
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
    return folder / "scenario.toml"


def several_stays(scenario: Path) -> Path:
    """Give the first 24 records to eight persons, three records each, under a key that the scenario names."""
    records = scenario.with_name("records.csv")
    header, *lines = records.read_text().splitlines()
    stays = [
        f"SECRET{place // 3 if place < 24 else place}," + line.partition(",")[2] for place, line in enumerate(lines)
    ]
    records.write_text("\n".join([header, *stays]) + "\n")
    scenario.write_text(scenario.read_text().replace('drop = ["name"]', 'person = "name"'))
    return scenario
