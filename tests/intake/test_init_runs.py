"""An unchanged draft of `gamedeid init` runs."""

import os
import tomllib

import pytest
from small_world import contents, gamedeid_says

import gamedeid
from gamedeid import InvalidDataError, InvalidScenarioError, OutputError, Scenario
from gamedeid.cli.entry_point import run_command

PEOPLE = """patient_id,name,age,sex,zip,ward,outcome,note
{rows}"""


def file_of_patients(folder, rows=60):
    lines = [
        f"p{row},Name{row},{20 + row},{'Male' if row % 2 else 'Female'},3721{row % 3},w{row % 2},"
        f"{'well' if row % 4 else 'ill'},seen on day {row} with a cough"
        for row in range(rows)
    ]
    path = folder / "patients.csv"
    path.write_text(PEOPLE.format(rows="\n".join(lines) + "\n"), "utf-8")
    return path


@pytest.fixture
def written(tmp_path):
    """Return a draft, and the path of its scenario."""
    draft = gamedeid.draft_scenario(file_of_patients(tmp_path), year=2026)
    return draft, draft.write(tmp_path / "draft")


def test_the_scenario_agrees_with_the_draft(written, tmp_path):
    _, path = written
    content = tomllib.loads(path.read_text("utf-8"))

    assert ["age", "sex", "zip"] == list(content["attributes"])
    assert ["patient_id", "name", "note"] == content["records"]["drop"]
    assert ["ward", "outcome"] == content["records"]["keep"]
    assert "../patients.csv" == content["records"]["path"]
    assert {"benefit": 1200, "loss": 300, "cost": 4} == content["payoffs"]
    assert all("not yet sourced" in source for source in content["sources"].values())
    assert content["sources"].keys() == content["payoffs"].keys()
    assert {"year": 2026} == content["policy"]["safe-harbor"]
    assert (tmp_path / "patients.csv").samefile(path.parent / Scenario.read(path).records.path)


def test_the_same_file_is_drafted_the_same(written, tmp_path):
    again = gamedeid.draft_scenario(tmp_path / "patients.csv", year=2026).write(tmp_path / "again")
    assert contents(written[1].parent) == contents(again.parent)


@pytest.mark.skipif(os.name == "nt", reason="modes are of POSIX")
def test_a_draft_is_readable_by_its_owner_only(written):
    _, path = written
    assert 0o700 == path.parent.stat().st_mode & 0o777
    assert {0o600} == {file.stat().st_mode & 0o777 for file in path.parent.iterdir()}


def test_a_folder_that_is_not_empty_is_left_alone(written):
    draft, path = written
    before = contents(path.parent)

    with pytest.raises(OutputError, match="a draft replaces nothing"):
        draft.write(path.parent)
    assert before == contents(path.parent)


def test_without_output_nothing_is_written_or_asked(tmp_path, capsys):
    data = file_of_patients(tmp_path)
    data.write_text(data.read_text("utf-8").replace("ward", "colour"), "utf-8")

    assert 0 == run_command(["init", str(data), "--year", "2026"])
    assert "Nothing was written" in capsys.readouterr().out
    assert [data] == list(tmp_path.iterdir())


def test_doubts_need_a_terminal_or_yes(tmp_path, capsys):
    data = file_of_patients(tmp_path)
    data.write_text(data.read_text("utf-8").replace("ward", "colour"), "utf-8")
    words = ["init", str(data), "--year", "2026", "-o", str(tmp_path / "draft")]

    assert 2 == run_command(words)
    said = capsys.readouterr().err
    assert 1 == said.count("\n")
    assert "no terminal to ask on; pass --yes" in said
    assert not (tmp_path / "draft").exists()
    assert 0 == run_command([*words, "--attribute", "colour"])


def test_columns_are_decided_by_hand(tmp_path):
    draft = gamedeid.draft_scenario(file_of_patients(tmp_path), year=2026, parts={"ward": "attribute", "age": "drop"})
    decided = {column.name: (column.kind, column.part) for column in draft.columns}
    assert [("category", "attribute"), ("age", "drop")] == [decided["ward"], decided["age"]]

    with pytest.raises(InvalidScenarioError, match="there is no column `wrad`; did you mean `ward`"):
        draft.with_parts({"wrad": "keep"})
    with pytest.raises(InvalidScenarioError, match="`note` cannot be an attribute"):
        draft.with_parts({"note": "attribute"})


