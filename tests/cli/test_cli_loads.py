"""What a small question loads: each library that it does without would take longer to load than the question."""

import subprocess
import sys
from pathlib import Path

SCENARIOS = Path(__file__).parents[2] / "scenarios"

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


def test_a_small_question_from_csv_files_loads_no_library_of_others():
    words = ["compare", str(SCENARIOS / "quickstart.toml"), "--json"]
    done = subprocess.run(
        [sys.executable, "-c", CODE.format(words=words)], check=True, capture_output=True, encoding="utf-8"
    )

    code, *loaded = done.stdout.splitlines()[-1].split()
    assert "0" == code
    assert {"numba", "pyarrow._csv"} <= set(loaded)  # what is needed is seen here, so what is not would be
    assert set() == HEAVY & set(loaded)


def test_one_strategy_for_all_and_its_report_load_no_pandas(tmp_path):
    words = ["run", str(SCENARIOS / "quickstart.toml"), "--set", "limits.uniform=true", "-o", str(tmp_path / "results")]
    done = subprocess.run(
        [sys.executable, "-c", CODE.format(words=words)], check=True, capture_output=True, encoding="utf-8"
    )

    code, *loaded = done.stdout.splitlines()[-1].split()
    assert "0" == code
    assert "pyarrow.compute" in loaded
    assert set() == {"pandas", "matplotlib", "ortools", "duckdb"} & set(loaded)


def test_the_terminal_s_tables_are_loaded_for_a_terminal_only():
    shown = [
        subprocess.run(
            [sys.executable, "-c", CODE.format(words=["compare", str(SCENARIOS / "quickstart.toml"), *more])],
            check=True,
            capture_output=True,
            encoding="utf-8",
        )
        .stdout.splitlines()[-1]
        .split()
        for more in (["--json"], [])
    ]

    assert [False, True] == ["gamedeid.report.terminal.results" in loaded for loaded in shown]
