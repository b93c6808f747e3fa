"""Does a scenario with a file for each region have the same answer as with one file?"""

import json
import shutil
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from questions import written_question
from small_world import contents, gamedeid_prints, gamedeid_says

from gamedeid import (
    InvalidDataError,
    InvalidHierarchyError,
    InvalidScenarioError,
    UnmatchedRecordError,
    compare,
    compare_regions,
)
from gamedeid.analysis.regional_comparison import RegionalComparison
from gamedeid.choices import AWARE_GAMES
from gamedeid.study import regional

QUICKSTART = Path(__file__).resolve().parents[2] / "scenarios" / "quickstart"

SECTIONS = {
    "title": "A divided region",
    "records": {"path": "records", "drop": ["name", "diagnosis"], "missing": "suppress"},
    "population": {"path": "people", "count": "people", "unmatched": "unique"},
    "attributes": {name: {"hierarchy": "us_zip" if name == "zip" else name} for name in ("age", "sex", "race", "zip")},
    "payoffs": {"benefit": 1200, "loss": 2000, "cost": 20},
    "regions": {"attribute": "zip", "level": 2},
}


def read(name: str) -> pa.Table:
    """Return a table of the quickstart, all columns as text."""
    path = QUICKSTART / f"{name}.csv"
    names = path.read_text().partition("\n")[0].split(",")
    types = pa.csv.ConvertOptions(column_types=dict.fromkeys(names, pa.string()))
    return pa.csv.read_csv(path, convert_options=types)


def divide(table: pa.Table, folder: Path) -> list[str]:
    """Write a file for each three-digit prefix."""
    folder.mkdir(exist_ok=True)
    prefixes = pc.utf8_slice_codeunits(table.column("zip"), 0, 3)
    names = sorted(prefixes.unique().to_pylist())
    for prefix in names:
        pq.write_table(table.filter(pc.equal(prefixes, prefix)), folder / f"{prefix}.parquet")
    return names


@pytest.fixture
def scenario(tmp_path: Path) -> Path:
    """The quickstart with missing ages and records that match no one, in a file for each prefix."""
    records, people = read("records"), read("population")
    ages = records.column("age").to_pylist()
    ages[:3], ages[3:5] = ["", "", ""], ["119", "118"]
    records = records.set_column(records.column_names.index("age"), "age", pa.array(ages))
    with_records = set(divide(records, tmp_path / "records"))
    for prefix in set(divide(people, tmp_path / "people")) - with_records:
        (tmp_path / "people" / f"{prefix}.parquet").unlink()
    return written_question(tmp_path, SECTIONS)


def assert_same(found: RegionalComparison, whole: Any) -> None:
    """Compare every figure with that of a comparison of all files together."""
    games = {name: row for name, row in whole.policies.items() if name not in AWARE_GAMES}  # these have no region
    assert games.keys() == found.policies.keys()
    for name, row in games.items():
        ours = found.policies[name]
        assert row.keys() == ours.keys()
        for key, value in row.items():
            if key in {"spread", "aware", "highest_risk"}:
                assert ours[key] == ("it is no sum over regions" if key == "aware" else None)
            elif key == "marketer":
                assert {one: value[one] for one in ("share", "reidentifications")} == pytest.approx(
                    {one: ours[key][one] for one in ("share", "reidentifications")}, rel=1e-12
                )
            elif value is None or isinstance(value, bool):
                assert value is ours[key]
            else:
                assert value == pytest.approx(ours[key], rel=1e-12), (name, key)
    theirs, mine = whole.as_dict(), found.as_dict()
    assert theirs["data"] == mine["data"]
    assert {key: theirs[key] for key in ("title", "payoffs", "policy", "warnings")} == {
        key: mine[key] for key in ("title", "payoffs", "policy", "warnings")
    }


