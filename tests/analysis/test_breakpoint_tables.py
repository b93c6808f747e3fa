"""Breakpoints as rows, for a dataset and for one record."""

import dataclasses
from itertools import pairwise

import pandas as pd
import pytest
from questions import question

from gamedeid import InvalidScenarioError, Solution, Study, breakpoints, policy_solution, solve
from gamedeid.analysis.breakpoints import breakpoint_table, stretch_table
from gamedeid.choices import GAMES, OUTCOMES


def solved(study: Study, name: str, **stakes: float) -> Solution:
    instance = dataclasses.replace(study.instance, payoffs=dataclasses.replace(study.instance.payoffs, **stakes))
    study = dataclasses.replace(study, instance=instance)
    return solve(study, game=name) if name in GAMES else policy_solution(study, study.scenario_policy)


def test_the_manifest_names_the_range_of_a_stake_that_was_followed(study):
    asked = {breakpoints(study, *bounded).asked["exact"] for bounded in (("loss",), ("loss", 0.0), ("cost", 0, 5))}
    assert {"loss", "cost=0:5"} == asked
    assert "benefit=0.1:1000" == breakpoints(study, "benefit", high=1e3, low=0.1).asked["exact"]
    assert "benefit=10:inf" == breakpoints(study, "benefit", 10).asked["exact"]


@pytest.mark.parametrize(("stake", "low", "high"), [("loss", 1900, 2200), ("cost", 18, 22), ("benefit", 1000, 1500)])
def test_the_changes_of_a_dataset_are_counted_at_the_values_where_they_happen(study, stake, low, high):
    table = breakpoint_table(study, stake, low, high)
    records = study.instance.profiles.records
    counted = dict.fromkeys([study.scenario_policy.name, *GAMES], 0)
    for name in counted:
        rows = [place for place, policy in enumerate(table["policy"]) if policy == name]
        values = [table["value"][row] for row in rows]
        assert sorted(values) == values
        assert all(low < value < high for value in values)
        between = [low, *values, high]
        solutions = [solved(study, name, **{stake: (one + two) / 2}) for one, two in pairwise(between)]
        for row, (before, after) in zip(rows, pairwise(solutions), strict=True):
            moved = int(records[before.choice.nodes != after.choice.nodes].sum())
            turned = int(records[before.attacked != after.attacked].sum())
            assert (moved, turned) == (table["strategies"][row], table["replies"][row])
            assert moved + turned > 0
            counted[name] += 1

    assert sum(counted.values()) == len(table["value"])
    assert sum(counted.values()) > 10


def test_nothing_changes_along_the_benefit_if_no_attack_is_permitted(study):
    table = breakpoint_table(study, "benefit")

    assert "basic" in table["policy"]
    assert not {"no-attack", study.scenario_policy.name} & set(table["policy"])


@pytest.mark.parametrize(("stake", "low", "high"), [("loss", 100, 9000), ("cost", 0, 60), ("benefit", 5, float("inf"))])
@pytest.mark.parametrize("record", [17, 53, 211])
def test_a_record_solved_anew_inside_a_stretch_gives_the_answer_of_the_stretch(study, stake, low, high, record):
    table = stretch_table(study.alone(record=record), stake, low, high)
    known = ["withheld", "attacked", "information_loss", "generalization_intensity", "success_probability"]
    assert ["policy", "low", "high", *study.instance.hierarchies, *known] == list(table)
    ends = dict.fromkeys([study.scenario_policy.name, *GAMES], low)
    for row in zip(*table.values(), strict=True):
        found = dict(zip(table, row, strict=True))
        assert ends[found["policy"]] == found["low"]
        ends[found["policy"]] = float("inf") if found["high"] is None else found["high"]
        middle = (found["low"] + ends[found["policy"]]) / 2 if found["high"] is not None else 2 * found["low"] + 1
        outcome = solved(study, found["policy"], **{stake: middle}).strategies
        assert {name: outcome[name][record] for name in list(table)[3:]} == pytest.approx(
            {name: found[name] for name in list(table)[3:]}
        )
        assert set(known) <= set(OUTCOMES)
    assert {high} == set(ends.values())


def test_an_attribute_named_like_a_column_is_refused():
    asked = question({"attributes": {"low": {"hierarchy": "sex"}}})
    study = Study.prepare(asked, pd.DataFrame({"low": ["Male", "Female"]}))

    with pytest.raises(InvalidScenarioError, match=r"attributes\.low: the table of stretches has"):
        stretch_table(study.alone(record=0), "loss")
