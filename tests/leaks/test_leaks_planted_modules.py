"""No command, and no process that it starts, runs a module in the working directory."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Collection
from functools import partial
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from cluster_cases import clustered_world
from real_clusters import start_spark_quickly
from small_world import HOME, process_environment, small_world
from test_leaks_commands import COMMANDS, place_in

from gamedeid.safe_path import SAFE_PATH, safe_path

OF_PYTHON = frozenset(sys.stdlib_module_names) | {"sitecustomize", "usercustomize"}
MARK = "ran"


def plant(folder: Path, *, without: Collection[str] = ()) -> Path:
    """Plant the modules in a new folder, and return it."""
    folder.mkdir()
    of_others = {name for name in packages_distributions() if name.isidentifier()}
    for name in (OF_PYTHON | of_others) - set(without):
        (folder / f"{name}.py").write_text(f"open({str(folder / MARK)!r}, 'a').write(__name__ + ' ')\n")
    return folder


def that_ran(folder: Path) -> list[str]:
    """Return the names of the modules that ran since this was last asked."""
    mark = folder / MARK
    names = mark.read_text().split() if mark.exists() else []
    mark.unlink(missing_ok=True)
    return names


COMMAND = "from gamedeid.cli import main\nif __name__ == '__main__':\n    main()\n"


def script(folder: Path, content: str = COMMAND) -> Path:
    """Write a script as installers do: Python searches modules next to it, not in the working directory."""
    folder.mkdir()
    (folder / "script").write_text(content)
    return folder / "script"


def run_there(folder: Path, *words: object) -> subprocess.CompletedProcess[str]:
    """Run Python with some arguments in the folder, without variables that say where it searches modules."""
    names = ("PYTHONPATH", "PYTHONSAFEPATH")
    environment = {name: value for name, value in process_environment().items() if name not in names}
    return subprocess.run(
        [sys.executable, *map(str, words)], cwd=folder, env=environment, check=False, capture_output=True, text=True
    )


def loaded_before(folder: Path) -> set[str]:
    """Return the modules that `python -m` has loaded before a package: Python finds these by its own rules."""
    (folder / "probe").mkdir(parents=True)
    (folder / "probe" / "__init__.py").write_text("import sys\nprint(*sys.modules)\n")
    (folder / "probe" / "__main__.py").write_text("")
    return {name.partition(".")[0] for name in run_there(folder, "-m", "probe").stdout.split()}


@pytest.fixture(name="planted", scope="module")
def _planted(tmp_path_factory):
    return plant(tmp_path_factory.mktemp("downloaded") / "planted")


def test_a_planted_module_would_run(planted):
    importing = planted / "importing"  # from Python 3.13 on, `-c` itself would import a planted module
    importing.write_text("import colorsys")
    assert 0 == run_there(planted, importing).returncode
    importing.unlink()
    assert ["colorsys"] == that_ran(planted)


WALKED = [
    ("explore",),
    ("plot", "lattice"),
    ("run",),
    *(name for name in COMMANDS if name[0] not in {"explore", "plot", "run"}),
]
"""Commands that one process runs; pictures of all kinds are drawn by the same modules."""
MORE = {("risk", "uniqueness-study"): ["--workers", "2"]}
"""Command -> words that let processes share its work."""

WALK = """
import json, sys
from pathlib import Path
from gamedeid.cli import run_command
if __name__ == "__main__":
    Path(sys.argv[1]).write_text(json.dumps([run_command(words) for words in json.loads(sys.argv[2])]))
