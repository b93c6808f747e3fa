"""The scenario's keys of records and population, applied to files and frames."""

import re

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from contract_cases import FRAMES
from questions import message, question
from written_tables import written

from gamedeid import InvalidDataError, Population, ReadOptions, solve
from gamedeid.data.tables import read_population, read_records, read_zip_populations

RECORDS = "age,sex,name,income\n48,Male,secret,high\n93,Female,secret2,low\n"
SECRETS = ("48", "Male", "secret")
RACE = {"attributes.race.hierarchy": "race"}


@pytest.fixture(name="folder")
def _folder(tmp_path):
    (tmp_path / "records.csv").write_text(RECORDS)
    (tmp_path / "population.csv").write_text("age,sex,count,note\n48,Male,7,a\n93,Female,2,b\n")
    return tmp_path


def ask(folder, changes=None):
    given = {"records.path": "records.csv", "records.keep": ["income"], "records.drop": ["name"]}
    given |= {"population.path": "population.csv", "population.count": "count"}
    return question(given | (changes or {}), folder=folder)


def read_people(scenario, frame=None, engine="auto"):
    """Return the population of a scenario."""
    return read_population(scenario, scenario.population, frame, ReadOptions(engine=engine))


def read_rows(scenario, frame=None, engine="auto"):
    return read_records(scenario, frame, ReadOptions(engine=engine))


READ = {"records": read_rows, "population": read_people}


def values(source, name):
    column = source.columns[name]
    distinct = column.values  # noqa: PD011  (no data frame)
    return [None if code < 0 else distinct[code] for code in column.codes.tolist()]


def test_records_of_a_file_hold_attributes_and_kept_columns_only(folder):
    source = read_records(ask(folder))

    assert ["age", "sex", "income"] == source.rows.source.column_names
    assert (["48", "93"], ["Male", "Female"]) == (values(source, "age"), values(source, "sex"))
    assert ["age", "sex"] == list(source.columns)
    assert ([1, 1], None) == (source.people.tolist(), source.rows.given_frame)


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_records_of_a_frame_go_before_the_file(folder, make):
    frame = make({"income": ["x"], "name": ["secret"], "sex": ["Male"], "age": [5]})
    source = read_records(ask(folder), frame)

    assert ["income", "sex", "age"] == source.rows.source.column_names
    assert source.rows.source.column_names == list(source.rows.given_frame.names)
    assert [5] == values(source, "age")


def test_records_and_population_must_be_given():
    assert "[records] names no file; add path, or hand a data frame over" == message(
        InvalidDataError, read_records, question()
    )
    assert "[population] names no file; add path, or hand a data frame over" == message(
        InvalidDataError, read_population, question(), Population()
    )


def test_every_column_is_declared(folder):
    path = folder / "records.csv"
    said = "make each an attribute, or list it under [records] keep (released as it is) or drop (never leaves): drop ="

    assert f'{path}: column `name` is not declared; {said} ["name"]' == message(
        InvalidDataError, read_records, ask(folder, {"records.drop": []})
    )
    assert f'{path}: columns `name`, `income` are not declared; {said} ["name", "income"]' == message(
        InvalidDataError, read_records, ask(folder, {"records.drop": [], "records.keep": []})
    )
    frame = pd.DataFrame({"age": [5], "sex": ["Male"], "x\ny": [1]})
    assert rf'records: column `x\ny` is not declared; {said} ["x\ny"]' == message(
        InvalidDataError, read_records, question(), frame
    )


