"""`verify` finds the faults of changed folders, and none in honest ones."""

import json

import pytest
from small_world import RECORDS, contents, gamedeid_prints, gamedeid_says, small_world
from tampering import change_json, change_rows

from gamedeid import Scenario, verify


@pytest.fixture
def made(tmp_path):
    """A scenario and the folder of its no-attack game."""
    scenario = small_world(tmp_path)
    words = ("--game", "no-attack", "--policy", "pairs", "--no-report", "--keep-order", "-o", tmp_path / "out")
    assert 0 == gamedeid_says("run", scenario, *words).code
    return scenario, tmp_path / "out"


def test_on_an_honest_folder_the_command_lists_its_checks(made):
    scenario, out = made
    before = contents(out)
    said = gamedeid_prints("verify", out, scenario, "--set", "floor=pairs", "--verbose")
    found = verify(out, Scenario.read(scenario, {"floor": "pairs"}))

    assert ((), True, {"equal"}) == (found.findings, found.holds, set(found.inputs.values()))
    assert ": all checks that were made passed." in said
    assert "Checked: the people who match 4 released records" in said
    firsts = [line.partition(":")[0] for line in said.splitlines()[:-1]]
    assert sorted(firsts, reverse=True) == firsts, "what was not checked comes first"
    assert before == contents(out)


def test_a_value_made_finer_is_found_at_its_place_by_the_command(made):
    scenario, out = made
    change_rows(out, "release.csv", lambda rows: rows[0].update(age="40"))
    said = gamedeid_says("verify", out, scenario, "--set", "floor=pairs", "--json")
    [finding] = json.loads(said.out)["findings"]

    assert 3 == said.code
    assert ("release.csv", 1, "age", 1) == tuple(finding[key] for key in ("file", "row", "column", "rows"))
    assert "40" not in finding["says"]


def test_no_dropped_value_is_shown(made):
    scenario, out = made
    change_rows(out, "release.csv", lambda rows: [{**row, "age": "x", "income": "y"} for row in rows])
    change_json(out, "summary.json", lambda summary: summary["measures"].update(attacked=0.5))
    said = gamedeid_says("--show-values", "verify", out, scenario, "--set", "floor=pairs")

    assert 3 == said.code
    assert not [line for line in RECORDS.splitlines()[1:] if line.split(",")[0] in said.out]


@pytest.mark.parametrize(
    ("key", "change"),
    [
        ("spread.high", lambda row: row["spread"].update(high=row["spread"]["high"] + 1)),
        ("marketer.reidentifications", lambda row: row["marketer"].update(reidentifications=0.01)),
        ("marketer.spread.at_least_one", lambda row: row["marketer"]["spread"].update(at_least_one=0.01)),
        ("highest_risk", lambda row: row.update(highest_risk=row["highest_risk"] / 2)),
    ],
)
def test_figures_of_the_verdict_that_the_release_does_not_give_are_found(made, key, change):
    _, out = made
    change_json(out, "summary.json", lambda summary: change(summary["policies"]["no-attack"]))

    assert [f"policies.no-attack.{key} does not follow from the records"] == [
        finding.says.split(":")[0] for finding in verify(out).findings
    ]


def test_unique_kept_values_of_which_none_is_released_need_no_warning(tmp_path):
    rows = [f"N{number},{40 + number % 2},Male,{number}\n" for number in range(24)]
    scenario = small_world(tmp_path, records="name,age,sex,income\n" + "".join(rows))
    withheld = ("--set", "payoffs.cost=0.1", "--set", "payoffs.loss=9000", "--no-report", "-o", tmp_path / "out")
    printed = gamedeid_prints("run", scenario, *withheld)

    assert "withholds every record" in printed
    assert "no other row has" not in printed
    assert () == verify(tmp_path / "out", Scenario.read(scenario, {"payoffs.cost": 0.1, "payoffs.loss": 9000})).findings
