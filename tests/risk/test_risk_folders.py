"""Risks as folders of results: calls write the same as their commands, also for data that are not files."""

import numpy as np
import pytest
from small_world import contents, gamedeid_says

import gamedeid
from gamedeid.risk.census.counts import age_group

COUNTS = "state,zip,note,under 12,65+\nNY,11794,a,8760,8761\nNY,10475,b,24,10\nMA,01701,c,9000,9000\n"
PEOPLE = "age,sex\n" + "".join(f"{20 + place % 11},{'MF'[place % 2]}\n" for place in range(30))


@pytest.mark.parametrize(
    ("words", "asked", "rate"),
    [
        ("--state state --drop note", {"state": "state", "drop": ["note"]}, None),
        (
            "--drop state --drop note --uniform-ages --boundary below",
            {"drop": ["state", "note"], "lifetime": 76, "boundary": "below"},
            None,
        ),
        (
            "--state state --drop note --open-years 9 --patients-per-person 0.1",
            {"state": "state", "drop": ["note"], "open_years": 9},
            0.1,
        ),
    ],
)
def test_demographics_are_written_as_the_command_writes_them(tmp_path, words, asked, rate):
    (tmp_path / "counts.csv").write_text(COUNTS, "utf-8")
    words = ["--place", "zip", "--detail", "date", *words.split(), "-o", tmp_path / "by-command"]
    said = gamedeid_says("risk", "demographics", tmp_path / "counts.csv", *words)
    found = gamedeid.risk.demographics(tmp_path / "counts.csv", place="zip", detail="date", **asked)
    made = found.write(tmp_path / "by-call", patients_per_person=rate)

    assert (0, "") == (said.code, said.err)
    assert contents(tmp_path / "by-command") == contents(tmp_path / "by-call")
    assert "counts.csv" == made["inputs"]["counts"]["path"]


def test_a_study_is_written_as_the_command_writes_it(tmp_path):
    (tmp_path / "people.csv").write_text(PEOPLE, "utf-8")
    words = ["--attributes", "age,sex", "--width", "age=3", "--fractions", ".3,.5", "--samples", 25, "--seed", 3]
    words += ["--workers", 2]  # the number of workers changes nothing
    said = gamedeid_says("risk", "uniqueness-study", tmp_path / "people.csv", *words, "-o", tmp_path / "by-command")
    population = gamedeid.risk.read_class_sizes(tmp_path / "people.csv", ["age", "sex"], widths={"age": 3})
    plan = gamedeid.risk.StudyPlan(population=population, fractions=(0.3, 0.5), samples=25, seed=3)
    study = gamedeid.risk.study_uniqueness(plan)
    made = study.write(tmp_path / "by-call")

    assert (0, "") == (said.code, said.err)
    assert contents(tmp_path / "by-command") == contents(tmp_path / "by-call")
    assert (3, [0.3, 0.5]) == (made["seed"], made["scenario"]["fractions"])
    assert (12, 0.3) == (len(study.table), study.table["fraction"][0])


def test_data_not_read_from_a_file_have_no_file_in_the_manifest(tmp_path):
    groups = [age_group("under 12"), age_group("65+")]
    counts = gamedeid.risk.PlaceCounts(places=["a"], states=None, groups=groups, people=np.array([[30, 5]]))
    made = gamedeid.risk.identifiable(counts, "year").write(tmp_path / "demographics")
    classes = gamedeid.risk.ClassSizes.parse("1:14,2:8")
    of_study = gamedeid.risk.study_uniqueness(
        gamedeid.risk.StudyPlan(population=classes, fractions=(0.5,), samples=2)
    ).write(tmp_path / "study")

    assert {} == made["inputs"] == of_study["inputs"]
    asked = {"detail": "year", "boundary": "at-most", "lifetime": None, "patients_per_person": None}
    assert asked == made["scenario"]
    assert {"fractions": [0.5], "samples": 2} == of_study["scenario"]


def test_a_table_that_changed_after_reading_is_refused(tmp_path):
    (tmp_path / "counts.csv").write_text("zip,0-9,65+\n1,2,3\n", "utf-8")
    found = gamedeid.risk.demographics(tmp_path / "counts.csv", place="zip", detail="year")
    (tmp_path / "counts.csv").write_text("zip,0-9,65+\n1,2,4\n", "utf-8")

    with pytest.raises(gamedeid.InvalidDataError, match=r"counts\.csv"):
        found.write(tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"attributes": []}, "attributes: no column is named"),
        ({"attributes": ["age", "age"]}, "the attribute `age` is named twice"),
        ({"attributes": ["age"], "count": "age"}, "count: `age` is an attribute"),
        (
            {"attributes": ["age"], "widths": {"agee": 5}},
            "widths: there is no attribute `agee`; did you mean `age`?",
        ),
        ({"attributes": ["age"], "widths": {"age": 0}}, "widths: that of `age` must be at least 1, not 0"),
        ({"attributes": ["age"], "columns": ["age", "age"]}, "the column `age` is named twice"),
    ],
)
def test_meaningless_questions_of_a_table_of_people_are_refused(tmp_path, asked, says):
    (tmp_path / "people.csv").write_text(PEOPLE, "utf-8")

    with pytest.raises(gamedeid.InvalidScenarioError) as raised:
        gamedeid.risk.read_class_sizes(tmp_path / "people.csv", **asked)
    assert says in str(raised.value)
