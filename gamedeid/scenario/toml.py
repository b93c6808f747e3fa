"""The text of a scenario as plain values, with overrides laid over it."""

import re
import tomllib
from pathlib import Path
from typing import Any

from gamedeid.errors import InvalidScenarioError, quoted
from gamedeid.generalization.shipped import shipped_files

_AT_LINE = re.compile(r"\(at line (\d+),")
_BACKSLASH = re.compile(r'"[^"]*\\')
_SPACED_NAME = re.compile(r"\s*\[*[^\]\"'=#]*[\w-]\s+[\w-][^\]\"'=#]*[\]=]")


def read_content(path: Path) -> dict[str, Any]:
    """Return the keys and values of a TOML file; UTF-8, a byte order mark allowed."""
    text = ""
    try:
        text = path.read_text("utf-8-sig")
        return tomllib.loads(text)
    except FileNotFoundError:
        shipped = shipped_files("scenarios").get(str(path))
        hint = "" if shipped is None else f"; the one that comes with gamedeid is {shipped}"
        raise InvalidScenarioError(f"{path}: no such scenario file{hint}") from None
    except IsADirectoryError:
        raise InvalidScenarioError(f"{path}: is a folder; a scenario is one TOML file") from None
    except OSError as error:
        raise InvalidScenarioError(f"{path}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError as error:
        raise InvalidScenarioError(f"{path}: is not UTF-8 text (byte {error.start})") from None
    except tomllib.TOMLDecodeError as error:
        said = " ".join(str(error).split())
        raise InvalidScenarioError(f"{path}: is not valid TOML: {said}{_toml_hint(said, text)}") from None
    except (ValueError, RecursionError):
        raise InvalidScenarioError(
            f"{path}: is not valid TOML: a number or a nesting beyond all measure, or a name no file can have"
        ) from None


def _toml_hint(said: str, text: str) -> str:
    """Return what to try where the line with the fault has a backslash in quotes, or a name with a space."""
    at = _AT_LINE.search(said)
    line = text.split("\n")[int(at[1]) - 1] if at else ""
    if _BACKSLASH.search(line):
        return "; a Windows path stands in single quotes, such as path = 'C:\\data\\records.csv'"
    if _SPACED_NAME.match(line):
        return '; a name with a space or a dot in it stands in quotes, such as [attributes."marital status"]'
    return ""


def override_value(text: str) -> tuple[str, Any]:
    """Return (dotted key, value) of ``key=value``; the value is read as TOML, and as plain text where it is none.

    Examples
    --------
    >>> override_value("payoffs.loss=500"), override_value("floor=limited-data-set")
    (('payoffs.loss', 500), ('floor', 'limited-data-set'))
    """
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        raise InvalidScenarioError(
            f"set takes KEY=VALUE, such as payoffs.loss=500, not {quoted(text)}", arguments=["set"]
        )
    read = _parsed(f"value = {value}")
    return key.strip(), read["value"] if read is not None and len(read) == 1 else value.strip()


def override(content: dict[str, Any], key: str, value: object) -> None:
    """Lay one value over the content of a scenario, in place."""
    *path, last = key_parts(key)
    place = content
    for part in path:
        place = place.setdefault(part, {})
        if not isinstance(place, dict):
            raise InvalidScenarioError(f"override of {quoted(key)}: {quoted(part)} is a value, not a section")
    place[last] = value


def key_parts(key: str) -> list[str]:
    """Return the parts of a dotted key; a part with a dot of its own stands in quotes, as in TOML."""
    place: Any = _parsed(f"{key} = 0")
    parts = []
    while isinstance(place, dict) and len(place) == 1:
        [(part, place)] = place.items()
        parts.append(part)
    return parts if place == 0 else key.split(".")


def _parsed(text: str) -> dict[str, Any] | None:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):
        return None
