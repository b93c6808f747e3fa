"""A draft with a population: its matching columns, its count of people, and whether both tables use the same words."""

import tomllib

import pytest

import gamedeid
from gamedeid.cli.entry_point import run_command

RECORDS = "id,age,sex,zip,town,outcome\n" + "".join(
    f"r{row},{30 + row % 7},{'MF'[row % 2]},3721{row % 3},{'Ashland' if row % 2 else 'Bellevue'},"
    f"{'ill' if row % 5 else 'well'}\n"
    for row in range(60)
)
PEOPLE = "age,sex,zip,city,region code,people\n" + "".join(
    f"{age},{sex},3721{place},Ashland,{place},{5 + place}\n"
    for age in range(30, 37)
    for sex in ("Male", "Female")
    for place in range(3)
)


@pytest.fixture
def files(tmp_path):
    records, people = tmp_path / "records.csv", tmp_path / "people.csv"
    records.write_text(RECORDS, "utf-8")
    people.write_text(PEOPLE, "utf-8")
    return records, people


def columns_of(draft):
    return {column.name: column for column in draft.columns}


def test_columns_without_a_match_are_dropped_or_asked_about_and_the_rest_is_named(files, tmp_path):
    draft = gamedeid.draft_scenario(*files, year=2026)
    columns, content = columns_of(draft), tomllib.loads(draft.write(tmp_path / "draft").read_text("utf-8"))

    sex, town = columns["sex"], columns["town"]
    assert ("sex", "drop", True) == (sex.kind, sex.part, sex.doubtful)
    assert "are written differently in the population" in sex.reason
    assert "drop" == town.part
    assert "the population has no column of this name; `city` looks like it" in town.reason
    assert ["age", "zip"] == list(content["attributes"])
    drop = ["sex", "city", "region code"]
    people = {"path": "../people.csv", "count": "people", "drop": drop, "unmatched": "unique"}
    assert people == content["population"]


def test_accepted_spellings_are_written_down_and_matched(files, tmp_path, capsys):
    path = gamedeid.draft_scenario(*files, year=2026, parts={"sex": "attribute"}).write(tmp_path / "draft")

    hierarchy = tomllib.loads((path.parent / "sex.toml").read_text("utf-8"))
    assert {"Male": ["M"], "Female": ["F"]} == hierarchy["spellings"]
    assert 0 == run_command(["run", str(path), "--set", "population.unmatched=error"])
    capsys.readouterr()


def test_lost_zeros_on_one_side_are_reported_and_not_repaired(tmp_path):
    records, people = tmp_path / "records.csv", tmp_path / "people.csv"
    records.write_text("age,zip\n" + "".join(f"{20 + row},0213{row % 3}\n" for row in range(40)), "utf-8")
    people.write_text("age,zip,n\n" + "".join(f"{20 + row},213{row % 3},4\n" for row in range(40)), "utf-8")
    code = columns_of(gamedeid.draft_scenario(records, people, year=2026))["zip"]

    assert ("ZIP code", "drop") == (code.kind, code.part)
    assert "in the population have another form" in code.reason


def test_whole_numbers_and_dates_match_however_they_are_written(tmp_path, capsys):
    records, people = tmp_path / "records.csv", tmp_path / "people.csv"
    lines = [(20 + row % 9, 1 + row % 28) for row in range(60)]
    records.write_text("age,born\n" + "".join(f"{age}.0,{day:02}.11.1980\n" for age, day in lines), "utf-8")
    people.write_text("age,born\n" + "".join(f"{age},1980-11-{day:02}\n" for age, day in lines), "utf-8")
    draft = gamedeid.draft_scenario(records, people, year=2026)
    path = draft.write(tmp_path / "draft")

    assert ["attribute", "attribute"] == [column.part for column in draft.columns]
    assert 0 == run_command(["run", str(path), "--set", "population.unmatched=error"])
    capsys.readouterr()
