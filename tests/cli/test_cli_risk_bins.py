import json

import pytest
from small_world import gamedeid_prints, gamedeid_says

GROUP = ("risk", "bins", "--people", 200, "--bins", 365)


def test_json_has_the_expected_people_and_nothing_else():
    said = gamedeid_prints(*GROUP, "--json")
    found = json.loads(said)
    assert {"distinct": {"1": 115.86, "5": 199.95}, "total_risk": 154.14} == {
        "distinct": {size: round(people, 2) for size, people in found["distinct"].items()},
        "total_risk": round(found["total_risk"], 2),
    }


def test_a_sample_other_sizes_and_the_price_are_given_where_asked_for():
    said = gamedeid_says(*GROUP, "--sampled", 3, "--distinct", "10, 1,1", "--list-price", 17000, "--json")
    found = json.loads(said.out)
    assert ["schema", "distinct", "total_risk", "price_per_reidentification"] == list(found)
    assert ["1", "10"] == list(found["distinct"])
    assert pytest.approx(115.8578 * 3 / 200, abs=1e-5) == found["distinct"]["1"]
    assert pytest.approx(17000 / found["total_risk"]) == found["price_per_reidentification"]
