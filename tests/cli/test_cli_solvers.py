import csv
import io
import json
import stat
from pathlib import Path

import pytest
from small_world import contents, gamedeid_says, small_world

from gamedeid.analysis.solver_comparison import USUAL


@pytest.fixture
def scenario(tmp_path: Path) -> Path:
    return small_world(tmp_path)


def test_the_table_has_a_column_for_each_solver_and_nothing_is_written(scenario: Path, tmp_path: Path) -> None:
    before = contents(tmp_path)
    said = gamedeid_says("solvers", scenario)

    assert (0, "") == (said.code, said.err)
    assert said.out.startswith("Four people: basic game\n")
    assert all(name in said.out for name in USUAL)
    # 66.67 + 100 + 66.67 + 55, as worked out by hand in small_world.py
    assert "publisher's payoff per record  │             $72.08" in said.out
    assert "strategies searched per record" in said.out
    assert "milliseconds per record" in said.out
    assert "Nothing was written" in said.out
    assert before == contents(tmp_path)


def test_on_a_narrow_terminal_the_solvers_come_one_after_another(scenario: Path) -> None:
    said = gamedeid_says("solvers", scenario, terminal_columns=60)

    assert 3 == said.out.count("found the optimum")
    assert all(len(line) <= 60 for line in said.out.splitlines() if "│" in line)


def test_json_has_the_times_and_the_folder_has_not(scenario: Path, tmp_path: Path) -> None:
    said = gamedeid_says("solvers", scenario, "--game", "no-attack", "--json", "-o", tmp_path / "out")
    printed = json.loads(said.out)
    rows = list(csv.DictReader(io.StringIO((tmp_path / "out" / "solvers.csv").read_text())))

    assert ["no-attack", "backward-induction"] == [printed["game"], printed["reference"]]
    assert all(row.pop("seconds") > 0 for row in printed["rows"])
    assert all(row.pop("milliseconds_per_record") > 0 for row in printed["rows"])
    assert [{name: str(value) for name, value in row.items()} for row in printed["rows"]] == rows
    assert {"solvers.csv", "manifest.json"} == {path.name for path in (tmp_path / "out").iterdir()}
    assert all(0o600 == stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "out").iterdir())


def test_the_same_question_gives_the_same_bytes(scenario: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        said = gamedeid_says("solvers", scenario, "-o", tmp_path / name)
        assert f"Written to {tmp_path / name}." in said.out
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    made = json.loads((tmp_path / "one" / "manifest.json").read_text())["scenario"]
    assert ["basic", list(USUAL)] == [made["game"], made["solvers"]]


def test_the_game_is_the_scenario_s_or_must_be_named(scenario: Path) -> None:
    said = gamedeid_says("solvers", scenario, "--set", "game=no-attack")
    assert said.out.startswith("Four people: no-attack game\n")
    scenario.write_text(scenario.read_text().replace('game = "basic"\n', ""))
    said = gamedeid_says("solvers", scenario)
    assert (2, "", 1) == (said.code, said.out, said.err.count("\n"))
    assert "no game is named" in said.err
    assert "--game" in said.err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--solver", "exat"), "did you mean `exact`?"),
        (("--policy", "pears"), "did you mean `pairs`?"),
    ],
)
def test_what_means_nothing_is_one_line_and_writes_nothing(
    scenario: Path, tmp_path: Path, words: tuple[str, ...], says: str
) -> None:
    before = contents(tmp_path)
    said = gamedeid_says("solvers", scenario, *words, "-o", tmp_path / "out")

    assert (2, "") == (said.code, said.out)
    assert says in said.complaint
    assert before == contents(tmp_path)
