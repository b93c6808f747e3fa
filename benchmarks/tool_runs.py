"""Starts each tool on a question, and measures its runs."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
SCRIPTS = HERE / "other_tools"


@dataclass(frozen=True, kw_only=True)
class Tools:
    """Paths of the tools.

    Parameters
    ----------
    python : interpreter of an environment with ANJANA and pyCANON, which ask for one version of numpy and of pandas.
    arx : the jar of ARX, if there is one.
    """

    python: str
    arx: Path | None

    def missing(self, tool: str) -> str | None:
        """Return why a tool cannot run here; None where it can."""
        if tool in {"ANJANA", "pyCANON"}:
            name = tool.lower()
            there = subprocess.run([self.python, "-c", f"import {name}"], capture_output=True, check=False)
            return f"{name} cannot be imported by {self.python}" if there.returncode else None
        if tool == "ARX":
            if self.arx is None or not self.arx.exists():
                return "no jar of ARX was given (--tool-jar JAR)"
            return None if shutil.which("java") else "there is no java"
        if tool == "sdcMicro":
            found = shutil.which("Rscript")
            if found is None:
                return "there is no Rscript"
            there = subprocess.run([found, "-e", "library(sdcMicro)"], capture_output=True, check=False)
            return "R has no package sdcMicro" if there.returncode else None
        return None


@dataclass(frozen=True, kw_only=True)
class Run:
    """One tool with one setting, for a question in which groups of ``people`` people are not worth an attack."""

    tool: str
    setting: str
    script: str
    words: tuple[str, ...]
    people: int = 75

    def command(self, tools: Tools, folder: Path, output: Path) -> list[str]:
        """Return the command that answers the question of ``folder`` into ``output``."""
        script = str(SCRIPTS / self.script)
        question = json.loads((folder / "question.json").read_text())
        if self.tool == "ARX":
            stakes = question["payoffs"]
            dollars = [str(stakes[name]) for name in ("benefit", "loss", "loss", "cost")]
            jar = str(tools.arx)
            return [
                "java",
                "-cp",
                jar,
                script,
                str(folder),
                str(output),
                *self.words,
                *dollars,
                question["sensitive"],
                *question["attributes"],
            ]
        if self.tool == "sdcMicro":
            wide = [name for name in question["attributes"] if _levels(folder, name) > 2]
            recoded = [f"{name}=1" for name in wide] if self.setting.startswith("first groups") else []
            return ["Rscript", script, str(folder), str(output), *self.words, *recoded]
        python = sys.executable if self.tool == "gamedeid" else tools.python
        return [
            *(python, str(SCRIPTS / "timed.py"), script, self.tool.lower(), str(folder), str(output)),
            *self.words,
        ]


def _of_arx(setting: str, rules: str, recoding: str, people: int = 75) -> Run:
    return Run(tool="ARX", setting=setting, script="ArxRelease.java", words=(rules, recoding), people=people)


def _of_gamedeid(setting: str, *words: str, people: int = 75) -> Run:
    return Run(tool="gamedeid", setting=setting, script="gamedeid_release.py", words=words, people=people)


def _of_anjana(k: int, rows: int, people: int = 75) -> Run:
    setting, words = f"k={k}, at most {rows}% of rows suppressed", (f"k={k}", f"suppressed={rows}")
    return Run(tool="ANJANA", setting=setting, script="anjana_release.py", words=words, people=people)


def _of_sdcmicro(setting: str, people: int, alpha: int = 1) -> Run:
    words = (str(people), str(alpha))
    return Run(tool="sdcMicro", setting=setting, script="sdcmicro_release.R", words=words, people=people)


AS_EXAMPLES = "local,0.01,0"
"""A hundred rounds, and suppression before generalization in each: local recoding as in ARX's own examples."""

BEST_TRIED = "local,0.00003315,0.1"
"""The setting that pays most of eleven pairs of share and factor tried with k=75 and k=5: rounds of one row each."""

COSTS = {75: 4, 5: 60}
"""People of a group that is not worth an attack -> dollars of an attempt: 300 dollars are not more than 75 times 4."""

RUNS = (
    _of_gamedeid("basic", "game=basic"),
    _of_gamedeid("no-attack", "game=no-attack"),
    _of_gamedeid("no-attack, one strategy for all", "game=no-attack", "uniform=yes"),
    _of_gamedeid("aware-basic", "game=aware-basic"),
    _of_gamedeid("aware-no-attack", "game=aware-no-attack"),
    _of_arx("basic, global", "basic", "global"),
    _of_arx("no-attack, global", "no-attack", "global"),
    _of_arx("no-attack, local", "no-attack", AS_EXAMPLES),
    _of_arx("k=75, global", "k=75", "global"),
    _of_arx("k=75, local", "k=75", AS_EXAMPLES),
    _of_arx("k=75, local, best of eleven settings", "k=75", BEST_TRIED),
    _of_arx("k=75 and 2 incomes, local", "k=75,l=2", AS_EXAMPLES),
    _of_arx("k=75 and 0.2-close incomes, local", "k=75,t=0.2", AS_EXAMPLES),
    *(_of_anjana(k, rows) for k in (2, 5, 11, 75) for rows in (0, 5, 20, 50)),
    _of_sdcmicro("k=75", 75),
    _of_sdcmicro("first groups, k=75", 75),
    _of_sdcmicro("first groups, k=75, a missing value is a value", 75, alpha=0),
    _of_gamedeid("aware-no-attack", "game=aware-no-attack", people=5),
    _of_arx("no-attack, global", "no-attack", "global", people=5),
    _of_arx("no-attack, local", "no-attack", AS_EXAMPLES, people=5),
    _of_arx("k=5, global", "k=5", "global", people=5),
    _of_arx("k=5, local", "k=5", AS_EXAMPLES, people=5),
    _of_arx("k=5, local, best of eleven settings", "k=5", BEST_TRIED, people=5),
    *(_of_anjana(5, rows, people=5) for rows in (0, 5, 20, 50)),
    _of_sdcmicro("first groups, k=5", 5),
)


def take(command: list[str]) -> dict[str, Any]:
    """Run a command; return the content of its last line, ``whole``, seconds, and ``memory``, peak bytes."""
    said, seconds, memory = launch(command)
    told: dict[str, Any] = json.loads(said[-1])
    return {**told, "whole": seconds, "memory": memory}


def launch(command: list[str]) -> tuple[list[str], float, int]:
    """Run a command; return its printed lines, its seconds, and its peak bytes of memory.

    Raises
    ------
    SystemExit : it failed; with the end of its output.
    """
    environment = os.environ | {"PYTHONPATH": str(HERE.parent)} if command[0] == sys.executable else os.environ
    words = [sys.executable, "-S", str(HERE / "launched.py"), *command]
    done = subprocess.run(words, capture_output=True, text=True, env=environment, cwd=HERE.parent, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command[:3])} failed: {(done.stdout + done.stderr)[-2000:]}")
    *said, took = [line for line in done.stdout.splitlines() if line.strip()]
    seconds, kilobytes = took.split()
    return said, float(seconds), int(kilobytes) * 1024


def _levels(folder: Path, attribute: str) -> int:
    return (folder / "hierarchies" / f"{attribute}.csv").read_text().splitlines()[0].count(";") + 1
