"""Records that the population lacks: their number is said wherever they make a release look safer than it is."""

import csv
import io
import json

import pandas as pd
import pytest
from questions import question
from small_world import SCENARIO, gamedeid_prints, gamedeid_says, lines_above_the_table, small_world

from gamedeid import Axis, Study, compare, solve, sweep
from gamedeid.report.words.risks import risk_rows
from gamedeid.risk.records import record_risks
from gamedeid.risk.release import release_risks

# Nobody is 41 or 51, so of each pair of records one matches no one as it is, and somebody as [40-41] or [50-51].
LACKING = "age,sex,count\n40,Male,1\n50,Female,2\n50,Male,10\n"
SAFE, UNIQUE = (
    SCENARIO.replace('count = "count"', f'count = "count"\nunmatched = "{how}"') for how in ("safe", "unique")
)
SAID = "2 of 4 records (50.00%) match no one in the population; "
AS_SAFE = SAID + "released as they are, they count as safe only because the population lacks them."
AS_UNIQUE = SAID + "each counts as one of a kind."
ROW = "released, match no one in the population"


@pytest.fixture(name="safe", scope="module")
def _safe(tmp_path_factory):
    folder = tmp_path_factory.mktemp("safe")
    scenario = small_world(folder, scenario=SAFE, people=LACKING)
    gamedeid_prints("run", scenario, "-o", folder / "out")
    return folder


def results(folder):
    return tuple(json.loads((folder / "out" / name).read_text()) for name in ("summary.json", "report.json"))


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
@pytest.mark.parametrize(("scenario", "sentence"), [(SAFE, AS_SAFE), (UNIQUE, AS_UNIQUE)])
def test_their_number_and_share_stand_on_the_first_screen(tmp_path, scenario, sentence, engine):
    path = small_world(tmp_path, scenario=scenario, people=LACKING)

    for command in ("run", "compare"):
        assert f"Warning: {sentence}" in lines_above_the_table(gamedeid_says(command, path, "--engine", engine).out)


def test_summary_and_report_have_their_number_and_k_map_and_the_like_leave_them_out(safe):
    summary, content = results(safe)

    assert (0.5, 2) == tuple(summary["measures"][key] for key in ("unmatched", "unmatched_records"))
    assert ("safe", 2) == tuple(summary["data"][key] for key in ("unmatched", "unmatched_records"))

    summary, content = results(safe)
    risks = content["risks"]
    # by hand: raw, 40 Male matches 1 and 50 Female 2
    raw = risks["raw"]
    assert (1, 2, 0.75) == (raw["k_map"], raw["unmatched"], raw["journalist"]["mean"])
    assert {"share": 0.75, "reidentifications": 1.5} == raw["marketer"]["journalist"]
    assert {"1": 0.5, "3": 1.0, "5": 1.0, "10": 1.0} == raw["distinct"]
    expected = {"lambda_1": 0.5, "lambda_2": 0.5, "unique": 2, "unique_in_population": 1}
    assert expected == raw["uniqueness"]
    assert summary["measures"]["unmatched_records"] == risks["release"]["unmatched"]
    said = gamedeid_says("risk", "release", safe / "out").out.splitlines()
    assert f"Warning: {AS_SAFE}" in said
    assert any("k-map (of those matched)" in line for line in said)


def test_a_policy_that_coarsens_them_until_somebody_matches_counts_fewer(tmp_path):
    path = small_world(tmp_path, scenario=SAFE, people=LACKING)
    found = json.loads(gamedeid_says("compare", path, "--policy", "pairs", "--json").out)

    assert (0.0, 0) == tuple(found["policies"]["pairs"][key] for key in ("unmatched", "unmatched_records"))
    assert (0.5, 2) == tuple(found["policies"]["basic"][key] for key in ("unmatched", "unmatched_records"))
    assert 2 == found["data"]["unmatched_records"]


def test_comparisons_have_the_measure_as_a_row_and_as_a_column(tmp_path):
    path = small_world(tmp_path, scenario=SAFE, people=LACKING)
    said = gamedeid_says("compare", path, "-o", tmp_path / "out")

    cells = [[cell.strip() for cell in line.split("│")[1:-1]] for line in said.out.splitlines() if line[:1] == "│"]
    assert [ROW, *["50.00%"] * 4] in cells
    table = list(csv.DictReader(io.StringIO((tmp_path / "out" / "comparison.csv").read_text())))
    assert {("0.5", "2")} == {(row["unmatched"], row["unmatched_records"]) for row in table}


PEOPLE = pd.DataFrame({"age": [48, 48, 49, 60], "sex": ["Male", "Male", "Male", "Female"]})
RECORDS = pd.DataFrame({"age": [48, 48, 51, 93], "sex": ["Male", "Male", "Male", "Female"]})


@pytest.mark.parametrize("solver", ["exact", "lattice-search", "backward-induction"])
@pytest.mark.parametrize("loss", [1, 1000])
def test_a_sweep_counts_them_as_a_run_does(solver, loss):
    changes = {"population.unmatched": "safe", "payoffs.loss": loss}
    study = Study.prepare(question(changes), RECORDS, PEOPLE)
    swept = sweep(study, [Axis.parse(f"loss={loss}")]).columns

    assert [row["unmatched"] for row in compare(study, solver=solver).rows] == swept["unmatched"]
    assert 2 == study.unmatched_records


def test_where_none_is_matched_no_risk_is_said():
    strangers = pd.DataFrame({"age": [10, 11], "sex": ["Female"] * 2})
    solution = solve(question({"population.unmatched": "safe"}), strangers, PEOPLE)
    rows = {row.name: row.cells for row in risk_rows(release_risks(solution).as_dict())}

    assert None is record_risks(solution).k_map
    assert ("none match",) * 3 == rows["Journalist risk: highest (of those matched)"]
    assert ("2",) * 3 == rows["Records that match no one"]


def test_where_everybody_matches_somebody_nothing_is_said(tmp_path):
    scenario = small_world(tmp_path, scenario=SAFE)
    gamedeid_says("run", scenario, "-o", tmp_path / "out")
    said = [gamedeid_says(*words).out for words in (("run", scenario), ("risk", "release", tmp_path / "out"))]

    assert not any("nobody" in one for one in said)
    assert "(of those matched)" not in said[1]
    assert "<dt>Match no one in the population</dt>" not in (tmp_path / "out" / "report.html").read_text()


def test_records_that_are_their_own_population_all_match_themselves():
    study = Study.prepare(question({"population.sampling_fraction": 0.5, "population.unmatched": "safe"}), RECORDS)

    assert (0, 0) == (study.unmatched_records, Study.prepare(question(), RECORDS).unmatched_records)


def test_a_population_that_is_spread_lacks_whole_groups_only():
    people = pd.DataFrame({"age": ["[45-49]", "[60-64]"], "sex": ["Male", "Female"]})
    for how in ("safe", "unique"):
        study = Study.prepare(question({"population.unmatched": how, "population.levels": {"age": 1}}), RECORDS, people)
        assert 2 == study.unmatched_records


def test_one_person_alone_is_not_a_share_of_anything():
    study = Study.prepare(question({"population.unmatched": "safe"}), RECORDS, PEOPLE)

    assert 0 == study.alone(record=2).unmatched_records


def test_measures_of_records_by_an_attacker_say_how_many_they_leave_out(tmp_path):
    path = small_world(tmp_path, scenario=SAFE, people=LACKING)
    said = gamedeid_says("risk", "distinct", path, "--policy", "raw", "--records")

    assert "2 of them match no one in the population as released, and are not counted." in said.out.splitlines()
