"""The command `gamedeid frontier`: what it answers and writes."""

import json

import pytest
from small_world import gamedeid_prints, gamedeid_says


@pytest.mark.parametrize("also", [(), ("--set", "recipients.b.probability=0.5", "--set", "recipients.a.cost=9")])
def test_the_release_within_limits_is_marked_and_all_else_is_as_without(scenario, tmp_path, also):
    free = gamedeid_says("frontier", scenario, *also, "--json")
    limits = ("--set", "limits.expected_reidentifications=0.25")
    said = gamedeid_prints("frontier", scenario, *also, *limits, "--json", "-o", tmp_path / "out")

    limited, without = json.loads(said), json.loads(free.out)
    there = limited["releases"].pop("within limits")
    assert without == limited
    assert 0 < there["expected_reidentifications"] <= 0.25
    assert there["publisher_payoff"] < limited["releases"]["basic"]["publisher_payoff"]
    assert "within limits" in (tmp_path / "out" / "frontier.svg").read_text()
    assert "Within limits" in gamedeid_says("frontier", scenario, *also, *limits).out


def test_against_a_thief_there_is_a_curve_and_no_shadow_price(scenario, tmp_path):
    thief = ("--set", "recipients.thief.cost=0")
    folder = tmp_path / "out"
    gamedeid_prints("frontier", scenario, *thief, "-o", folder)
    assert "shadow_price" not in (folder / "curve.csv").read_text().splitlines()[0].split(",")