@pytest.mark.parametrize(
    ("table", "changes", "said"),
    [
        ("records", {"records.keep": ["incme"]}, "there is no column `incme`; did you mean `income`?"),
        ("records", {"records.drop": ["nam"]}, "there is no column `nam`; did you mean `name`?"),
        ("records", RACE, "there is no column `race`; its columns are `age`, `sex`, `name`, `income`"),
        ("population", {"population.count": "cuont"}, "there is no column `cuont`; did you mean `count`?"),
        ("population", {"population.drop": ["nte"]}, "there is no column `nte`; did you mean `note`?"),
        ("population", RACE, "there is no column `race`; its columns are `age`, `sex`, `count`, `note`"),
    ],
)
def test_every_declared_column_is_there(folder, table, changes, said):
    path = folder / f"{table}.csv"
    for whose, frame in ((path, None), (table, pd.read_csv(path))):
        assert f"{whose}: {said}" == message(InvalidDataError, READ[table], ask(folder, changes), frame)


@pytest.mark.parametrize(
    ("table", "declared"), [("records", "`age`, `sex`, `income`, `name`"), ("population", "`age`, `sex`, `count`")]
)
def test_a_file_without_a_header_does_not_show_its_first_row(folder, table, declared):
    (folder / f"{table}.csv").write_text("48,Male,secret,high\n49,Male,secret2,low\n")
    said = message(InvalidDataError, READ[table], ask(folder))

    assert said.endswith(
        f"its first row names none of the columns {declared}; if the file has no header, name its columns in "
        f"[{table}] columns"
    )
    assert not any(secret in said for secret in SECRETS)


def test_a_file_without_a_header_is_read_with_names(folder):
    (folder / "records.csv").write_text("48,Male,secret,high\n")
    (folder / "population.csv").write_text("Male;3;48\n")
    scenario = ask(
        folder,
        {"records.columns": ["age", "sex", "name", "income"], "population.columns": ["sex", "count", "age"]},
    )

    assert ["48"] == values(read_records(scenario), "age")
    people_table = read_people(scenario)
    assert (["48"], [3]) == (values(people_table, "age"), people_table.people.tolist())


def test_files_may_be_in_another_encoding(folder):
    (folder / "records.csv").write_bytes(RECORDS.replace("high", "größe").encode("latin-1"))
    source = read_records(ask(folder, {"records.encoding": "latin-1"}))

    assert ["größe", "low"] == source.rows.source.column("income").to_pylist()


def test_missing_values_are_those_that_the_scenario_says(folder):
    (folder / "records.csv").write_text("age,sex,name,income\n?,,x,?\n")
    source = read_records(ask(folder, {"records.missing_values": ["?"]}))

    assert ([None], [None]) == (values(source, "age"), values(source, "sex"))
    assert ["?"] == source.rows.source.column("income").to_pylist()


def test_the_population_is_attributes_and_people(folder):
    people_table = read_people(ask(folder))

    assert ["age", "sex"] == list(people_table.columns)
    assert ([7, 2], ["48", "93"]) == (people_table.people.tolist(), values(people_table, "age"))


def test_without_a_count_every_row_is_one_person(folder):
    scenario = ask(folder)
    frame = pl.DataFrame({"age": [5, 6], "sex": ["Male"] * 2, "count": [3, 4]})
    drop = Population(drop=("count",))

    assert [3, 4] == read_people(scenario, frame).people.tolist()
    assert np.array_equal(np.ones(2), read_population(scenario, drop, frame).people)


@pytest.mark.parametrize("name", ["count", "N", "Population", "pop"])
def test_a_column_that_looks_like_a_count_is_not_ignored(folder, name):
    (folder / "population.csv").write_text(f"age,sex,{name}\n48,Male,7\n")
    scenario = ask(folder, {"population.count": None})
    said = (
        f"column `{name}` looks like a number of people, but without [population] count every row is one person; "
        f'set count = "{name}", or drop = ["{name}"] if it means something else'
    )

    assert f"{folder / 'population.csv'}: {said}" == message(InvalidDataError, read_people, scenario)
    frame = pd.read_csv(folder / "population.csv")
    assert f"population: {said}" == message(InvalidDataError, read_people, scenario, frame)


