"""How each tool is started on a question, and what a run of it takes."""

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
    """Where the tools are.

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
                return "no jar of ARX was given (--arx JAR)"
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
    """One tool with one setting."""

    tool: str
    setting: str
    script: str
    words: tuple[str, ...]

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
                *question["attributes"],
            ]
        if self.tool == "sdcMicro":
            recoded = [f"{name}=1" for name in question["attributes"] if _levels(folder, name) > 2]
            return ["Rscript", script, str(folder), str(output), *self.words, *recoded]
        python = sys.executable if self.tool == "gamedeid" else tools.python
        return [
            *(python, str(SCRIPTS / "timed.py"), script, self.tool.lower(), str(folder), str(output)),
            *self.words,
        ]

    @property
    def lines(self) -> int:
        """Lines of the script that say something to a machine."""
        text = [line.strip() for line in (SCRIPTS / self.script).read_text().splitlines()]
        return sum(1 for line in text if line and not line.startswith(("#", '"""', "/", "*")))


RUNS = (
    Run(tool="gamedeid", setting="basic", script="gamedeid_release.py", words=("game=basic",)),
    Run(tool="gamedeid", setting="no-attack", script="gamedeid_release.py", words=("game=no-attack",)),
    Run(
        tool="gamedeid",
        setting="no-attack, one strategy for all",
        script="gamedeid_release.py",
        words=("game=no-attack", "uniform=yes"),
    ),
    *(
        Run(tool="ARX", setting=f"{game}, {recoding}", script="ArxRelease.java", words=(game, recoding))
        for game in ("basic", "no-attack")
        for recoding in ("global", "local")
    ),
    *(
        Run(
            tool="ANJANA",
            setting=f"k={k}, at most {rows}% of rows suppressed",
            script="anjana_release.py",
            words=(f"k={k}", f"suppressed={rows}"),
        )
        for k in (2, 5, 11, 75)
        for rows in (0, 5, 20, 50)
    ),
    *(
        Run(tool="sdcMicro", setting=f"first groups, k={k}", script="sdcmicro_release.R", words=(str(k),))
        for k in (5, 75)
    ),
)
"""75 people make an attack pay no longer at the stakes of the case study: 300 dollars are not more than 75 times 4."""


def take(command: list[str]) -> dict[str, Any]:
    """Run a command; return what its last line says, and ``whole``, seconds, and ``memory``, most bytes at once.

    Raises
    ------
    SystemExit : it failed; with the end of what it said.
    """
    environment = os.environ | {"PYTHONPATH": str(HERE.parent)} if command[0] == sys.executable else os.environ
    words = [sys.executable, "-S", str(HERE / "launched.py"), *command]
    done = subprocess.run(words, capture_output=True, text=True, env=environment, cwd=HERE.parent, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command[:3])} failed: {(done.stdout + done.stderr)[-2000:]}")
    *said, took = [line for line in done.stdout.splitlines() if line.strip()]
    told: dict[str, Any] = json.loads(said[-1])
    seconds, kilobytes = took.split()
    return {**told, "whole": float(seconds), "memory": int(kilobytes) * 1024}


def _levels(folder: Path, attribute: str) -> int:
    return (folder / "hierarchies" / f"{attribute}.csv").read_text().splitlines()[0].count(";") + 1
