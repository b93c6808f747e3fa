"""Ages at a date of each record: as the calendar counts them, from files and frames; nothing of the dates leaves."""

import json
from datetime import date

import pandas as pd
import pyarrow as pa
import pytest
from contract_cases import FRAMES, rows_of
from hypothesis import given
from hypothesis import strategies as st
from questions import content, message
from small_world import SCENARIO, contents, gamedeid_says, small_world
from written_tables import written

import gamedeid
from gamedeid.errors import InvalidDataError

AGE = {"hierarchy": "age", "born": "birth", "at": "visit"}
DAYS = st.dates(date(1903, 1, 1), date(1960, 12, 31)), st.dates(date(1961, 1, 1), date(2020, 12, 31))
TEXT = SCENARIO.replace('drop = ["name"]', 'drop = ["name", "birth", "visit"]')
TEXT = TEXT.replace('role = "age"', 'role = "age"\nborn = "birth"\nat = "visit"')
RECORDS = """name,birth,visit,sex,income
SECRETA,1980-05-02,2020-05-02,Male,<=50K
SECRETB,1980-05-02,2021-06-01,Male,>50K
SECRETC,1969-12-31,2020-12-30,Female,<=50K
SECRETD,1969-12-31,2020-12-31,Female,<=50K
"""  # ages 40, 41, 50 and 51

WITH_AGE = RECORDS.replace("name,", "name,age,").replace(",19", ",40,19")


def scenario(**records):
    """Return a question about people with ages that are computed, among themselves."""
    attributes = {"age": AGE, "sex": {"hierarchy": "sex"}}
    return {
        **content({"floor": "limited-data-set"}),
        "attributes": attributes,
        "records": {"drop": ["birth", "visit"], **records},
    }


def whole_years(born, at):
    """Return how many birthdays have passed; a person born on 29 February has one on 1 March in other years."""
    years = 0
    while (born.year + years + 1, born.month, born.day) <= (at.year, at.month, at.day):
        years += 1
    return years


@given(pairs=st.lists(st.tuples(*DAYS), min_size=1, max_size=8), form=st.sampled_from(["%Y-%m-%d", "%d.%m.%Y"]))
def test_ages_are_those_of_the_calendar(pairs, form):
    frame = pd.DataFrame(
        {"birth": [one.strftime(form) for one, _ in pairs], "visit": [one.strftime(form) for _, one in pairs]}
    )
    frame["sex"] = "Male"
    asked = scenario()
    asked["attributes"]["age"] = {**AGE, "format": "YYYY-MM-DD" if form.startswith("%Y") else "DD.MM.YYYY"}
    released = gamedeid.policy_solution(*raw(gamedeid.Study.prepare(asked, frame))).release(keep_order=True)

    assert ["sex", "age"] == list(released.columns)
    assert [str(whole_years(*pair)) for pair in pairs] == released["age"].tolist()


def raw(study):
    return study, study.policy("limited-data-set")


@pytest.mark.parametrize("kind", ["pandas", "polars", "arrow", "parquet of dates"])
def test_every_kind_of_records_gives_the_same(tmp_path, kind):
    days = {"birth": [date(1980, 5, 2), date(1969, 12, 31)], "visit": [date(2020, 5, 2), date(2020, 12, 30)]}
    table = pa.table({**days, "sex": ["Male", "Female"]})
    if kind in FRAMES:
        study = gamedeid.Study.prepare(scenario(), FRAMES[kind](table))
    else:
        study = gamedeid.Study.prepare(scenario(path=str(written(table, tmp_path / "records", "parquet"))))
    released = gamedeid.policy_solution(*raw(study)).release(keep_order=True)

    assert [{"sex": "Male", "age": "40"}, {"sex": "Female", "age": "50"}] == rows_of(released)


