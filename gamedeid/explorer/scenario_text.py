"""A scenario's text with other values: comments, order and form stay as they are."""

import tomllib
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import tomlkit
from tomlkit.exceptions import TOMLKitError

from gamedeid.errors import InvalidScenarioError
from gamedeid.reprs import brief


@brief
class Change(NamedTuple):
    """One key of a scenario that gets another value.

    Parameters
    ----------
    key : its parts, sections first.
    value : what shall stand there; None removes the key.
    """

    key: Sequence[str]
    value: Any


def changed_text(text: str, changes: Iterable[Change]) -> str:
    """Return a text of TOML with other values, and nothing else changed.

    Parameters
    ----------
    text : of a scenario or a hierarchy.
    changes : in the order in which they are made.

    Raises
    ------
    InvalidScenarioError : the text has a form that cannot be changed without losing something of it.
    """
    changes = list(changes)
    if not changes:
        return text
    expected = tomllib.loads(text)
    try:
        document = tomlkit.parse(text)
        for change in changes:
            _lay(document, change, tomlkit.table)
            _lay(expected, change, dict)
        changed = tomlkit.dumps(document)
        if tomllib.loads(changed) == expected:
            return changed
    except (TOMLKitError, tomllib.TOMLDecodeError, TypeError, AttributeError, KeyError):
        pass
    keys = ", ".join(".".join(change.key) for change in changes)
    raise InvalidScenarioError(f"the text cannot be changed and keep its form; change it by hand: {keys}")


def _lay(place: Any, change: Change, new_section: Any) -> None:
    *path, last = change.key
    for part in path:
        if part not in place:
            if change.value is None:
                return
            place[part] = new_section()
        place = place[part]
    if change.value is not None:
        place[last] = _plain(change.value)
    elif last in place:
        del place[last]


def _plain(value: Any) -> Any:
    """Return a number as people write it: 1200, not 1200.0."""
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 10**15 else value