@pytest.mark.usefixtures("no_games_in_groups")
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"population.unmatched": "safe"},
        {"population.unmatched": "safe", "regions.level": 3},
        {"regions.level": 1},
        {"population": None},
    ],
)
def test_the_answer_is_that_of_all_files_together(scenario, changes):
    written_question(scenario.parent, SECTIONS | changes)

    found, whole = compare_regions(scenario, workers=2), compare(scenario)

    assert_same(found, whole)
    assert found.solved.keys() == {path.stem for path in (scenario.parent / "records").iterdir()}
    assert len(found.solved) > 1 or 3 in changes.values()


@pytest.mark.usefixtures("no_games_in_groups")
def test_doubts_of_data_and_games_are_those_of_all_files_together(scenario):
    (scenario.parent / "races.toml").write_text(
        'kind = "tree"\nrole = "other"\nunlisted = "Another race"\n[tree]\nmost = ["White"]\n'
    )
    asked = SECTIONS | {"attributes.race": {"hierarchy": "races.toml"}, "groups": {"k": 3}}
    written_question(scenario.parent, asked)

    found, whole = compare_regions(scenario, workers=2), compare(scenario)

    assert_same(found, whole)
    races = [pq.read_table(path).column("race").to_pylist() for path in sorted((scenario.parent / "records").iterdir())]
    others = sum(race != "White" for region in races for race in region)
    assert {"race": others} == found.as_dict()["data"]["unlisted"]
    assert ["unmatched", "unlisted", "groups-unused"] == [one["kind"] for one in found.as_dict()["warnings"]]


@pytest.mark.usefixtures("no_games_in_groups")
@pytest.mark.parametrize("part", ["keep", "drop"])
def test_a_key_that_repeats_in_a_later_region_is_named_as_for_all_files_together(scenario, part):
    first, later = sorted((scenario.parent / "records").iterdir())
    for path, rows_each in ((first, 1), (later, 2)):
        table = pq.read_table(path).slice(0, 30)
        keys = pa.array([f"{path.stem}-{row // rows_each}" for row in range(table.num_rows)])
        kind = pa.string() if path == first else pa.dictionary(pa.int8(), pa.string())
        pq.write_table(table.append_column("patient_id", keys.cast(kind)), path)
    written_question(
        scenario.parent, SECTIONS | {f"records.{part}": [*SECTIONS["records"].get(part, ()), "patient_id"]}
    )

    found, whole = compare_regions(scenario), compare(scenario)

    assert_same(found, whole)
    [key] = found.as_dict()["data"]["repeated_keys"]
    assert key["column"] == {"keep": "patient_id", "drop": None}[part]
    assert "rows-as-people" in [one["kind"] for one in found.as_dict()["warnings"]]


def test_one_folder_may_hold_records_and_people(scenario):
    asked = SECTIONS | {"records.path": "people", "records.drop": ["people"]}
    written_question(scenario.parent, asked)

    found = compare_regions(scenario)

    assert_same(found, compare(scenario))
    twice = scenario.parent / "twice"
    twice.symlink_to("people")
    written_question(scenario.parent, asked | {"records.path": "twice"})
    assert compare_regions(scenario).as_dict()["policies"] == found.as_dict()["policies"]


def test_bytes_do_not_depend_on_how_many_regions_are_solved_at_a_time(scenario, tmp_path):
    for workers in (1, 2, 3):
        compare_regions(scenario, workers=workers).write(tmp_path / str(workers))

    assert contents(tmp_path / "1") == contents(tmp_path / "2") == contents(tmp_path / "3")
    assert ["manifest.json", "regions.csv", "regions.json"] == sorted(contents(tmp_path / "1"))


