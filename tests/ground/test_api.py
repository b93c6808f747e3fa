"""What the package offers by name, and that its examples are true."""

import doctest
import importlib
import pkgutil
import subprocess
import sys

import pytest

import gamedeid

MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(gamedeid.__path__, "gamedeid.")
    if module.name != "gamedeid.__main__"
)


def test_every_public_name_is_there_and_documented():
    for name in gamedeid.__all__:
        value = getattr(gamedeid, name)
        assert name == "__version__" or value.__doc__
    assert sorted(gamedeid.__all__) == dir(gamedeid)


def test_every_public_name_has_one_home():
    homes = vars(gamedeid)["_HOMES"]

    assert {*homes, "__version__"} == set(gamedeid.__all__)
    for name, home in homes.items():
        assert f"gamedeid.{home}" == getattr(gamedeid, name).__module__


def test_a_name_that_is_not_there_is_refused():
    with pytest.raises(AttributeError, match="module 'gamedeid' has no attribute 'solv'"):
        gamedeid.solv  # noqa: B018


def test_the_package_is_quick_to_import():
    heavy = "{'numba', 'pandas', 'pyarrow', 'pydantic', 'rich', 'typer'}"
    code = f"import sys, gamedeid; sys.exit(bool({heavy} & set(sys.modules)))"

    assert 0 == subprocess.run([sys.executable, "-c", code], check=False).returncode


@pytest.mark.parametrize("name", MODULES)
def test_examples_are_true(name):
    assert 0 == doctest.testmod(importlib.import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE).failed


def test_there_are_examples():
    finder = doctest.DocTestFinder(exclude_empty=True)
    examples = [test.name for name in MODULES for test in finder.find(importlib.import_module(name)) if test.examples]

    assert {
        "gamedeid.study.solution.solve",
        "gamedeid.scenario.scenario.Scenario",
        "gamedeid.generalization.hierarchy.Hierarchy",
    } <= set(examples)
