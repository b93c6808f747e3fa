"""Files that are read block by block and counted by DuckDB."""

import gzip
import random
import threading
from contextlib import suppress
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from depth import tries
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from questions import message, question
from written_tables import written

from gamedeid import GamedeidError, InvalidDataError, InvalidScenarioError, OutputError, ReadOptions, Study, solve
from gamedeid.data.engines.duckdb import group_file
from gamedeid.data.engines.options import IN_MEMORY_SHARE, LEAST_MEMORY, MEMORY
from gamedeid.data.files.tables import TableFile
from gamedeid.data.profiles import ProfileFinder, Profiles
from gamedeid.grouping import distinct_rows

SMALL = ReadOptions(memory=LEAST_MEMORY)


def opened(table: pa.Table, stem: Path, form: str = "parquet") -> TableFile:
    return TableFile.open(written(table, stem, form))


@pytest.mark.parametrize("form", ["csv", "parquet", "folder"])
@pytest.mark.parametrize("start", [0, 1, 2, 3, 9])
def test_blocks_have_the_right_length_from_any_start(form, start, tmp_path, monkeypatch):
    monkeypatch.setattr("gamedeid.data.files.tables.TABLE_ROWS", 5)
    monkeypatch.setattr("gamedeid.data.files.csv.LINE_LIMIT", 16)
    table = pa.table({"a": [str(row) for row in range(13)], "b": [str(-row) for row in range(13)]})
    file = opened(table, tmp_path / "table", form)
    blocks = list(file.blocks(["b"], start))

    assert [5, 5, 3][start:] == [block.num_rows for block in blocks]
    assert table.column("b").to_pylist()[start * 5 :] == [
        value for block in blocks for value in block.column(0).to_pylist()
    ]
    assert all(["b"] == block.column_names for block in blocks)


def test_every_engine_refuses_a_table_without_rows(tmp_path):
    file = opened(pa.table({"a": pa.array([], pa.string())}), tmp_path / "table")

    for read in (file.read, lambda names: list(file.blocks(names)), lambda names: group_file(file, names, SMALL)):
        assert f"{file.path}: has no rows" == message(InvalidDataError, read, ["a"])


def test_parts_of_a_folder_are_of_one_table(tmp_path):
    folder = tmp_path / "records"
    folder.mkdir()
    pq.write_table(pa.table({"a": [1], "b": [2]}), folder / "one.parquet")
    pq.write_table(pa.table({"a": [1], "c": [2]}), folder / "two.parquet")
    (folder / "_SUCCESS").touch()

    said = "has other columns than one.parquet; the files of a folder must be parts of one table"
    assert f"{folder / 'two.parquet'}: {said}" == message(InvalidDataError, TableFile.open, folder)


def test_rows_of_a_file_are_put_into_groups_whose_people_are_summed(tmp_path):
    file = opened(pa.table({"a": ["x", "y", "x", "x"], "n": [1, 2, 3, 0]}), tmp_path / "table")
    groups = group_file(file, ["a"], SMALL, count="n")

    assert {"x": (3, 4), "y": (1, 2)} == dict(
        zip(groups.values.column("a").to_pylist(), zip(groups.rows, groups.people, strict=True), strict=True)
    )


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        ([1, -2], "must hold whole numbers of people, 0 or more; 1 row does not; where they hold fractions, are these"),
        ([2**62, 2**62], "adds up to more people than can be counted"),
    ],
)
def test_invalid_counts_are_refused_without_their_values(counts, said, tmp_path):
    file = opened(pa.table({"a": ["x", "y"], "n": counts}), tmp_path / "table")

    found = message(InvalidDataError, group_file, file, ["a"], SMALL, count="n")
    assert found.startswith(f"{file.path}: count column `n` {said}")


