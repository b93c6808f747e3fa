"""Files such as people bring along: what each column is taken for, that the draft runs, and that no value leaks."""

import pytest
from files_of_people import FILES
from planted_tokens import TOKEN, assert_files_bare

import gamedeid
from gamedeid.cli.entry_point import run_command
from gamedeid.data.engines.options import ReadOptions
from gamedeid.intake.drafting.levels import Request, ladder_of

EXPECTED = {
    "stays": {
        "patient_id": ("person key", "person"),
        "mrn": ("person key", "drop"),
        "patient_name": ("identifier", "drop"),
        "birth_date": ("date", "attribute"),
        "sex": ("sex", "attribute"),
        "zip": ("ZIP code", "attribute"),
        "admitted": ("date", "attribute"),
        "discharged": ("date", "attribute"),
        "diagnosis": ("ICD-10 code", "attribute"),
        "los": ("whole number", "keep"),
        "charges": ("decimal number", "keep"),
        "ward": ("category", "keep"),
        "note": ("free text", "drop"),
    },
    "registry": {
        "ID": ("person key", "drop"),
        "DateOfBirth": ("date", "attribute"),
        "Gender": ("sex", "attribute"),
        "County": ("place", "attribute"),
        "YearOfDiagnosis": ("year", "attribute"),
        "AgeAtDiagnosis": ("age", "attribute"),
        "Stage": ("category", "keep"),
        "MarkerLevel": ("decimal number", "keep"),
        "Physician": ("identifier", "drop"),
    },
    "survey": {
        "Fragebogen": ("row number", "drop"),
        "Geschlecht": ("sex", "attribute"),
        "Alter": ("age", "attribute"),
        "PLZ": ("ZIP code", "attribute"),
        "Bundesland": ("place", "attribute"),
        "Beruf": ("category", "attribute"),
        "Zufriedenheit": ("category", "keep"),
        "Ausgaben": ("decimal number", "drop"),
        "Bemerkung": ("free text", "drop"),
        "E-Mail": ("identifier", "drop"),
    },
}
FORMS = {"stays": ("utf-8", ","), "registry": ("utf-8", "\t"), "survey": ("latin-1", ";")}
QUESTIONS = {"stays": [], "registry": ["Physician"], "survey": ["Ausgaben"]}
MISSING = {"stays": [], "registry": [".", "9999", "999", "NA"], "survey": []}


@pytest.mark.parametrize("name", FILES)
def test_each_column_is_taken_for_what_it_is(name, tmp_path):
    draft = gamedeid.draft_scenario(FILES[name](tmp_path), year=2026)

    assert EXPECTED[name] == {column.name: (column.kind, column.part) for column in draft.columns}
    assert FORMS[name] == (draft.table.encoding, draft.table.delimiter)
    assert QUESTIONS[name] == [column.name for column in draft.questions]


@pytest.mark.usefixtures("no_games_in_groups")
@pytest.mark.parametrize("name", FILES)
def test_the_draft_runs_as_it_is_and_nothing_planted_leaves(name, tmp_path, capsys):
    data = FILES[name](tmp_path)

    assert 0 == run_command(["init", str(data), "--yes", "--year", "2026", "-o", str(tmp_path / "draft")])
    scenario = str(tmp_path / "draft" / "scenario.toml")
    assert 0 == run_command(["run", scenario, "--no-report", "-o", str(tmp_path / "release")])
    said = capsys.readouterr()

    assert_files_bare(tmp_path / "draft")
    assert_files_bare(tmp_path / "release")
    assert TOKEN not in said.out + said.err
    assert sorted(MISSING[name]) == sorted(set(gamedeid.Scenario.read(scenario).records.missing_values) - {""})


@pytest.mark.parametrize("name", FILES)
def test_nothing_planted_shows_itself_in_a_console(name, tmp_path):
    draft = gamedeid.draft_scenario(FILES[name](tmp_path), year=2026)

    assert TOKEN not in repr(draft)
    assert not [column for column in draft.columns if TOKEN in repr(column)]
    assert TOKEN not in repr(list(draft.found.values())) + repr(list(draft.table.columns))


def test_a_decimal_comma_is_said_in_the_hierarchy_unless_it_may_stand_between_thousands(tmp_path):
    data = FILES["survey"](tmp_path)
    spent = gamedeid.draft_scenario(data, year=2026).found["Ausgaben"]
    ladder = ladder_of(Request(name="Ausgaben", found=spent, rare=5, year=2026))
    assert ("number", ",") == (ladder.description["kind"], ladder.description["decimal"])

    data.write_text("spent\n" + "".join(f'"{number},{number:03}"\n' for number in range(1, 40)))
    found = gamedeid.draft_scenario(data, year=2026).found["spent"]
    ladder = ladder_of(Request(name="spent", found=found, rare=5, year=2026))
    assert "a comma may separate decimals or thousands" in ladder.reason


def test_a_key_of_persons_is_dropped_where_the_file_does_not_fit_into_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(ReadOptions, "most_in_memory", 1)
    column = gamedeid.draft_scenario(FILES["stays"](tmp_path), year=2026).columns[0]

    assert ("person key", "drop") == (column.kind, column.part)
    assert "in memory only" in column.reason


def test_a_person_decides_which_column_is_the_key(tmp_path):
    draft = gamedeid.draft_scenario(FILES["stays"](tmp_path), year=2026, parts={"mrn": "person"})

    assert "mrn" == gamedeid.Scenario.read(draft.write(tmp_path / "draft")).records.person
    assert "drop" == draft.columns[0].part
