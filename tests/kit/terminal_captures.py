"""Every command as it looks on a terminal of 80 columns.

``python tests/kit/terminal_captures.py`` writes what was shown into .ci/artefacts/terminal, and exits with 1 if a line
is too wide.
"""

import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from browser import ARTEFACTS
from forked_runs import ForkedRuns
from small_world import process_environment

from gamedeid.cli.commands import EXAMPLES
from gamedeid.generalization.shipped import shipped_folder

COLUMNS = 80
COMMANDS = (
    "compare quickstart",
    "run quickstart",
    "run quickstart --game no-attack -o results",
    "run quickstart --solver lattice-search",
    "run study/scenario.toml",
    "apply results records.csv --scenario SCENARIO -o applied",
    "sweep quickstart",
    "sweep quickstart --vary loss=0:1000:500",
    "sweep quickstart --vary loss=100,500 --record 26",
    "sweep quickstart --exact cost=1:20",
    "sweep quickstart --exact cost=1:20 --record 26",
    "sweep quickstart --vary loss=0:1000:500 -o sweep",
    "solvers quickstart",
    "scenarios",
    "init records.csv",
    "init records.csv --population population.csv --yes -o study",
    "check records.csv",
    "check records.csv SCENARIO",
    "report results",
    "determination results -o determination.md",
    "verify results SCENARIO",
    "verify results SCENARIO --verbose",
    "next quickstart",
    "next results SCENARIO",
    "run quickstart --set limits.expected_reidentifications=2",
    "run quickstart --game aware-no-attack --set groups.steps=10",
    "frontier quickstart",
    "audit results SCENARIO",
    "attack results SCENARIO",
    "sign --new-key expert.key",
    "sign results --key expert.key",
    "verify results --public-key expert.key.pub",
    "plot map quickstart -o map.svg",
    "plot lattice quickstart --record 26 -o lattice.svg",
    "plot differences quickstart -o differences.svg",
    "risk release results",
    "utility results SCENARIO --model 'age ~ sex + diagnosis'",
    "risk bins --people 200 --bins 365",
    "risk distinct quickstart --policy safe-harbor --against limited-data-set",
    "risk distinct quickstart --policy safe-harbor --by zip:2",
    "risk table records.csv --attributes age,sex --kept diagnosis --population population.csv --count people",
    "risk uniqueness records.csv --attributes age,sex,zip --population-size 100000",
    "risk uniqueness-study records.csv --attributes age,sex --fractions 0.1,0.5 --samples 5",
    "risk demographics census.csv --place zip --state state --detail date",
    "hierarchy show age",
    "hierarchy show sex --groups 0",
    "hierarchy write sex -o sex.csv",
    "hierarchy check sex.csv broken.csv",
    # what is refused
    "",
    "rnu",
    "run",
    "run nothing",
    "run quickstart --game best",
    "run quickstart --set payoffs.los=5",
    "run quickstart --set payoffs.cost=0",
    "run quickstart -o results",
    "run quickstart --defuse --format parquet",
    "risk results",
    "sweep quickstart --vary loss=1:2",
    "sweep quickstart --exact loss --vary cost=1,2",
    "apply nowhere records.csv",
    "report nowhere",
    "verify nowhere",
    "sign results",
    "plot lattice quickstart -o lattice.svg",
    "risk uniqueness records.csv --population-size 10",
    "hierarchy show nothing",
    "fetch nothing",
    "fetch adult --address ftp://example.org/adult.data",
)
"""Commands whose results are looked at: SCENARIO stands for the path of the quickstart's."""

_CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def captures(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield each command and what it left on the terminal; whatever they write is in the folder, which is empty."""
    scenario = shipped_folder("scenarios") / "quickstart.toml"
    for name in ("records.csv", "population.csv"):
        shutil.copy(scenario.parent / "quickstart" / name, folder)
    (folder / "census.csv").write_text("zip,state,under 12,65+\n37201,TN,30,2\n37212,TN,30000,9\n")
    (folder / "broken.csv").write_text("1;*\n1;*\n")
    runs = ForkedRuns(scenario)
    helps = [f"{path} -h" for path in EXAMPLES]
    for words in (*COMMANDS, *helps):
        ended = runs.run(
            words.replace("SCENARIO", str(scenario)).split(),
            folder,
            variables=process_environment(TERM="xterm-256color"),
            terminal={"columns": COLUMNS, "streams": ["out", "err"]},
        )
        yield words, f"{left_on_screen(ended['out'])}\n[exit code {ended['code']}]\n"
    runs.end()


def left_on_screen(shown: str) -> str:
    """Return the lines that stay, once what was drawn and wiped is gone."""
    lines, row = [""], 0
    for part in re.split(r"(\x1b\[[0-9;?]*[A-Za-z]|\r?\n|\r)", shown):
        if part in {"\n", "\r\n"}:
            row += 1
            lines.extend([""] * (row - len(lines) + 1))
        elif part.startswith("\x1b[") and part.endswith("A"):
            row -= int(part[2:-1] or 1)
        elif part == "\x1b[2K":
            lines[row] = ""
        elif not part.startswith(("\x1b", "\r")):
            lines[row] += _CONTROL.sub("", part)
    return "\n".join(line.rstrip() for line in lines).rstrip()


def too_wide(text: str) -> list[str]:
    """Return the lines that the terminal has to break: longer than it is, though a space could have been taken.

    A command to be copied is one line, however long.
    """
    lines = (line for line in text.splitlines() if not line.startswith("gamedeid "))
    return [line for line in lines if len(line) > COLUMNS and " " in line.strip()]


def main() -> int:
    """Write all captures into a file each, and tell of lines that are too wide."""
    target = ARTEFACTS / "terminal"
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    wide = 0
    with tempfile.TemporaryDirectory() as folder:
        for number, (words, text) in enumerate(captures(Path(folder)), 1):
            name = re.sub(r"[^\w.-]+", "-", words)[:60].strip("-") or "gamedeid"
            (target / f"{number:02}-{name}.txt").write_text(f"$ gamedeid {words}\n{text}", "utf-8")
            for line in too_wide(text):
                wide += 1
                sys.stderr.write(f"{words}: {line}{os.linesep}")
    return 1 if wide else 0


if __name__ == "__main__":
    sys.exit(main())
