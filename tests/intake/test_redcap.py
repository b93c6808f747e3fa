"""A raw REDCap export is drafted: its key, sites and identifiers are known; checkboxes and blank cells are no fault."""

import csv
import random

import pytest
from questions import message
from small_world import gamedeid_says

from gamedeid import InvalidDataError, Scenario, Study, draft_scenario, solve
from gamedeid.intake.recognition.redcap import redcap_columns

PEOPLE = 120


def write_rows(path, columns, rows, encoding):
    with path.open("w", newline="", encoding=encoding) as file:
        writer = csv.DictWriter(file, columns)
        writer.writeheader()
        writer.writerows(rows)


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
    write_rows(path, columns, rows, "utf-8-sig")  # with the mark that Excel wants
    return path


def test_the_columns_of_redcap_get_their_parts_and_the_draft_runs_and_counts_people(export, tmp_path):
    draft = draft_scenario(export, year=2026)
    parts = {column.name: column.part for column in draft.columns}
    assert "person" == parts["record_id"]
    assert "drop" == parts["redcap_survey_identifier"]
    attributes = {name for name, part in parts.items() if part == "attribute"}
    boxes = {"race___1", "race___2", "race___3"}
    assert {"redcap_data_access_group", "dob", "sex", "visit_date", *boxes} == attributes
    kinds = {column.name: column.kind for column in draft.columns}
    assert ("person key", "place") == (kinds["redcap_survey_identifier"], kinds["redcap_data_access_group"])

    study = Study.prepare(draft.write(tmp_path / "study"))
    assert PEOPLE == study.persons.count
    assert PEOPLE == study.persons.differing["dob"]  # blank in the rows of visits: they agree only at the top
    assert {"*"} == set(solve(study, game="no-attack").release()["dob"])


def test_a_repeated_dropped_record_id_is_reported(export, tmp_path):
    study = Study.prepare(draft_scenario(export, year=2026, parts={"record_id": "drop"}).write(tmp_path / "study"))
    assert [None] == [key.column for key in study.repeated_keys]


DICTIONARY = """\
Variable / Field Name,Form Name,Field Type,Field Label,"Choices, Calculations, OR Slider Labels",\
Text Validation Type OR Show Slider Number,Identifier?
code,intake,text,Participant,,,
q1,intake,text,Date of birth,,date_mdy,y
q2,intake,radio,"<p>What is your sex assigned at birth, as in your documents?</p>","1, Female | 2, Male",,
q3,intake,checkbox,Race,"1, White | 2, Black, or African American | -9, Not told",,
q4,intake,text,Where do you live?,,zipcode,
q5,intake,text,Contact,,phone,
q6,intake,dropdown,Marital status,"1, Single | 2, Married",,
q7,intake,notes,Notes,,,
q8,intake,file,Scan,,,
q9,intake,calc,BMI,[w]/[h],,
q10,intake,text,Rooms,,integer,
q11,intake,yesno,Did you take part before?,,,y
q12,intake,descriptive,Thank you,,,
"""


@pytest.fixture
def declared(tmp_path):
    """Return the paths of an export whose names say nothing, and of its data dictionary."""
    draw, rows = random.Random(9), []  # noqa: S311
    for number in range(PEOPLE):
        boxes = {f"q3___{code}": draw.choice("01") for code in ("1", "2", "_9")}
        known = {"code": f"{100 + number // 2}", "q1": f"{draw.randint(1, 12):02}/{draw.randint(1, 12):02}/1960"}
        asked = {
            "q2": draw.choice("12"),
            **boxes,
            "q4": f"{draw.randint(37201, 37240)}",
            "q5": f"{5550000 + 7 * number}",
        }
        more = {"q6": draw.choice("12"), "q7": f"{number % 7} words", "q8": "[document]" if number % 2 else ""}
        rooms = {"q9": f"{draw.randint(180, 400) / 10}", "q10": f"{1990 + number % 30}", "q11": draw.choice("01")}
        rows.append({**known, **asked, **more, **rooms, "intake_complete": draw.choice("02")})
    export, dictionary = tmp_path / "export.csv", tmp_path / "dictionary.csv"
    write_rows(export, list(rows[0]), rows, "utf-8")
    dictionary.write_text(DICTIONARY, "utf-8-sig")
    return export, dictionary


