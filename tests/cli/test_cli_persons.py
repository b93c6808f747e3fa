"""``[records] person`` on the command line: what is released, what is said, and that no key leaves."""

import json
from hashlib import sha256
from pathlib import Path

import pytest
from planted_tokens import assert_files_bare, assert_nothing_planted
from questions import question
from small_world import contents, gamedeid_says, refused

SCENARIO = """
game = "basic"
title = "Visits"
[records]
path = "records.csv"
person = "patient_id"
keep = ["ward"]
[attributes.age]
hierarchy = "age"
[attributes.sex]
hierarchy = "sex"
[payoffs]
benefit = 100
loss = 90
cost = 40
"""
RECORDS = """patient_id,age,sex,ward
PLANTED-Q7,34,Male,a
PLANTED-B3,50,Female,b
PLANTED-Q7,36,Male,c
PLANTED-Z9,34,Male,d
PLANTED-B3,50,Female,e
PLANTED-M4,50,Female,f
PLANTED-A5,90,Male,g
PLANTED-A5,50,Female,h
"""
# By hand: 50 Female match 2 as they are (100 - 45 each); of PLANTED-A5 nothing is known of age or sex below *. With
# age [30-59] and sex * four match PLANTED-Q7 and PLANTED-Z9, and nobody attacks: 100 - 100 ln(60) / ln(242) = 25.41.
# At their ages below that they match themselves only, or each other two at a loss of 45 and more detail than that.
RELEASE = """person,age,sex,ward
1,[30-59],*,a
1,[30-59],*,c
2,[30-59],*,d
3,*,*,g
3,*,*,h
4,50,Female,f
5,50,Female,b
5,50,Female,e
"""


DIFFERING = (
    "Records of one person differ in age (2 people), sex (1 person); strategies begin at the levels at which they "
    "agree."
)


def world(folder: Path, scenario: str = SCENARIO, records: str = RECORDS) -> Path:
    (folder / "scenario.toml").write_text(scenario)
    (folder / "records.csv").write_text(records)
    return folder / "scenario.toml"


def test_a_run_releases_one_strategy_for_all_rows_of_a_person(tmp_path):
    ran = gamedeid_says("run", world(tmp_path), "-o", tmp_path / "out")
    out = tmp_path / "out"
    summary = json.loads((out / "summary.json").read_text())

    assert (0, "") == (ran.code, ran.err)
    assert RELEASE == (out / "release.csv").read_text()
    lines = ran.out.splitlines()
    start = next(place for place, line in enumerate(lines) if line.startswith("8 records"))
    assert [
        "8 records of 5 people, 4 profiles; these people are their own population",
        "Each person is counted once and gets one strategy; below, statements about records are about people.",
        DIFFERING,
    ] == lines[start : start + 3]
    assert "Visits: basic game" == ran.out.splitlines()[0]
    assert ran.out.splitlines()[3].startswith("Payoff per person, if the recipient counts")
    assert "the basic game $32.16, 28.0% more than " in ran.out.splitlines()[3]
    assert 8 == len((out / "strategies.csv").read_text().splitlines()) - 1
    assert {
        "count": 5,
        "with_several_records": 3,
        "differing": {"age": 2, "sex": 1},
        "pseudonyms": "person",
    } == summary["data"]["persons"]
    assert (8, 5, 1.0) == (
        summary["data"]["records"],
        summary["measures"]["records"],
        summary["measures"]["expected_reidentifications"],
    )
    report = (out / "report.html").read_text()
    assert "8 records of 5 people, with 4 distinct combinations" in report
    assert "re-identifications among 5 people" in report
    assert "looked up among the 5 people of the data" in report


def test_no_key_leaves_in_any_byte_and_its_name_in_the_manifest_only(tmp_path):
    scenario = world(tmp_path)
    said = [
        gamedeid_says("run", scenario, "-o", tmp_path / "out"),
        gamedeid_says("run", scenario, "-o", tmp_path / "parquet", "--format", "parquet", "--no-report"),
        gamedeid_says("compare", scenario, "-o", tmp_path / "compared"),
        gamedeid_says("sweep", scenario, "--vary", "loss=50:150:3", "-o", tmp_path / "swept"),
        gamedeid_says("sweep", scenario, "--record", 2, "--vary", "loss=50:150:3"),
        gamedeid_says("risk", "release", tmp_path / "out"),
        gamedeid_says("report", tmp_path / "out"),
        gamedeid_says("solvers", scenario),
        gamedeid_says("risk", "distinct", scenario, "--policy", "safe-harbor"),
    ]

    assert [(0, "")] * len(said) == [(one.code, one.err) for one in said]
    for one in said:
        assert_nothing_planted(one.out.encode(), "standard output")
        assert "patient_id" not in one.out
    for folder in ("out", "parquet", "compared", "swept"):
        assert_files_bare(tmp_path / folder)
        named = [name for name, text in contents(tmp_path / folder).items() if b"patient_id" in text]
        assert ["manifest.json"] == named


