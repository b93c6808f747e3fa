"""Simulated recipients who know the method succeed in each release of groups as often as its audit says."""

import numpy as np
import pandas as pd
import pytest

import gamedeid

RULES = {
    "aware-basic": {},
    "aware-no-attack": {},
    "k": {"groups.k": 4},
    "l": {"groups.kept.income.distinct": 2},
    "t": {"groups.kept.income.t": 0.3},
    "cells": {"limits.smallest_cell": 4},
    "one strategy": {"limits.uniform": True, "limits.smallest_cell": 4},
}
"""Rules of groups, or a game; the game of a rule is aware-basic, or basic within limits."""


@pytest.fixture(scope="module")
def question(tmp_path_factory):
    """Write a scenario with 250 records that are their own population, and the recipients' knowledge."""
    folder, draw = tmp_path_factory.mktemp("question"), np.random.default_rng(7)
    records = pd.DataFrame(
        {
            "age": (40 + draw.integers(10, size=(2, 250)).min(axis=0)).astype(str),
            "place": draw.choice(["xa", "xb", "ya", "yb"], 250),
            "income": draw.choice(["low", "low", "mid", "high"], 250),
        }
    )
    records.to_csv(folder / "records.csv", index=False)
    ages = [[str(age), f"[{age - age % 2}-{age - age % 2 + 1}]", "*"] for age in range(40, 50)]
    places = [[place, place[0], "*"] for place in ("xa", "xb", "ya", "yb")]
    for name, rows in (("age", ages), ("place", places)):
        (folder / f"{name}.csv").write_text("".join(f"{';'.join(row)}\n" for row in rows))
    (folder / "scenario.toml").write_text(
        'game = "basic"\nfloor = "limited-data-set"\n[records]\npath = "records.csv"\nkeep = ["income"]\n'
        '[attributes.age]\nhierarchy = "age.csv"\nrole = "other"\n'
        '[attributes.place]\nhierarchy = "place.csv"\nrole = "other"\n'
        "[payoffs]\nbenefit = 1200\nloss = 300\ncost = 45\n"
    )
    return folder / "scenario.toml"


@pytest.mark.parametrize("rule", RULES)
def test_attacks_on_groups_agree_with_the_audit(tmp_path, question, rule):
    limited = any(key.startswith("limits") for key in RULES[rule])
    game = rule if rule.startswith("aware") else "basic" if limited else "aware-basic"
    scenario = gamedeid.Scenario.read(question, RULES[rule])
    gamedeid.solve(scenario, game=game).write(tmp_path / "results", report=False)

    audited = gamedeid.audit(tmp_path / "results", scenario)
    found = gamedeid.simulate_attacks(tmp_path / "results", scenario, recipients=("aware",), repeats=20)
    total = found.recipients[0]

    assert found.agrees, [one.as_dict() for one in found.recipients]
    assert pytest.approx(20 * audited.measures["expected_reidentifications"]) == total.expected_successes
    assert round(20 * audited.measures["attacked"] * 250) == total.attacks
    assert (rule == "aware-no-attack") == (total.attacks == 0)
