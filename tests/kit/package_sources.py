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


def texts_in(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the line of each text in code, and the text, its fields as {}; docstrings are left out."""
    nodes = list(ast.walk(tree))
    left_out = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    left_out |= {id(part) for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in nodes:
        if isinstance(node, ast.JoinedStr):
            yield node.lineno, "".join(part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in left_out:
            yield node.lineno, node.value