def test_a_data_dictionary_says_what_columns_hold_and_fewer_questions_are_left(declared):
    export, dictionary = declared
    draft = draft_scenario(export, year=2026, redcap=dictionary)
    found = {column.name: (column.kind, column.part) for column in draft.columns}
    assert ("date", "drop") == found["q1"]  # an identifier by the dictionary
    assert ("sex", "attribute") == found["q2"]  # by the labels of its values
    boxes = ["q3___1", "q3___2", "q3____9"]
    assert [("race", "attribute")] * 3 == [found[name] for name in boxes]  # by the label of the question
    assert ("ZIP code", "attribute") == found["q4"]
    assert ("identifier", "drop") == found["q5"]
    assert ("category", "attribute") == found["q6"]
    assert ("free text", "drop") == found["q7"]
    assert ("decimal number", "keep") == found["q9"]
    assert ("person key", "person") == found["code"]
    assert ["q10"] == [column.name for column in draft.questions]
    assert {"q8", "q11", "intake_complete"} <= {name for name, (_, part) in found.items() if part == "drop"}
    assert 1 + 8 <= len(draft_scenario(export, year=2026).questions)


def test_codes_of_released_columns_have_their_labels_in_the_scenario(declared):
    export, dictionary = declared
    path = draft_scenario(export, year=2026, redcap=dictionary).write(export.parent / "study")
    labels = Scenario.read(path).records.value_labels
    assert {"1": "Female", "2": "Male"} == labels["q2"]
    assert {"q2", "q3___1", "q3___2", "q3____9", "q6"} == labels.keys()


def test_the_order_of_day_and_month_is_that_of_the_dictionary(declared):
    export, dictionary = declared
    assert "write its dates as YYYY-MM-DD" in draft_scenario(export, year=2026).no_attribute("q1")
    draft = draft_scenario(export, year=2026, redcap=dictionary, parts={"q1": "attribute"})
    assert 'format = "MM/DD/YYYY"' in (draft.write(export.parent / "study").parent / "q1.toml").read_text("utf-8")


def test_the_dictionary_of_the_api_gives_the_same(declared):
    _, dictionary = declared
    expected = redcap_columns(dictionary)
    names = ["field_name", "form_name", "field_type", "field_label", "select_choices_or_calculations"]
    names += ["text_validation_type_or_show_slider_number", "identifier"]
    dictionary.write_text("\n".join([",".join(names), *DICTIONARY.splitlines()[1:]]), "utf-8")
    assert expected == redcap_columns(dictionary)
    assert {"1": "White", "2": "Black, or African American", "-9": "Not told"} == {
        code: label.partition(": ")[2]
        for code, label in ((name[5:].replace("_", "-"), one.label) for name, one in expected.items() if "q3" in name)
    }
    assert "q12" not in expected


def test_a_dictionary_of_other_data_is_refused_in_one_line(declared):
    export, dictionary = declared
    said = gamedeid_says("init", export, "--redcap", export, "--year", 2026)
    assert (2, "") == (said.code, said.out)
    assert "is no data dictionary of REDCap" in said.err
    dictionary.write_text("field_name,field_type\nother,text\n")
    assert "none of its fields is a column of" in message(
        InvalidDataError, draft_scenario, export, year=2026, redcap=dictionary
    )
    dictionary.write_text("field_name,field_type\n")
    assert "has no rows" in message(InvalidDataError, redcap_columns, dictionary)


def test_the_command_takes_the_dictionary(declared):
    export, dictionary = declared
    said = gamedeid_says("init", export, "--redcap", dictionary, "--year", 2026)
    assert (0, 1) == (said.code, said.out.count("drop?"))
    assert said.out.endswith("1 column, marked ?, is in doubt.\n")
