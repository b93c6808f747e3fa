"""TOML of scenarios: reading of plain values, overrides, messages of faults, and writing of values."""

import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError

from gamedeid.errors import InvalidScenarioError, did_you_mean, nearest_word_hint, quoted, shown
from gamedeid.generalization.shipped import shipped_files

_BARE = re.compile(r"[A-Za-z0-9_-]+")
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
        message = " ".join(str(error).split())
        raise InvalidScenarioError(f"{path}: is not valid TOML: {message}{_toml_hint(message, text)}") from None
    except (ValueError, RecursionError):
        raise InvalidScenarioError(
            f"{path}: is not valid TOML: a number is too large, or the nesting too deep, or a name no file can have"
        ) from None


def _toml_hint(message: str, text: str) -> str:
    """Return a hint if the line with the fault has a backslash in quotes, or a name with a space."""
    at = _AT_LINE.search(message)
    line = text.split("\n")[int(at[1]) - 1] if at else ""
    if _BACKSLASH.search(line):
        return "; a Windows path needs single quotes, such as path = 'C:\\data\\records.csv'"
    if _SPACED_NAME.match(line):
        return '; a name with a space or a dot in it needs quotes, such as [attributes."marital status"]'
    return ""


def override_value(text: str) -> tuple[str, Any]:
    """Return (dotted key, value) of ``key=value``; the value is read as TOML, or else as plain text.

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
    """Replace one value in the content of a scenario, in place."""
    *path, last = key_parts(key)
    place = content
    for part in path:
        place = place.setdefault(part, {})
        if not isinstance(place, dict):
            raise InvalidScenarioError(f"override of {quoted(key)}: {quoted(part)} is a value, not a section")
    place[last] = value


def key_parts(key: str) -> list[str]:
    """Return the parts of a dotted key; a part that contains a dot is in quotes, as in TOML."""
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


def is_writable(text: str) -> bool:
    """Return whether a text has only characters that a text file can hold."""
    return "\0" not in text and not any("\ud800" <= letter <= "\udfff" for letter in text)


def unwritable_texts(content: object, place: str = "") -> Iterator[tuple[str, str]]:
    """Yield (place, text) of every text within plain values, names included, that cannot be written."""
    if isinstance(content, str) and not is_writable(content):
        yield place, content
    elif isinstance(content, Mapping):
        for key, value in content.items():
            inside = f"{place}.{key}" if place else str(key)
            yield from unwritable_texts(key, place or "a name")
            yield from unwritable_texts(value, inside)
    elif isinstance(content, list | tuple):
        for value in content:
            yield from unwritable_texts(value, place)


_EXPECTED = {
    "dict_type": "a section",
    "float_type": "a number",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "finite_number": "a finite number",
    "model_type": "a section",
    "path_type": "a path",
    "string_type": "a text",
    "tuple_type": "a list",
}


def first_fault(error: ValidationError, model: type[BaseModel]) -> str:
    """Return the first fault, an unknown key before all others: a misspelt key can make another one missing."""
    faults = error.errors(include_url=False)
    unknown = [fault for fault in faults if fault["type"] == "extra_forbidden"]
    fault: Any = (unknown or faults)[0]
    place = ".".join(shown(part) for part in fault["loc"])
    match fault["type"]:
        case "extra_forbidden":
            hint = _dotted_name(fault["loc"]) if isinstance(fault["input"], dict) else ""
            return unknown_key(place, str(fault["loc"][-1]), _known_keys(model, fault["loc"])) + hint
        case "missing":
            return f"{quoted(place)} is required"
        case "value_error":
            text = str(fault["ctx"]["error"])
            return f"{place}: {text}" if place else text
        case "too_short":
            return f"{place}: expected at least one"
        case "literal_error":
            choices = [one.strip("' ") for one in fault["ctx"]["expected"].replace(" or ", ",").split(",")]
            hint = did_you_mean(str(fault["input"]), choices)
            return f"{place}: expected {fault['ctx']['expected']}, not {quoted(fault['input'])}{hint}"
        case "greater_than":
            expected = f"a number above {fault['ctx']['gt']:g}"
        case "greater_than_equal":
            expected = f"a number of at least {fault['ctx']['ge']:g}"
        case "less_than_equal":
            expected = f"a number of at most {fault['ctx']['le']:g}"
        case kind:
            expected = _EXPECTED.get(kind, fault["msg"][:1].lower() + fault["msg"][1:])
    return f"{place}: expected {expected}, not {quoted(fault['input'])}"


def _dotted_name(location: tuple[int | str, ...]) -> str:
    """Return a hint if a section within an attribute is the rest of a column's name."""
    section, *parts = (str(part) for part in location)
    if section != "attributes" or len(parts) < 2:  # noqa: PLR2004  (an attribute, and an unknown key of it)
        return ""
    return f'; a column with a dot in its name needs quotes: [attributes."{quoted(".".join(parts))[1:-1]}"]'


def unknown_key(place: str, name: str, known: Iterable[str]) -> str:
    """Return the fault of an unknown key, with the nearest known one or all known ones."""
    return f"unknown key {quoted(place)}{nearest_word_hint(name, known)}"


def _known_keys(model: type[BaseModel], location: tuple[int | str, ...]) -> list[str]:
    kind: Any = model
    for part in location[:-1]:
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            kind = _without_none(kind.model_fields[str(part)].annotation)
        else:
            kind = get_args(kind)[1 if get_origin(kind) is dict else 0]
    return [name for name, field in kind.model_fields.items() if not field.exclude]


def _without_none(annotation: Any) -> Any:
    """Return the annotation without the None for an absent key."""
    if get_origin(annotation) in (Union, UnionType):
        return next(kind for kind in get_args(annotation) if kind is not NoneType)
    return annotation


def toml_key(name: str) -> str:
    """Return a key in TOML: bare, or in quotes if it has other characters."""
    return name if _BARE.fullmatch(name) else toml_value(name)


def toml_value(value: object) -> str:
    """Return a text, number, truth value, or list or table of these in TOML, without None values of a table."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Sequence):
        return f"[{', '.join(map(toml_value, value))}]"
    if isinstance(value, Mapping):
        pairs = (f"{toml_key(key)} = {toml_value(one)}" for key, one in value.items() if one is not None)
        return f"{{ {', '.join(pairs)} }}"
    return str(value)
