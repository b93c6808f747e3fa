"""A run that is killed, interrupted or asked to end, at any moment, leaves complete results or none."""

import json
import random
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from depth import tries
from forked_runs import ForkedRuns
from small_world import contents, gamedeid_command, process_environment, small_world

MANY = 4000
"""Records: enough that writing them takes a good part of a run."""


class RunsOfOneQuestion:
    """Runs of one question that can be ended soon."""

    def __init__(self, scenario: Path, forked: ForkedRuns) -> None:
        self.scenario = scenario
        self.folder = scenario.parent
        self._forked = forked

    def run(self, *words: str, **how: Any) -> dict:
        return self._forked.run(["run", "scenario.toml", *words], self.folder, **how)


@pytest.fixture(scope="module")
def runs(tmp_path_factory, forked):
    folder = tmp_path_factory.mktemp("runs")
    people = ("40,Male", "41,Male", "50,Female", "51,Female")
    records = "".join(f"SECRET{number},{people[number % 4]},<=50K\n" for number in range(MANY))
    return RunsOfOneQuestion(small_world(folder, records="name,age,sex,income\n" + records), forked)


@pytest.fixture(scope="module")
def whole(runs):
    """The contents of a folder of results, old and new, and the seconds to write it."""
    found = {}
    for name, words in (("old", ("--set", "payoffs.cost=50")), ("new", ())):
        ended = runs.run("-o", "out", *words)
        assert (0, "") == (ended["code"], ended["err"])
        found[name] = contents(runs.folder / "out")
        shutil.move(runs.folder / "out", runs.folder.with_name(f"{runs.folder.name}-{name}"))
        found["seconds"] = ended["seconds"]
    assert found["old"] != found["new"]
    found["files"] = set(contents(runs.folder))
    return found


@pytest.fixture(params=["into a new folder", "over an earlier one"])
def earlier(request, runs, whole):  # noqa: ARG001  (which leaves the old results beside)
    """Prepare the place of the new results: empty, or with old results."""
    words = ("-o", "out")
    if request.param == "over an earlier one":
        words = (*words, "--overwrite")

    def prepare() -> tuple[str, ...]:
        shutil.rmtree(runs.folder / "out", ignore_errors=True)
        if "--overwrite" in words:
            shutil.copytree(runs.folder.with_name(f"{runs.folder.name}-old"), runs.folder / "out")
        return words

    yield prepare
    shutil.rmtree(runs.folder / "out", ignore_errors=True)


def moments(seconds: float, number: int) -> list[float]:
    """Return moments of a run, more of them near its end, where files are written; the first is at the start."""
    chance = random.Random(20_150_604)  # noqa: S311
    return [0.003, *(0.003 + seconds * 1.1 * chance.betavariate(2, 1) for _ in range(number - 1))]


def standing(runs, whole) -> str:
    """Return which results are there, complete and alone."""
    there = contents(runs.folder)
    hidden = [name for name in there if name.startswith(".gamedeid-")]
    if not hidden:
        assert whole["files"] == {name for name in there if not name.startswith("out")}
    found = {name.removeprefix("out/"): content for name, content in there.items() if name.startswith("out/")}
    found.pop("", None)
    if not (runs.folder / "out").exists():
        return "none"
    assert found in (whole["old"], whole["new"])
    return ("old" if found == whole["old"] else "new") + " and rubbish" * bool(hidden)


def test_a_kill_at_any_moment_leaves_old_or_new_results_complete(runs, whole, earlier):
    seen = []
    for moment in moments(whole["seconds"], tries(4, 100)):
        words = earlier()
        ended = runs.run(*words, send="SIGKILL", moment=moment)
        assert ended["code"] in (0, -signal.SIGKILL)
        seen.append(standing(runs, whole))
        assert ended["code"] != 0 or seen[-1] == "new"
    assert ("old" if "--overwrite" in words else "none") == seen[0]
    assert 0 == runs.run(*earlier())["code"]
    assert "new" == standing(runs, whole)  # and the hidden files of the killed run are gone


@pytest.mark.parametrize(("send", "code", "word"), [("SIGINT", 130, "interrupted"), ("SIGTERM", 143, "asked to end")])
def test_an_interrupt_at_any_moment_leaves_old_or_new_results_and_nothing_else(runs, whole, earlier, send, code, word):
    ends = set()
    for moment in moments(whole["seconds"], tries(3, 60)):
        words = earlier()
        ended = runs.run(*words, send=send, moment=moment)
        ends.add((ended["code"], ended["err"]))
        stands = standing(runs, whole)
        assert stands in {"none", "old", "new"}
        assert ended["code"] != 0 or stands == "new"
    interrupted = (code, f"gamedeid: {word}\n")
    assert interrupted in ends
    assert {interrupted, (code, ""), (0, "")} >= ends  # silent just before the start and just after the end


LOADING = tuple(
    (library, *signalled)
    for library in ("multiarray_umath", "llvmlite")
    for signalled in (("SIGINT", 130, "interrupted"), ("SIGTERM", 143, "asked to end"))
)


@pytest.mark.parametrize(("library", "send", "code", "word"), tries((LOADING[0], LOADING[3]), LOADING))
def test_a_separate_process_can_be_interrupted_while_it_loads(runs, library, send, code, word):
    process = started("run", runs.scenario)
    wait_for(process, library)
    number = getattr(signal, send)
    process.send_signal(number)
    _, err = process.communicate()

    assert f"gamedeid: {word}\n" == err
    assert process.returncode in (code, -number)  # Python may choose to die of Ctrl-C; a shell shows no difference


def started(*words: object, **how: Any) -> subprocess.Popen:
    return subprocess.Popen(
        gamedeid_command(*words),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=process_environment(),
        **how,
    )


def wait_for(process: subprocess.Popen, library: str) -> None:
    """Wait until a process has loaded a library."""
    loaded = Path(f"/proc/{process.pid}/maps")
    if not loaded.exists():
        process.kill()
        process.communicate()
        pytest.skip("this system does not tell what a process has loaded")
    while library not in loaded.read_text():
        assert process.poll() is None
        time.sleep(0.002)


def test_a_process_that_ignores_ctrl_c_continues(runs):
    """As a shell arranges for `nohup` and for background jobs of a script."""
    process = started(
        "run",
        runs.scenario,
        "--json",
        preexec_fn=lambda: [signal.signal(number, signal.SIG_IGN) for number in (signal.SIGINT, signal.SIGTERM)],
    )
    wait_for(process, "llvmlite")
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate()

    assert (0, "") == (process.returncode, err)
    assert MANY == json.loads(out)["measures"]["records"]
