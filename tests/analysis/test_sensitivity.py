"""Are the paper's statements on sensitivity true of the case study, where an independent program found them so?"""

import gzip
import hashlib
import json
from typing import Any

import numba
import numpy as np
import pytest
from case_study import POPULATION, RECORDS, SCENARIO, TESTS
from depth import tries

from gamedeid import Axis, Scenario, Study, sweep
from gamedeid.choices import GAMES
from gamedeid.results.tables import columns_to_rows

GOLD = json.loads((TESTS / "gold" / "sensitivity.json").read_text("utf-8"))
HALF_OF_THE_LAST_DECIMAL = 0.5 * 10 ** -GOLD["decimals"]
POLICIES = ("safe-harbor", *GAMES)


@pytest.fixture(scope="module")
def study() -> Study:
    if numba.config.DISABLE_JIT:
        pytest.skip("uncompiled, the case study takes too long")
    return Study.prepare(Scenario.read(SCENARIO))


def measures(study: Study, *axes: str) -> dict[str, dict[str, Any]]:
    """Return policy -> column -> values, (points,), of a sweep."""
    rows = [
        row for block in sweep(study, [Axis.parse(axis) for axis in axes]) for row in columns_to_rows(block.columns)
    ]
    return {
        policy: {
            name: np.array([row[name] for row in rows if row["policy"] == policy])
            for name in rows[0]
            if name != "policy"
        }
        for policy in POLICIES
    }


def test_the_inputs_are_those_of_the_gold_numbers(study):
    contents = {"adult_tn.csv": gzip.decompress(RECORDS.read_bytes()), POPULATION.name: POPULATION.read_bytes()}
    assert GOLD["inputs"] == {name: hashlib.sha256(content).hexdigest() for name, content in contents.items()}
    assert 6_346_105 == study.people


@pytest.mark.parametrize(
    "point", GOLD["points"], ids=[f"V={one['benefit']}, L={one['loss']}, c={one['cost']}" for one in GOLD["points"]]
)
def test_every_named_point_is_that_of_the_independent_program(study, point):
    found = measures(study, *(f"{stake}={point[stake]}" for stake in ("benefit", "loss", "cost")))
    for policy, expected in point["policies"].items():
        for name, value in expected.items():
            assert pytest.approx(value, abs=1.001 * HALF_OF_THE_LAST_DECIMAL) == found[policy][name][0], (policy, name)


def test_intensity_is_below_safe_harbors_up_to_a_loss_of_2820_and_from_a_benefit_of_486(study):
    low = measures(study, "loss=100:2820:160", "benefit=1,36,100,400,1500")
    high = measures(study, "loss=1000:25000:1000", "benefit=486,600,1000,1500")
    for found in (low, high):
        assert (found["basic"]["generalization_intensity"] < found["safe-harbor"]["generalization_intensity"]).all()
    outside = measures(study, "loss=2830,4200", "benefit=36")["basic"]["generalization_intensity"].tolist()
    outside += measures(study, "loss=25000", "benefit=100,485")["basic"]["generalization_intensity"].tolist()
    assert min(outside) > low["safe-harbor"]["generalization_intensity"][0]


def test_fewer_than_three_in_ten_are_attacked_up_to_a_loss_of_416_and_a_benefit_of_55(study):
    by_loss = measures(study, tries("loss=400,415,416,417,430", "loss=400:430:1"), "benefit=1500")["basic"]
    assert 416 == by_loss["loss"][by_loss["attacked"] < 0.3].max()
    by_benefit = measures(study, "loss=500:25000:1750", "benefit=55")["basic"]
    assert by_benefit["attacked"].max() < 0.3
    assert measures(study, "loss=1500", "benefit=56")["basic"]["attacked"][0] > 0.3


@pytest.mark.parametrize("axis", ["loss=0:25000:1000", "benefit=1:1500:10", "cost=1:301:10"])
def test_every_game_pays_more_than_safe_harbor_and_two_protect_no_worse(study, axis):
    found = measures(study, axis)
    policy = found["safe-harbor"]
    for game in GAMES:
        assert (found[game]["publisher_payoff"] >= policy["publisher_payoff"] - 1e-6).all()
    for game in ("no-attack", "sh-friendly"):
        exposed = policy["adversary_payoff"] > 0
        assert (found[game]["adversary_payoff"][exposed] < policy["adversary_payoff"][exposed]).all()


@pytest.mark.parametrize(
    ("axis", "better"),
    [
        ("benefit=1:200:1", lambda benefit: benefit <= 88),
        (tries("cost=100,116,130,131,132,133,150,200,250,299", "cost=100:299:1"), lambda cost: cost > 131),
    ],
    ids=["benefit", "cost"],
)
def test_basic_protects_better_than_safe_harbor_for_small_benefits_and_great_costs(study, axis, better):
    found = measures(study, axis)
    stake = axis.partition("=")[0]
    less = found["basic"]["adversary_payoff"] < found["safe-harbor"]["adversary_payoff"]
    assert better(found["basic"][stake]).tolist() == less.tolist()


@pytest.mark.parametrize(("limit", "share"), GOLD["exposed"].items())
def test_as_the_benefit_grows_all_exposed_records_become_attacked(study, limit, share):
    found = measures(study, f"loss={limit}", "benefit=1500,1e7")["basic"]["attacked"]
    assert share == pytest.approx(found[1], abs=HALF_OF_THE_LAST_DECIMAL)
    assert found[0] <= found[1]


@pytest.mark.parametrize(
    ("values", "kept"),
    [
        ({"age": 19, "race": "Black", "sex": "Male", "zip": 37208}, (1, 320)),
        ({"age": 62, "race": "White", "sex": "Female", "zip": 37014}, (117, 5796)),
    ],
    ids=["Figure 8", "Figure 9"],
)
def test_the_two_records_keep_their_strategies_between_these_losses(study, values, kept):
    blocks = sweep(study.alone(values=values), [Axis.parse("loss=1:8000:1")], per_record=True)
    rows = [row for block in blocks for row in columns_to_rows(block.columns) if row["policy"] == "basic"]
    what = [(*(row[name] for name in values), row["attacked"]) for row in rows]
    same = [row["loss"] for row, this in zip(rows, what, strict=True) if this == what[299]]
    assert kept == (min(same), max(same))
    assert len(same) == kept[1] - kept[0] + 1
