"""Do public functions take common Python types, and refuse values out of range in one line?"""

import copy
import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import gamedeid
from gamedeid.choices import OUTCOMES


@pytest.fixture(scope="module")
def study():
    return gamedeid.Study.prepare("scenarios/quickstart.toml")


def test_public_calls_take_common_python_types(study, tmp_path):
    assert gamedeid.risk.read_class_sizes("scenarios/quickstart/records.csv", pd.Index(["age", "sex"])).people == 400
    solution = gamedeid.solve(study, game="basic")
    assert gamedeid.risk.record_risks(solution, np.array([0.05])).as_dict()
    assert 4 == gamedeid.read_hierarchy("hierarchies/race.toml").levels
    assert "ages.csv" == gamedeid.Attribute(hierarchy=Path("ages.csv")).hierarchy
    assert study.alone(record=np.int64(3)).instance.profiles.count == 1
    axis = gamedeid.Axis(name="loss", values=np.linspace(0, 100, 3))
    assert {axis} == {gamedeid.Axis.parse("loss=0:100:50")}
    gamedeid.sweep(study, [gamedeid.Axis(name="loss", values=np.arange(2))]).write(tmp_path / "axis")


def test_questions_about_a_study_take_its_scenario_too(study):
    path = "scenarios/quickstart.toml"
    ranges = (gamedeid.robust_ranges(one, "no-attack").as_dict() for one in (path, study))
    changes = (gamedeid.breakpoints(one, "loss", 100, 110).table.to_dict("list") for one in (path, study))
    played = (gamedeid.compare_solvers(one, "no-attack").rows for one in (path, study))
    found = (gamedeid.check_release(one).as_dict() for one in (path, study))

    for first, second in (ranges, changes, played, found):
        assert first == second


def test_values_out_of_range_are_one_line(study, tmp_path):
    with pytest.raises(gamedeid.InvalidDataError, match=r"^records: there is no column `age`; its columns are none$"):
        gamedeid.solve(study.scenario, pd.DataFrame(), game="basic")
    with pytest.raises(gamedeid.InvalidScenarioError, match=r"^this is for the games .*, not for abc;"):
        gamedeid.robust_ranges(study, "abc")
    with pytest.raises(gamedeid.InvalidScenarioError, match=r"^there is no game `aware-noattack`; .*`aware-no-attack`"):
        gamedeid.solve(study, game="aware-noattack")
    for table in (gamedeid.solve(study, game="basic"), gamedeid.sweep(study, ["loss=1,2"])):
        with pytest.raises(gamedeid.InvalidScenarioError, match=r"^form: expected csv or parquet, not `abc`$"):
            table.write(tmp_path / "abc", form="abc")
    assert [] == list(tmp_path.iterdir())
    for numbers in ((0, 5), (1, 5), (0.5, -1)):
        with pytest.raises(gamedeid.InvalidScenarioError, match=r"^expected a fraction between 0 and 1"):
            gamedeid.risk.success_by_class(*numbers)
    with pytest.raises(gamedeid.InvalidDataError, match=r"^people: expected a whole number"):
        gamedeid.risk.distinct_people("many", 365, 1)
    people = pd.DataFrame({"age": [1, 1]})
    with pytest.raises(gamedeid.InvalidDataError, match=r"^expected a value for each person, .*, not a data frame$"):
        gamedeid.risk.measure_uniqueness(people, people)
    with pytest.raises(gamedeid.InvalidScenarioError, match="is no strategy of a lattice"):
        gamedeid.Lattice(heights=(6, 2)).node((9, 9))
    with pytest.raises(gamedeid.InvalidHierarchyError, match=r"^hierarchy `x`: `role` is `ZIP`: expected `zip`, "):
        gamedeid.Hierarchy.intervals(0, 9, [5], name="x", role="ZIP")
    for number in (-1, 400, 1.5, True):
        with pytest.raises(gamedeid.InvalidScenarioError, match=f"^there is no record `{number}`; they are numbered"):
            study.alone(record=number)
    solution = gamedeid.solve(study, game="basic")
    for size in (0, 1.5, "1"):
        with pytest.raises(gamedeid.InvalidScenarioError, match=f"^distinct: expected whole numbers .*, not `{size}`$"):
            gamedeid.risk.release_risks(solution, distinct=[size])


def test_a_run_of_data_frames_cannot_be_attacked_again(study, tmp_path):
    records = pd.read_csv("scenarios/quickstart/records.csv", dtype=str)
    gamedeid.solve(study.scenario, records, game="basic").write(tmp_path / "out", report=False)
    with pytest.raises(gamedeid.InvalidDataError, match="out: its records were a data frame, and attacks need them; "):
        gamedeid.simulate_attacks(tmp_path / "out", study.scenario)


def test_one_text_is_not_a_list_of_texts(study, tmp_path):
    solution = gamedeid.solve(study, game="no-attack")
    solution.write(tmp_path / "out", report=False)
    for call, argument, text in (
        (lambda text: gamedeid.sweep(study, text), "vary", "loss=1,2"),
        (lambda text: gamedeid.sweep(study, ["loss=1,2"], measures=text), "measures", "attacked"),
        (lambda text: gamedeid.compare_solvers(study, "basic", text), "solvers", "exact"),
        (lambda text: gamedeid.risk.release_detail(solution, by=text), "by", "sex"),
        (lambda text: gamedeid.risk.read_class_sizes("scenarios/quickstart/records.csv", text), "attributes", "sex"),
        (lambda text: gamedeid.risk.joint_risk(tmp_path / "out", text), "earlier", "out"),
        (lambda text: gamedeid.risk.joint_risk(tmp_path / "out", Path(text)), "earlier", "out"),
        (lambda text: gamedeid.simulate_attacks(tmp_path / "out", study.scenario, recipients=text), "recipients", "me"),
    ):
        with pytest.raises(gamedeid.InvalidScenarioError) as error:
            call(text)
        assert f"{argument}: expected a list, such as [`{text}`]" == str(error.value)


def test_results_do_not_change_with_what_a_user_does_to_their_parts(study, tmp_path):
    solution, comparison = gamedeid.solve(study, game="basic"), gamedeid.compare(study)
    for name in ("levels", "withheld", "people", *OUTCOMES):
        with pytest.raises(ValueError, match="read-only"):
            getattr(solution, name)[:] = 1
    solution.measures["game"] = solution.search["game"] = "basic"
    comparison.rows[0]["attacked"] = 2.0

    again = gamedeid.solve(study, game="basic")
    assert (again.measures, again.search) == (solution.measures, solution.search)
    assert comparison.rows == gamedeid.compare(study).rows
    assert "game" not in solution.write(tmp_path / "out", report=False)


def test_prepared_data_are_copied_but_not_pickled(study):
    solution = gamedeid.solve(study, game="basic")

    assert study is copy.copy(study) is copy.deepcopy(solution).study
    for held in (study, solution, gamedeid.compare(study), gamedeid.sweep(study, ["loss=1,2"])):
        with pytest.raises(gamedeid.InvalidScenarioError, match="is not pickled") as error:
            pickle.dumps(held)
        assert "\n" not in str(error.value)
