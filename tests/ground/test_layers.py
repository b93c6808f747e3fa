"""A module uses only lower layers, in imports and in names within strings."""

import ast
import re
import tomllib
from pathlib import Path

import pytest
from package_sources import FILES, parsed, texts_in

from gamedeid.lazy_imports import registered_function

ROOT = Path(__file__).parents[2]
CONTRACTS = [
    (container, [{name.strip() for name in layer.split(":")} for layer in contract["layers"]])
    for contract in tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    if contract["type"] == "layers"
    for container in contract["containers"]
]
NAMED = re.compile(r"\bgamedeid(?:\.\w+)+")


def layer_of(module, container, layers):
    """Return the layer of a module in a container, 0 the top; None if it is not part of it."""
    if not module.startswith(f"{container}."):
        return None
    name = module.removeprefix(f"{container}.").partition(".")[0]
    return next((place for place, layer in enumerate(layers) if name in layer), None)


def named_upwards(module, tree):
    """Return the modules of higher layers that a module names in strings, docstrings left out."""
    return [
        named
        for _, text in texts_in(tree)
        for named in NAMED.findall(text)
        for container, layers in CONTRACTS
        if (own := layer_of(module, container, layers)) is not None
        and (other := layer_of(named, container, layers)) is not None
        and other < own
    ]


def modules():
    """Return the modules of the package and their files; the package's own __init__ is above all layers."""
    for path in FILES:
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        if name != "gamedeid":
            yield name, path


def test_no_module_names_one_of_a_higher_layer_in_a_string():
    assert {} == {name: upwards for name, path in modules() if (upwards := named_upwards(name, parsed(path)))}


@pytest.mark.parametrize(
    ("module", "source", "expected"),
    [
        ("gamedeid.study.solution", 'import_module("gamedeid.report.run_folder")', ["gamedeid.report.run_folder"]),
        ("gamedeid.risk.aware", 'HOME = "gamedeid.pictures"', ["gamedeid.pictures"]),
        ("gamedeid.game.rules", 'LazyModule(f"gamedeid.game.solvers.{name}")', ["gamedeid.game.solvers"]),
        ("gamedeid.report.run_folder", 'import_module("gamedeid.study.solution")', []),
        ("gamedeid.study.solution", '"""As :mod:`gamedeid.report` writes it."""', []),
    ],
)
def test_a_name_of_a_higher_layer_is_found(module, source, expected):
    assert expected == named_upwards(module, ast.parse(source))


def test_each_function_that_layers_request_is_registered():
    sources = [path.read_text("utf-8") for _, path in modules()]
    asked = {what for source in sources for what in re.findall(r'\bregistered_function\("(\w+)"\)', source)}
    assert {"explore", "identifiers", "page", "picture", "run", "warnings"} == asked
    assert all(callable(registered_function(what)) for what in asked)
