"""Read the values that name one person, such as `age=48,sex=Male`, and code them."""

import csv
from collections.abc import Mapping
from typing import TypedDict

import numpy as np

from gamedeid.amounts import number_of
from gamedeid.arrays import IntArray
from gamedeid.errors import InvalidScenarioError, did_you_mean, nearest, quoted
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.generalization.levels import ROOT


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
        raise InvalidScenarioError(
            "record and values both name one person; give one of them", arguments=["record", "values"]
        )
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
        raise InvalidScenarioError(f"values {quoted(text)}: {form}", arguments=["values"]) from None
    values: dict[str, str] = {}
    for part in parts or [text]:
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not (name and equals and value):
            raise InvalidScenarioError(
                f"values: {quoted(part)} is no value of an attribute; {form}", arguments=["values"]
            )
        if name in values:
            raise InvalidScenarioError(f"values: {quoted(name)} is given twice", arguments=["values"])
        values[name] = value
    return values


def codes_of(
    values: Mapping[str, object],
    hierarchies: Mapping[str, Hierarchy],
    *,
    allow_missing: bool,
) -> IntArray:
    """Return the leaf codes, (a,) int32, of one person's values.

    Parameters
    ----------
    values : attribute -> the value as data have it; ``*`` where it is missing.
    hierarchies : attribute -> its hierarchy, in the order of the codes.
    allow_missing : whether a missing value is coded as the number of leaves or refused.

    Raises
    ------
    InvalidScenarioError : an attribute that is not there or was not given, or a value that its hierarchy lacks.
    """
    for name in values:
        if name not in hierarchies:
            raise InvalidScenarioError(f"values: there is no attribute {quoted(name)}{nearest(name, hierarchies)}")
    absent = [name for name in hierarchies if name not in values]
    if absent:
        names = ", ".join(quoted(name) for name in absent)
        raise InvalidScenarioError(f"values: a value is needed for every attribute; there is none for {names}")
    return np.array(
        [_code(name, values[name], hierarchy, allow_missing=allow_missing) for name, hierarchy in hierarchies.items()],
        np.int32,
    )


def _code(name: str, value: object, hierarchy: Hierarchy, *, allow_missing: bool) -> int:
    if value == ROOT:
        if allow_missing:
            return len(hierarchy.leaves)
        raise InvalidScenarioError(
            f'values: {quoted(name)} is missing (`{ROOT}`), which only [records] missing = "suppress" permits'
        )
    code = hierarchy.code(value)
    if code is None:
        leaves = hierarchy.leaves
        known = (
            did_you_mean(str(value), leaves)
            or f"; it has {leaves[0]} ... {leaves[-1]} ({number_of(len(leaves), 'value')})"
        )
        raise InvalidScenarioError(
            f"values: {quoted(name)} cannot be {quoted(value)}: the hierarchy {quoted(hierarchy.name)} has no such "
            f"value{'' if hierarchy.from_data else known}"
        )
    return code
