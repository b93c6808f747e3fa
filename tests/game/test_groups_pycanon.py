"""Does pycanon find the required k, l and t in a release's groups?"""

import random
from collections.abc import Sequence
from functools import cache
from typing import Any

import pandas as pd
import pytest
from depth import tries
from group_worlds import LOW_TO_HIGH
from oracle_groups import meets

import gamedeid

anonymity = pytest.importorskip("pycanon.anonymity", reason="python -m pip install --no-deps pycanon")

TABLES = tries(12, 500)
ATTRIBUTES = ["age", "sex", "race"]
ORDERED = {"distance": "ordered", "order": LOW_TO_HIGH}
RULES: list[dict[str, Any]] = [
    {"distinct": 2},
    {"distinct": 3},
    {"entropy": 1.5},
    {"entropy": 2.1},  # pycanon rounds down: two equal shares give 1.9999999999999998, and thus 1
    {"recursive": [2, 2]},
    {"recursive": [3, 3]},
    {"t": 0.15},
    {"t": 0.3, "distance": "equal"},
    {"t": 0.1, **ORDERED},
    {"t": 0.25, **ORDERED},
    {"distinct": 3, "t": 0.3},
    {"entropy": 2.1, "recursive": [3, 2], "t": 0.2, **ORDERED},
]


def table(draw: random.Random) -> pd.DataFrame:
    """Return rows of people whose income depends a little on their age."""
    ages = draw.sample(range(20, 90), draw.randint(2, 8))
    races = draw.sample(["White", "Black", "Asian-Pac-Islander", "Other"], draw.randint(1, 3))
    rows = []
    for _ in range(draw.randint(12, 60)):
        age = draw.choice(ages)
        incomes = draw.choices(LOW_TO_HIGH, weights=[90 - age, 40, age])
        rows.append((age, draw.choice(["Male", "Female"]), draw.choice(races), incomes[0]))
    return pd.DataFrame(rows, columns=[*ATTRIBUTES, "income"])


def measured(release: pd.DataFrame, *, ordered: bool) -> dict[str, float]:
    """Return pycanon's figures for the rules; ordered values are their ranks."""
    looked_at = release.assign(rank=release["income"].map(LOW_TO_HIGH.index))
    closeness = anonymity.t_closeness(looked_at, ATTRIBUTES, ["rank" if ordered else "income"])
    return {
        "k": anonymity.k_anonymity(looked_at, ATTRIBUTES),
        "distinct": anonymity.l_diversity(looked_at, ATTRIBUTES, ["income"]),
        "entropy": anonymity.entropy_l_diversity(looked_at, ATTRIBUTES, ["income"]),
        "t": closeness,
    }


def classes(release: pd.DataFrame) -> list[Sequence[str]]:
    return [rows["income"].tolist() for _, rows in release.groupby(ATTRIBUTES)]


@pytest.mark.parametrize("rule", RULES, ids=str)
def test_pycanon_confirms_the_rules_of_a_release(rule):
    looked_at = 0
    for seed in range(-(-TABLES // len(RULES))):
        draw = random.Random(f"{rule} {seed}")  # noqa: S311
        rows, k = table(draw), draw.choice([1, 2, 3, 5])
        scenario = {
            "records": {"keep": ["income"]},
            "attributes": {name: {"hierarchy": name} for name in ATTRIBUTES},
            "game": "basic",
            "payoffs": {"benefit": 100, "loss": 60, "cost": draw.choice([10, 25, 100])},
            "groups": {"k": k, "kept": {"income": rule}},
        }
        release = gamedeid.solve(scenario, rows, game=draw.choice(["aware-basic", "aware-no-attack"])).release()
        if release["income"].nunique() < 2:
            continue
        looked_at += 1
        found = measured(release, ordered=rule.get("distance") == "ordered")
        assert k <= found["k"]
        assert rule.get("distinct", 1) <= found["distinct"]
        assert int(rule.get("entropy", 1)) <= found["entropy"]
        assert found["t"] <= rule.get("t", 1) + 1e-9
        # Not by pycanon: it rounds entropies down, and takes the counts of (c,l)-diversity in ascending order.
        assert all(meets(rule, inside, release["income"].tolist()) for inside in classes(release))
    assert looked_at >= 1


@cache
def random_release(seed: int) -> pd.DataFrame:
    """Return released rows of two groups, the same for all rules."""
    draw = random.Random(seed)  # noqa: S311
    shares = draw.choice([[1, 1, 1], [6, 2, 1]])
    incomes = draw.choices(LOW_TO_HIGH, weights=shares, k=draw.randint(4, 24))
    return pd.DataFrame({"age": "*", "sex": draw.choices("MF", k=len(incomes)), "race": "*", "income": incomes})


@cache
def measured_once(seed: int, *, ordered: bool) -> dict[str, float]:
    return measured(random_release(seed), ordered=ordered)


@pytest.mark.parametrize("rule", RULES, ids=str)
def test_the_oracle_reads_the_rules_as_pycanon_does(rule):
    """Random releases: pycanon confirms those that the oracle permits, and not those that it refuses."""
    permitted = refused = 0
    for seed in range(tries(12, 60)):
        release = random_release(seed)
        if release["income"].nunique() < 2:
            continue
        found = measured_once(seed, ordered=rule.get("distance") == "ordered")
        by_pycanon = (
            rule.get("distinct", 1) <= found["distinct"]
            and int(rule.get("entropy", 1)) <= found["entropy"]
            and found["t"] <= rule.get("t", 1) + 1e-9
        )
        ours = all(meets(rule, inside, release["income"].tolist()) for inside in classes(release))
        assert by_pycanon or not ours
        if not {"entropy", "recursive"} & set(rule):
            assert by_pycanon == ours
        permitted += ours
        refused += not ours
    assert permitted
    assert refused


def test_diversity_by_the_most_frequent_value_is_also_diversity_by_pycanon():
    """Recursive (c,l)-diversity is r_1 < c (r_l + ... + r_m) with r_1 the greatest; pycanon takes the least for r_1."""
    compared = 0
    for seed in range(tries(100, 200)):
        draw = random.Random(seed)  # noqa: S311
        incomes = draw.choices(LOW_TO_HIGH, weights=[3, 2, 1], k=draw.randint(6, 24))
        release = pd.DataFrame({"age": "*", "sex": draw.choices("MF", k=len(incomes)), "income": incomes})
        found, diversity = anonymity.recursive_c_l_diversity(release, ["age", "sex"], ["income"])
        inside = [rows["income"].tolist() for _, rows in release.groupby("sex")]
        for c in (1, 2, 3):
            if diversity > 1 and all(meets({"recursive": [c, diversity]}, one, incomes) for one in inside):
                assert found <= c
                compared += 1
    assert compared