"""


def test_no_command_or_engine_runs_modules_in_the_working_directory(made, planted, tmp_path):
    place = partial(place_in, made, made.scenario)
    words = [[*name, *map(str, COMMANDS[name].words(place())), *MORE.get(name, [])] for name in WALKED]
    by_engines = [words for engine in ("memory", "duckdb") for words in words_of(engine, tmp_path / engine)]
    codes, said = codes_of_walk(words + by_engines, planted, tmp_path)
    of_commands = dict(zip(WALKED, codes, strict=False))
    assert {} == {name: code for name, code in of_commands.items() if code not in COMMANDS[name].codes}, said
    assert [0] * len(by_engines) == codes[len(WALKED) :], said


def words_of(engine, folder):
    """Return commands that read a question with an engine."""
    folder.mkdir()
    scenario = str(clustered_world(folder / "world"))
    commands = ["run", scenario, "-o", str(folder / "out")], ["compare", scenario]
    return [[*words, "--engine", engine] for words in commands]


def codes_of_walk(words, planted, folder):
    """Return the exit codes of commands that one process runs among the planted modules, and all that they say."""
    done = run_there(planted, script(folder / "bin", WALK), folder / "done", json.dumps(words))
    assert [] == that_ran(planted), done.stderr
    return json.loads((folder / "done").read_text()), done.stdout + done.stderr


SIMULATION = """
if __name__ == "__main__":
    from gamedeid.risk.uniqueness.simulation import run_tasks
    print(sorted(run_tasks(divmod, [(7, 2), (9, 4)], 2)))
"""


def test_processes_that_share_a_simulation_run_nothing_of_it_from_python_either(planted, tmp_path):
    done = run_there(planted, script(tmp_path / "mine", SIMULATION))
    assert [] == that_ran(planted)
    assert "[(0, (3, 1)), (1, (2, 1))]\n" == done.stdout, done.stderr


def test_started_as_a_module_it_runs_nothing_that_is_imported_after_it(tmp_path):
    planted = plant(tmp_path / "planted", without={"gamedeid", *loaded_before(tmp_path / "before")})
    assert (planted / "signal.py").exists()
    small_world(tmp_path)
    done = run_there(planted, "-m", "gamedeid", "compare", tmp_path / "scenario.toml")
    assert [] == that_ran(planted)
    assert 0 == done.returncode, done.stderr


def test_a_copy_of_the_repository_still_runs_as_a_module(tmp_path):
    (tmp_path / "gamedeid").mkdir()
    for name in ("__init__.py", "_version.py", "lazy_imports.py"):
        shutil.copy(HOME / "gamedeid" / name, tmp_path / "gamedeid")
    (tmp_path / "gamedeid" / "__main__.py").write_text("import beside; print(beside.__file__)")
    (tmp_path / "beside.py").write_text("")
    done = run_there(tmp_path, "-m", "gamedeid")
    assert f"{tmp_path / 'beside.py'}\n" == done.stdout, done.stderr


@pytest.mark.parametrize("before", [None, "", "yes"])
def test_a_process_of_the_user_is_started_afterwards_as_ever(monkeypatch, before):
    if before is None:
        monkeypatch.delenv(SAFE_PATH, raising=False)
    else:
        monkeypatch.setenv(SAFE_PATH, before)
    with safe_path(), safe_path():
        code = "import sys; print(sys.flags.safe_path)"
        assert (
            "True\n" == subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
        )
    assert before == os.environ.get(SAFE_PATH)


# --- clusters --------------------------------------------------------------------------------------------------------


@pytest.mark.clusters
@pytest.mark.parametrize("engine", ["dask", "spark"])
def test_no_cluster_runs_a_planted_module(engine, planted, tmp_path, monkeypatch):
    start_spark_quickly(monkeypatch, tmp_path)
    codes, said = codes_of_walk(words_of(engine, tmp_path / engine), planted, tmp_path)
    assert [0, 0] == codes, said


SPARK = """
from gamedeid.data.engines.clusters import connected
from gamedeid.data.engines.options import ReadOptions
with connected(ReadOptions(engine="spark")):
    from pyspark.sql import SparkSession
    rows = SparkSession.getActiveSession().sparkContext.parallelize([1, 2])
    print(rows.map(lambda one: __import__("colorsys").__name__ + str(one)).collect())
"""


@pytest.mark.clusters
def test_the_workers_of_spark_that_are_python_run_nothing_of_it(planted, tmp_path, monkeypatch):
    start_spark_quickly(monkeypatch, tmp_path)
    done = run_there(planted, script(tmp_path / "mine", SPARK))
    assert [] == that_ran(planted)
    assert "['colorsys1', 'colorsys2']\n" == done.stdout, done.stderr
