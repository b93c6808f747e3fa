"""How columns are passed to Parquet: faster to write, and the same table for every reader."""

import io

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

from gamedeid.results.tables import Layout, rows_of_batch, write_blocks


def blocks_of(texts: list[list[str | None]], *, coded: bool) -> list[pa.Table]:
    """Return a table of two columns, a block for each list."""
    columns = [pa.array(some, pa.string()) for some in texts]
    return [
        pa.table({"age": column.dictionary_encode() if coded else column, "n": np.arange(len(column))})
        for column in columns
    ]


def written(tables: list[pa.Table], layout: Layout) -> bytes:
    """Return the bytes of a Parquet file."""
    stream = io.BytesIO()
    write_blocks(tables, stream, "parquet", layout=layout)
    return stream.getvalue()


@pytest.mark.parametrize(
    "texts", [[["a", "b", "a"], ["c"]], [["a", None, ""], [None]], [[], []], [["[0-4]", "*"] * 5000, ["é" * 40] * 3]]
)
def test_texts_in_dictionaries_make_the_same_bytes_as_plain_ones(texts):
    plain = written(blocks_of(texts, coded=False), Layout())
    coded = written(blocks_of(texts, coded=True), Layout(coded=frozenset(["age"])))
    assert coded == plain
    assert pa.parquet.read_schema(io.BytesIO(coded)).field("age").type == pa.string()


def test_a_dictionary_that_is_not_named_stays_one_to_its_readers():
    coded = written(blocks_of([["a", "b"]], coded=True), Layout())
    assert pa.types.is_dictionary(pa.parquet.read_schema(io.BytesIO(coded)).field("age").type)


def test_types_that_parquet_itself_does_not_know_are_read_back():
    table = pa.table(
        {
            "spell": pa.array([1, 2], pa.duration("s")),
            "text": pa.array(["a", "b"], pa.large_string()),
            "when": pa.array([0, 1], pa.timestamp("ms", "Europe/Berlin")),
        }
    )
    stored = pa.parquet.read_table(io.BytesIO(written([table], Layout())))
    assert stored.schema == table.schema
    assert stored.equals(table)


def test_rising_numbers_read_back_the_same_and_take_almost_no_space(tmp_path):
    rows = 100_000
    table = pa.table({"record": np.arange(rows) + 10**9, "level": np.arange(rows) % 3})
    plain, rising = written([table], Layout()), written([table], Layout(rising=frozenset(["record", "no such"])))
    assert len(rising) < len(plain) / 10
    assert pa.parquet.read_table(io.BytesIO(rising)).equals(table)
    path = f"{tmp_path}/rising.parquet"
    with open(path, "wb") as stream:  # noqa: PTH123
        stream.write(rising)
    assert duckdb.read_parquet(path).fetchall() == list(zip(*table.to_pydict().values(), strict=True))


@pytest.mark.parametrize("coded", [False, True], ids=["plain", "coded"])
@pytest.mark.parametrize(("length", "rows"), [(1, 2**15), (2**13, 2**13), (2**22, 2**10)])
def test_few_rows_are_looked_at_together_where_values_are_long(length, rows, *, coded):
    column = pa.array(["x" * length, "y" * length], pa.large_binary())
    table = pa.table({"number": [1, 2], "note": column.dictionary_encode() if coded else column})
    assert rows_of_batch(table) == pytest.approx(rows, rel=0.01)
    assert rows_of_batch(table.slice(0, 0)) >= rows_of_batch(table)
    assert rows_of_batch(table.select([])) == 2**15
