"""Are names those of the field: riddles that were renamed may not come back, and one name is one class."""

import ast
import re
from collections import Counter
from pathlib import Path

import pytest
from package_sources import FILES, parsed

WORDS = {
    "deeds": "outcome, reply or attack",
    "everybody": "population, or all people",
    "facing": "recipients, or against",
    "gather": "collect or group",
    "ladder": "hierarchy, or its levels",
    "ladders": "hierarchies",
    "meanings": "labels of codes",
    "parties": "recipients",
    "party": "recipient",
    "rehouse": "move to another group",
    "supplied": "registered function",
    "thieves": "recipients",
    "told": "reported, or the value itself",
    "unbeaten": "Pareto front",
    "unlike": "differing, or the fault",
    "weighing": "comparison of payoffs",
}
"""Word that is part of no name -> the words to use."""

NAMES = {
    "four": "four_decimals",
    "knowing": "aware",
    "later": "LazyModule",
    "look": "look_up_value, style or batch",
    "looked_up": "the node or the people",
    "notebook": "Codebook, or card",
    "scatter": "draw_scatter",
    "settle": "the decision",
    "what_came_of": "facts or counts",
}
"""Name in small letters, without underscores around it -> the names to use."""

SEVERAL = {"GroupFacts", "InputFile", "LevelFacts"}
"""Classes of documents with one name in two documents: their schemas have these names."""


def defined_names(tree):
    """Yield the names that a module defines: of classes, functions, arguments, variables and attributes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr
        elif isinstance(node, ast.alias) and node.asname:
            yield node.asname


def riddles(tree):
    """Return riddle -> the name to use instead, of the names that a module defines."""
    found = {}
    for name in defined_names(tree):
        plain = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).strip("_").lower()
        instead = [NAMES[plain]] if plain in NAMES else [WORDS[word] for word in plain.split("_") if word in WORDS]
        if instead:
            found[name] = instead[0]
    return found


def test_no_name_of_the_package_is_a_riddle():
    assert {} == {path: found for path in FILES if (found := riddles(parsed(path)))}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("class NoLadder: pass", {"NoLadder": WORDS["ladder"]}),
        ("def what_came_of(): pass", {"what_came_of": NAMES["what_came_of"]}),
        ("told = 1", {"told": WORDS["told"]}),
        ("def solve(everybody): pass", {"everybody": WORDS["everybody"]}),
        ("self._MOST_PARTIES = 1", {"_MOST_PARTIES": WORDS["parties"]}),
        ("import numpy as Later", {"Later": NAMES["later"]}),
        ("later_rows, look_up = found.told, found.ladder", {}),
    ],
)
def test_a_riddle_is_found_where_it_is_defined(source, expected):
    assert expected == riddles(ast.parse(source))


def test_one_name_is_one_class():
    classes = Counter(
        node.name
        for path in FILES
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )

    assert SEVERAL == {name for name, number in classes.items() if number > 1}


def test_no_two_files_of_tests_have_one_name():
    """Each file passes alone; of two in one run, Python takes the second for the first."""
    names = Counter(path.name for path in Path(__file__).parents[1].rglob("test_*.py"))

    assert [] == [name for name, files in names.items() if files > 1]
