"""Small questions for the tests, and the error messages of invalid ones."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from gamedeid.errors import GamedeidError
from gamedeid.scenario.scenario import Scenario
from gamedeid.scenario.toml import override

CONTENT = {
    "attributes": {"age": {"hierarchy": "age"}, "sex": {"hierarchy": "sex"}},
    "game": "basic",
    "payoffs": {"benefit": 100, "loss": 90, "cost": 40},
}
"""Two attributes; groups of one and two are attacked, since 90 > 2 x 40."""


def copied(section: Any) -> Any:
    """Return a deep copy of a section."""
    return {key: copied(value) for key, value in section.items()} if isinstance(section, dict) else section


def content(changes: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the plain values of a small scenario, changed at dotted keys."""
    changed: dict[str, Any] = copied(CONTENT)
    for key, value in (changes or {}).items():
        override(changed, key, copied(value))
    return changed


def question(changes: Mapping[str, Any] | None = None, *, folder: Path = Path()) -> Scenario:
    """Return the small scenario, changed."""
    return Scenario.parse(content(changes), folder=folder)


def toml(value: Any) -> str:
    """Return a plain value in TOML."""
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{json.dumps(key)} = {toml(one)}' for key, one in value.items())} }}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(toml, value))}]"
    return json.dumps(value, ensure_ascii=False)


def written_question(folder: Path, changes: Mapping[str, Any] | None = None) -> Path:
    """Write the small scenario, changed, into a folder, and return its path; a section that is None is left out."""
    path = folder / "scenario.toml"
    lines = [f"{key} = {toml(value)}" for key, value in content(changes).items() if value is not None]
    path.write_text("\n".join(lines) + "\n")
    return path


@contextmanager
def without_games_in_groups() -> Iterator[None]:
    """Leave out, for a block, the games of groups that a comparison plays by default.

    They take seconds, and have their own tests.
    """
    with patch("gamedeid.analysis.comparison.played_aware_games", lambda _study: []):
        yield


def message(kind: type[GamedeidError], call: Any, *arguments: Any, **named: Any) -> str:
    """Return the error message of a call: one line."""
    with pytest.raises(kind) as caught:
        call(*arguments, **named)
    text = str(caught.value)
    assert len(text.splitlines()) == 1
    return text
