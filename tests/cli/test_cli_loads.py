"""The libraries that a small question loads: each other one would take longer to load than the question."""

import subprocess
import sys

import pytest
from small_world import QUICKSTART

CODE = """
import sys
from gamedeid.cli import run_command
for words in {commands!r}:
    print()
    print(run_command(words), *sys.modules)
"""
HEAVY = {
    *("duckdb", "matplotlib", "narwhals", "networkx", "ortools", "pandas", "polars"),
    *("pyarrow.compute", "pyarrow.dataset", "pyarrow.parquet", "scipy.linalg", "scipy.special"),
}
"""Libraries that a small question from CSV files does not need."""


def loaded_after(*commands):
    """Return the modules that are loaded after each of some commands of one process."""
    code = CODE.format(commands=[[str(word) for word in words] for words in commands])
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, encoding="utf-8")
    return [set(line.split()) for line in done.stdout.splitlines() if line.startswith("0 sys ")]


@pytest.fixture(scope="module")
def loaded(tmp_path_factory):
    """Return the modules loaded after each command; commands that need few come first."""
    results = tmp_path_factory.mktemp("run") / "results"
    commands = {
        "version": ["--version"],
        "help": ["--help"],
        "json": ["compare", QUICKSTART, "--json"],
        "terminal": ["compare", QUICKSTART],
        "uniform": ["run", QUICKSTART, "--set", "limits.uniform=true", "-o", results],
    }
    return dict(zip(commands, loaded_after(*commands.values()), strict=True))


def test_a_small_question_from_csv_files_loads_only_the_libraries_it_needs(loaded):
    assert {"numba", "pyarrow._csv"} <= loaded["json"]  # this test sees needed modules, so it would see others
    assert set() == HEAVY & loaded["json"]


def test_one_strategy_for_all_and_its_report_load_no_pandas(loaded):
    assert "pyarrow.compute" in loaded["uniform"]
    assert set() == {"pandas", "matplotlib", "ortools", "duckdb"} & loaded["uniform"]


def test_the_terminal_s_tables_are_loaded_for_a_terminal_only(loaded):
    assert [False, True] == ["gamedeid.report.terminal.results" in loaded[name] for name in ("json", "terminal")]


def test_the_help_of_a_command_loads_no_compiler_and_no_other_command():
    others = {f"gamedeid.cli.{name}" for name in ("compare", "plot", "risk")}
    [loaded] = loaded_after(["--show-values", "run", "--help"])

    assert set() == {"numba", "numpy", "pyarrow", *others} & loaded


def test_the_version_loads_no_typer_and_the_help_of_gamedeid_itself_no_numpy(loaded):
    assert set() == {"typer", "rich", "numpy"} & loaded["version"]
    assert set() == {"numpy", "pydantic"} & loaded["help"]


def test_census_tables_need_no_compiled_game_no_frames_and_no_distributions(tmp_path):
    (tmp_path / "counts.csv").write_text("zip,under 12,65+\n11794,8760,8761\n10475,24,10\n")
    [loaded] = loaded_after(["risk", "demographics", tmp_path / "counts.csv", "--place", "zip", "--detail", "date"])

    assert set() == {"numba", "pandas", "scipy", "matplotlib"} & loaded
