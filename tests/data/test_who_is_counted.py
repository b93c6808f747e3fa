"""Who is counted: one line describes what was read, and no column that may count people is ignored."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from questions import message, question

from gamedeid import InvalidDataError, ReadOptions, Study
from gamedeid.data.tables import read_population
from gamedeid.report.words.run import data_words
from gamedeid.study.facts import read_facts


def population_of(changes=None, frame=None, **how):
    scenario = question({"population.path": "population.csv"} | (changes or {}), folder=how.pop("folder", None) or "")
    return read_population(scenario, scenario.population, frame, **how)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"population_is_the_records": True}, "1 record, 1 profile; the records are their own population"),
        ({"population": 1, "population_rows": 1}, "1 record, 1 profile; population 1 person in 1 row"),
        ({"population": 0, "population_rows": 2}, "1 record, 1 profile; population 0 people in 2 rows"),
    ],
)
def test_one_record_is_singular(data, words):
    assert words == data_words({"records": 1, "profiles": 1} | data)


@pytest.mark.parametrize(
    ("changes", "people", "words"),
    [
        (
            {"population.sampling_fraction": 0.01},
            None,
            "population estimated: 400 people; the records are a share of 0.01 of them",
        ),
        ({}, {"age": [48, 51, 51, 93], "sex": ["Male"] * 3 + ["Female"]}, "population 4 people in 4 rows"),
    ],
    ids=["a sample", "lazy rows, which are counted where they are"],
)
def test_estimated_or_remote_people_are_mentioned_too(changes, people, words):
    frame = pd.DataFrame({"age": [48, 48, 51, 93], "sex": ["Male", "Male", "Male", "Female"]})
    study = Study.prepare(question(changes), frame, None if people is None else pl.LazyFrame(people))

    assert f"4 records, 3 profiles; {words}" == data_words(read_facts(study))


UNNAMED_NUMBERS = (
    "population: column `persons` holds numbers, but without [population] count every row is one person; if it "
    'has the number of people of each row, set count = "persons", else set [population] drop = ["persons"]'
)


@pytest.mark.parametrize(
    "make",
    [pd.DataFrame, pl.DataFrame, pa.table, pl.LazyFrame, lambda columns: pd.DataFrame(columns).astype("category")],
)
def test_an_undeclared_column_of_numbers_is_refused(make):
    people = make({"age": [48, 51], "sex": ["Male"] * 2, "note": ["a", "7"], "persons": [3, 4]})

    dropped = {"population.drop": ["persons"]}

    assert UNNAMED_NUMBERS == message(InvalidDataError, population_of, frame=people)
    assert 2 == population_of(dropped, people).people.sum()
    assert 2 == Study.prepare(question(dropped), pd.DataFrame({"age": [48], "sex": ["Male"]}), people).people


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
@pytest.mark.parametrize("form", ["csv", "parquet", "parquet of text"])
def test_files_follow_the_same_rule(tmp_path, form, engine):
    people = pd.DataFrame({"age": [48, 51], "sex": ["Male"] * 2, "note": ["", "7a"], "weight": [3.5, None]})
    if form == "csv":
        path = tmp_path / "population.csv"
        people.to_csv(path, index=False)
    else:
        path = tmp_path / "population.parquet"
        (people.astype({"weight": "string"}) if "text" in form else people).to_parquet(path)
    named, how = {"population.path": path.name}, {"folder": tmp_path, "read_options": ReadOptions(engine=engine)}

    said = message(InvalidDataError, population_of, named, **how)
    assert f"{path}: {UNNAMED_NUMBERS.removeprefix('population: ').replace('persons', 'weight')}" == said
    assert 2 == population_of(named | {"population.drop": ["weight"]}, **how).people.sum()


def test_undeclared_columns_next_to_a_count_are_refused_too():
    people = pd.DataFrame({"age": [48], "sex": ["Male"], "n": [3], "freq": [2], "id": [7], "row": [1]})
    counted = {"population.count": "n", "population.drop": ["row"]}

    assert message(InvalidDataError, population_of, counted, people) == (
        "population: columns `freq`, `id` hold numbers, but are neither attributes nor the count of people; add "
        "`freq`, `id` to [population] drop if they need not be counted"
    )
    assert message(InvalidDataError, population_of, {"population.drop": ["row", "n"]}, people) == (
        "population: columns `freq`, `id` hold numbers, but without [population] count every row is one person; if one "
        "of them has the number of people of each row, set count = its name, else add `freq`, `id` to "
        "[population] drop"
    )


@pytest.mark.parametrize(
    "values",
    [["a", "b"], ["", ""], [True, False], [None, None], ["2020-01-01", "2020-02-01"], ["1 2", "3"], ["-", "1"]],
)
def test_columns_without_numbers_are_ignored(values):
    people = pd.DataFrame({"age": [48, 51], "sex": ["Male"] * 2, "other": values})

    assert 2 == population_of(frame=people).people.sum()


def test_only_the_first_rows_of_text_are_looked_at(tmp_path):
    def write(place):
        rows = [f"48,Male,{'x' if row == place else row}" for row in range(2000)]
        (tmp_path / "population.csv").write_text("\n".join(["age,sex,other", *rows]) + "\n")

    write(999)
    assert 2000 == population_of(folder=tmp_path).people.sum()
    write(1000)
    assert "column `other` holds numbers" in message(InvalidDataError, population_of, folder=tmp_path)


@pytest.mark.parametrize("make", [pd.DataFrame, pl.LazyFrame])
def test_an_implausible_number_of_people_is_questioned(make):
    people = make({"age": [48, 51], "sex": ["Male"] * 2, "w": [999_999_999, 2]})
    counted = {"population.count": "w"}

    assert message(InvalidDataError, population_of, counted, people) == (
        "population: count column `w` adds up to 1,000,000,001 people, more than 1,000,000,000; are these weights? If "
        "they do count people, set [population] most_people = 1000000001"
    )
    people_table = population_of(counted | {"population.most_people": 1_000_000_001}, people)
    assert 1_000_000_001 == int(np.sum(people_table.people))
