"""The commands run on a Python without the functions that only POSIX systems have."""

import json
import subprocess
import sys
from pathlib import Path

import pandas as pd
import without_posix
from small_world import SCENARIO, contents, process_environment, small_world

COMMANDS = (
    ["init", "records.csv", "--yes", "-o", "draft"],
    ["run", "scenario.toml", "-o", "out", "--log", "lines.txt"],
    ["run", "scenario.toml", "-o", "out", "--overwrite"],
    ["run", "scenario.toml", "-o", "counted", "--engine", "duckdb", "--format", "parquet"],
    ["verify", "out", "scenario.toml"],
    ["report", "out", "-o", "report.html"],
    ["attack", "out", "scenario.toml"],
    ["regions", "divided.toml", "-o", "divided"],
)


def test_commands_run_without_functions_of_posix(tmp_path):
    small_world(tmp_path)
    text = SCENARIO
    for name in ("records", "people"):
        (tmp_path / name).mkdir()
        table = pd.read_csv(tmp_path / f"{name}.csv")
        for decade, group in table.groupby(table["age"] // 10):
            group.to_parquet(tmp_path / name / f"{decade}.parquet", index=False)
        text = text.replace(f'"{name}.csv"', f'"{name}"')
    (tmp_path / "divided.toml").write_text(f'{text}[regions]\nattribute = "age"\nlevel = 1\n')
    ended = subprocess.run(
        [sys.executable, str(Path(without_posix.__file__)), json.dumps(COMMANDS)],
        cwd=tmp_path,
        env=process_environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert 0 == ended.returncode, ended.stderr
    assert {"release.csv", "manifest.json"} <= set(contents(tmp_path / "out"))
    assert {"draft", "out", "counted", "divided"} <= {path.name for path in tmp_path.iterdir() if path.is_dir()}
    assert [] == [path for path in tmp_path.iterdir() if path.name.startswith(".gamedeid-")]
