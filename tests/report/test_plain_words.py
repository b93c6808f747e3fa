"""No printed text has a pattern that plain technical English avoids: catalogue, page, help and messages."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main
from package_sources import FILES, parsed, texts_in

from gamedeid import report
from gamedeid.catalogue import FOLDER, catalogue
from gamedeid.cli.app import load_commands
from gamedeid.cli.commands import EXAMPLES

HOME = Path(report.__file__).parent

PATTERNS = {
    "what in place of a noun": r"\bwhat\b(?![^.:]*\?)",
    "stands for is": r"\b(?:stands?|stood)\b(?! for\b)",
    "nobody or everybody as a quantifier": r"\b(?:nobody|everybody)\b",
    "of its own": r"\bof (?:its|their|her|his|one's) own\b",
    "beside for compared with": r"\bbeside\b",
    "tell for show": r"\b(?:tells?|told|telling)\b",
    "comes to be": r"\b(?:comes?|came) to\b",
    "the recipient as she": r"\b(?:she|her|hers)\b",
    "a fragment that begins with Of or Who": r"(?:^|[.!?] )(?-i:Of|Who)\b(?![^.]*\?)",
    "unless given for default": r"\bunless given\b",
    "a game that expects": r"\b(?:games?|formulas?|release) expects?\b",
    "a double negative": r"\b(?:nothing|no \w+|none) (?:\w+ )?that is not\b",
}
"""Patterns that may not come back."""


def texts_of(value: Any, name: str) -> Iterator[tuple[str, str]]:
    """Yield each text of a table of the catalogue, with its place."""
    if isinstance(value, str):
        yield name, value
    elif isinstance(value, dict | list):
        inside = value.items() if isinstance(value, dict) else enumerate(value)
        for key, one in inside:
            if key != "when":
                yield from texts_of(one, f"{name}.{key}")


def of_the_catalogue() -> Iterator[tuple[str, str]]:
    for path in sorted(FOLDER.glob("*.toml")):
        yield from texts_of(catalogue(path.stem), path.stem)


def of_the_page() -> Iterator[tuple[str, str]]:
    for path in sorted(HOME.glob("html/parts/*.html")):
        text = re.sub(r"{[%{#].*?[%}#]}|<[^>]*>", " ", path.read_text("utf-8"), flags=re.DOTALL)
        yield path.name, " ".join(text.split())


def of_the_help(command: Any = None, name: str = "gamedeid") -> Iterator[tuple[str, str]]:
    command = typer.main.get_command(load_commands()) if command is None else command
    yield name, command.help or ""
    for one in command.params:
        yield f"{name} {one.name}", getattr(one, "help", None) or ""
    for _, words in EXAMPLES.get(name.removeprefix("gamedeid "), ()):
        yield f"{name} example", words
    for word, inside in getattr(command, "commands", {}).items():
        yield from of_the_help(inside, f"{name} {word}")


def of_the_explorer() -> Iterator[tuple[str, str]]:
    """Yield each text of several words between quotation marks in the page of the explorer, with its file."""
    for path in sorted(HOME.parent.glob("explorer/page/*.[jh]*")):
        text = re.sub(r"^ *(?://|/?\*).*$", "", path.read_text("utf-8"), flags=re.MULTILINE)
        for found in re.findall(r"\"([^\"\n]*)\"|`([^`]*)`|>([^<>{}]*)<", text):
            if " " in (words := "".join(found).strip()):
                yield path.name, words


def of_the_code() -> Iterator[tuple[str, str]]:
    """Yield each text of several words in the package except docstrings, fields left out, with its place."""
    for path in FILES:
        for line, text in texts_in(parsed(path)):
            if " " in text:
                yield f"{path.relative_to(HOME.parent)}:{line}", text


QUOTED = re.compile("\u201c.*?\u201d", re.DOTALL)
"""Phrases quoted from the law."""


@pytest.mark.parametrize("printed", [of_the_catalogue, of_the_page, of_the_help, of_the_explorer, of_the_code])
def test_no_pattern_comes_back(printed):
    texts = [(name, QUOTED.sub("", text)) for name, text in printed()]
    found = [
        (words, name, text)
        for words, pattern in PATTERNS.items()
        for name, text in texts
        if re.search(pattern, text, re.IGNORECASE)
    ]

    assert texts
    assert [] == found