def test_populations_of_zip_prefixes_add_up(tmp_path):
    path = tmp_path / "zips.csv"
    path.write_text("zip3,pop,more\n010,5,x\n011,7,x\n010,1,x\n")
    assert {"010": 6, "011": 7} == read_zip_populations(path)

    whole = tmp_path / "zips.parquet"
    pq.write_table(pa.table({"zip3": [10, 372], "pop": [5, 6]}), whole)
    assert {"010": 5, "372": 6} == read_zip_populations(whole)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("zip3,pop\n010,1\n37,1\n", "a ZIP prefix has three digits, not `37` (row 2)"),
        ("zip3,pop\n3720,1\n", "a ZIP prefix has three digits, not `3720` (row 1)"),
        ("zip3,pop\nabc,1\n", "a ZIP prefix has three digits, not `abc` (row 1)"),
        ("zip3,pop\n٣٣٣,1\n", "a ZIP prefix has three digits, not `٣٣٣` (row 1)"),
        ("zip3,people\n010,1\n", "there is no column `pop`; did you mean `people`?"),
        ("zip3,pop\n010,-1\n", "count column `pop` must not be negative, but is in row 1"),
    ],
)
def test_populations_of_zip_prefixes_are_checked(tmp_path, content, said):
    path = tmp_path / "zips.csv"
    path.write_text(content, encoding="utf-8")

    assert f"{path}: {said}" == message(InvalidDataError, read_zip_populations, path)


def people_by(kind, folder, counts):
    """Return how many people are counted in a frame of a kind, or by an engine in a file of a form."""
    table = pa.table({"age": ["48"] * len(counts), "sex": ["Male"] * len(counts), "count": counts})
    if kind in FRAMES:
        return int(read_people(ask(folder), FRAMES[kind](table)).people.sum())
    engine, form = kind.split()
    path = written(table, folder / "people", form)
    return int(read_people(ask(folder, {"population.path": path.name}), engine=engine).people.sum())


READERS = [*FRAMES, "memory csv", "memory parquet", "duckdb csv", "duckdb parquet"]


@pytest.mark.parametrize("kind", READERS)
@pytest.mark.parametrize(
    ("counts", "people"),
    [
        (["12", " 12 ", "\t12 ", "12.0", "0", "-0", "0" * 30 + "3.00"], 51),
        ([1, 2, 3, 0], 6),
        ([1.0, 2.0, 3.0, 0.0], 6),
    ],
    ids=["texts", "whole numbers", "decimal numbers"],
)
def test_numbers_of_people_are_read_alike_by_every_engine(folder, kind, counts, people):
    assert people == people_by(kind, folder, counts)


TEXTS = ["0x10", "1_000", "12.0000000001", "1e3", "+12", "-7", " ", "inf", "1,0", "two", "\uff11\uff12", "9" * 19]


