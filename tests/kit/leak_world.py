"""One question with a mark in everything that must not be shown, and the same question with faults in its files."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet as pq
from leak_marks import CROWD, DROPPED, DROPPED_NAME, FAULTY, KEPT, KEY, KEY_NAME, NOTE, NUMBER, RAW, WITHHELD

ROWS = 24
_WITHHELD_EVERY = 4  # rows

SCENARIO = f"""
game = "basic"
title = "Marked people"
[records]
path = "records.parquet"
person = "{KEY_NAME}"
drop = ["{DROPPED_NAME}", "{DROPPED_NAME}-2"]
keep = ["ward", "dose"]
[population]
path = "people.parquet"
count = "count"
drop = ["{DROPPED_NAME}-3"]
[attributes.place]
hierarchy = "places.toml"
role = "other"
[attributes.sex]
hierarchy = "sexes.csv"
weight = 0.0
[payoffs]
benefit = 100
loss = 5000
cost = 2
[policy.areas]
levels = {{ place = 1 }}
[sources]
benefit = "invented"
"""

PLACES = 'kind = "prefix"\nlength = 16\nkeep = [4]\nalphabet = "alphanumeric"\n'
"""A hierarchy that takes its raw values from the data; the release shows their first four letters."""


def place_of(row: int) -> str:
    """Return the place of a record; withheld records are in groups of few people."""
    return f"{'B' if is_withheld(row) else 'A'}7K{row % 2}{RAW}"


def is_withheld(row: int) -> bool:
    """Return whether the record is one that is not worth its release at any level."""
    return row % _WITHHELD_EVERY == 1


def columns_of_records() -> dict[str, list[Any]]:
    """Return the records, column by column: two rows each for some people."""
    rows = range(ROWS)
    return {
        f"{DROPPED_NAME}": [f"{DROPPED}-{row}-é<&\"'%" for row in rows],
        f"{DROPPED_NAME}-2": [f"{row:03d}-{DROPPED}" for row in rows],
        KEY_NAME: [f"{KEY}-{row % 16}" for row in rows],
        "place": [place_of(row) for row in rows],
        "sex": ["Male"] * ROWS,
        "ward": [f"{WITHHELD if is_withheld(row) else KEPT}-{row % 3}-é<&" for row in rows],
        "dose": [NUMBER if is_withheld(row) else row % 5 for row in rows],
    }


def columns_of_people() -> dict[str, list[Any]]:
    """Return the population: the people of the records, and many others, all like the released records."""
    places = sorted({place_of(row) for row in range(ROWS)})
    crowd = [f"A7K{place}{CROWD}" for place in range(2)]
    return {
        f"{DROPPED_NAME}-3": [f"{DROPPED}-of-people-{row}" for row in range(len(places) + len(crowd))],
        "place": [*places, *crowd],
        "sex": ["Male"] * (len(places) + len(crowd)),
        "count": [*(8 for _ in places), *(1000 for _ in crowd)],
    }


def arrow_of(columns: Mapping[str, list[Any]]) -> pa.Table:
    """Return a table with notes in its metadata and in that of each column."""
    noted = {"note": f"{NOTE}-of-a-column"}
    table = pa.table(dict(columns))
    fields = [one.with_metadata(noted) for one in table.schema]
    return table.cast(pa.schema(fields, metadata={"owner": f"{NOTE}-of-the-table"}))


def pandas_of(columns: Mapping[str, list[Any]]) -> pd.DataFrame:
    """Return a data frame with notes in its attributes, index and name of columns."""
    frame = pd.DataFrame(dict(columns))
    frame.attrs["owner"] = f"{NOTE}-attribute"
    frame.columns.name = f"{NOTE}-columns"
    return frame.set_index(pd.Index(range(100, 100 + len(frame)), name=f"{NOTE}-index"))


def write_world(folder: Path) -> Path:
    """Write the question into a folder, and return its scenario."""
    folder.mkdir(parents=True, exist_ok=True)
    pq.write_table(arrow_of(columns_of_records()), folder / "records.parquet")
    pq.write_table(arrow_of(columns_of_people()), folder / "people.parquet")
    (folder / "places.toml").write_text(PLACES)
    (folder / "sexes.csv").write_text("Male;*\nFemale;*\n")
    (folder / "scenario.toml").write_text(SCENARIO)
    return folder / "scenario.toml"


def _csv(name: str, change: Callable[[str], str]) -> Callable[[Path], None]:
    """Return a function that turns a table into a CSV file with a changed text."""

    def faulty(folder: Path) -> None:
        columns = columns_of_records() if name == "records" else columns_of_people()
        sink = pa.BufferOutputStream()
        pa.csv.write_csv(pa.table(columns), sink)
        text = sink.getvalue().to_pybytes().decode()
        (folder / f"{name}.csv").write_text(change(text))
        scenario = folder / "scenario.toml"
        scenario.write_text(scenario.read_text().replace(f"{name}.parquet", f"{name}.csv"))

    return faulty


def _cut_off(folder: Path) -> None:
    content = (folder / "records.parquet").read_bytes()
    (folder / "records.parquet").write_bytes(content[:-9] + content[-8:])


FAULTS: Mapping[str, Callable[[Path], None]] = {
    "a value that its hierarchy lacks": _csv("records", lambda text: text.replace('"Male"', f'"{FAULTY}"', 1)),
    "a value that its kind of hierarchy cannot have": _csv(
        "records", lambda text: text.replace(RAW, f"{RAW}{FAULTY}", 1)
    ),
    "a person whom nobody matches": _csv("people", lambda text: text.replace(f"A7K0{RAW}", f"A7K1{FAULTY}", 1)),
    "a count that is no number": _csv("people", lambda text: text.replace("1000", FAULTY, 1)),
    "a row that is too long": _csv("records", lambda text: text.replace('"Male"', f'"Male","{FAULTY}"', 1)),
    "a quote that does not end": _csv("records", lambda text: text.replace('"Male"', f'"{FAULTY}', 1)),
    "a file cut off": _cut_off,
}
"""Name -> fault of the question's files."""


def write_faulty_world(folder: Path, fault: str) -> Path:
    """Write the question with a fault, and return its scenario."""
    scenario = write_world(folder)
    FAULTS[fault](folder)
    return scenario


def write_divided(folder: Path, scenario: Path, records: Path, people: Path) -> Path:
    """Write a question with records and people in a file for each group of places, and return its scenario.

    Each row is then a person; rows that no CSV reader can read are left out.
    """
    folder.mkdir()
    parse = pa.csv.ParseOptions(invalid_row_handler=lambda _: "skip")
    for path in (records, people):
        whole = pq.read_table(path) if path.suffix == ".parquet" else pa.csv.read_csv(path, parse_options=parse)
        groups = pc.utf8_slice_codeunits(whole.column("place").cast(pa.string()), 0, 4)
        (folder / path.stem).mkdir()
        for number, group in enumerate(sorted(groups.unique().to_pylist())):
            pq.write_table(whole.filter(pc.equal(groups, group)), folder / path.stem / f"{number}.parquet")
    for hierarchy in ("places.toml", "sexes.csv"):
        (folder / hierarchy).write_bytes(scenario.with_name(hierarchy).read_bytes())
    text = scenario.read_text()
    for path in (records, people):
        text = text.replace(f'path = "{path.name}"', f'path = "{path.stem}"')
    text = text.replace(f'person = "{KEY_NAME}"\n', "").replace("drop = [", f'drop = ["{KEY_NAME}", ', 1)
    divided = folder / "divided.toml"
    divided.write_text(f'{text}[regions]\nattribute = "place"\nlevel = 1\n')
    return divided
