import json

from small_world import gamedeid_prints, gamedeid_says
from tampering import rows_of

from gamedeid.analysis.solver_comparison import DEFAULT_SOLVERS


def test_the_table_has_a_column_for_each_solver(scenario):
    said = gamedeid_prints("solvers", scenario)

    assert said.startswith("Four people: basic game\n")
    assert all(name in said for name in DEFAULT_SOLVERS)
    # 66.67 + 100 + 66.67 + 55, computed by hand in small_world.py
    assert "publisher's payoff per record  │             $72.08" in said
    assert "strategies searched per record" in said
    assert "milliseconds per record" in said
    assert "4 records, 4 profiles; population 20 people in 5 rows" in said.splitlines()


def test_json_has_the_times_and_the_folder_has_not(scenario, tmp_path):
    said = gamedeid_says("solvers", scenario, "--game", "no-attack", "--json", "-o", tmp_path / "out")
    printed = json.loads(said.out)
    rows = rows_of(tmp_path / "out", "solvers.csv")

    assert ["no-attack", "backward-induction"] == [printed["game"], printed["reference"]]
    assert all(row.pop("seconds") > 0 for row in printed["rows"])
    assert all(row.pop("milliseconds_per_record") > 0 for row in printed["rows"])
    assert [{name: str(value) for name, value in row.items()} for row in printed["rows"]] == rows
    made = json.loads((tmp_path / "out" / "manifest.json").read_text())["scenario"]
    assert ["no-attack", list(DEFAULT_SOLVERS)] == [made["game"], made["solvers"]]


def test_the_game_is_that_of_the_scenario(scenario):
    said = gamedeid_says("solvers", scenario, "--set", "game=no-attack")
    assert said.out.startswith("Four people: no-attack game\n")