@pytest.mark.parametrize(
    "counts", [*([" 12 ", text] for text in TEXTS), [12, -7], [12, None], [12.0, 1.5], [12.0, 12.0000000001]], ids=str
)
def test_an_invalid_number_of_people_is_refused_by_every_engine(folder, counts):
    for kind in READERS:
        said = message(InvalidDataError, people_by, kind, folder, counts)
        assert re.search("must hold whole numbers of people|has no value|must not be negative", said)


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("bool", [True, False]),
        ("binary", [b"4", b"\xff"]),
        ("duration[ns]", pa.array([4, 5], pa.duration("ns"))),
        ("list<element: int64>", [[4], [5]]),
        ("struct<a: int64>", [{"a": 4}, {"a": 5}]),
    ],
)
def test_every_engine_refuses_an_unsupported_column_type_alike(folder, engine, kind, values):
    columns = {"age": [48, 93], "sex": ["Male", "Female"], "name": ["a", "b"], "income": ["c", "d"], "count": [1, 2]}
    refusals = [("population", "count", f"count column `count` must hold whole numbers of people, not `{kind}`")]
    if kind != "bool":
        refusals += [("records", "age", f"column `age` must hold plain values, not `{kind}`")]
    for table, column, said in refusals:
        path = folder / f"{column}.parquet"
        pq.write_table(pa.table(columns | {column: values}), path)
        scenario = ask(folder, {f"{table}.path": path.name, "records.drop": ["name", "count"]})
        assert f"{path}: {said}" == message(InvalidDataError, READ[table], scenario, engine=engine)


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
@pytest.mark.parametrize("column", ["age", "income"])
def test_parts_of_a_folder_with_unlike_types_are_refused_with_both_named(folder, engine, column):
    first = {"age": [48], "sex": ["Male"], "name": ["a"], "income": [1]}
    (folder / "records").mkdir()
    pq.write_table(pa.table(first), folder / "records" / "one.parquet")
    pq.write_table(pa.table(first | {column: ["49"]}), folder / "records" / "two.parquet")

    assert (
        f"{folder / 'records' / 'two.parquet'}: column `{column}` holds `string`, but `int64` in one.parquet; the "
        "files of a folder must be parts of one table"
    ) == message(InvalidDataError, read_rows, ask(folder, {"records.path": "records"}), engine=engine)


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_parts_whose_dictionaries_are_of_unlike_types_are_one_table(folder, engine):
    (folder / "records").mkdir()
    for name, kind in (("one", pa.int8()), ("two", pa.int32())):
        sexes = pa.array(["Male", "Female"]).dictionary_encode().cast(pa.dictionary(kind, pa.string()))
        table = pa.table({"age": [48, 93], "sex": sexes, "name": ["a", "b"], "income": sexes})
        pq.write_table(table, folder / "records" / f"{name}.parquet")
    pq.write_table(
        pa.table({"age": [48], "sex": ["Male"], "name": ["a"], "income": ["b"]}), folder / "records" / "three.parquet"
    )
    source = read_rows(ask(folder, {"records.path": "records"}), engine=engine)

    assert 5 == source.people.sum()
    assert {"Male", "Female"} == set(values(source, "sex"))


@pytest.mark.parametrize(
    ("header", "row"),
    [("age;sex;name, first;income", "48;Male;x;high"), ("age\tsex\ta, b, c, d\tincome", "48\tMale\tx\thigh")],
)
def test_a_header_with_commas_in_a_name_is_parted_by_the_columns_it_should_have(folder, header, row):
    (folder / "records.csv").write_text(f"{header}\n{row}\n")
    drop = [name for name in header.replace("\t", ";").split(";") if "," in name]
    source = read_records(ask(folder, {"records.drop": drop}))

    assert (["48"], ["Male"]) == (values(source, "age"), values(source, "sex"))


@pytest.mark.parametrize("separator", [" ", "   ", ":"])
def test_columns_without_a_separator_are_reported(folder, separator):
    (folder / "records.csv").write_text(RECORDS.replace(",", separator))

    assert (
        f"{folder / 'records.csv'}: its first row names columns, but not with one of , ; | or a tab between them "
        "(spaces and other characters are no separators); save it as CSV"
    ) == message(InvalidDataError, read_records, ask(folder))


def test_a_windows_path_with_backslashes_read_as_escapes_is_reported(folder):
    said = message(InvalidDataError, read_records, ask(folder, {"records.path": "C:\temp\new.csv"}))

    assert (
        r"C:\temp\new.csv`: no such file; in TOML a Windows path needs single quotes, such as 'C:\data\x.csv'" in said
    )


def test_many_or_long_columns_that_are_not_declared_are_not_all_listed():
    many = {f"extra{number}": [1] for number in range(300)}
    for more, shown in ((many, "`extra19`, ... (300 in all) are not declared"), ({"x" * 5000: [1]}, "xxx...` is not")):
        said = message(InvalidDataError, solve, question(), pd.DataFrame({"age": ["40"], "sex": ["Male"], **more}))

        assert shown in said
        assert said.endswith("or drop (never leaves)")
        assert 1000 > len(said)
