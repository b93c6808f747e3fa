"""What is wrong with a scenario, in one line: the place, what was expected and what came."""

from collections.abc import Iterable, Iterator, Mapping
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError

from gamedeid.errors import did_you_mean, nearest, quoted, shown


def is_writable(text: str) -> bool:
    """Return whether a text has only characters that a file of text can hold."""
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
    """Return the first fault, an unknown key before all others: a misspelt key is why another one is missing."""
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
    """Return what to try where a section within an attribute is the rest of a column's name."""
    section, *parts = (str(part) for part in location)
    if section != "attributes" or len(parts) < 2:  # noqa: PLR2004  (an attribute, and what it has no key for)
        return ""
    return f'; a column with a dot in its name stands in quotes: [attributes."{quoted(".".join(parts))[1:-1]}"]'


def unknown_key(place: str, name: str, known: Iterable[str]) -> str:
    """Return the fault of a key that nobody knows, with the nearest known one or all of them."""
    return f"unknown key {quoted(place)}{nearest(name, known)}"


def _known_keys(model: type[BaseModel], location: tuple[int | str, ...]) -> list[str]:
    kind: Any = model
    for part in location[:-1]:
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            kind = _given(kind.model_fields[str(part)].annotation)
        else:
            kind = get_args(kind)[1 if get_origin(kind) is dict else 0]
    return [name for name, field in kind.model_fields.items() if not field.exclude]


def _given(annotation: Any) -> Any:
    """Return the annotation without the None that stands for a key left out."""
    if get_origin(annotation) in (Union, UnionType):
        return next(kind for kind in get_args(annotation) if kind is not NoneType)
    return annotation
