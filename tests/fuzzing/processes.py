"""Inputs whose process is observed from outside: exit code, signals, Python's messages at exit."""

import os
import signal
import subprocess
import time
from pathlib import Path
from random import Random

from small_world import gamedeid_command, process_environment

from fuzzing.case import Case
from fuzzing.hierarchies import draw_hierarchy
from fuzzing.parquet import draw_parquet
from fuzzing.questions import PLAIN
from fuzzing.scenarios import draw_options, draw_scenario
from fuzzing.tables import draw_csv
from fuzzing.trial import SECONDS, Outcome, contents_of, new_folders

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def draw_process(rng: Random) -> Case:
    """Return an input of another kind, for a process of its own that a signal may end."""
    if rng.randrange(3) == 0:
        case = Case(kind="process", words=("run", "scenario.toml", "-o", "out"), files=PLAIN.files())
        moment = {"number": int(rng.choice(_SIGNALS)), "after": round(rng.uniform(0, 0.6), 3)}
        return case.but(signal=moment)
    draw = rng.choice((draw_scenario, draw_options, draw_csv, draw_parquet, draw_hierarchy))
    return draw(rng).but(kind="process", signal={"number": 0, "after": 0.0})


def put(case: Case, home: Path, *, seconds: float = SECONDS) -> Outcome:
    """Run an input in a separate process, which takes a second or two to start."""
    folder, scratch = new_folders(case, home)
    before = contents_of(folder)
    how = case.signal or {"number": 0, "after": 0.0}
    begun = time.perf_counter()
    process = subprocess.Popen(
        gamedeid_command(*case.words),
        cwd=folder,
        env=process_environment(TMPDIR=str(scratch)),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    if how["number"]:
        time.sleep(how["after"] * 4)
        os.kill(process.pid, how["number"])
    try:
        out, err = process.communicate(timeout=seconds * 4)
        took: float | None = time.perf_counter() - begun
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        took = None
    return Outcome(
        code=process.returncode,
        out=out.decode("utf-8", "replace"),
        err=err.decode("utf-8", "replace"),
        before=before,
        after=contents_of(folder),
        seconds=took,
        left=tuple(sorted(path.name for path in scratch.iterdir())),
    )
