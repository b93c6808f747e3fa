"""The order of released rows: by their values, independent of the order of the records."""

import csv
import json
from collections import Counter
from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest
from contract_cases import FRAMES
from questions import content
from small_world import gamedeid_says, small_world

import gamedeid
from gamedeid.results.row_order import ROW_ID, released_records, sorted_blocks, value_order
from gamedeid.results.tables import write_blocks
from gamedeid.study import release as release_module

PEOPLE = pd.DataFrame(
    {
        "age": [40 + number % 7 for number in range(60)],
        "sex": ["Male", "Female", None] * 20,
        "note": [f"{(number * 37) % 20}" for number in range(60)],
        "amount": [[2.5, None, -0.0, 10.0, 0.0][number % 5] for number in range(60)],
    }
)
SCENARIO = content({"records": {"keep": ["note", "amount"], "missing": "suppress"}, "floor": "limited-data-set"})


def lines(path):
    return path.read_text().splitlines()


def written(tmp_path, people, name, **how):
    gamedeid.solve(SCENARIO, people).write(tmp_path / name, report=False, **how)
    return tmp_path / name


def plainly_sorted(path):
    """Return the rows of a CSV file in the documented order: by the bytes of each value in turn."""
    with path.open(newline="") as file:
        header, *rows = csv.reader(file)
    return [header, *sorted(rows, key=lambda row: [value.encode() for value in row])]


def rows(path):
    with path.open(newline="") as file:
        return list(csv.reader(file))


@pytest.fixture(scope="module")
def outs(tmp_path_factory):
    home = tmp_path_factory.mktemp("order")
    written(home, PEOPLE, "by-value")
    written(home, PEOPLE, "kept", keep_order=True)
    written(home, PEOPLE.iloc[np.random.default_rng(5).permutation(60)], "other")
    return home


def test_records_in_any_order_give_the_same_bytes(outs):
    assert (outs / "by-value" / "release.csv").read_bytes() == (outs / "other" / "release.csv").read_bytes()
    assert (outs / "by-value" / "strategies.csv").read_bytes() != (outs / "other" / "strategies.csv").read_bytes()


def test_the_rows_are_those_of_the_records_sorted_by_their_values(outs):
    by_value, kept = (lines(outs / name / "release.csv") for name in ("by-value", "kept"))

    assert by_value != kept
    assert by_value[0] == kept[0]
    assert Counter(by_value) == Counter(kept)
    assert plainly_sorted(outs / "kept" / "release.csv") == rows(outs / "by-value" / "release.csv")


def test_the_strategies_name_the_row_of_each_record(outs):
    released, kept = (rows(outs / name / "release.csv")[1:] for name in ("by-value", "kept"))
    strategies = rows(outs / "by-value" / "strategies.csv")
    place = [row[-1] for row in strategies[1:]]

    assert "release_row" == strategies[0][-1]
    assert [row[:-1] for row in strategies] == rows(outs / "kept" / "strategies.csv")
    assert kept == [released[int(at)] for at in place if at]
    assert sorted(map(int, place)) == list(range(60))


def test_manifest_and_summary_say_which_order_and_only_kept_order_is_warned_of(outs):
    for name, keeps in (("by-value", False), ("kept", True)):
        manifest, summary = (json.loads((outs / name / f"{file}.json").read_text()) for file in ("manifest", "summary"))
        kinds = [one["kind"] for one in manifest["warnings"]]
        assert (
            keeps == manifest["scenario"].get("keep_order", False) == summary["keep_order"] == ("kept-order" in kinds)
        )


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_rows_of_all_kinds_of_frames_come_in_the_same_order(tmp_path, form):
    table = pa.Table.from_pandas(PEOPLE)
    paths = [written(tmp_path, make(table), name, form=form) / f"release.{form}" for name, make in FRAMES.items()]
    read = (str(pa.parquet.read_table(path).to_pydict()) if form == "parquet" else path.read_text() for path in paths)
    assert 1 == len(set(read))


@pytest.mark.usefixtures("parts_of_four")
@pytest.mark.parametrize("keep_order", [True, False])
@pytest.mark.parametrize("make", FRAMES.values(), ids=FRAMES)
def test_long_tables_of_all_kinds_of_frames_come_in_parts_with_all_rows(make, keep_order, tmp_path):
    people = PEOPLE[:10].assign(age=[90, *[40] * 9], sex="Male")
    scenario = {**SCENARIO, "payoffs": {"benefit": 100, "loss": 500, "cost": 1}}
    solution = gamedeid.solve(scenario, make(pa.Table.from_pandas(people)), game="basic")
    solution.write(tmp_path / "out", form="parquet", report=False, keep_order=keep_order)

    assert 0.1 == solution.measures["withheld"]
    for stem, count in (("release", 9), ("strategies", 10)):
        parts = [pa.parquet.read_table(path).num_rows for path in sorted((tmp_path / "out").glob(f"{stem}-*"))]
        assert count == sum(parts)
        assert max(parts) <= 4
    assert [2] * 4 == [block.num_rows for block in solution.strategies_blocks(1)]