def test_pseudonyms_follow_the_seed_are_left_out_or_random(tmp_path):
    def released(line: str, out: str) -> list[str]:
        scenario = world(tmp_path, SCENARIO.replace("keep", f"{line}\nkeep"))
        assert 0 == gamedeid_says("run", scenario, "-o", tmp_path / out, "--no-report").code
        return (tmp_path / out / "release.csv").read_text().splitlines()

    seeds = [released(f"pseudonyms = {seed}", f"seed{place}") for place, seed in enumerate([0, 1, 1, '"random"'])]

    assert seeds[1] == seeds[2]
    assert seeds[0] != seeds[1]
    assert all(sorted({row.split(",")[0] for row in rows[1:]}) == list("12345") for rows in seeds)
    assert released("pseudonyms = false", "none")[0].startswith("age,")
    for out, stated in (("seed0", 0), ("seed1", 1), ("seed3", "random"), ("none", False)):
        said = json.loads((tmp_path / out / "manifest.json").read_text())["scenario"]["records"]["pseudonyms"]
        assert (type(stated), stated) == (type(said), said)


@pytest.mark.parametrize(
    ("scenario", "records", "complaint"),
    [
        (
            SCENARIO,
            RECORDS.replace("PLANTED-Z9", "").replace("PLANTED-M4", " "),
            (
                "records.csv: column `patient_id` has no value in 2 rows (first in row 4); [records] person needs one "
                "in every row: fill them in, or leave these rows out"
            ),
        ),
        (
            SCENARIO.replace('person = "patient_id"', 'person = "patient"\ndrop = ["patient_id"]'),
            RECORDS,
            "records.csv: there is no column `patient`; did you mean `patient_id`?",
        ),
        (
            SCENARIO.replace("keep", 'drop = ["patient_id"]\nkeep'),
            RECORDS,
            "scenario.toml: column `patient_id` is in records.drop and in records.person; it can have one part only",
        ),
        (
            SCENARIO.replace("keep", "pseudonyms = true\nkeep"),
            RECORDS,
            'scenario.toml: records.pseudonyms: expected a seed (0 or more), "random" or false, not `True`',
        ),
        (
            SCENARIO.replace('person = "patient_id"', 'pseudonyms = false\ndrop = ["patient_id"]'),
            RECORDS,
            "scenario.toml: records.pseudonyms stand for records.person, which names no column",
        ),
        (
            SCENARIO.replace('keep = ["ward"]', 'keep = ["Person", "pseudonym"]'),
            RECORDS,
            (
                "scenario.toml: records.pseudonyms: the release has columns `person` and `pseudonym` already; rename "
                "one of them, or set pseudonyms = false"
            ),
        ),
    ],
)
def test_what_is_wrong_is_one_line_and_nothing_is_written(tmp_path, scenario, records, complaint):
    said = refused("run", world(tmp_path, scenario, records), "-o", tmp_path / "out")

    assert complaint == said.replace(f"{tmp_path}/", "")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(("keep", "column"), [([], "person"), (["Person"], "pseudonym"), (["pseudonym"], "person")])
def test_the_column_of_pseudonyms_has_another_name_where_that_is_taken(keep, column):
    assert column == question({"records.person": "patient_id", "records.keep": keep}).pseudonym_column


@pytest.mark.own_documents
def test_people_that_were_changed_after_the_run_are_one_line(tmp_path):
    out = tmp_path / "out"
    gamedeid_says("run", world(tmp_path), "-o", out)
    summary, manifest = (json.loads((out / name).read_text()) for name in ("summary.json", "manifest.json"))
    for odd in (None, 7, {}, {"count": 0, "differing": {}}, {"count": 5, "differing": {"age": "two"}}):
        summary["data"]["persons"] = odd
        (out / "summary.json").write_text(json.dumps(summary))
        manifest["outputs"]["summary.json"] = sha256((out / "summary.json").read_bytes()).hexdigest()
        (out / "manifest.json").write_text(json.dumps(manifest))

        assert "data.persons" in gamedeid_says("risk", "release", out).complaint
