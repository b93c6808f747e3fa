"""The words that name one person, ``--record 26`` or ``--values age=48,sex=Male``."""

import csv
from typing import TypedDict

from gamedeid.errors import InvalidScenarioError, quoted


class Person(TypedDict, total=False):
    """How one person is named: by ``record``, a number, or by ``values``, attribute by attribute; by none if empty."""

    record: int
    values: dict[str, str]


def named_person(record: int | None, values: str | None) -> Person:
    """Return whom ``record`` or ``values`` names, nobody when neither is given.

    Raises
    ------
    InvalidScenarioError : both are given, or values not of their form.
    """
    if record is not None and values is not None:
        raise InvalidScenarioError("--record and --values both name one person; give one of them")
    if values is not None:
        return Person(values=parse_values(values))
    return Person() if record is None else Person(record=record)


def parse_values(text: str) -> dict[str, str]:
    """Read ``ATTRIBUTE=VALUE,...``; a part with a comma in it stands in double quotes, as in CSV.

    Raises
    ------
    InvalidScenarioError : it is not of this form, or names an attribute twice.

    Examples
    --------
    >>> parse_values("age=48,sex=Male")
    {'age': '48', 'sex': 'Male'}
    >>> parse_values('"job=clerk, retired",age=70')
    {'job': 'clerk, retired', 'age': '70'}
    """
    form = "expected ATTRIBUTE=VALUE,ATTRIBUTE=VALUE,..., such as age=48,sex=Male"
    try:
        (parts,) = csv.reader([text], strict=True)
    except (csv.Error, ValueError):
        raise InvalidScenarioError(f"--values {quoted(text)}: {form}") from None
    values: dict[str, str] = {}
    for part in parts or [text]:
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not (name and equals and value):
            raise InvalidScenarioError(f"--values: {quoted(part)} is no value of an attribute; {form}")
        if name in values:
            raise InvalidScenarioError(f"--values: {quoted(name)} is given twice")
        values[name] = value
    return values
