"""A question small enough to solve by hand, and the ways to run it by the command line."""

import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import gamedeid
from gamedeid.cli import run_command

HOME = Path(gamedeid.__file__).parents[1]
"""The folder from which the package is imported."""

QUICKSTART = HOME / "scenarios" / "quickstart.toml"

TERMINAL_WORDS = (
    *("FORCE_COLOR", "NO_COLOR", "COLUMNS", "LINES"),
    *("TTY_COMPATIBLE", "TTY_INTERACTIVE", "PYTHONUNBUFFERED"),
)
"""Environment variables that change how things are printed."""

SCENARIO = """
game = "basic"
title = "Four people"
[records]
path = "records.csv"
drop = ["name"]
keep = ["income"]
[population]
path = "people.csv"
count = "count"
[attributes.age]
hierarchy = "ages.csv"
role = "age"
[attributes.sex]
hierarchy = "sex"
[payoffs]
benefit = 100
loss = 90
cost = 20
[policy.pairs]
levels = { age = 1 }
"""
ALONE = SCENARIO.replace('[population]\npath = "people.csv"\ncount = "count"\n', "")
"""SCENARIO with the records as their own population."""
SAMPLED = SCENARIO.replace('path = "people.csv"\ncount = "count"\n', "sampling_fraction = 0.1\n")
"""SCENARIO with the records as a sample of a population that is estimated."""
UNMATCHED_SAFE = SCENARIO.replace('count = "count"', 'count = "count"\nunmatched = "safe"')
"""SCENARIO in which records without a match are safe."""

AGES = "40;[40-41];*\n41;[40-41];*\n50;[50-51];*\n51;[50-51];*\n"
RECORDS = """name,age,sex,income
SECRETA,40,Male,<=50K
SECRETB,41,Male,>50K
SECRETC,50,Female,<=50K
SECRETD,51,Female,<=50K
"""
PEOPLE = "age,sex,count\n40,Male,1\n41,Male,5\n50,Female,2\n51,Female,2\n50,Male,10\n"

# By hand, with IL = 1/3 for each level; the adversary does not attack if 4.5 people or more match:
# 40 Male    1 unchanged, 6 as [40-41] Male (66.67), 1 as 40
# 41 Male    5 unchanged (100)
# 50 Female  2 unchanged (100 - 45), 4 as [50-51] Female, 12 as 50 (66.67)
# 51 Female  2 unchanged (100 - 45), 4 as [50-51] Female, 2 as 51, 14 as [50-51] (33.33)
RELEASES = {
    "basic": "age,sex,income\n41,Male,>50K\n50,*,<=50K\n51,Female,<=50K\n[40-41],Male,<=50K\n",
    "no-attack": "age,sex,income\n41,Male,>50K\n50,*,<=50K\n[40-41],Male,<=50K\n[50-51],*,<=50K\n",
    "sh-friendly": """age,sex,income
[40-41],Male,<=50K
[40-41],Male,>50K
[50-51],Female,<=50K
[50-51],Female,<=50K
""",
}
"""Game -> its release; sh-friendly is played under the policy ``pairs``, which publishes pairs of ages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """Exit code and output of a command."""

    code: int
    out: str
    err: str

    @property
    def complaint(self) -> str:
        """The one line on standard error, without ``gamedeid: ``."""
        assert self.err.endswith("\n"), self
        assert 1 == self.err.count("\n"), self
        assert self.err.startswith("gamedeid: "), self
        return self.err.removeprefix("gamedeid: ").rstrip("\n")


def small_world(folder: Path, **changed: str | bytes | None) -> Path:
    """Write the question's files into a folder and return the scenario; ``records=None`` leaves that file out."""
    files: Mapping[str, str | bytes | None] = {
        "scenario.toml": changed.get("scenario", SCENARIO),
        "ages.csv": changed.get("ages", AGES),
        "records.csv": changed.get("records", RECORDS),
        "people.csv": changed.get("people", PEOPLE),
    }
    for name, content in files.items():
        if content is not None:
            (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
    return folder / "scenario.toml"


def gamedeid_says(*words: object, encoding: str = "utf-8", terminal_columns: int | None = None) -> Said:
    """Run the command line within this process, on a terminal if its width in columns is given."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors="strict") for _ in range(2))
    terminal = {} if terminal_columns is None else {"TERM": "dumb", "COLUMNS": str(terminal_columns), "LINES": "40"}
    out.isatty = lambda: terminal_columns is not None
    with plain_environment(**terminal), redirect_stdout(out), redirect_stderr(err):
        code = run_command([str(word) for word in words])
    said = []
    for stream in (out, err):
        stream.seek(0)
        said.append(stream.read())
    return Said(code=code, out=said[0], err=said[1])


def gamedeid_prints(*words: object, **how: Any) -> str:
    """Return the output of a command, which must succeed without warnings."""
    said = gamedeid_says(*words, **how)
    assert (0, "") == (said.code, said.err), said
    return said.out


@cache
def all_commands() -> Mapping[str, Any]:
    """Return the words of every command and group of commands -> typer's object for it."""
    import typer  # noqa: PLC0415  (as below)

    from gamedeid.cli.app import load_commands  # noqa: PLC0415  (most who import this need no list of commands)

    def below(group: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
        for name, command in group.commands.items():
            yield " ".join((*path, name)), command
            if hasattr(command, "commands"):
                yield from below(command, (*path, name))

    return dict(below(typer.main.get_command(load_commands())))


def refused(*words: object) -> str:
    """Return the error line of a command that refuses its words and prints nothing else."""
    said = gamedeid_says(*words)
    assert (2, "") == (said.code, said.out), said
    return said.complaint


def reads_as(expected: str, said: str) -> bool:
    """Check that a text is as expected; `...` stands for any words."""
    assert re.fullmatch(re.escape(expected).replace(r"\.\.\.", ".*"), said), said
    return True


def lines_above_the_table(out: str) -> list[str]:
    """Return the lines that a command prints before its first table."""
    lines = out.splitlines()
    table = next(place for place, line in enumerate(lines) if line.startswith(("┌", "┏")))
    return lines[:table]


@contextmanager
def plain_environment(**more: str) -> Iterator[None]:
    """Ignore how this terminal or service wants output to look."""
    with patch.dict(os.environ):
        for word in TERMINAL_WORDS:
            os.environ.pop(word, None)
        os.environ.update(more)
        yield


def gamedeid_command(*words: object) -> list[str]:
    """Return the words that start the command line as a process."""
    return [sys.executable, "-m", "gamedeid", *map(str, words)]


def process_environment(**more: str) -> dict[str, str]:
    """Return the environment of such a process."""
    kept = {key: value for key, value in os.environ.items() if key not in TERMINAL_WORDS}
    return {**kept, "PYTHONPATH": str(HOME), **more}


def gamedeid_process_says(*words: object, environment: Mapping[str, str] | None = None, **how: Any) -> Said:
    """Run the command line as a separate process."""
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **how}
    done = subprocess.run(
        gamedeid_command(*words), text=True, env=process_environment(**(environment or {})), check=False, **streams
    )
    if done.stdout is not None:
        from schema_checks import note_printed  # noqa: PLC0415  (large; most who import this start no process)

        note_printed(words, done.returncode, done.stdout)
    return Said(code=done.returncode, out=done.stdout or "", err=done.stderr or "")


def contents(folder: Path) -> dict[str, bytes]:
    """Return every file below a folder; folders are listed too, with a slash."""
    return {
        str(path.relative_to(folder)) + "/" * path.is_dir(): b"" if path.is_dir() else path.read_bytes()
        for path in sorted(folder.rglob("*"))
    }
