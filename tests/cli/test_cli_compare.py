"""The command `gamedeid compare`: a policy and the games side by side."""

import csv
import io
import json
import math

import pytest
from small_world import ALONE, contents, gamedeid_prints, small_world

from gamedeid.analysis import comparison

NAMES = ["pairs", "basic", "sh-friendly", "no-attack"]
COLUMNS = [
    *("policy", "publisher_payoff", "adversary_payoff", "suppressed", "unmodified", "withheld", "unmatched"),
    *("generalization_intensity", "attacked", "reidentification_probability", "reidentification_probability_attacked"),
    *("expected_reidentifications", "records", "unmatched_records"),
    *("aware_publisher_payoff", "aware_attacked", "aware_expected_reidentifications", "searched", "optimal"),
]

# By hand, as in small_world. Under the policy, 4 people match each of the two women: both are attacked, chance 1/4.
# In the sh-friendly game 14 match them as [50-51] (33.33), which is less than 66.67 - 90/4.
PAYOFFS = {
    "pairs": (2 * 200 / 3 + 2 * (200 / 3 - 90 / 4)) / 4,
    "basic": (200 / 3 + 100 + 200 / 3 + 55) / 4,
    "sh-friendly": (2 * 200 / 3 + 2 * (200 / 3 - 90 / 4)) / 4,
    "no-attack": (200 / 3 + 100 + 200 / 3 + 100 / 3) / 4,
}
ATTACKED = {"pairs": 0.5, "basic": 0.25, "sh-friendly": 0.5, "no-attack": 0.0}
REIDENTIFIED = {"pairs": 0.5, "basic": 0.5, "sh-friendly": 0.5, "no-attack": 0.0}


def compare(scenario, *words: object) -> dict:
    return json.loads(gamedeid_prints("compare", scenario, "--policy", "pairs", "--json", *words))


@pytest.mark.parametrize("solver", ["backward-induction", "exact"])
def test_the_policy_is_next_to_the_games_with_measures_computed_by_hand(scenario, solver):
    policies = compare(scenario, "--solver", solver)["policies"]

    assert NAMES == list(policies)
    for name in NAMES:
        found = policies[name]
        assert COLUMNS[1:] == list(found)
        assert found["aware_attacked"] >= found["attacked"]
        assert found["aware_publisher_payoff"] <= found["publisher_payoff"]
        assert 4 == found["records"]
        assert math.isclose(PAYOFFS[name], found["publisher_payoff"], rel_tol=1e-9)
        assert ATTACKED[name] == found["attacked"]
        assert REIDENTIFIED[name] == found["expected_reidentifications"]
        assert REIDENTIFIED[name] / 4 == found["reidentification_probability"]
        assert (0.0, 0.0) == (found["suppressed"], found["withheld"])


def test_the_files_hold_what_is_printed(scenario, tmp_path):
    printed = compare(scenario, "-o", tmp_path / "out")
    rows = list(csv.reader(io.StringIO((tmp_path / "out" / "comparison.csv").read_text())))

    assert {"comparison.csv", "comparison.json", "manifest.json"} == set(contents(tmp_path / "out"))
    assert printed == json.loads((tmp_path / "out" / "comparison.json").read_text())
    assert COLUMNS == rows[0]
    for row in rows[1:]:
        expected = ["" if value is None else str(value) for value in printed["policies"][row[0]].values()]
        assert expected == row[1:]
    assert NAMES == [row[0] for row in rows[1:]]


@pytest.mark.parametrize(
    ("recipients", "advised"), [("", True), ("[recipients.researcher]\n[recipients.other]\n", False)]
)
def test_the_aware_games_are_advised_only_where_the_scenario_takes_them(tmp_path, monkeypatch, recipients, advised):
    monkeypatch.setattr(comparison, "MOST_PAIRS", 0)
    said = gamedeid_prints("compare", small_world(tmp_path, scenario=ALONE + recipients))

    assert advised == ("gamedeid run --game aware-basic plays one of them." in said)
