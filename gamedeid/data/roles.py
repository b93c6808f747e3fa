"""The role of an attribute for Safe Harbor: the stated one, or the likely one."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, get_args

from gamedeid.amounts import joined
from gamedeid.choices import Role
from gamedeid.data.column_names import Kind, is_us_state, kind_by_name
from gamedeid.data.years import is_date
from gamedeid.errors import InvalidScenarioError
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.generalization.open_hierarchy import OpenHierarchy
from gamedeid.scenario.scenario import Scenario
from gamedeid.scenario.sections import SAFE_HARBOR, Attribute

TOP_CODED_AGE = 90
"""Safe Harbor puts this age and all above into one group (45 CFR 164.514(b)(2)(i)(C))."""

MOST_SAMPLED_VALUES = 10_000
"""Number of values of a domain that are examined, evenly spaced."""

_SINGULAR: dict[Kind, str] = {"zip": "a ZIP code", "date": "a date", "age": "an age", "place": "a place"}
_PLURAL: dict[Kind, str] = {"zip": "ZIP codes", "date": "dates", "age": "ages", "place": "places"}
_ROLE_KEYS: dict[Kind, str] = {
    "zip": 'role = "zip"',
    "date": 'role = "date"',
    "age": 'role = "age"',
    "place": 'role = "county", "city" or "state"',
}
_ZIP_CODE = re.compile(r"[0-9]{5}(?:-?[0-9]{4})?")
_ZIP_PREFIX = re.compile(r"[0-9]{3}")
_NUMBERS = re.compile(r"\W*([0-9]{1,3})(?:\.[0-9]+)?(?:\s*(?:-|\u2013|to)\s*([0-9]{1,3}))?\W*")
_PLACE_VALUE = re.compile(r".+ (?:county|parish|borough|city|township|municipality)")
_OLDEST = 130


class LikelyKind(NamedTuple):
    """The likely kind of an attribute, and the reason in words."""

    kind: Kind
    words: str


def role_of(name: str, attribute: Attribute, hierarchy: Hierarchy | OpenHierarchy) -> Role | None:
    """Return the stated role; None if none is stated and the attribute seems to need none."""
    role = attribute.stated_role(hierarchy)
    if role is None and (likely := likely_kind(name, hierarchy)) is not None:
        raise InvalidScenarioError(
            f"attributes.{name}: {likely.words}, and Safe Harbor asks for its role: write {_ROLE_KEYS[likely.kind]} in "
            f"its section or its hierarchy; the roles are {joined(get_args(Role), 'and')}"
        )
    return role


def refuse_unstated_roles(scenario: Scenario, hierarchies: Mapping[str, Hierarchy | OpenHierarchy]) -> None:
    """Refuse attributes without the role that Safe Harbor needs, if it is the floor, before any data are read."""
    if scenario.floor != SAFE_HARBOR:
        return
    for name, attribute in scenario.attributes.items():
        if attribute.safe_harbor is None:
            role_of(name, attribute, hierarchies[name])


def likely_kind(name: str, hierarchy: Hierarchy | OpenHierarchy) -> LikelyKind | None:
    """Return the role that an attribute seems to have by its name, its hierarchy's name or its values, or None."""
    for named, table_name in ((name, "its name"), (hierarchy.name, "the name of its hierarchy")):
        if (kind := kind_by_name(named)) is not None:
            return LikelyKind(kind, f"{table_name} looks like {_SINGULAR[kind]}")
    if isinstance(hierarchy, OpenHierarchy):
        return None
    leaves = hierarchy.leaves[:: max(1, len(hierarchy.leaves) // MOST_SAMPLED_VALUES)]
    tests: dict[Kind, Callable[[Sequence[str]], bool]] = {
        "zip": lambda values: _are_zip_codes(values, integer=hierarchy.integer),
        "date": lambda values: _at_least_half(is_date(value) for value in values),
        "age": _are_ages,
        "place": lambda values: _at_least_half(_is_place(value) for value in values),
    }
    seen = (LikelyKind(kind, f"its values look like {_PLURAL[kind]}") for kind, holds in tests.items() if holds(leaves))
    return next(seen, None)


def _at_least_half(found: Iterable[bool]) -> bool:
    """Return whether at least half are found."""
    answers = list(found)
    return 2 * sum(answers) >= len(answers)


def _are_zip_codes(values: Sequence[str], *, integer: bool) -> bool:
    """Return whether most have 5 or 9 digits, or all have the 3 of a prefix (numbers of 3 digits are common)."""
    if _at_least_half(_ZIP_CODE.fullmatch(value) is not None for value in values):
        return True
    return not integer and all(_ZIP_PREFIX.fullmatch(value) for value in values)


def _are_ages(values: Sequence[str]) -> bool:
    """Return whether most are numbers or ranges of numbers as ages are, and some reach the limited ages."""
    ends = [int(match[2] or match[1]) for value in values if (match := _NUMBERS.fullmatch(value))]
    ages = [end for end in ends if end <= _OLDEST]
    return 2 * len(ages) >= len(values) and max(ages, default=0) >= TOP_CODED_AGE


def _is_place(value: str) -> bool:
    return is_us_state(value) or _PLACE_VALUE.fullmatch(value.casefold()) is not None