def test_a_regions_rows_are_its_part_of_all_rows(scenario):
    found = compare_regions(scenario)
    rows = found.rows

    for name, whole in found.policies.items():
        mine = [row for row in rows if row["policy"] == name]
        total = sum(row["publisher_payoff"] * row["records"] for row in mine)
        assert whole["publisher_payoff"] == pytest.approx(total / whole["records"])
        assert whole["expected_reidentifications"] == pytest.approx(
            sum(row["expected_reidentifications"] for row in mine)
        )
    data = found.as_dict()["data"]
    of_games = [row for row in rows if row["policy"] == "basic"]
    assert (data["profiles"], data["population"]) == tuple(
        sum(row[key] for row in of_games) for key in ("profiles", "people")
    )


def test_a_command_prints_what_it_writes_and_clears_what_was_kept(scenario, tmp_path):
    said = gamedeid_prints("regions", scenario, "-o", tmp_path / "out", "--json")

    assert json.loads((tmp_path / "out" / "regions.json").read_text()) == json.loads(said)
    assert not (tmp_path / "out.parts").exists()
    shown = gamedeid_says("regions", scenario).out
    assert "2 regions by zip" in shown
    assert "Each game is solved exactly" in shown
    assert shown.splitlines()[0] == "A divided region"


def test_warnings_are_on_the_first_screen_and_in_both_documents(scenario, tmp_path):
    said = gamedeid_says("regions", scenario, "-o", tmp_path / "out")
    found, made = (json.loads((tmp_path / "out" / name).read_text()) for name in ("regions.json", "manifest.json"))

    [warning] = found["warnings"]
    assert ("unmatched", True) == (warning["kind"], "match no one in the population" in warning["says"])
    assert made["warnings"] == found["warnings"]
    assert f"Warning: {warning['says']}" in said.out.splitlines()


def test_the_log_has_solved_regions_and_doubts(scenario, caplog):
    with caplog.at_level("INFO", logger="gamedeid"):
        data = compare_regions(scenario).as_dict()["data"]
    said = [record.getMessage() for record in caplog.records]
    assert f"2 regions: 400 records, {data['profiles']} profiles; population of {data['population']}" in said
    assert 0 < data["unmatched_records"]
    assert f"{data['unmatched_records']} records match no one in the population" in said


def test_the_command_goes_on_after_the_last_finished_region(scenario, tmp_path, monkeypatch):
    whole = gamedeid_says("regions", scenario, "-o", tmp_path / "whole", "--workers", 1)
    first = min(path.stem for path in (scenario.parent / "records").iterdir())
    real, read_again = regional.read_region, []

    def stops(asked: Any, *others: Any) -> Any:
        read_again.append(asked.records.path.stem)
        if read_again.count(read_again[-1]) == 2 and read_again[-1] != first:
            raise KeyboardInterrupt
        return real(asked, *others)

    monkeypatch.setattr(regional, "read_region", stops)
    assert gamedeid_says("regions", scenario, "-o", tmp_path / "out", "--workers", 1).code == 130
    assert not (tmp_path / "out").exists()
    assert list((tmp_path / "out.parts").iterdir())

    solved: list[str] = []

    def tells(asked: Any, *others: Any) -> Any:
        solved.append(asked.records.path.stem)
        return real(asked, *others)

    monkeypatch.setattr(regional, "read_region", tells)
    assert gamedeid_says("regions", scenario, "-o", tmp_path / "out", "--workers", 1).code == whole.code == 0
    assert 1 == solved.count(first)  # its people were counted again, and it was not solved again
    assert contents(tmp_path / "whole") == contents(tmp_path / "out")
    assert not (tmp_path / "out.parts").exists()


@pytest.mark.parametrize(
    ("key", "value", "error", "words"),
    [
        ("regions", None, InvalidScenarioError, "the scenario has no regions"),
        ("regions.attribute", "zpi", InvalidScenarioError, "regions.attribute names `zpi`, which"),
        ("regions.level", 9, InvalidScenarioError, "expected a level from 0 to"),
        ("regions.level", 0.5, InvalidScenarioError, "regions.level"),
        ("records.path", "nowhere", InvalidDataError, "expected a folder with a Parquet file for each"),
        ("population", {"count": "people"}, InvalidScenarioError, r"\[population\] names no folder"),
        ("population.count", "persons", InvalidDataError, "persons"),
    ],
)
def test_questions_that_need_all_regions_are_refused(scenario, key, value, error, words):
    written_question(scenario.parent, SECTIONS | {key: value})
    with pytest.raises(error, match=words):
        compare_regions(scenario)
    said = gamedeid_says("regions", scenario, "-o", scenario.parent / "out")
    assert 2 == said.code
    assert 1 == len(said.err.splitlines())
    assert not (scenario.parent / "out").exists()


