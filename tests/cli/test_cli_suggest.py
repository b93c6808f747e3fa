"""The command `gamedeid suggest`: what it prints on a terminal and as JSON, and what it refuses."""

import json
import shlex

import pytest
from small_world import gamedeid_prints, gamedeid_says, small_world

SET = ("--set", 'thresholds.own=[{measure="k_map", at_least=5}]')


@pytest.fixture(scope="module", name="scenario")
def _scenario(tmp_path_factory: pytest.TempPathFactory):
    return small_world(tmp_path_factory.mktemp("small"))


def test_the_command_that_it_names_meets_the_thresholds(scenario, tmp_path):
    said = gamedeid_says("suggest", scenario, *SET, "--set", "payoffs.loss=80", "--policy", "pairs")
    last = said.out.splitlines()[-1].removeprefix("Run it: gamedeid ")
    words = shlex.split(last)
    assert ["--set", SET[1], "--set", "payoffs.loss=80"] == words[4:8]

    run = gamedeid_says(*words[:-1], tmp_path / "out")
    printed = json.loads(gamedeid_says("suggest", scenario, *SET, "--set", "payoffs.loss=80", "--json").out)
    risks = json.loads((tmp_path / "out" / "report.json").read_text())["risks"]

    assert (0, 0) == (said.code, run.code)
    assert risks["release"]["k_map"] >= 5
    summary = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert printed["tried"][0]["publisher_payoff"] == summary["measures"]["publisher_payoff"]


def test_tables_fit_a_terminal_of_80_columns(scenario):
    said = gamedeid_prints("suggest", scenario, *SET, terminal_columns=80)

    assert all(len(line) <= 80 for line in said.splitlines())
    assert not any(line.startswith("┃ ") and "…" in line for line in said.splitlines())
