"""The workflow of the how-to runs: by Snakemake if installed, and its commands everywhere."""

import ast
import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from doc_examples import DOCS, blocks, environment, make_copy

PAGE = DOCS / "howto" / "in-a-pipeline.md"
SNAKEFILE = next(block.text for block in blocks(PAGE) if block.caption == "Snakefile")
MADE = ("release/manifest.json", "verified.json", "comparison.json")
SNAKEMAKE = os.environ.get("SNAKEMAKE") or shutil.which("snakemake")
FINDINGS = 3

pytestmark = pytest.mark.pages


@pytest.fixture
def here(tmp_path: Path) -> Path:
    folder = make_copy(tmp_path)
    (folder / "Snakefile").write_text(SNAKEFILE, "utf-8")
    return folder


def rules() -> Iterator[tuple[str, str]]:
    """Yield the name and the filled-in command of each rule that has one."""
    for name, body in re.findall(r"^rule (\w+):\n((?:    .*\n|\n)+)", SNAKEFILE, re.MULTILINE):
        command = re.search(r'shell:\s+"(.*)"', body)
        if command is None:
            continue
        named = dict(re.findall(r'(\w+)="([^"]*)"', body))
        words = {f"{{input.{key}}}": value for key, value in named.items()}
        for section in ("output", "log"):
            single = re.search(rf'{section}:\s+"([^"]*)"', body)
            words[f"{{{section}}}"] = single[1] if single else "none"
        yield name, re.sub(r"\{[\w.]+\}", lambda place, words=words: words[place[0]], command[1])


def test_the_commands_of_the_rules_make_the_workflows_files(here):
    (here / "logs").mkdir()
    commands = dict(rules())
    assert ["release", "verify", "compare"] == list(commands)
    for name, command in commands.items():
        done = subprocess.run(["sh", "-c", command], cwd=here, env=environment(here), capture_output=True, check=False)
        assert 0 == done.returncode, done.stderr
        assert (here / "logs" / f"{name}.log").read_text("utf-8").endswith("ended with exit code 0\n")
    assert {"manifest.json", *re.findall(r'"(\w+\.\w+)"', SNAKEFILE.partition("multiext")[2].partition(")")[0])} == {
        path.name for path in (here / "release").iterdir()
    }
    assert json.loads((here / "verified.json").read_text("utf-8"))


@pytest.mark.skipif(SNAKEMAKE is None, reason="Snakemake is neither on the PATH nor named by the variable SNAKEMAKE")
def test_snakemake_makes_it_makes_it_again_and_stops_at_a_finding(here):
    def run(*more: str) -> subprocess.CompletedProcess[str]:
        command = [str(SNAKEMAKE), "--cores", "2", *more]
        return subprocess.run(command, cwd=here, env=environment(here), capture_output=True, text=True, check=False)

    first = run()
    assert 0 == first.returncode, first.stderr
    assert [] == [name for name in MADE if not (here / name).exists()]

    before = (here / "release" / "manifest.json").read_bytes()
    (here / "scenarios" / "quickstart" / "records.csv").touch()
    again = run("--rerun-triggers", "mtime", "--forcerun", "release")
    assert 0 == again.returncode, again.stderr
    assert before == (here / "release" / "manifest.json").read_bytes()

    summary = here / "release" / "summary.json"
    summary.write_text(summary.read_text("utf-8").replace("no-attack", "basic", 1), "utf-8")
    stopped = run("--forcerun", "verify")
    assert 0 != stopped.returncode
    assert f"exit status {FINDINGS}" in stopped.stderr
    assert not (here / "verified.json").exists()


def test_the_dag_of_airflow_is_python():
    dag = next(block.text for block in blocks(PAGE) if block.caption == "release_dag.py")
    assert ast.parse(dag).body
