"""A raw REDCap export is drafted: its key, sites and identifiers are known; checkboxes and blank cells are no fault."""

import csv
import random

import pytest

from gamedeid.intake.drafting.draft import draft_scenario
from gamedeid.study.solve import solve
from gamedeid.study.study import Study

PEOPLE = 120


@pytest.fixture
def export(tmp_path):
    """Return the path of an export: a baseline row and visits for each person, with blank cells between forms."""
    draw, rows = random.Random(4), []  # noqa: S311
    for record in range(1, PEOPLE + 1):
        always = {"record_id": f"{record}", "redcap_data_access_group": draw.choice(["north", "south"])}
        boxes = {f"race___{code}": f"{int(code == draw.randint(1, 3))}" for code in (1, 2, 3)}
        person = {"dob": f"19{draw.randint(40, 99)}-0{draw.randint(1, 9)}-11", "sex": draw.choice("12"), **boxes}
        survey = {"redcap_survey_identifier": f"{draw.randrange(10**9)}", "demographics_complete": "2"}
        rows.append({**always, "redcap_event_name": "baseline_arm_1", **person, **survey})
        for visit in range(1, draw.randint(2, 4)):
            form = {"redcap_repeat_instrument": "visit", "redcap_repeat_instance": f"{visit}"}
            measured = {"visit_date": f"2024-0{draw.randint(1, 9)}-1{visit}", "visit_complete": draw.choice("02")}
            rows.append({**always, "redcap_event_name": "followup_arm_1", **form, **measured})
    columns = list(dict.fromkeys(name for row in rows for name in row))
    path = tmp_path / "export.csv"
    with path.open("w", newline="", encoding="utf-8-sig") as file:  # with the mark that Excel wants
        writer = csv.DictWriter(file, columns)
        writer.writeheader()
        writer.writerows(rows)
    return path


def test_the_columns_of_redcap_get_their_parts(export):
    draft = draft_scenario(export, year=2026)
    parts = {column.name: column.part for column in draft.columns}
    assert "person" == parts["record_id"]
    assert "drop" == parts["redcap_survey_identifier"]
    attributes = {name for name, part in parts.items() if part == "attribute"}
    boxes = {"race___1", "race___2", "race___3"}
    assert {"redcap_data_access_group", "dob", "sex", "visit_date", *boxes} == attributes
    kinds = {column.name: column.kind for column in draft.columns}
    assert ("person key", "place") == (kinds["redcap_survey_identifier"], kinds["redcap_data_access_group"])


def test_the_draft_of_a_raw_export_runs_and_counts_people(export, tmp_path):
    draft_scenario(export, year=2026).write(tmp_path / "study")
    study = Study.prepare(tmp_path / "study" / "scenario.toml")
    assert PEOPLE == study.persons.count
    assert PEOPLE == study.persons.differing["dob"]  # blank in the rows of visits: only at the top do they agree
    solution = solve(tmp_path / "study" / "scenario.toml", game="no-attack")
    assert {"*"} == set(solution.release()["dob"])


def test_a_dropped_record_id_that_repeats_is_told(export, tmp_path):
    draft = draft_scenario(export, year=2026, parts={"record_id": "drop"})
    draft.write(tmp_path / "study")
    study = Study.prepare(tmp_path / "study" / "scenario.toml")
    assert [None] == [key.column for key in study.repeated_keys]