@pytest.mark.usefixtures("parts_of_four")
@pytest.mark.parametrize("make", FRAMES.values(), ids=FRAMES)
def test_parts_of_another_frame_are_not_taken(make, tmp_path, monkeypatch):
    table = pa.Table.from_pandas(PEOPLE)
    with monkeypatch.context() as once:
        once.setattr("gamedeid.results.parts.write_blocks", stopping_after(2))
        once.setattr("gamedeid.results.parts.WRITERS", 1)
        with pytest.raises(KeyboardInterrupt):
            written(tmp_path, make(table), "out", form="parquet")
    assert 2 == len(list((tmp_path / "out.parts").glob("*.parquet")))

    other = table.set_column(table.schema.get_field_index("note"), "note", pa.array(["another"] * len(table)))
    written(tmp_path, make(other), "out", form="parquet")
    parts = [pa.parquet.read_table(path) for path in (tmp_path / "out").glob("release-*")]
    assert {"another"} == set(pa.concat_tables(parts)["note"].to_pylist())


@pytest.mark.usefixtures("parts_of_four")
def test_parts_with_other_strategies_are_not_taken(tmp_path, monkeypatch):
    PEOPLE.to_csv(tmp_path / "people.csv", index=False)
    scenario = {**SCENARIO, "records": {**SCENARIO["records"], "path": tmp_path / "people.csv"}}
    solution = gamedeid.solve(scenario, game="no-attack")
    with monkeypatch.context() as once:
        once.setattr("gamedeid.results.parts.write_blocks", stopping_after(2))
        once.setattr("gamedeid.results.parts.WRITERS", 1)
        with pytest.raises(KeyboardInterrupt):
            solution.write(tmp_path / "out", form="parquet", report=False)

    top = np.full_like(solution.choice.nodes, solution.study.instance.lattice.most_general)
    other = replace(solution, choice=replace(solution.choice, nodes=top))
    other.write(tmp_path / "out", form="parquet", report=False)
    ages = [pa.parquet.read_table(path)["age"].to_pylist() for path in (tmp_path / "out").glob("release-*")]
    assert ["*"] * 60 == [age for part in ages for age in part]


def stopping_after(count):
    """Return what writes so many tables, and is interrupted then."""
    done = []

    def write(*given, **how):
        if len(done) == count:
            raise KeyboardInterrupt
        write_blocks(*given, **how)
        done.append(count)

    return write


def test_a_frame_without_numbers_has_strategies_in_the_order_of_its_release(tmp_path):
    relation = FRAMES["duckdb"](pa.Table.from_pandas(PEOPLE))
    found = rows(written(tmp_path, relation, "out") / "strategies.csv")
    ages, levels = [row[0] for row in rows(tmp_path / "out" / "release.csv")[1:]], [row[0] for row in found[1:]]

    assert [str(number) for number in range(60)] == [row[-1] for row in found[1:]]
    assert [age.isdigit() for age in ages] == [level == "0" for level in levels]


