"""Code the values that name one person."""

from collections.abc import Mapping

import numpy as np

from gamedeid.amounts import number_of
from gamedeid.arrays import IntArray
from gamedeid.errors import InvalidScenarioError, did_you_mean, nearest, quoted
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.generalization.levels import ROOT


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