def test_files_that_do_not_belong_together_are_named(scenario):
    folder = scenario.parent / "people"
    one = min(folder.iterdir())
    table = pq.read_table(one)

    (folder / "more.parquet").write_bytes(one.read_bytes())
    with pytest.raises(
        InvalidDataError, match=r"`more\.parquet` is in that of the population and not in that of the rec"
    ):
        compare_regions(scenario)
    records = scenario.parent / "records" / one.name
    (records.with_name("more.parquet")).write_bytes(records.read_bytes())
    with pytest.raises(InvalidDataError, match="share a group of `zip` at level 2"):
        compare_regions(scenario)
    for path in (folder / "more.parquet", records.with_name("more.parquet")):
        path.unlink()

    zips = pa.array([None, *table.column("zip").to_pylist()[1:]], pa.string())
    pq.write_table(table.set_column(table.column_names.index("zip"), "zip", zips), one)
    with pytest.raises(InvalidDataError, match=r"region `\d+`: people without a value of `zip`, by which the regions"):
        compare_regions(scenario)
    pq.write_table(table, one)
    kept = pq.read_table(records)
    zips = pa.array([None, *kept.column("zip").to_pylist()[1:]], pa.string())
    pq.write_table(kept.set_column(kept.column_names.index("zip"), "zip", zips), records)
    with pytest.raises(InvalidDataError, match=r"region `\d+`: records without a value of `zip`, by which the regions"):
        compare_regions(scenario)


def test_an_unknown_value_is_reported_with_its_file(scenario):
    path = sorted((scenario.parent / "records").iterdir())[1]
    table = pq.read_table(path)
    place = table.column_names.index("zip")
    pq.write_table(table.set_column(place, "zip", pa.array(["0348x"] * table.num_rows)), path)
    with pytest.raises(InvalidHierarchyError, match=path.name):
        compare_regions(scenario)


def test_a_fault_of_the_data_is_reported_with_its_region(scenario):
    path = sorted((scenario.parent / "records").iterdir())[1]
    table = pq.read_table(path)
    place = table.column_names.index("sex")
    pq.write_table(table.set_column(place, "sex", pa.array(["X", *table.column("sex").to_pylist()[1:]])), path)
    with pytest.raises(InvalidDataError, match=f"^region `{path.stem}`: records: column `sex` has 1 value"):
        compare_regions(scenario)

    pq.write_table(table, path)
    written_question(scenario.parent, SECTIONS | {"population.unmatched": "error"})
    with pytest.raises(UnmatchedRecordError, match=r"^region `\d+`: \d+ records? match"):
        compare_regions(scenario)
    shutil.copy(path, path.with_suffix(".PARQUET"))
    with pytest.raises(InvalidDataError, match="records: holds two files for one region, by the same name"):
        compare_regions(scenario)


def test_a_region_that_changes_meanwhile_is_reported(scenario, monkeypatch):
    path = sorted((scenario.parent / "records").iterdir())[1]
    real = regional.read_region

    def changes(asked: Any, *others: Any) -> Any:
        if asked.records.path.stem == path.stem:
            shutil.copy(path, path.with_suffix(".new"))
            path.with_suffix(".new").replace(path)
        return real(asked, *others)

    monkeypatch.setattr(regional, "read_region", changes)
    with pytest.raises(InvalidDataError, match="was changed after it was first read"):
        compare_regions(scenario)
