"""No released byte holds a value of a withheld record, of a dropped column or of the table's metadata."""

import io

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from planted_tokens import (
    FRAME_QUESTION,
    KEPT,
    PEOPLE,
    TOKEN,
    assert_files_bare,
    assert_frame_bare,
    buffers_of,
    parquet_contents,
    planted,
    planted_world,
)
from small_world import gamedeid_prints

from gamedeid.study.solve import solve


def released(records):
    """Return the release of a frame of records."""
    return solve(FRAME_QUESTION, records, PEOPLE).release(keep_order=True)


def with_attributes(frame: pd.DataFrame) -> pd.DataFrame:
    frame.attrs["owner"] = f"{TOKEN}-owner"
    frame.columns.name = f"{TOKEN}-columns"
    return frame.set_index(pd.Index(range(100, 100 + len(frame)), name=f"{TOKEN}-index"))


def masked(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame whose missing numbers have something planted below them."""
    number = planted().column("number").to_pandas().fillna(0).astype("Int64")
    number[planted().column("number").to_pandas().isna()] = 0x504C414E54454421
    number[planted().column("number").to_pandas().isna()] = pd.NA
    return frame.assign(number=number)


def polars_enums(table: pa.Table) -> pl.DataFrame:
    values = table.column("coded").chunk(0).dictionary.to_pylist()
    frame = pl.from_arrow(table.set_column(3, "coded", table.column("coded").cast(pa.string())))
    inside = pl.struct(inside=pl.col("coded").cast(pl.Enum(values)))
    return frame.with_columns(pl.col("coded").cast(pl.Enum(values)), inside.alias("pair"))


FRAMES = {
    "arrow": lambda table: table,
    "a slice of arrow": lambda table: pa.concat_tables([table, table]).slice(12),
    "arrow of one buffer": lambda table: pa.ipc.open_stream(_sent(table)).read_all(),
    "pandas": lambda table: with_attributes(table.to_pandas()),
    "a cohort of pandas": lambda table: with_attributes(table.to_pandas().query("age == 48")),
    "pandas of Arrow types": lambda table: with_attributes(table.to_pandas(types_mapper=pd.ArrowDtype)),
    "pandas with gaps": lambda table: masked(with_attributes(table.to_pandas())),
    "polars": pl.from_arrow,
    "polars of enumerations": polars_enums,
    "polars lazy": lambda table: pl.from_arrow(table).lazy(),
    "polars lazy of enumerations": lambda table: polars_enums(table).lazy(),
}


def _sent(table: pa.Table) -> bytes:
    stream = io.BytesIO()
    with pa.ipc.new_stream(stream, table.schema) as writer:
        writer.write_table(table)
    return stream.getvalue()


@pytest.mark.parametrize("kind", FRAMES)
def test_a_released_frame_holds_nothing_but_its_own_values(kind):
    back = released(FRAMES[kind](planted()))
    back = back.collect() if isinstance(back, pl.LazyFrame) else back

    assert_frame_bare(back)
    assert 8 == len(back)
    assert ["age", "sex", *KEPT] == list(back.column_names if isinstance(back, pa.Table) else back.columns)


def test_a_released_relation_of_duckdb_holds_nothing_but_its_own_values(tmp_path):
    records = planted()
    values = records.column("coded").chunk(0).dictionary.to_pylist()
    con = duckdb.connect()
    con.register("records", records)
    con.execute(f"CREATE TYPE word AS ENUM ({', '.join(repr(value) for value in values)})")
    coded = "coded::VARCHAR::word"  # and numbers by way of text: DuckDB keeps the bytes below a missing one
    chosen = {
        **{name: name for name in ("name", "age", "sex", "text")},
        "coded": coded,
        "ordered": coded,
        "words": f"[{coded}]",
        "number": "number::VARCHAR::BIGINT",
        "pair": f"{{'inside': {coded}, 'map': MAP {{'one': [{coded}]}}}}",
    }
    back = released(con.table("records").project(", ".join(f"{value} AS {name}" for name, value in chosen.items())))
    table = back.to_arrow_table()
    back.write_parquet(str(tmp_path / "release.parquet"))

    assert_frame_bare(table.combine_chunks())
    assert_files_bare(tmp_path)
    assert 8 == table.num_rows
    assert {"inside": "open-0", "map": [("one", ["open-0"])]} in table.column("pair").to_pylist()


def bare_results(tmp_path, *words):
    """Run the question whose records carry tokens, and return its results, none of which holds one."""
    (tmp_path / "in").mkdir()
    assert TOKEN not in gamedeid_prints("run", planted_world(tmp_path / "in"), "-o", tmp_path / "out", *words)
    assert_files_bare(tmp_path / "out")
    return tmp_path / "out"


@pytest.mark.parametrize("form", ["csv", "parquet"])
@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_no_byte_of_any_result_holds_a_planted_token(engine, form, tmp_path):
    release = bare_results(tmp_path, "--engine", engine, "--format", form) / f"release.{form}"
    rows = pq.read_table(release) if form == "parquet" else pa.csv.read_csv(release)
    assert (8, ["age", "sex", *KEPT]) == (rows.num_rows, rows.column_names)


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
@pytest.mark.usefixtures("parts_of_four")
def test_no_byte_of_any_part_holds_a_planted_token(engine, tmp_path):
    results = bare_results(tmp_path, "--engine", engine, "--format", "parquet", "--no-report")

    assert 2 == len(list(results.glob("release-*.parquet")))


def test_a_release_without_records_holds_no_values(tmp_path):
    results = bare_results(tmp_path, "--format", "parquet", "--set", "payoffs.loss=1e9")

    assert 0 == pq.read_metadata(results / "release.parquet").num_rows
    assert_frame_bare(solve(tmp_path / "in" / "scenario.toml").release(keep_order=True).iloc[:0])


def test_planted_tokens_are_found(tmp_path):
    """The checks find planted tokens: the original table fails each of them."""
    table = planted()
    for name in ("coded", "text", "number", "pair", "words"):
        pq.write_table(table.select([name]).replace_schema_metadata(None), tmp_path / f"{name}.parquet")
        with pytest.raises(AssertionError, match=r"PLANTED|DETNALP"):
            assert_frame_bare(table.select([name]).replace_schema_metadata(None))
    for name, compression in (("coded", "snappy"), ("text", "zstd"), ("number", "gzip"), ("words", "none")):
        path = tmp_path / f"{name}.parquet"
        one = pa.table({name: table.column(name)})
        pq.write_table(one, path, compression=compression, store_schema=False, write_statistics=False)
        assert any(sign in content for content in parquet_contents(path) for sign in (b"PLANTED", b"DETNALP"))
    assert any(TOKEN.encode() in content for content in buffers_of(table.slice(0, 1).column("text").chunk(0)))


def test_ordered_categories_keep_their_order_in_a_frame():
    records = planted().to_pandas()
    hidden = [text for text in records["text"].unique() if text.startswith(TOKEN)]
    order = pd.CategoricalDtype([f"{TOKEN}-best", "open-1", *hidden, "open-0"], ordered=True)
    back = released(records.assign(ordered=records["text"].astype(order)))

    assert pd.CategoricalDtype(["open-1", "open-0"], ordered=True) == back["ordered"].dtype
