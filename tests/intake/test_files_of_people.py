"""Realistic files of users: the part of each column, that the draft runs, and that no value leaks.

A seed draws them. Content that must not reach a draft has tokens: direct identifiers, texts, keys, and values of a
single row.
"""

import random
from datetime import date, timedelta

import pytest
from planted_tokens import TOKEN, assert_files_bare

import gamedeid
from gamedeid.cli.entry_point import run_command
from gamedeid.data.engines.options import ReadOptions
from gamedeid.intake.drafting.levels import HierarchyRequest, draft_hierarchy

CODES = [f"{letter}{number:02}.{digit}" for letter in "EIJMS" for number in (10, 11, 21, 44) for digit in (0, 1, 9)]


def hospital_stays(folder):
    """Write several stays a patient: dates, times of day, codes of diagnoses, ZIP codes with leading zeros, notes."""
    draw = random.Random(7)  # noqa: S311  (nobody's secret)
    rows = ["patient_id,mrn,patient_name,birth_date,sex,zip,admitted,discharged,diagnosis,los,charges,ward,note"]
    for patient in range(60):
        born = date(1932, 1, 1) + timedelta(days=draw.randrange(28_000))
        sex, place = draw.choice("MF"), draw.choice(["02139", "02140", "02141", "37212", "37215"])
        for _ in range(draw.choice([1, 1, 2, 3])):
            start, days = date(2023, 1, 1) + timedelta(days=draw.randrange(700)), draw.randrange(1, 20)
            rows.append(
                f"{TOKEN}-p{patient},{700_000 + 37 * patient},{TOKEN} Miller{patient},{born},{sex},{place},"
                f"{start}T{draw.randrange(24):02}:15:00,{start + timedelta(days=days)},{draw.choice(CODES)},{days},"
                f"{days * 1234.5 + draw.random():.2f},{draw.choice(['A', 'B', 'C'])},"
                f'"{TOKEN}: came in on {start}, no fever, sent home"'
            )
    return _write(folder / "stays.csv", rows)


def registry(folder):
    """Write one row a person: dates of birth with the day first, years, and missing values of several kinds."""
    draw = random.Random(8)  # noqa: S311  (nobody's secret)
    rows = ["ID\tDateOfBirth\tGender\tCounty\tYearOfDiagnosis\tAgeAtDiagnosis\tStage\tMarkerLevel\tPhysician"]
    for person in range(300):
        born = date(1928, 1, 1) + timedelta(days=draw.randrange(20_000))
        year = draw.choice([*range(2001, 2015), 9999])
        age = 999 if year == 9999 else year - born.year
        cells = (
            str(10_000 + 3 * person),
            draw.choice([f"{born:%d.%m.%Y}"] * 9 + ["NA"]),
            draw.choice(["Male", "Female", "Female", "."]),
            draw.choice(["Davidson", "Shelby", "Knox", "Hamilton", ""]) if person else f"{TOKEN} county",
            str(year),
            str(age),
            draw.choice(["I", "II", "III", "IV", "?"]),
            f"{draw.random() * 40:.1f}" if draw.random() > 0.1 else "-9",
            f"{TOKEN} Dr. {draw.choice(['Smith', 'Garcia', 'Chen'])}",
        )
        rows.append("\t".join(cells))
    return _write(folder / "registry.tsv", rows)


def survey(folder):
    """Write answers as a German spreadsheet saves them: semicolons, decimal commas, Latin-1."""
    draw = random.Random(9)  # noqa: S311  (nobody's secret)
    rows = ["Fragebogen;Geschlecht;Alter;PLZ;Bundesland;Beruf;Zufriedenheit;Ausgaben;Bemerkung;E-Mail"]
    for number in range(1, 251):
        work = f"{TOKEN} Glockengießer" if number == 17 else draw.choice(["Bäcker", "Lehrerin", "Schüler", "Köchin"])
        rows.append(
            f"{number};{draw.choice(['männlich', 'weiblich'])};{draw.randrange(18, 95)};"
            f"{draw.choice(['01067', '01069', '80331', '80333', '50667'])};"
            f"{draw.choice(['Sachsen', 'Bayern', 'Nordrhein-Westfalen'])};{work};{draw.randrange(1, 6)};"
            f"{draw.randrange(50)},{draw.randrange(100):02};"
            f'"{TOKEN}: ich war {number} Tage später für längere Zeit zufrieden";{TOKEN}{number}@example.org'
        )
    return _write(folder / "umfrage.csv", rows, "latin-1")


FILES = {"stays": hospital_stays, "registry": registry, "survey": survey}


def _write(path, rows, encoding="utf-8"):
    path.write_text("\n".join(rows) + "\n", encoding)
    return path


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
def test_each_column_gets_its_true_part(name, tmp_path):
    draft = gamedeid.draft_scenario(FILES[name](tmp_path), year=2026)

    assert EXPECTED[name] == {column.name: (column.kind, column.part) for column in draft.columns}
    assert FORMS[name] == (draft.table.encoding, draft.table.delimiter)
    assert QUESTIONS[name] == [column.name for column in draft.questions]


@pytest.mark.usefixtures("no_games_in_groups")
@pytest.mark.parametrize("name", FILES)
def test_the_unchanged_draft_runs_and_releases_no_planted_token(name, tmp_path, capsys):
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
def test_no_planted_value_is_shown_in_a_console(name, tmp_path):
    draft = gamedeid.draft_scenario(FILES[name](tmp_path), year=2026)

    assert TOKEN not in repr(draft)
    assert not [column for column in draft.columns if TOKEN in repr(column)]
    assert TOKEN not in repr(list(draft.found.values())) + repr(list(draft.table.columns))


def test_the_hierarchy_states_a_decimal_comma_unless_it_may_separate_thousands(tmp_path):
    data = FILES["survey"](tmp_path)
    spent = gamedeid.draft_scenario(data, year=2026).found["Ausgaben"]
    ladder = draft_hierarchy(HierarchyRequest(name="Ausgaben", found=spent, rare=5, year=2026))
    assert ("number", ",") == (ladder.description["kind"], ladder.description["decimal"])

    data.write_text("spent\n" + "".join(f'"{number},{number:03}"\n' for number in range(1, 40)))
    found = gamedeid.draft_scenario(data, year=2026).found["spent"]
    ladder = draft_hierarchy(HierarchyRequest(name="spent", found=found, rare=5, year=2026))
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
