"""Every measure of a finished release: counted by hand, stored by a run, printed from the folder."""

import json
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate

import pandas as pd
import pytest
from depth import tries
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle_worlds import strategies, study_of
from oracles import adversary_attacks, label, people
from questions import content
from small_world import contents, gamedeid_prints, gamedeid_says, small_world
from worlds import few_strategies, worlds

import gamedeid
from gamedeid.choices import GAMES
from gamedeid.report.words.risks import diversity_grid, risk_rows
from gamedeid.risk.records import record_risks
from gamedeid.risk.release import release_risks


@pytest.fixture
def scenario(tmp_path):
    return small_world(tmp_path)


@pytest.fixture
def out(tmp_path, scenario):
    gamedeid_prints("run", scenario, "--policy", "pairs", "-o", tmp_path / "out")
    return tmp_path / "out"


def spread(chances: list[Fraction]) -> dict[str, float]:
    """Return the distribution of successes of independent attacks, by adding one attack after the other."""
    law = [Fraction(1)]
    for chance in chances:
        law = [a * (1 - chance) + b * chance for a, b in zip([*law, 0], [0, *law], strict=True)]
    below = [float(total) for total in accumulate(law)]
    low, high = (next(n for n, total in enumerate(below) if total > level - 1e-9) for level in (0.025, 0.975))
    return {"at_least_one": float(1 - law[0]), "low": low, "high": high, "highest": float(max(chances, default=0))}


@settings(max_examples=tries(10, 300))
@given(world=worlds(), game=st.sampled_from(GAMES))
def test_each_measure_of_a_release_is_that_of_its_records_one_by_one(world, game):
    world = replace(few_strategies(world, 24), gain=world.gain or 0.25, loss=world.loss or 0.25)
    solution = gamedeid.solve(study_of(world), game=game)
    found = release_risks(solution).as_dict()["release"]
    released = [(record, taken) for record, taken in enumerate(strategies(solution)) if taken is not None]
    rows = {
        record: tuple(
            label(of, world.records[record][name], level)
            for (name, of), level in zip(world.ladders.items(), taken, strict=True)
        )
        for record, taken in released
    }
    times, matching = Counter(rows.values()), {record: people(world, record, taken) for record, taken in released}
    matched = [record for record in matching if matching[record] > 0]
    alone = [record for record in matched if times[rows[record]] == 1]
    both = sum(matching[record] == 1 for record in alone)

    assert pytest.approx(spread([Fraction(1, matching[record]) for record in matched])) == found["spread_if_all"]
    pays = [Fraction(1, n) for n in matching.values() if adversary_attacks(world, n)]
    assert pytest.approx(spread(pays)) == found["spread"]
    assert pytest.approx(float(sum(pays))) == found["expected_reidentifications"]
    for size, share in found["distinct"].items():
        few = sum(matching[record] <= int(size) for record in matched)
        assert pytest.approx(few / len(matched) if matched else 0.0) == share
    assert record_risks(solution).as_dict().items() <= found.items()
    assert found["uniqueness"] == {
        "unique": len(alone),
        "unique_in_population": both,
        "lambda_1": both / len(alone) if alone else None,
        "lambda_2": both / len(matched) if matched else 0.0,
    }


def test_the_range_below_an_attack_on_all_is_of_that_attack_whatever_recipients_there_are():
    asked = {"attributes": {"sex": {"hierarchy": "sex"}}, "recipients": {"one": {}, "other": {"probability": 0.5}}}
    found = release_risks(gamedeid.solve(content(asked), pd.DataFrame({"sex": ["Male"] * 3 + ["Female"]}))).raw

    assert found.marketer.journalist.reidentifications == pytest.approx(2)  # the woman, and one of the men
    chances = [Fraction(1), *[Fraction(1, 3)] * 3]
    assert pytest.approx(spread(chances)) == found.spread_if_all.as_dict()


def test_the_risk_of_a_finished_release_is_computed_from_the_folder_alone(tmp_path, out):
    for gone in ("records.csv", "people.csv", "scenario.toml"):
        (tmp_path / gone).unlink()
    before = contents(out)
    said = gamedeid_prints("risk", "release", out)

    stored = json.loads((out / "report.json").read_text())["risks"]
    # pairs releases [40-41] Male twice, matched by 6, and [50-51] Female twice, by 4
    policy = stored["policy"]
    assert ("pairs", 2, 4, None) == (
        *(policy[key] for key in ("name", "k_anonymity", "k_map")),
        policy["uniqueness"]["lambda_1"],
    )
    assert "names no thresholds" in said.splitlines()[1]
    assert "distinct l-diversity" in said
    for row in risk_rows(stored):
        assert any(row.name in line and all(cell in line for cell in row.cells) for line in said.splitlines()), row
    printed = json.loads(gamedeid_says("risk", "release", out, "--json").out)
    assert {"schema": "urn:gamedeid:schema:release-risks:4", **stored} == printed
    assert before == contents(out)
    (out / "report.json").write_text("{}")
    assert "is not as manifest.json has it" in gamedeid_says("risk", "release", out).complaint


def test_withheld_records_are_in_no_share():
    # one person, whose release is worth less than the loss by an attack: nothing can be released
    world = content({"attributes": {"sex": {"hierarchy": "sex"}}, "payoffs": {"benefit": 10, "loss": 50, "cost": 1}})
    solution = gamedeid.solve(world, pd.DataFrame({"sex": ["Male"]}))
    found = release_risks(solution).as_dict()
    release = found["release"]

    assert (1, 1, 0) == (release["records"], release["withheld"], release["released"])
    assert {"1": 0, "3": 0, "5": 0, "10": 0} == release["distinct"]
    assert {"unique": 0, "unique_in_population": 0, "lambda_1": None, "lambda_2": 0} == release["uniqueness"]
    assert release["k_map"] is None
    assert "none" in {cell for row in risk_rows(found) for cell in row.cells}
    assert not diversity_grid(found["kept_diversity"])


def test_the_limits_that_are_met_come_first(tmp_path, scenario):
    changes = ("--set", 'thresholds={presets=["0.2", "cells-11"]}')
    assert 0 == gamedeid_says("run", scenario, *changes, "-o", tmp_path / "judged").code
    lines = gamedeid_says("risk", "release", tmp_path / "judged").out.splitlines()

    assert lines[1].startswith("Not met: 0.2, prosecutor risk")
    assert any(line.startswith("Not met: cells-11") for line in lines[2:5])