def test_csv_is_read_as_strictly_as_in_memory(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("a,b\n" + "1,2\n" * 100 + "1,2,secret\n")

    said = message(InvalidDataError, group_file, TableFile.open(path), ["a"], SMALL)
    assert said.startswith(f"{path}: row 101 has 3 values, expected 2")
    assert "secret" not in said


def test_a_file_with_signs_in_its_name_is_one_file(tmp_path):
    file = opened(pa.table({"a": ["x", "y", "x"]}), tmp_path / "ta*[b]le?")

    assert [2, 1] == group_file(file, ["a"], SMALL).rows.tolist()


def test_a_broken_file_is_reported_without_its_content(tmp_path):
    file = opened(pa.table({"a": ["secret"] * 2000}), tmp_path / "table")
    content = bytearray(file.path.read_bytes())
    content[4:60] = b"\xff" * 56
    file.path.write_bytes(content)
    said = message(InvalidDataError, group_file, TableFile.open(file.path), ["a"], SMALL)

    assert said.startswith(f"{file.path}: cannot be read (")
    assert "secret" not in said


@pytest.fixture(name="distinct", scope="module")
def _distinct(tmp_path_factory):
    """Return a file whose rows are nearly all distinct: more than DuckDB may hold at once."""
    draw = np.random.default_rng(5)
    path = tmp_path_factory.mktemp("distinct") / "table.parquet"
    pq.write_table(pa.table({"a": draw.integers(0, 2**40, 2_500_000), "b": draw.integers(0, 2**40, 2_500_000)}), path)
    return TableFile.open(path)


def test_data_beyond_memory_are_spilled_and_later_removed(distinct, tmp_path):
    reported, before = [], set(threading.enumerate())
    groups = group_file(
        distinct,
        ["a", "b"],
        ReadOptions(memory=LEAST_MEMORY, spill=tmp_path),
        report_progress=lambda *how_far: reported.append(how_far),
    )

    assert 2_500_000 == groups.rows.sum()
    assert [] == list(tmp_path.iterdir())
    assert all(0 < done <= total == 2_500_000 for done, total in reported)
    assert before >= set(threading.enumerate())


def test_a_full_disk_for_spilled_data_is_one_line(distinct, small_disk):
    said = message(OutputError, group_file, distinct, ["a", "b"], ReadOptions(memory=LEAST_MEMORY, spill=small_disk))

    assert (
        f"cannot spill to {small_disk}: the disk is full; free some space, or name another folder (ReadOptions.spill)"
        == said
    )
    assert [] == list(small_disk.iterdir())


def test_unknown_values_are_counted_by_rows_where_rows_have_no_numbers(tmp_path):
    opened(pa.table({"age": [1, 999, 999, 3], "sex": ["Male"] * 4}), tmp_path / "records")
    scenario = question({"records.path": "records.parquet"}, folder=tmp_path)

    said = message(InvalidDataError, Study.prepare, scenario, read_options=ReadOptions(engine="duckdb"))
    assert "has 1 value that the hierarchy `age` does not know, in 2 rows; it knows 0 ... 120" in said


def test_a_record_of_a_large_file_is_found_by_its_number(tmp_path, monkeypatch):
    monkeypatch.setattr("gamedeid.data.files.tables.TABLE_ROWS", 2)
    opened(pa.table({"age": [1, 2, 3, 4, 5], "sex": ["Male"] * 5}), tmp_path / "records")
    scenario = question({"records.path": "records.parquet"}, folder=tmp_path)
    study = Study.prepare(scenario, read_options=ReadOptions(engine="duckdb"))

    assert [{"age": 4, "sex": "Male"}] == study.alone(record=3).rows.row(0).to_pylist()
    assert "there is no record `5`; they are numbered from 0 to 4" == message(
        InvalidScenarioError, study.alone, record=5
    )


@pytest.mark.parametrize(
    ("size", "expected"),
    [(0, "memory"), (MEMORY // IN_MEMORY_SHARE, "memory"), (MEMORY // IN_MEMORY_SHARE + 1, "duckdb")],
)
def test_the_size_of_a_file_chooses_the_engine(size, expected):
    assert expected == ReadOptions().engine_for(size)
    assert "memory" == ReadOptions(engine="memory").engine_for(size)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"engine": "duck"}, "there is no engine `duck`; did you mean `duckdb`?"),
        ({"memory": 5}, "memory must be at least 128 MiB, not 5 bytes"),
        ({"memory": 2**61}, "memory must be at most 2^60 bytes; give a size such as 2GB or 512MiB"),
        ({"memory": int("9" * 400) * 2**40}, "memory must be at most 2^60 bytes; give a size such as 2GB or 512MiB"),
        ({"spill": Path("/gone")}, "spill: there is no folder /gone; create it, or name another"),
        ({"cluster": "tcp://1"}, 'a cluster needs the engine "spark" or "dask", not `auto`; name one of them'),
    ],
    ids=["engine", "little memory", "much memory", "all memory", "spill", "cluster"],
)
def test_meaningless_read_options_are_refused(asked, said):
    assert said == message(InvalidScenarioError, ReadOptions, **asked)