def test_the_question_is_that_of_the_same_ages_written_out(tmp_path):
    (tmp_path / "plain").mkdir()
    words = ("--keep-order", "--no-report")
    said = gamedeid_says("run", small_world(tmp_path / "plain"), "-o", tmp_path / "plain" / "out", *words)
    dated = small_world(tmp_path, scenario=TEXT, records=RECORDS)
    computed = gamedeid_says("run", dated, "-o", tmp_path / "out", "--keep-order")
    plain, other = (
        json.loads((folder / "out" / "summary.json").read_text()) for folder in (tmp_path / "plain", tmp_path)
    )
    release = pd.read_csv(tmp_path / "out" / "release.csv", dtype=str)

    assert (0, 0) == (said.code, computed.code)
    assert plain["measures"] == other["measures"]
    assert pd.read_csv(tmp_path / "plain" / "out" / "release.csv", dtype=str)["age"].tolist() == release["age"].tolist()
    assert ["sex", "income", "age"] == list(release.columns)
    assert not any(b"1980-05" in text or b"SECRET" in text for text in contents(tmp_path / "out").values())
    assert 0 == gamedeid_says("verify", tmp_path / "out", tmp_path / "scenario.toml").code
    release.loc[1, "age"] = "40"
    (tmp_path / "out" / "release.csv").chmod(0o600)
    release.to_csv(tmp_path / "out" / "release.csv", index=False)
    assert 3 == gamedeid_says("verify", tmp_path / "out", tmp_path / "scenario.toml").code


def test_a_missing_date_is_a_missing_age(tmp_path):
    records = RECORDS.replace("SECRETB,1980-05-02", "SECRETB,")
    refused = gamedeid_says("run", small_world(tmp_path, scenario=TEXT, records=records))
    words = ("--set", "records.missing=suppress", "--keep-order", "--no-report")
    taken = gamedeid_says("run", tmp_path / "scenario.toml", *words, "-o", tmp_path / "out")

    assert 2 == refused.code
    assert "age" in refused.complaint
    assert 0 == taken.code
    assert "*" == pd.read_csv(tmp_path / "out" / "release.csv", dtype=str)["age"][1]


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        ({"records": RECORDS.replace("2021-06-01", "1979-06-01")}, "which is before `birth` in 1 row (first in row 2)"),
        (
            {"records": RECORDS.replace("2021-06-01", "06/01/2021")},
            "no date in the form YYYY-MM-DD in 1 row (first in row 2)",
        ),
        ({"records": WITH_AGE}, "has a column `age`, and the scenario computes this attribute"),
        ({"records": RECORDS.replace("name,birth", "name,born")}, "birth"),
        ({"scenario": TEXT.replace('born = "birth"\n', "")}, "an age needs both dates"),
        ({"scenario": TEXT.replace('at = "visit"', 'at = "age"')}, "names an attribute that is computed itself"),
        ({"scenario": TEXT.replace('at = "visit"', 'at = "visit"\nformat = "YYYY-MM"')}, "has no days"),
        ({"scenario": TEXT.replace('at = "visit"', 'at = "visit"\nformat = "soon"')}, "expected YYYY, MM"),
        ({"scenario": SCENARIO.replace('role = "age"', 'role = "age"\nformat = "YYYY"')}, "born names no column"),
    ],
)
def test_an_invalid_age_is_one_line(tmp_path, changed, complaint):
    said = gamedeid_says(
        "run", small_world(tmp_path, **{"scenario": TEXT, "records": RECORDS, **changed}), "-o", tmp_path / "out"
    )

    assert 2 == said.code
    assert complaint in said.complaint
    assert "SECRET" not in said.err
    assert not (tmp_path / "out").exists()


def test_the_rows_of_one_person_have_ages_of_their_own():
    frame = pd.DataFrame(
        {
            "id": ["a", "a", "b"],
            "birth": ["1980-01-01"] * 3,
            "visit": ["2019-06-01", "2021-06-01", "2020-06-01"],
            "sex": "Male",
        }
    )
    study = gamedeid.Study.prepare(scenario(person="id"), frame)

    assert 2 == study.instance.profiles.records.sum()
    # 39 and 41 years agree at [30-44]; the other person may keep the 40 years
    assert ["[30-44]", "[30-44]", "40"] == gamedeid.policy_solution(*raw(study)).release(keep_order=True)[
        "age"
    ].tolist()
    assert "no date" in message(
        InvalidDataError, gamedeid.Study.prepare, scenario(person="id"), frame.assign(visit="x")
    )
