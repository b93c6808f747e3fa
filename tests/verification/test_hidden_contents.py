"""`verify` finds hidden content in a Parquet file in addition to its rows, though all digests fit."""

import io
import os
import shutil
from functools import cache

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from registry import registry
from tampering import write

from gamedeid import Scenario, solve, verify

SECRET = "SECRET-210-71-4000"  # noqa: S105  (no password)


@pytest.fixture(scope="module")
def honest(tmp_path_factory):
    folder = tmp_path_factory.mktemp("honest")
    scenario = registry(folder / "registry", unmatched="error")
    solve(scenario).write(folder / "out", report=False, form="parquet")
    assert () == verify(folder / "out", scenario).findings
    return scenario, folder / "out"


@pytest.fixture
def made(honest, tmp_path):
    scenario, folder = honest
    return scenario, shutil.copytree(folder, tmp_path / "out")


def table_of(content):
    return pq.read_table(io.BytesIO(content))


def rewritten(content, change=lambda table: table, **how):
    """Return a table, changed, in the layout of other programs."""
    stream = io.BytesIO()
    pq.write_table(change(table_of(content)), stream, **how)
    return stream.getvalue()


def with_keys(table, **keys):
    """Return a table in the layout of gamedeid, with more metadata."""
    stream = io.BytesIO()
    with pq.ParquetWriter(stream, table.schema, store_schema="ARROW:schema" not in keys) as parquet:
        parquet.write_table(table)
        parquet.add_key_value_metadata(keys)
    return stream.getvalue()


def with_field_metadata(table):
    return table.cast(pa.schema([field.with_metadata({"note": SECRET}) for field in table.schema]))


def with_nested_field_metadata(table):
    kind = pa.struct([pa.field("a", pa.int8(), metadata={"note": SECRET})])
    return table.append_column("more", pa.array([{"a": None}] * table.num_rows, kind))


def with_unused_value(content):
    table = table_of(content)
    column = table.column("sex").combine_chunks().dictionary_encode()
    more = pa.DictionaryArray.from_arrays(column.indices, pa.concat_arrays([column.dictionary, pa.array([SECRET])]))
    schema = pa.schema([one if one.name != "sex" else one.with_type(more.type) for one in table.schema])
    seen = pq.ParquetFile(io.BytesIO(content)).metadata.metadata[b"ARROW:schema"]
    return with_keys(table.set_column(1, "sex", more).cast(schema), **{"ARROW:schema": seen.decode()})


def with_bytes_before_the_footer(content):
    footer = 8 + int.from_bytes(content[-8:-4], "little")
    return content[:-footer] + SECRET.encode() + content[-footer:]


def with_bytes_in_the_footer(content):
    """Make the footer longer than its content."""
    length = int.from_bytes(content[-8:-4], "little") + len(SECRET)
    return content[:-8] + SECRET.encode() + length.to_bytes(4, "little") + content[-4:]


def with_statistics(content):
    """Replace the greatest value of a column in the footer's statistics by another text."""
    footer = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
    assert b"Male" in content[footer:]
    return content[:footer] + content[footer:].replace(b"Male", SECRET[:4].encode())


WRITER = f"parquet-cpp-arrow version {pa.cpp_version}".encode()
KEY = "has metadata that gamedeid does not write"
OF_COLUMNS = "has metadata of its columns, and gamedeid writes none"
BYTES = "has other bytes than its rows make: it may hold content that no reader shows"
HIDDEN = {
    "a key": (lambda content: rewritten(content, lambda table: table.replace_schema_metadata({"note": SECRET})), KEY),
    "a key like ours": (lambda content: with_keys(table_of(content), **{"ARROW:schema ": SECRET}), KEY),
    "metadata of a field": (lambda content: rewritten(content, with_field_metadata), OF_COLUMNS),
    "a nested field": (lambda content: rewritten(content, with_nested_field_metadata), OF_COLUMNS),
    "an unused value": (with_unused_value, "has values in a dictionary that no row has"),
    "bytes before the footer": (with_bytes_before_the_footer, "has bytes that belong to no column"),
    "bytes in the footer": (with_bytes_in_the_footer, "has bytes that belong to no column"),
    "statistics": (with_statistics, BYTES),
    "another writer": (
        lambda content: content.replace(WRITER, SECRET.ljust(len(WRITER)).encode()),
        "names another writer than gamedeid's",
    ),
    "other pages": (lambda content: rewritten(content, data_page_size=8, compression="none"), BYTES),
}