@settings(deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_profiles_are_found_again_however_long_their_keys(data):
    bases = data.draw(st.lists(st.sampled_from([1, 2, 3, 5, 2**20, 2**31 - 1]), min_size=1, max_size=6))
    row = st.tuples(*(st.integers(0, base - 1) for base in bases))
    codes = np.array(data.draw(st.lists(row, min_size=1, max_size=12)), np.int64).reshape(-1, len(bases))
    first, of_row, _ = distinct_rows(codes)
    values, rows = zip(*(np.unique(column, return_inverse=True) for column in codes.T), strict=True)
    leaves = [np.append(known, base - 1).astype(np.int32) for known, base in zip(values, bases, strict=True)]
    absent = [np.where(column == base - 1, -1, row) for column, base, row in zip(codes.T, bases, rows, strict=True)]
    found = ProfileFinder(codes[first], bases).find(leaves, absent)

    assert of_row.tolist() == found.tolist()


def test_a_counted_record_weighs_like_its_count_of_records():
    study = Study.prepare(question(), pa.table({"age": [1, 2], "sex": ["Male", "Male"]}))
    codes = study.instance.profiles.codes
    profiles = Profiles.of(codes[[0, 1, 0]], list(study.instance.hierarchies.values()), np.array([5, 7, 2]))

    assert ([7, 7], [0, 1, 0]) == (profiles.records.tolist(), profiles.of_record.tolist())


@pytest.mark.parametrize("packed", ["dictionary", "plain", "gzip", "gzip in parts"])
def test_a_file_that_unpacks_to_more_than_memory_is_not_held(packed, tmp_path):
    """Even a small file: equal rows, and zeros, take almost no space on disk."""
    rows = 3_000_000
    if packed.startswith("gzip"):
        path = tmp_path / "records.csv.gz"
        text = gzip.compress(b"age\n") + gzip.compress(b"40\n" * rows, 1)  # its last 4 bytes size one part only
        path.write_bytes(text + (gzip.compress(b"40\n") if packed == "gzip in parts" else b""))
    else:
        path = tmp_path / "records.parquet"
        pq.write_table(
            pa.table({"age": ["40"] * rows}), path, use_dictionary=packed == "dictionary", compression="zstd"
        )
    assert path.stat().st_size < 100_000
    read_options = ReadOptions(memory=LEAST_MEMORY)

    file = TableFile.open(path)
    assert "duckdb" == read_options.engine_for(file.unpacked_size(["age"], read_options.most_in_memory))
    assert "memory" == ReadOptions().engine_for(file.unpacked_size(["age"], ReadOptions().most_in_memory))


def test_columns_that_are_not_read_do_not_count(tmp_path):
    path = tmp_path / "records.parquet"
    pq.write_table(pa.table({"age": ["40"] * 1000, "note": ["-" * 1000] * 1000}), path)

    file = TableFile.open(path)
    assert file.unpacked_size(["age"], 0) < 10_000
    assert file.unpacked_size(["note"], 0) > 1_000_000


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_a_damaged_parquet_file_is_read_or_refused_in_one_line(engine, tmp_path):
    table = pa.table(
        {
            "age": [40 + row % 9 for row in range(60)],
            "sex": pa.array(["Male", "Female"] * 30).dictionary_encode(),
            "income": [f"x{row % 5}" for row in range(60)],
        }
    )
    whole = opened(table, tmp_path / "records").path.read_bytes()
    scenario = question({"records.path": "records.parquet", "records.keep": ["income"]}, folder=tmp_path)
    draw = random.Random(5)  # noqa: S311  (no secret)
    for _ in range(tries(20, 200)):
        spoilt = bytearray(whole)
        for _ in range(draw.randrange(1, 5)):
            spoilt[draw.randrange(len(spoilt))] = draw.randrange(256)
        (tmp_path / "records.parquet").write_bytes(spoilt)
        with suppress(GamedeidError):
            list(solve(scenario, read_options=ReadOptions(engine=engine)).release_blocks())


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_text_that_is_not_utf_8_is_refused_in_a_parquet_file_too(engine, tmp_path):
    texts = pa.array(["abc", "def"])
    spoilt = pa.Array.from_buffers(pa.string(), 2, [None, texts.buffers()[1], pa.py_buffer(b"a\xffcdef")])
    pq.write_table(pa.table({"age": [48, 48], "sex": ["Male"] * 2, "income": spoilt}), tmp_path / "records.parquet")
    scenario = question({"records.path": "records.parquet", "records.keep": ["income"]}, folder=tmp_path)

    assert "is no readable Parquet file (" in message(
        InvalidDataError, lambda: list(solve(scenario, read_options=ReadOptions(engine=engine)).release_blocks())
    )
