"""What a small question loads: each library that it does without would take longer to load than the question."""

import subprocess
import sys
from functools import cache
from pathlib import Path

QUICKSTART = Path(__file__).parents[2] / "scenarios" / "quickstart.toml"

CODE = "import sys; from gamedeid.cli import run_command; code = run_command({words!r}); print(code, *sys.modules)"
HEAVY = {
    "duckdb",
    "matplotlib",
    "narwhals",
    "networkx",
    "ortools",
    "pandas",
    "polars",
    "pyarrow.compute",
    "pyarrow.dataset",
    "pyarrow.parquet",
    "scipy.linalg",
    "scipy.special",
}
"""What nothing of a small question from CSV files needs."""


@cache
def loaded_by(*words: object) -> set[str]:
    """Return the modules that a command has loaded when it has ended well."""
    code = CODE.format(words=[str(word) for word in words])
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, encoding="utf-8")
    ended, *loaded = done.stdout.splitlines()[-1].split()
    assert "0" == ended
    return set(loaded)


def test_a_small_question_from_csv_files_loads_no_library_of_others():
    loaded = loaded_by("compare", QUICKSTART, "--json")

    assert {"numba", "pyarrow._csv"} <= loaded  # what is needed is seen here, so what is not would be
    assert set() == HEAVY & loaded


def test_one_strategy_for_all_and_its_report_load_no_pandas(tmp_path):
    loaded = loaded_by("run", QUICKSTART, "--set", "limits.uniform=true", "-o", tmp_path / "results")

    assert "pyarrow.compute" in loaded
    assert set() == {"pandas", "matplotlib", "ortools", "duckdb"} & loaded


def test_the_terminal_s_tables_are_loaded_for_a_terminal_only():
    shown = [loaded_by("compare", QUICKSTART, *more) for more in (["--json"], [])]

    assert [False, True] == ["gamedeid.report.terminal.results" in loaded for loaded in shown]


def test_the_help_of_a_command_loads_no_compiler_and_no_other_command():
    others = {f"gamedeid.cli.{name}" for name in ("compare", "plot", "risk")}

    assert set() == {"numba", "numpy", "pyarrow", *others} & loaded_by("--show-values", "run", "--help")


def test_the_version_loads_no_typer_and_the_help_of_gamedeid_itself_no_numpy():
    assert set() == {"typer", "rich", "numpy"} & loaded_by("--version")
    assert set() == {"numpy", "pydantic"} & loaded_by("--help")


def test_census_tables_need_no_compiled_game_no_frames_and_no_distributions(tmp_path):
    (tmp_path / "counts.csv").write_text("zip,under 12,65+\n11794,8760,8761\n10475,24,10\n")
    loaded = loaded_by("risk", "demographics", tmp_path / "counts.csv", "--place", "zip", "--detail", "date")

    assert set() == {"numba", "pandas", "scipy", "matplotlib"} & loaded
