"""The public names of the package, and that their examples hold."""

import ast
import doctest
import importlib
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest
from package_sources import FILES, PACKAGE, parsed, texts_in
from public_api import HOMES, public_value

import gamedeid

PACKAGES = ("intake", "pictures", "results", "risk")

MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(gamedeid.__path__, "gamedeid.")
    if module.name != "gamedeid.__main__"
)


def test_every_public_name_is_there_and_documented():
    assert all(public_value(name).__doc__ for name in HOMES)
    assert sorted(gamedeid.__all__) == dir(gamedeid)


def test_at_most_sixty_names_are_at_the_top():
    assert 60 >= len(gamedeid.__all__)


def test_every_public_name_is_exported_once_and_names_its_home():
    found = []
    for package in [gamedeid, *(getattr(gamedeid, name) for name in PACKAGES)]:
        stub = Path(package.__file__).with_suffix(".pyi").read_text("utf-8")
        lines = [line for line in stub.splitlines() if line.startswith("from ") and "," not in line]
        homes = dict(re.fullmatch(r"from (\S+) import (\w+) as \2", line).group(2, 1) for line in lines)
        assert sorted(homes) == package.__all__
        found += [name for name in homes if name in HOMES]
        for name in homes.keys() & HOMES.keys():
            assert homes[name] == public_value(name).__module__

    assert sorted(found) == sorted(HOMES)


def test_a_missing_name_is_refused():
    with pytest.raises(AttributeError, match="module 'gamedeid' has no attribute 'solv'"):
        gamedeid.solv  # noqa: B018


def test_the_package_is_quick_to_import():
    heavy = "{'numba', 'pandas', 'pyarrow', 'pydantic', 'rich', 'typer'}"
    code = f"import sys, gamedeid; sys.exit(bool({heavy} & set(sys.modules)))"

    assert 0 == subprocess.run([sys.executable, "-c", code], check=False).returncode


def test_help_loads_nothing_that_computes():
    heavy = "{'duckdb', 'jinja2', 'matplotlib', 'numba', 'numpy', 'pandas', 'pyarrow', 'pydantic', 'scipy'}"
    code = f"import sys, gamedeid.cli.app as app; app.load_commands(); print(*({heavy} & set(sys.modules)))"

    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert "" == done.stdout.strip()


def test_examples_in_docstrings_hold(monkeypatch):
    monkeypatch.chdir(Path(__file__).parents[2])  # the reader's working directory
    finder, runner = (
        doctest.DocTestFinder(exclude_empty=True),
        doctest.DocTestRunner(None, None, doctest.NORMALIZE_WHITESPACE),
    )
    examples = [test for name in MODULES for test in finder.find(importlib.import_module(name)) if test.examples]
    assert [] == [test.name for test in examples if runner.run(test).failed]

    assert {
        "gamedeid.study.solve.solve",
        "gamedeid.scenario.scenario.Scenario",
        "gamedeid.generalization.hierarchy.Hierarchy",
    } <= {test.name for test in examples}


OPTION = re.compile(r"(?<![\w!-])--[a-z]|(?<![\w-])-o\b")
CODE = '''
"""Like --set."""
words = f"--vary {words}", "give (-o DIR)", "a--b <!--c"
'''


def test_no_message_of_the_library_names_an_option_of_the_command_line():
    """All texts in code, for any message; docstrings may name options."""
    below = [path for path in FILES if PACKAGE / "cli" not in path.parents]

    assert [] == [text for path in below for text in options_in(parsed(path))]
    assert {"--vary {}", "give (-o DIR)"} == set(options_in(ast.parse(CODE)))


def options_in(code: ast.Module) -> list[str]:
    """Return the texts in code that name an option."""
    return [text for _, text in texts_in(code) if OPTION.search(text)]
