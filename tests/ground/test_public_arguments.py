"""Do public functions take what a user has at hand, and refuse values out of range in one line?"""

import numpy as np
import pandas as pd
import pytest

import gamedeid


@pytest.fixture(scope="module")
def study():
    return gamedeid.Study.prepare("scenarios/quickstart.toml")


def test_what_a_user_has_at_hand_is_taken(study):
    assert gamedeid.risk.read_class_sizes("scenarios/quickstart/records.csv", pd.Index(["age", "sex"])).people == 400
    solution = gamedeid.solve(study, game="basic")
    assert gamedeid.risk.record_risks(solution, np.array([0.05])).as_dict()
    assert 4 == gamedeid.read_hierarchy("hierarchies/race.toml").levels
    assert study.alone(record=np.int64(3)).instance.profiles.count == 1


def test_values_out_of_range_are_one_line(study, tmp_path):
    with pytest.raises(gamedeid.InvalidDataError, match=r"^records: there is no column `age`; its columns are none$"):
        gamedeid.solve(study.scenario, pd.DataFrame(), game="basic")
    with pytest.raises(gamedeid.InvalidScenarioError, match=r"^this is for the games .*, not for abc;"):
        gamedeid.robust_ranges(study, "abc")
    for table in (gamedeid.solve(study, game="basic"), gamedeid.sweep(study, ["loss=1,2"])):
        with pytest.raises(gamedeid.InvalidScenarioError, match=r"^form: expected csv or parquet, not `abc`$"):
            table.write(tmp_path / "abc", form="abc")
    assert [] == list(tmp_path.iterdir())
    for numbers in ((0, 5), (1, 5), (0.5, -1)):
        with pytest.raises(gamedeid.InvalidScenarioError, match=r"^expected a fraction between 0 and 1"):
            gamedeid.risk.success_by_class(*numbers)
    with pytest.raises(gamedeid.InvalidDataError, match=r"^people: expected a whole number"):
        gamedeid.risk.distinct_people("many", 365, 1)
    with pytest.raises(gamedeid.InvalidScenarioError, match="is no strategy of a lattice"):
        gamedeid.Lattice(heights=(6, 2)).node((9, 9))
