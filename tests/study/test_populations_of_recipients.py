"""A recipient with a separate population: its file, other columns, and records that are not in it."""

import json
from pathlib import Path

import pytest
from questions import message
from small_world import SCENARIO, contents, gamedeid_says, small_world

import gamedeid
from gamedeid import UnmatchedRecordError
from gamedeid.game.solvers import SOLVERS

BOTH = (
    SCENARIO
    + """
[recipients.researcher]
[recipients.club]
levels = { age = 1 }
covers = 0.5
cost = 5
"""
)
OWN = "[recipients.club.population]\n"
MEMBERS = "age,name\n40,SECRETE\n40,SECRETF\n50,SECRETG\n51,SECRETH\n51,SECRETI\n"
FILE = 'path = "club.csv"\n'

# By hand: the club knows ages in pairs, and its file has 2 people of [40-41] and 3 of [50-51]; it has no column sex.


def club(folder: Path, section: str = FILE, members: str | None = MEMBERS, scenario: str = BOTH) -> Path:
    if members is not None:
        (folder / "club.csv").write_text(members)
    return small_world(folder, scenario=scenario + OWN + section)


def found_by(study: gamedeid.Study) -> list[list[int]]:
    """Return the people whom each recipient finds for records that are released unchanged."""
    everyone = study.instance.all_profiles
    return [people.tolist() for people in study.instance.replies(everyone, 0 * everyone).people]


def test_people_are_counted_in_the_recipients_file_which_needs_only_known_columns(tmp_path):
    study = gamedeid.Study.prepare(club(tmp_path))

    assert [[1, 5, 2, 2], [2, 2, 3, 3]] == found_by(study)
    assert 20 == study.people


def test_records_matched_only_in_the_recipients_file_count_in_the_marketers_risk(tmp_path):
    scenario = club(tmp_path)
    (tmp_path / "people.csv").write_text("age,sex,count\n40,Male,1\n41,Male,5\n50,Female,2\n")
    unattacked = {"payoffs.loss": 0.01, "population.unmatched": "safe"}
    solution = gamedeid.solve(gamedeid.Scenario.read(scenario, unattacked))

    researcher, hers = 1 + 1 / 5 + 1 / 2, 2 * (0.75 / 2) + 2 * (0.875 / 3)
    assert 1 == solution.measures["unmatched_records"]
    assert pytest.approx((researcher + hers) / 4) == solution.marketer["share"]


@pytest.mark.parametrize(("most", "taken"), [(2**16 - 4, 2), (2**16, 4)])
def test_counts_take_the_bytes_that_the_greater_of_both_populations_needs(tmp_path, most, taken):
    members = f"age,n\n40,1\n40,1\n50,{most}\n51,1\n"
    study = gamedeid.Study.prepare(club(tmp_path, FILE + 'count = "n"\n', members))

    assert [2, 2, most + 1, most + 1] == found_by(study)[1]
    assert taken == study.instance.counts.tables.rows.itemsize


@pytest.mark.parametrize("game", ["basic", "no-attack"])
def test_a_recipients_own_copy_of_the_population_makes_the_same_files(tmp_path, game):
    copied = 'path = "people.csv"\ncount = "count"\n'
    for name, scenario in (("main", BOTH), ("copy", BOTH + OWN + copied)):
        (tmp_path / name).mkdir()
        path = small_world(tmp_path / name, scenario=scenario)
        assert 0 == gamedeid_says("run", path, "--game", game, "--no-report", "-o", tmp_path / f"{name}-out").code
    main, copy = (contents(tmp_path / f"{name}-out") for name in ("main", "copy"))
    del main["manifest.json"], copy["manifest.json"]
    summaries = [json.loads(folder.pop("summary.json")) for folder in (main, copy)]
    aware = [[row.pop("aware") for row in summary["policies"].values()] for summary in summaries]
    assert summaries[0] == summaries[1]
    assert main == copy
    assert all(isinstance(known, dict) for known in aware[0])
    assert all(
        "population of the scenario" in known for known in aware[1]
    )  # it is not computed for a recipient's separate list


