"""What the package offers by name, and that its examples are true."""

import ast
import dataclasses
import doctest
import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import gamedeid
from gamedeid import errors

ROOT = Path(gamedeid.__file__).parents[1]

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


def public_callables():
    """Yield the name, the value and the docstring of every public function and class, and of their public methods."""
    for name in gamedeid.__all__:
        value = getattr(gamedeid, name)
        if name == "__version__":
            continue
        yield name, value
        if inspect.isclass(value):
            for method, found in vars(value).items():
                plain = found.__func__ if isinstance(found, classmethod | staticmethod) else found
                if not method.startswith("_") and (inspect.isfunction(plain) or isinstance(plain, property)):
                    yield f"{name}.{method}", plain.fget if isinstance(plain, property) else plain


def sections_of(value) -> dict[str, str]:
    """Return the sections of a docstring by their headings; what stands before the first is under the empty one."""
    parts = re.split(r"^(\w+)\n-+$", inspect.getdoc(value) or "", flags=re.MULTILINE)
    return {"": parts[0]} | dict(zip(parts[1::2], parts[2::2], strict=True))


def described(section: str) -> dict[str, str]:
    """Return what a section says of each name; a line may speak of several."""
    found: dict[str, str] = {}
    for names, text in re.findall(r"^(\S[^:\n]*?) : (.*(?:\n .*|\n(?=\n ))*)", section, flags=re.MULTILINE):
        found |= dict.fromkeys(names.split(", "), text)
    return found


def arguments_of(value) -> list[str]:
    if inspect.isclass(value) and dataclasses.is_dataclass(value):
        return [field.name for field in dataclasses.fields(value) if field.init]
    if inspect.isclass(value):  # keys of a section are told on the page of scenarios, which has a test of its own
        return []
    return [name for name in inspect.signature(value).parameters if name not in {"self", "cls"}]


PUBLIC = dict(public_callables())


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_says_what_it_takes(name):
    value, sections = PUBLIC[name], sections_of(PUBLIC[name])
    said = described(sections.get("Parameters", ""))
    missing = [argument for argument in arguments_of(value) if argument not in said]
    if "." in name and not said:
        missing = [argument for argument in missing if f"``{argument}``" not in sections[""]]

    assert sections[""].strip()
    assert [] == missing


@pytest.mark.parametrize("name", PUBLIC)
def test_every_array_that_a_public_name_takes_has_its_shape_told(name):
    value = PUBLIC[name]
    kinds = inspect.get_annotations(value)
    said = described(sections_of(value).get("Parameters", ""))
    arrays = [one for one in said if re.search(r"Array|ndarray", str(kinds.get(one, "")))]

    assert [] == [one for one in arrays if not re.search(r"\(\w+(, ?\w+)*,?\)", said[one])]


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_that_raises_says_what(name):
    value = PUBLIC[name]
    if inspect.isclass(value) and issubclass(value, BaseException):
        return
    own = value.__post_init__ if inspect.isclass(value) and hasattr(value, "__post_init__") else value
    raised = set(re.findall(r"raise (\w+Error)\(", "" if inspect.isclass(own) else inspect.getsource(own)))
    said = " ".join(described(sections_of(value).get("Raises", "")))
    kinds = [kind for kind in raised if hasattr(errors, kind)]

    assert [] == [kind for kind in kinds if kind not in said and "GamedeidError" not in said]


def test_the_page_of_names_has_every_public_one():
    page = (ROOT / "docs" / "reference" / "names.md").read_text("utf-8")

    assert sorted({*gamedeid.__all__} - {"__version__"}) == sorted(
        re.findall(r"^\.\. auto\w+:: (\w+)$", page, re.MULTILINE)
    )


def test_no_message_of_the_library_names_an_option_of_the_command_line():
    found = []
    for path in (ROOT / "gamedeid").rglob("*.py"):
        if "cli" not in path.relative_to(ROOT / "gamedeid").parts:
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Raise):
                    texts = [one.value for one in ast.walk(node) if isinstance(one, ast.Constant)]
                    found += [text for text in texts if isinstance(text, str) and re.search(r"(?<!\S)\(?--[a-z]", text)]

    assert [] == found