def test_a_long_relation_of_duckdb_keeps_the_order_of_the_records():
    count = 1_000_000  # a join by several threads mixes them
    people = pa.table({"age": ["40", "41"] * (count // 2), "sex": ["Male"] * count, "note": range(count)})
    scenario = {**SCENARIO, "records": {"keep": ["note"]}}
    kept = pa.concat_tables(gamedeid.solve(scenario, FRAMES["duckdb"](people)).release_blocks(keep_order=True))

    assert list(range(count)) == kept["note"].to_pylist()


def test_frames_from_python_are_in_that_order_too():
    solution = gamedeid.solve(SCENARIO, PEOPLE)
    (block,) = solution.release_blocks()
    (kept,) = solution.release_blocks(keep_order=True)

    pd.testing.assert_frame_equal(solution.release(), block.to_pandas(), check_dtype=False)
    pd.testing.assert_frame_equal(solution.release(keep_order=True), kept.to_pandas(), check_dtype=False)
    assert block.to_pandas()["note"].tolist() != kept.to_pandas()["note"].tolist()
    lazy, mixed = (
        gamedeid.solve(SCENARIO, pl.from_pandas(people).lazy()).release() for people in (PEOPLE, PEOPLE.iloc[::-1])
    )
    assert lazy.collect().equals(mixed.collect())


def test_pseudonyms_are_drawn_for_people_in_the_order_of_their_rows():
    visits = PEOPLE.assign(patient=[f"p{(number * 11) % 40}" for number in range(60)])
    asked = {"keep": ["note", "amount"], "missing": "suppress", "person": "patient"}
    scenario = content({"records": asked, "floor": "limited-data-set"})
    order = np.random.default_rng(2).permutation(60)
    solution, other = (gamedeid.solve(scenario, rows) for rows in (visits, visits.iloc[order]))
    kept, row_of = solution.release(keep_order=True), np.argsort(order)

    pd.testing.assert_frame_equal(solution.release(), other.release())
    assert kept["person"].tolist() != other.release(keep_order=True)["person"].iloc[row_of].tolist()
    by_value = solution.release().drop(columns="person").value_counts(dropna=False).sort_index()
    assert by_value.equals(kept.drop(columns="person").value_counts(dropna=False).sort_index())
    sizes = [frame["person"].value_counts().sort_values().tolist() for frame in (solution.release(), kept)]
    assert sizes[0] == sizes[1] == visits["patient"].value_counts().sort_values().tolist()


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_folder_is_verified_and_one_in_another_order_or_with_other_places_is_not(tmp_path, form):
    scenario, out = small_world(tmp_path), tmp_path / "out"
    assert 0 == gamedeid_says("run", scenario, "-o", out, "--no-report", "--format", form).code
    assert 0 == gamedeid_says("verify", out, scenario).code
    if form == "parquet":
        return
    for path in out.iterdir():
        path.chmod(0o600)
    before = {name: (out / name).read_text() for name in ("release.csv", "strategies.csv")}
    header, *released = before["release.csv"].splitlines()
    (out / "release.csv").write_text("\n".join([header, *reversed(released)]) + "\n")
    assert "is not in the order of its values" in gamedeid_says("verify", out, scenario).out
    (out / "release.csv").write_text(before["release.csv"])
    (out / "strategies.csv").write_text(before["strategies.csv"].replace(",3\n", ",0\n"))
    assert "does not give each released record another row" in gamedeid_says("verify", out, scenario).out
    with pytest.raises(gamedeid.OutputError, match=r"strategies\.csv is not as"):
        gamedeid.read_release(out, scenario)


# --- the sort itself ------------------------------------------------------------------------------------------------


def table_of(draw, count):
    """Return a table with texts that end alike, missing values of all kinds, and equal rows."""

    def column(values):
        return [None if draw.random() < 0.2 else values[draw.integers(len(values))] for _ in range(count)]

    return pa.table(
        {
            "text": pa.array(column(["", "a", "a\0", "a\0b", "é", "ab"])),
            "coded": pa.array(column(["x", "", "y"])).dictionary_encode(),
            "number": pa.array(column([0.0, -0.0, float("nan"), 1e20, 0.1]), pa.float64()),
            "flag": pa.array(column([True, False])),
            "several": pa.array(column([[], [1], [1, 0]]), pa.list_(pa.int64())),
        }
    )


def slow_order(table):
    """Return the same as ``value_order`` by a plain sort of rows: their texts, then missing values, then places."""

    def text(value):
        if value is None or str(value) == "nan":
            return b""
        return (str(value).lower() if isinstance(value, bool) else str(value)).encode()

    def kind(value):
        return 0 if value is None else 1 if str(value) == "nan" else 2

    whole = list(zip(*(column.to_pylist() for column in table.columns), strict=True))
    keys = [([text(one) for one in row], [kind(one) for one in row], place) for place, row in enumerate(whole)]
    return sorted(range(len(keys)), key=keys.__getitem__)


@pytest.mark.parametrize("size", [7, 100, 256, 900, 5000])
def test_rows_sorted_in_a_file_are_those_of_a_plain_sort_however_they_come(tmp_path, size):
    draw = np.random.default_rng(size)
    table = table_of(draw, 900)
    expected = slow_order(table)
    marked = table.append_column(ROW_ID, pa.array(range(900))).take(pa.array(draw.permutation(900)))
    pieces = (marked.slice(first, 130) for first in range(0, 900, 130))
    blocks = list(sorted_blocks(pieces, tmp_path, size))

    assert expected == value_order(table).tolist()
    assert expected == pa.concat_tables(blocks).column(ROW_ID).to_pylist()
    assert {size} >= {block.num_rows for block in blocks[:-1]}
    assert 0 < blocks[-1].num_rows <= size
    assert [] == list(tmp_path.iterdir())


def test_rows_of_a_release_in_many_blocks_are_in_one_order(monkeypatch, tmp_path):
    whole = lines(written(tmp_path, PEOPLE, "whole") / "release.csv")
    monkeypatch.setattr(release_module, "sorted_release", lambda blocks, folder: sorted_blocks(blocks, folder, 8))
    blocks = list(gamedeid.solve(SCENARIO, PEOPLE).release_blocks())

    assert [8] * 7 + [4] == [block.num_rows for block in blocks]
    assert [line.split(",")[2] for line in whole[1:]] == pa.concat_tables(blocks).column("note").to_pylist()


def test_no_rows_are_one_empty_block(tmp_path):
    empty = table_of(np.random.default_rng(1), 3).slice(0, 0)
    (block,) = sorted_blocks([empty], tmp_path)
    assert empty.schema.names == block.schema.names
    assert 0 == block.num_rows


def test_places_that_are_not_one_row_each_belong_to_no_release():
    withheld = np.array([False, True, False])

    assert [2, 0] == released_records(withheld, np.array([1, -1, 0])).tolist()
    for places in ([1, 2, 0], [0, -1, 0], [1, -1, 2], [-1, -1, 0]):
        assert released_records(withheld, np.array(places)) is None
