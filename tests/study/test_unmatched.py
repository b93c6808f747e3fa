"""Records that the population lacks: every output states their number if they make a release look safer than it is."""

import json

import pandas as pd
import pytest
from questions import question
from small_world import UNMATCHED_SAFE, small_world

from gamedeid import Axis, Study, compare, policy_solution, solve, sweep
from gamedeid.report.words.risks import risk_rows
from gamedeid.risk.records import record_risks
from gamedeid.risk.release import release_risks

# No person is 41 or 51, so one of each pair of records matches no one unchanged, but some as [40-41] or [50-51].
LACKING = "age,sex,count\n40,Male,1\n50,Female,2\n50,Male,10\n"


def test_summary_and_report_have_their_number_and_k_map_and_the_like_leave_them_out(tmp_path):
    solve(small_world(tmp_path, scenario=UNMATCHED_SAFE, people=LACKING)).write(tmp_path / "out")
    summary, content = (json.loads((tmp_path / "out" / f"{name}.json").read_text()) for name in ("summary", "report"))
    risks = content["risks"]

    assert (0.5, 2) == tuple(summary["measures"][key] for key in ("unmatched", "unmatched_records"))
    assert ("safe", 2) == tuple(summary["data"][key] for key in ("unmatched", "unmatched_records"))
    assert 2 == risks["release"]["unmatched"]
    raw = risks["raw"]  # by hand: 40 Male matches 1 and 50 Female 2
    assert (1, 2, 0.75) == (raw["k_map"], raw["unmatched"], raw["journalist"]["mean"])
    assert {"share": 0.75, "reidentifications": 1.5} == raw["marketer"]["journalist"]
    assert {"1": 0.5, "3": 1.0, "5": 1.0, "10": 1.0} == raw["distinct"]
    assert {"lambda_1": 0.5, "lambda_2": 0.5, "unique": 2, "unique_in_population": 1} == raw["uniqueness"]


def test_a_policy_that_coarsens_them_until_people_match_counts_fewer(tmp_path):
    study = Study.prepare(small_world(tmp_path, scenario=UNMATCHED_SAFE, people=LACKING))

    assert 0 == policy_solution(study, study.policy("pairs")).measures["unmatched_records"]
    assert 2 == solve(study).measures["unmatched_records"] == study.unmatched_records


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


def test_no_risk_is_stated_if_no_record_has_a_match():
    strangers = pd.DataFrame({"age": [10, 11], "sex": ["Female"] * 2})
    solution = solve(question({"population.unmatched": "safe"}), strangers, PEOPLE)
    rows = {row.name: row.cells for row in risk_rows(release_risks(solution).as_dict())}

    assert None is record_risks(solution).k_map
    assert ("none match",) * 3 == rows["Journalist risk: highest (of those matched)"]
    assert ("2",) * 3 == rows["Records that match no one"]


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
