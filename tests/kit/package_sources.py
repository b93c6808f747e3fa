"""The source of the package: its files, each parsed once, and the texts in code that are no docstrings."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import gamedeid

PACKAGE = Path(gamedeid.__file__).parent
FILES = sorted(PACKAGE.rglob("*.py"))


@cache
def parsed(path: Path) -> ast.Module:
    """Return the syntax tree of a file."""
    return ast.parse(path.read_text("utf-8"))


def texts_in(tree: ast.Module) -> Iterator[str]:
    """Yield the texts in code; docstrings, and whatever else stands alone, are left out."""
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in alone:
            yield node.value
