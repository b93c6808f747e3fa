"""Is the base installation enough for the main commands, and do the others print the line that installs an extra?"""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from forked_runs import ForkedRuns
from small_world import Said, gamedeid_says

from gamedeid.errors import MissingExtraError
from gamedeid.extras import EXTRAS, missing_extra_error, missing_modules, require

HERE = Path(__file__).resolve()
ROOT = HERE.parents[2]
KIT = HERE.parents[1] / "kit"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
MODULES = {"python-calamine": "python_calamine", "python-docx": "docx", "scikit-learn": "sklearn"}
"""Package -> its import name, if it differs."""

FOR_ALL = EXTRAS.keys() - {"spark", "dask"}
"""Extras that `gamedeid[all]` joins; clusters bring a Java runtime's worth of packages each."""


def names_in(requirements):
    """Return (packages, extras of our own) that requirements name."""
    packages, extras = set(), set()
    for one in requirements:
        name, of = re.match(r"([\w-]+)(?:\[([\w,-]+)\])?", one).groups()
        if name == "gamedeid":
            extras.update(of.split(","))
        else:
            packages.add(MODULES.get(name, name))
    return packages, extras


def brought_by(extra):
    """Return the modules that an extra installs, by pyproject.toml."""
    packages, extras = names_in(PROJECT["optional-dependencies"][extra])
    return packages.union(*map(brought_by, extras))


def test_extras_install_their_stated_modules_and_the_base_none_of_them():
    assert {extra: set(packages) for extra, packages in EXTRAS.items()} == {
        extra: brought_by(extra) for extra in EXTRAS
    }
    base, _ = names_in(PROJECT["dependencies"])
    _, joined = names_in(PROJECT["optional-dependencies"]["all"])
    assert (set(), FOR_ALL) == (base & set().union(*EXTRAS.values()), joined)


@pytest.fixture(scope="module", name="base")
def _base(tmp_path_factory):
    """Yield a runner of commands without the packages of any extra, and its working folder."""
    folder = tmp_path_factory.mktemp("base")
    runs = ForkedRuns("quickstart", without={"polars"}.union(*EXTRAS.values()))

    def run(*words):
        ended = runs.run([*map(str, words)], folder)
        return Said(code=ended["code"], out=ended["out"], err=ended["err"])

    yield run, folder
    runs.end()


@pytest.mark.parametrize(
    "words",
    [
        ["run", "quickstart"],
        ["compare", "quickstart"],
        ["compare", "quickstart", "--json"],
        ["sweep", "quickstart", "--vary", "loss=100:1000:3"],
        ["sweep", "quickstart", "--exact", "loss", "--json"],
        ["solvers", "quickstart"],
        ["frontier", "quickstart"],
        ["scenarios"],
        ["schema"],
        ["schema", "summary"],
        ["plot", "map", "quickstart", "-o", "map.svg"],
    ],
    ids=" ".join,
)
def test_the_base_is_enough_for(base, words):
    run, _ = base
    ended = run(*words)
    assert (0, "") == (ended.code, ended.err)
    assert ended.out


def test_a_release_without_a_report_is_written_and_verified_and_audited(base):
    run, folder = base
    assert (0, "") == ((ended := run("run", "quickstart", "-o", "plain", "--no-report")).code, ended.err)
    assert (folder / "plain" / "release.csv").exists()
    for words in (["verify", "plain", "quickstart"], ["audit", "plain", "quickstart"]):
        assert (0, "") == ((ended := run(*words)).code, ended.err)


def test_a_report_that_cannot_be_made_again_is_reported_as_unchecked(base):
    run, folder = base
    assert gamedeid_says("run", "quickstart", "-o", folder / "reported").code == 0
    ended = run("verify", "reported", "quickstart", "--json")
    assert (0, "") == (ended.code, ended.err)
    (unchecked,) = [one for one in json.loads(ended.out)["unchecked"] if one["what"] == "report.html"]
    assert unchecked["why"] == "it is made again only where gamedeid[report] is installed"


@pytest.mark.parametrize(
    ("words", "extra", "said"),
    [
        (["run", "quickstart", "-o", "new"], "report", "or leave it out with --no-report"),
        (
            ["plot", "lattice", "quickstart", "--record", "1", "-o", "new.png"],
            "pictures",
            "or write it as .svg or .html",
        ),
        (["risk", "bins", "--people", "10", "--bins", "5"], "risk", "needs scipy, which is not installed"),
        (["risk", "distinct", "absent", "--policy", "safe-harbor"], "risk", "needs scipy, which is not installed"),
        (["risk", "uniqueness", "absent.csv", "--population-size", "9"], "risk", "needs scipy"),
        (["risk", "uniqueness-study", "absent.csv", "--attributes", "age"], "risk", "needs scipy"),
        (["attack", "absent", "quickstart"], "risk", "a simulated attack needs scipy"),
        (["utility", "results", "--model", "y ~ x"], "utility", "a comparison of analyses needs statsmodels"),
        (["compare", "quickstart", "--engine", "duckdb"], "large", "to count this file needs duckdb"),
        (["explore", "quickstart"], "explore", "explore needs starlette, tomlkit, uvicorn, jinja2"),
        (
            ["compare", "quickstart", "--engine", "spark"],
            "spark",
            "the engine `spark` needs pyspark, which is not installed",
        ),
        (
            ["compare", "quickstart", "--engine", "dask"],
            "dask",
            "the engine `dask` needs dask and distributed, which are not installed",
        ),
        (["sign", "--new-key", "key"], "sign", "needs cryptography, which is not installed"),
    ],
)
def test_commands_that_need_an_extra_print_the_line_that_installs_it(base, words, extra, said):
    run, folder = base
    before = sorted(folder.iterdir())
    ended = run(*words)
    (line,) = ended.err.splitlines()
    assert ended.code == 2
    assert f'python -m pip install "gamedeid[{extra}]"' in line
    assert said in line
    assert before == sorted(folder.iterdir())


UNIQUENESS = f"""
import sys
sys.path.insert(0, {str(KIT)!r})
import without_packages
without_packages.hide(["scipy"])
import gamedeid
try:
    gamedeid.risk.estimate_uniqueness(gamedeid.risk.ClassSizes.parse("1:2,2:1"), 100)
except gamedeid.MissingExtraError as error:
    print(error)
"""


def test_the_package_prints_this_line_too():
    shown = subprocess.run([sys.executable, "-c", UNIQUENESS], capture_output=True, text=True, check=True)
    assert 'pip install "gamedeid[risk]"' in shown.stdout


def test_an_installed_module_is_not_reported_as_missing(monkeypatch):
    monkeypatch.setattr("gamedeid.extras.find_spec", lambda name: None if name == "matplotlib" else name)
    assert ["matplotlib"] == missing_modules("pictures")
    require("sign", "a signature")
    with pytest.raises(MissingExtraError, match=r"^a picture needs matplotlib, which is not installed: python -m pip"):
        require("pictures", "a picture")
    assert "needs matplotlib, which is" in str(lacking_all(monkeypatch))


def lacking_all(monkeypatch):
    monkeypatch.setattr("gamedeid.extras.find_spec", lambda _: None)
    return missing_extra_error("pictures", "a picture")