def test_all_solvers_sweeps_comparisons_and_one_person_agree(tmp_path):
    path = club(tmp_path)
    study = gamedeid.Study.prepare(path)
    proved = [gamedeid.solve(study, game="basic", solver=one).measures for one in ("exact", "backward-induction")]
    assert proved[0] == proved[1]
    for row in gamedeid.compare_solvers(study, "basic", list(SOLVERS)).rows:
        assert row["publisher_payoff"] <= proved[0]["publisher_payoff"] + 1e-9
    row = gamedeid.sweep(study, ["recipients.club.probability=0.5,1"]).table.to_dict("records")[5]
    assert "basic" == row["policy"]
    assert proved[0]["publisher_payoff"] == pytest.approx(row["publisher_payoff"])
    assert proved[0] == gamedeid.compare(path).solutions["basic"].measures
    alone = gamedeid.solve(study.alone(record=2))
    profile = study.instance.profiles.of_record[2]
    assert gamedeid.solve(study).publisher_payoff[profile] == alone.publisher_payoff[0]


def test_verify_counts_in_the_recipients_file_too_and_says_if_it_is_missing(tmp_path):
    path = club(tmp_path)
    gamedeid.solve(path).write(tmp_path / "out", report=False)
    found = gamedeid.verify(tmp_path / "out", path)
    assert () == found.findings
    assert any("no permitted strategy is better" in done for done in found.checked)
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert "recipients.club.population" in manifest["inputs"]
    assert "SECRET" not in json.dumps(manifest)

    (tmp_path / "club.csv").write_text(MEMBERS + "40,SECRETJ\n")
    assert any("is not the file" in str(one) for one in gamedeid.verify(tmp_path / "out", path).findings)
    (tmp_path / "club.csv").unlink()
    found = gamedeid.verify(tmp_path / "out", path)
    assert () == found.findings
    assert any("whom each recipient finds are not known" in str(one) for one in found.unchecked)


def test_a_finished_answer_is_applied_with_the_recipients_file(tmp_path):
    path = club(tmp_path)
    solution = gamedeid.solve(path)
    solution.write(tmp_path / "out", report=False)
    applied = gamedeid.apply(tmp_path / "out", tmp_path / "records.csv", path)
    assert solution.measures == applied.solution.measures


def test_records_without_a_match_in_the_recipients_file_are_safe_only_if_stated(tmp_path):
    said = message(UnmatchedRecordError, gamedeid.solve, club(tmp_path, members="age\n50\n51\n"))
    assert "2 records match no one in the population of recipient `club`" in said
    assert '[recipients.club.population] unmatched = "unique" or "safe"' in said

    path = club(tmp_path, FILE + 'unmatched = "safe"\n', None)
    solution = gamedeid.solve(path)
    solution.write(tmp_path / "out")
    assert "50.00% of a separate population" in (tmp_path / "out" / "report.html").read_text()
    assert 2 == solution.recipients["club"]["unmatched_records"]
    assert "unmatched_records" not in solution.recipients["researcher"]
    assert () == gamedeid.verify(tmp_path / "out", path).findings

    unique = gamedeid.Study.prepare(club(tmp_path, FILE + 'unmatched = "unique"\n', None))
    assert [1, 1, 2, 2] == found_by(unique)[1]


def test_a_recipient_knows_attributes_at_the_levels_of_its_file(tmp_path):
    pairs = "age,sex\n[40-41],Male\n[50-51],Female\n"
    path = club(tmp_path, FILE + "levels = { age = 1 }\n", pairs, SCENARIO + "\n[recipients.club]\n")
    study = gamedeid.Study.prepare(path)
    assert [[1, 1, 1, 1]] == found_by(study)
    gamedeid.solve(study).write(tmp_path / "out", report=False)
    assert () == gamedeid.verify(tmp_path / "out", path).findings
