"""Does a command end soon after Ctrl-C and SIGTERM, at any point, and does it announce long work?"""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from unittest.mock import patch

import numpy as np
import pandas as pd
import pytest
from small_world import gamedeid_says, process_environment, small_world

from gamedeid.generalization import lattice
from gamedeid.parallel import run_in_slices
from gamedeid.study.solve import solve

DEAF = """
import hashlib, sys
from pathlib import Path
from gamedeid.cli import entry_point
from gamedeid.data.engines.options import spill_folder

def never_back(words):
    with spill_folder(Path(sys.argv[1])) as folder:
        (folder / "rows").write_text("SECRET")
        print("at work", flush=True)
        hashlib.pbkdf2_hmac("sha256", b"one", b"two", 2**31 - 1)

entry_point._run = never_back
entry_point.main()
"""
"""A command that stays in compiled code for minutes, as a library may."""


@pytest.mark.parametrize(("send", "code", "word"), [("SIGINT", 130, "interrupted"), ("SIGTERM", 143, "asked to end")])
def test_a_computation_that_never_returns_to_python_is_ended_and_leaves_nothing(tmp_path, send, code, word):
    process = subprocess.Popen(
        [sys.executable, "-c", DEAF, tmp_path],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=process_environment(),
    )
    assert "at work\n" == process.stdout.readline()
    since = time.monotonic()
    process.send_signal(getattr(signal, send))
    _, err = process.communicate(timeout=30)

    assert (code, f"gamedeid: {word}\n") == (process.returncode, err)
    assert time.monotonic() - since < 3
    assert [] == list(tmp_path.iterdir())


IGNORED = """
import os, signal, sys, time
from gamedeid.cli import entry_point

class Released:
    def __del__(self):
        os.kill(os.getpid(), getattr(signal, sys.argv[1]))
        time.sleep(0.01)

def at_work(words):
    released = Released()
    del released
    time.sleep(60)

entry_point._run = at_work
entry_point.main()
"""
"""A command that is interrupted where Python cannot raise an exception: while an object is released."""


@pytest.mark.parametrize(("send", "code", "word"), [("SIGINT", 130, "interrupted"), ("SIGTERM", 143, "asked to end")])
def test_a_signal_is_handled_even_where_no_exception_can_be_raised(send, code, word):
    command = [sys.executable, "-c", IGNORED, send]
    ended = subprocess.run(command, capture_output=True, text=True, env=process_environment(), timeout=30, check=False)

    assert (code, f"gamedeid: {word}\n") == (ended.returncode, ended.stderr)


def press_ctrl_c(*_):
    os.kill(os.getpid(), signal.SIGINT)


def test_work_in_one_slice_is_interrupted_and_reports_it(monkeypatch):
    monkeypatch.setattr("gamedeid.parallel.LATE_SECONDS", 0.1)
    ended, seen = np.zeros(1, np.bool_), threading.Event()

    def work(start, stop):
        while start < stop and not ended[0]:
            time.sleep(0.001)
        if start < stop:
            seen.set()

    with pytest.raises(KeyboardInterrupt):
        run_in_slices(work, 1, ended=ended, late=press_ctrl_c)
    assert seen.is_set()


def test_the_search_of_a_huge_lattice_can_be_interrupted(monkeypatch):
    """Thirty attributes of two levels are 1,073,741,824 strategies."""
    monkeypatch.setattr("gamedeid.parallel.LATE_SECONDS", 0.0)
    monkeypatch.setattr("gamedeid.game.solvers.large_lattices._warn_how_long", press_ctrl_c)
    draw = np.random.default_rng(1)
    names = [f"a{place}" for place in range(30)]
    people = pd.DataFrame({name: draw.choice(["Male", "Female"], 3000) for name in names})
    content = {
        "attributes": {name: {"hierarchy": "sex"} for name in names},
        "game": "basic",
        "payoffs": {"benefit": 1200, "loss": 300, "cost": 4},
    }
    with pytest.raises(KeyboardInterrupt):
        solve(content, people, people)


def test_long_work_is_announced_in_one_line(tmp_path, monkeypatch):
    monkeypatch.setattr("gamedeid.parallel.LATE_SECONDS", 0.0)
    monkeypatch.setattr("gamedeid.game.solvers.large_lattices.WORTH_A_WARNING", 0.0)
    monkeypatch.setattr("gamedeid.game.solvers.large_lattices.PROFILES_PER_SEARCH", 1)
    with patch.object(lattice, "TABLE_LIMIT", 5):
        said = gamedeid_says("run", small_world(tmp_path))

    assert 0 == said.code
    assert re.fullmatch(
        r"[0-3] of 4 profiles, of 6 strategies each, are solved after \d+ s; (the rest|all) may take .*; to end it "
        "press Ctrl-C; fewer attributes or levels are quicker, and the solver bounded-suboptimal is quicker than exact",
        said.complaint,
    )
