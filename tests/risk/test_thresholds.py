"""Whether a release meets thresholds: compared with a class counted by hand, and undecided without a figure."""

import pandas as pd
import pytest
from pydantic import ValidationError
from questions import content
from small_world import small_world

import gamedeid
from gamedeid.risk.thresholds import GROUPS, judged_thresholds
from gamedeid.scenario.determination import Thresholds

EVERY = ("prosecutor_highest", "prosecutor_mean", "journalist_highest", "journalist_mean", "attacked")


def judged(solution, **asked):
    return judged_thresholds(Thresholds(**asked), gamedeid.risk.release_risks(solution).as_dict(), solution.measures)


def in_one_class(size):
    """Return a release of ``size`` equal records, among as many people."""
    stakes = {"benefit": 100, "loss": 1, "cost": 90}
    scenario = content({"attributes": {"sex": {"hierarchy": "sex"}}, "payoffs": stakes, "floor": "limited-data-set"})
    return gamedeid.solve(scenario, pd.DataFrame({"sex": ["Male"] * size}))


@pytest.mark.parametrize(("preset", "people"), [("0.05", 20), ("0.09", 11), ("0.2", 5)])
def test_a_preset_is_met_from_its_size_of_group_on(preset, people):
    for size, verdict in ((people - 1, "not met"), (people, "met")):
        found = judged(in_one_class(size), presets=[preset])

        assert [("prosecutor_highest", verdict), ("journalist_highest", verdict)] == [
            (one.measure, one.verdict) for one in found
        ]
        assert [1 / size] * 2 == [one.value for one in found]
    assert {"0.05", "0.09", "0.2"} == set(GROUPS)


def test_cells_are_met_from_eleven_on():
    assert ["not met", "met"] == [judged(in_one_class(size), presets=["cells-11"])[0].verdict for size in (10, 11)]


def test_own_thresholds_hold_at_their_bound_and_not_beyond():
    # four records alike among four people: each chance 1/4, one re-identification if attacked, which does not pay
    solution = in_one_class(4)
    held = [
        ("journalist_mean", "at_most", 0.25),
        ("k_map", "at_least", 4),
        ("expected_reidentifications", "at_most", 0),
    ]
    missed = [("journalist_mean", "at_most", 0.2499), ("k_map", "at_least", 5), ("k_anonymity", "at_least", 5)]
    for rows, verdict in ((held, "met"), (missed, "not met")):
        own = [{"measure": measure, bound: value, "source": "ours"} for measure, bound, value in rows]

        assert {verdict} == {one.verdict for one in judged(solution, own=own)}
    assert judged(solution, presets=["0.2", "0.2"]) == judged(solution, presets=["0.2"])


@pytest.mark.parametrize("measure", [*EVERY, "expected_reidentifications", "k_anonymity", "k_map"])
def test_a_threshold_is_on_the_safe_side_of_its_measure_alone(measure):
    safe, other = ("at_least", "at_most") if measure.startswith("k_") else ("at_most", "at_least")

    assert 1 == Thresholds(own=[{"measure": measure, safe: 1}]).own[0].bound
    for bounds in ({other: 1}, {safe: 1, other: 1}, {}):
        with pytest.raises(ValidationError, match=f"expected {safe} alone for {measure}"):
            Thresholds(own=[{"measure": measure, **bounds}])


def test_with_unmatched_records_no_threshold_is_called_met(tmp_path):
    text = "age,sex,count\n41,Male,5\n50,Female,2\n51,Female,2\n"
    scenario = small_world(tmp_path, people=text)
    solution = gamedeid.solve(gamedeid.Scenario.read(scenario, {"population.unmatched": "safe"}))
    own = [{"measure": measure, "at_most": 1} for measure in EVERY]
    found = {one.measure: one.verdict for one in judged(solution, own=own)}

    assert 0 < solution.measures["unmatched"]
    assert {"journalist_highest", "journalist_mean", "attacked"} == {
        name for name, verdict in found.items() if verdict == "not decided"
    }
    assert "not met" == judged(solution, own=[{"measure": "journalist_highest", "at_most": 0.01}])[0].verdict


def test_without_a_release_no_threshold_is_decided():
    scenario = content({"floor": "limited-data-set", "payoffs.loss": 1e6})
    solution = gamedeid.solve(scenario, pd.DataFrame({"age": [40, 90], "sex": ["Male", "Female"]}), game="no-attack")
    own = [{"measure": "k_anonymity", "at_least": 1}, *({"measure": one, "at_most": 1} for one in EVERY)]
    found = judged(solution, presets=["0.2", "cells-11"], own=own)

    assert 1 == solution.measures["withheld"]
    assert {("not decided", None)} == {(one.verdict, one.value) for one in found}
