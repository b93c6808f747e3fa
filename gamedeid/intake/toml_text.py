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
        if _is_list_of(value, Mapping):
            for one in value:
                tables += [
                    "",
                    f"[[{key}]]",
                    *(f"{toml_key(name)} = {toml_value(inner)}" for name, inner in one.items()),
                ]
        elif isinstance(value, Mapping):
            tables += ["", f"[{key}]", *(f"{toml_key(name)} = {toml_value(inner)}" for name, inner in value.items())]
        elif _is_list_of(value, Sequence):
            lines += [f"{key} = [", *(f"  {toml_value(row)}," for row in value), "]"]
        else:
            lines.append(f"{key} = {toml_value(value)}")
    return "\n".join([*lines, *tables, ""])


def _is_list_of(value: object, kind: type[Mapping[Any, Any]] | type[Sequence[Any]]) -> bool:
    if not isinstance(value, Sequence) or isinstance(value, str) or not value:
        return False
    return all(isinstance(one, kind) and not isinstance(one, str) for one in value)
