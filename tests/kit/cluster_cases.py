"""Questions whose records are a folder of Parquet files, and comparisons of the engines' answers."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from small_world import SCENARIO, gamedeid_says, small_world

FILES = 12
SHARED = ("summary.json", "report.json")
"""Files that are the same to the byte with every engine."""


def clustered_world(folder: Path, **changed: str) -> Path:
    """Write a question with some odd rows, and return its scenario: missing values, and columns of many types."""
    folder.mkdir(parents=True, exist_ok=True)
    scenario = (
        SCENARIO.replace('"records.csv"', '"records"\nmissing = "suppress"')
        .replace('"people.csv"', '"people.parquet"')
        .replace('["income"]', '["income", "year", "ward"]')
    )
    for old, new in changed.items():
        scenario = scenario.replace(old, new)
    (folder / "records").mkdir()
    for number in range(FILES):
        pq.write_table(some_records(number), folder / "records" / f"part {number}.parquet", compression="none")
        damage_column(folder / "records" / f"part {number}.parquet", "name")
    pq.write_table(some_records(0, 0), folder / "records" / "part none.parquet")
    pq.write_table(people(), folder / "people.parquet")
    return small_world(folder, scenario=scenario, records=None, people=None)


def some_records(seed: int, rows: int = 500) -> pa.Table:
    """Return random rows; some ages are more frequent than others."""
    draw = np.random.default_rng(seed)
    ages = draw.choice(["40", "41", "50", "51"], rows, p=[0.5, 0.3, 0.15, 0.05])
    return pa.table(
        {
            "name": [f"SECRET{seed}-{row}" for row in range(rows)],
            "age": pa.array(ages),
            "sex": pa.array(draw.choice(["Male", "Female", None], rows, p=[0.85, 0.1, 0.05]).tolist(), pa.string()),
            "income": draw.choice(["<=50K", ">50K"], rows),
            "year": pa.array([None if row % 7 == 0 else 2000 + row % 20 for row in range(rows)], pa.int16()),
            "ward": pa.array(draw.choice(["north", "south"], rows)).dictionary_encode(),
        }
    )


def people() -> pa.Table:
    """Return the number of people of each age and sex."""
    kinds = [(age, sex) for age in ("40", "41", "50", "51") for sex in ("Male", "Female")]
    ages, sexes = zip(*kinds, strict=True)
    return pa.table({"age": ages, "sex": sexes, "count": [90_000, 1, 5_000, 3, 20_000, 2, 15_000, 4]})


def damage_column(path: Path, column: str) -> None:
    """Make a column of a Parquet file unreadable: to read it fails."""
    group = pq.read_metadata(path).row_group(0)
    chunk = next(
        group.column(place) for place in range(group.num_columns) if group.column(place).path_in_schema == column
    )
    first = chunk.dictionary_page_offset or chunk.data_page_offset
    with path.open("r+b") as file:
        file.seek(first)
        file.write(b"\xff" * chunk.total_compressed_size)


def run_to_success(scenario: Path, output: Path, *options: str) -> Any:
    """Run the command; it must succeed and print no warnings but those on the names of kept columns."""
    said = gamedeid_says("run", scenario, "-o", output, *options)
    assert 0 == said.code, said.err
    assert all(line.startswith("gamedeid: kept column ") for line in said.err.splitlines()), said.err
    return said


def lines_of(results: Path, name: str) -> list[str]:
    """Return the lines of a CSV file: the first, and the others sorted."""
    first, *others = (results / name).read_text("utf-8").splitlines()
    return [first, *sorted(others)]


def listening(process: Any) -> dict[int, str]:
    """Return port -> address of each socket on which a process or a child of it listens."""
    everybody = [process, *process.children(recursive=True)]
    sockets = [one for each in everybody for one in each.net_connections(kind="inet") if one.status == "LISTEN"]
    return {one.laddr.port: one.laddr.ip.removeprefix("::ffff:") for one in sockets}


def rows_of(results: Path, stem: str) -> list[Any]:
    """Return the rows of a table, sorted, after its column names and types; all types of text count as the same."""
    tables = [pq.ParquetFile(path).read() for path in sorted(results.glob(f"{stem}*.parquet"))]
    table = pa.concat_tables([with_plain_texts(one) for one in tables])
    rows = zip(*(column.to_pylist() for column in table.columns), strict=True)
    return [*zip(table.column_names, map(str, table.schema.types), strict=True), *sorted(rows, key=repr)]


def with_plain_texts(table: pa.Table) -> pa.Table:
    """Return a table whose columns of text all have one type."""
    texts = {pa.large_string(), pa.dictionary(pa.int32(), pa.string()), pa.dictionary(pa.int32(), pa.large_string())}
    fields = [field.with_type(pa.string()) if field.type in texts else field for field in table.schema]
    return table.cast(pa.schema(fields))


def assert_same_results(expected: Path, actual: Path) -> None:
    """Compare two folders of results in Parquet: the same rows in any order and any files, the rest to the byte."""
    for stem in ("release", "strategies"):
        assert rows_of(expected, stem) == rows_of(actual, stem)
    for name in SHARED:
        assert (expected / name).read_bytes() == (actual / name).read_bytes()
    assert [] == list(actual.parent.glob(".gamedeid-*"))
    assert {0o600} == {path.stat().st_mode & 0o777 for path in actual.iterdir()}
