"""How TOML writes keys, values, comments, and the description of a hierarchy."""

import json
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from gamedeid.errors import one_line

WIDTH = 110
"""Characters of a line of comment, about."""

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def toml_key(name: str) -> str:
    """Return a key as TOML writes it: bare, or in quotes where it has other characters."""
    return name if _BARE.fullmatch(name) else toml_value(name)


def toml_value(value: object) -> str:
    """Return a text, number, truth value or list of these as TOML writes it."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Sequence):
        return f"[{', '.join(map(toml_value, value))}]"
    return str(value)


def comment(text: str) -> Iterator[str]:
    """Yield the lines of a comment; control characters, which would end it, are spelt out."""
    yield from (f"# {line}" for line in textwrap.wrap(one_line(text), WIDTH, break_on_hyphens=False))


def hierarchy_text(description: Mapping[str, Any], about: Iterable[str] = ()) -> str:
    """Return the text of a hierarchy file."""
    lines = [line for paragraph in about for line in comment(paragraph)]
    tables: list[str] = []
    for key, value in description.items():
        inside = value if isinstance(value, list) else [value]
        if inside and all(isinstance(one, Mapping) for one in inside):
            head = f"[[{key}]]" if isinstance(value, list) else f"[{key}]"
            for one in inside:
                tables += ["", head, *(f"{toml_key(name)} = {toml_value(held)}" for name, held in one.items())]
        elif inside and all(isinstance(one, list) for one in inside):
            lines += [f"{key} = [", *(f"  {toml_value(row)}," for row in value), "]"]
        else:
            lines.append(f"{key} = {toml_value(value)}")
    return "\n".join([*lines, *tables, ""])
