"""Small questions for the tests, and what is wrong with those that are none."""

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
    """Return a section that may be changed, with all within it."""
    return {key: copied(value) for key, value in section.items()} if isinstance(section, dict) else section


def content(changes: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the plain values of a small scenario, with dotted keys laid over them."""
    changed: dict[str, Any] = copied(CONTENT)
    for key, value in (changes or {}).items():
        override(changed, key, copied(value))
    return changed


def question(changes: Mapping[str, Any] | None = None, *, folder: Path = Path()) -> Scenario:
    """Return the same as a scenario."""
    return Scenario.parse(content(changes), folder=folder)


def toml(value: Any) -> str:
    """Return a plain value in TOML."""
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{json.dumps(key)} = {toml(one)}' for key, one in value.items())} }}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(toml, value))}]"
    return json.dumps(value, ensure_ascii=False)


def written_question(folder: Path, changes: Mapping[str, Any] | None = None) -> Path:
    """Write the same as a file into a folder, and return its path; a section that is None is left out."""
    path = folder / "scenario.toml"
    lines = [f"{key} = {toml(value)}" for key, value in content(changes).items() if value is not None]
    path.write_text("\n".join(lines) + "\n")
    return path


@contextmanager
def without_games_in_groups() -> Iterator[None]:
    """Leave out, for a block, the games that put records into groups where they are played unasked, for comparison.

    They take seconds, and are looked at by tests of their own.
    """
    with patch("gamedeid.analysis.comparison.played_aware_games", lambda _study: []):
        yield


def message(kind: type[GamedeidError], call: Any, *arguments: Any, **named: Any) -> str:
    """Return what a call says is wrong: one line."""
    with pytest.raises(kind) as caught:
        call(*arguments, **named)
    text = str(caught.value)
    assert len(text.splitlines()) == 1
    return text