@pytest.mark.parametrize("hidden", HIDDEN)
def test_planted_content_is_found(made, hidden):
    scenario, out = made
    plant, says = HIDDEN[hidden]
    content = (out / "release.parquet").read_bytes()
    planted = plant(content)
    write(out, "release.parquet", planted)
    if hidden != "a nested field":
        assert table_of(content).equals(table_of(planted).cast(table_of(content).schema))

    assert says in [one.says for one in verify(out, scenario).findings if one.file == "release.parquet"]


def test_the_bytes_of_another_version_of_arrow_are_not_compared_and_this_is_said(made):
    scenario, out = made
    content = (out / "release.parquet").read_bytes()
    another = b"parquet-cpp-arrow version 1.0.0".ljust(len(WRITER), b"0")
    write(out, "release.parquet", content.replace(WRITER, another))
    found = verify(out, scenario)

    assert () == found.findings
    assert "the bytes of release.parquet" in {one.what for one in found.unchecked}


@cache
def odd_table(kind):
    """Return records with kept columns of odd types and metadata, as Parquet may have them."""
    rows = 1500
    random = np.random.default_rng(3)
    texts = [os.fsdecode(bytes(random.integers(97, 122, 400).astype(np.uint8))) for _ in range(rows)]
    kinds = {
        "long texts": pa.array([text * 20 for text in texts]),
        "many texts": pa.array([f"{text}{number}" for number, text in enumerate(texts)]),
        "dictionary": pa.array(["a", SECRET, "b"] * (rows // 3)).dictionary_encode(),
        "numbers as a dictionary": pa.array([1, 2, None] * (rows // 3)).dictionary_encode(),
        "nested": pa.array([[{"x": text[:5], "y": None}] for text in texts]),
        "nothing": pa.nulls(rows),
        "floats": pa.array(random.random(rows)),
        "moments": pa.array(random.integers(0, 2**40, rows), pa.timestamp("us", "UTC")),
    }
    people = pd.DataFrame(
        {"age": random.integers(30, 70, rows).astype(str), "sex": ["Male", "Female", "Male"] * (rows // 3)}
    )
    table = pa.Table.from_pandas(people).append_column(
        pa.field("note", kinds[kind].type), pa.chunked_array([kinds[kind]])
    )
    fields = [field.with_metadata({"note": SECRET, "PARQUET:field_id": "7"}) for field in table.schema]
    return table.cast(pa.schema(fields, metadata={"about": SECRET}))


@pytest.mark.parametrize("how", [{}, {"keep_order": True}], ids=["by values", "as it came"])
@pytest.mark.parametrize(
    "kind",
    ["long texts", "many texts", "dictionary", "numbers as a dictionary", "nested", "nothing",
     "floats", "moments"],
)  # fmt: skip
def test_honest_parquet_of_any_columns_holds_and_nothing_of_the_input_but_rows_is_in_it(tmp_path, kind, how):
    pq.write_table(odd_table(kind), tmp_path / "records.parquet", row_group_size=350)
    scenario = Scenario.parse(
        {
            "records": {"path": str(tmp_path / "records.parquet"), "keep": ["note"]},
            "attributes": {"age": {"hierarchy": "age"}, "sex": {"hierarchy": "sex"}},
            "game": "basic",
            "payoffs": {"benefit": 100, "loss": 900, "cost": 4},
        }
    )
    solve(scenario).write(tmp_path / "out", report=False, form="parquet", **how)
    found = verify(tmp_path / "out", scenario)
    stored = pq.ParquetFile(tmp_path / "out" / "release.parquet")

    assert () == found.findings
    assert "that release.parquet holds its rows alone" in found.checked
    assert not any(one.what.startswith("the bytes of") for one in found.unchecked)
    assert {b"ARROW:schema"} == set(stored.metadata.metadata)
    assert [None] * 3 == [field.metadata for field in stored.schema_arrow]
