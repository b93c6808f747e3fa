"""Rules on kept columns of a released group, by how many of its records have each kept value."""

import math
from typing import NamedTuple

from gamedeid.arrays import ROUNDING, FloatArray, IntArray
from gamedeid.kernels.compiled import allocating, compiled
from gamedeid.reprs import brief

RECORDS, DISTINCT, ENTROPY, RECURSIVE, EQUAL, ORDERED = range(6)
"""Kinds of rules: fewest records, l-diversity in three forms, and t-closeness by the equal and the ordered distance."""


@brief
class KeptTables(NamedTuple):
    """Kept values of the records of each profile, and the rules of a group; s values of all kept columns together."""

    counts: IntArray  # (p, s) int64: records of a profile with each value; s is 0 where there is no rule
    kinds: IntArray  # (r,) int64: kind of each rule
    spans: IntArray  # (r, 2) int64: which of the values a rule is about
    limits: FloatArray  # (r, 2): fewest records; l; l; c and l; t
    overall: FloatArray  # (s,) share of all records of the data with each value of its column


@compiled
def keeps_rules(counts: IntArray, kept: KeptTables) -> bool:
    """Return whether a group with ``counts``, (s,), records of each kept value keeps all rules; an empty one does."""
    for rule in range(kept.kinds.shape[0]):
        begin, end = kept.spans[rule]
        total = 0
        for value in range(begin, end):
            total += counts[value]
        if total > 0 and not _keeps_rule(counts[begin:end], total, rule, kept):
            return False
    return True


@compiled
def add_records(shown: IntArray, group: int, kept: KeptTables, profile: int, sign: int) -> None:
    """Add the kept values of a profile's records to those of a group, (g, s), or take them away; g is 0 without rules.

    Values are added one by one: for slices, numba would compile messages of errors that cannot occur.
    """
    if shown.shape[0] > 0:
        for value in range(shown.shape[1]):
            shown[group, value] += sign * kept.counts[profile, value]


@allocating
def _keeps_rule(counts: IntArray, total: int, rule: int, kept: KeptTables) -> bool:
    kind, limit = kept.kinds[rule], kept.limits[rule, 0]
    if kind == RECORDS:
        return bool(total >= limit)
    if kind == DISTINCT:
        return bool((counts > 0).sum() >= limit)
    if kind == ENTROPY:
        entropy = 0.0
        for count in counts:
            if count > 0:
                entropy -= count / total * math.log(count / total)
        return entropy >= math.log(limit) - ROUNDING
    if kind == RECURSIVE:
        rising = counts.copy()
        rising.sort()
        rest = 0
        for place in range(rising.shape[0] - int(kept.limits[rule, 1]) + 1):
            rest += rising[place]
        return bool(rising[-1] < limit * rest)
    begin, end = kept.spans[rule]
    moved, surplus, known = 0.0, 0.0, 0
    for value in range(begin, end):
        if counts[value - begin] == 0 and kept.overall[value] == 0:
            continue  # it is not released: between the others it is no step
        difference = counts[value - begin] / total - kept.overall[value]
        surplus += difference
        known += 1
        moved += abs(difference) if kind == EQUAL else abs(surplus)
    return bool(moved <= (limit + ROUNDING) * (2 if kind == EQUAL else max(known - 1, 1)))