def test_a_file_without_attributes_is_refused(tmp_path):
    path = tmp_path / "measures.csv"
    path.write_text("x,y\n" + "".join(f"{row / 7},{row * 3}\n" for row in range(50)), "utf-8")
    draft = gamedeid.draft_scenario(path, year=2026)

    with pytest.raises(InvalidDataError, match="no column is an attribute"):
        draft.write(tmp_path / "draft")
    assert [path] == list(tmp_path.iterdir())


def test_a_file_in_which_no_column_can_be_an_attribute_is_refused_with_the_reasons(tmp_path):
    path = tmp_path / "alike.csv"
    path.write_text("age,sex,note\n" + "45,F,\n" * 50, "utf-8")

    with pytest.raises(InvalidDataError, match=r"none can be one \(.*\(constant\); .*\(empty\)\); write the scenario"):
        gamedeid.draft_scenario(path, year=2026).write(tmp_path / "draft")


@pytest.mark.parametrize(("rare", "listed"), [(5, False), (4, True)])
def test_no_file_contains_rare_values(tmp_path, rare, listed):
    path = tmp_path / "work.csv"
    rows = [f"{20 + row},{'Lighthouse keeper' if row < 4 else 'Baker'}\n" for row in range(60)]
    path.write_text("age,occupation\n" + "".join(rows), "utf-8")
    gamedeid.draft_scenario(path, year=2026, rare=rare).write(tmp_path / "draft")

    written = "".join(file.read_text("utf-8") for file in (tmp_path / "draft").iterdir())
    assert listed is ("Lighthouse" in written)
    assert listed is not ('unlisted = "Other"' in written)


def test_odd_names_of_columns_are_written_so_that_they_are_read_again(tmp_path, capsys):
    names = [
        "Age",
        "age",
        "scenario",
        'sex of "x"',
        "birth.year",
        "two\nlines",
        "attacked",
        "__gamedeid_age",
        "plz ä\t#",
        "",
    ]
    cells = [
        ("34", "1"), ("34", "35"), ("Male", "Female"), ("F", "M"), ("1958", "1990"),
        ("White", "Black"), ("Male", "Female"), ("34", "35"), ("02139", "37212"), ("a", "b"),
    ]  # fmt: skip
    header = ",".join('"' + name.replace('"', '""') + '"' for name in names)
    path = tmp_path / "odd name.csv"
    rows = [",".join(cell[row % 2] for cell in cells) for row in range(40)]
    path.write_text("\n".join([header, *rows]) + "\n", "utf-8")
    draft = gamedeid.draft_scenario(path, year=2026)
    scenario = Scenario.read(draft.write(tmp_path / "draft"))

    assert [column.name for column in draft.columns if column.part == "attribute"] == list(scenario.attributes)
    assert {"Age", "age", 'sex of "x"', "birth.year"} <= set(scenario.attributes)
    assert {"attacked", "__gamedeid_age", ""} <= set(scenario.records.drop)
    files = [one.hierarchy for one in scenario.attributes.values()]
    assert len(files) == len({name.casefold() for name in files})
    assert 0 == run_command(["run", str(tmp_path / "draft" / "scenario.toml")])
    capsys.readouterr()


@pytest.mark.parametrize("odd", ["1e400", "9" * 5000, "1" + "0" * 40, "0." + "0" * 400 + "1", "1e299", "-1e-299"])
@pytest.mark.parametrize("column", ["age", "weight", "zip", "year"])
def test_a_number_beyond_all_measure_is_answered_without_a_traceback(tmp_path, column, odd):
    rows = [f"{number},{number % 40 + 20}" for number in range(80)]
    (tmp_path / "people.csv").write_text("\n".join([f"row,{column}", *rows, f"80,{odd}"]) + "\n")
    said = gamedeid_says(
        "init", tmp_path / "people.csv", "--attribute", column, "--drop", "row", "-o", tmp_path / "out"
    )

    assert said.code in {0, 2}
    assert "Traceback" not in said.err
    assert said.code == 0 or said.err.count("\n") == 1
