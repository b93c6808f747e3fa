"""Groups of records with the same value of a column, whose means are measured or limited."""

from itertools import chain
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from gamedeid.amounts import number_of
from gamedeid.arrays import FloatArray, IntArray
from gamedeid.arrow import as_numpy
from gamedeid.capabilities import Operation, refuse_unsupported
from gamedeid.data.columns import to_column
from gamedeid.data.engines.rows import ColumnsByProfile
from gamedeid.errors import InvalidScenarioError, quoted
from gamedeid.generalization.hierarchy import level_of
from gamedeid.generalization.readings import as_text
from gamedeid.reprs import brief
from gamedeid.scenario.limits import GroupLimits
from gamedeid.study.study import Study

MOST_GROUPS = range(2, 7)
"""Most groups whose means can be limited: each pair of them is two limits for the solver."""

SEVERAL = "(several)"
"""The group of the people whose rows have several values."""


@brief
class ColumnGroups(NamedTuple):
    """The groups of a column, g in all, in the order of the hierarchy, or of the values.

    A missing value follows them, and then the people whose rows are in several groups of an attribute.

    Parameters
    ----------
    values : values of the groups, (g,); None for a missing value, and `SEVERAL` for the last.
    group, profile, records : (m,) how many records of a group have a profile; pairs without records are left out.
    """

    values: list[str | None]
    group: IntArray
    profile: IntArray
    records: IntArray

    def sums(self, amounts: FloatArray) -> FloatArray:
        """Return the sums over the records of each group, (g, k); ``amounts``, (q, k), are of a record of a profile."""
        sums = np.zeros((len(self.values), amounts.shape[1]))
        np.add.at(sums, self.group, amounts[self.profile] * self.records[:, None])
        return sums


def records_of_profiles(study: Study) -> IntArray:
    """Return how many records have each profile, (q,); if profiles are those of persons, all of their records."""
    profiles = study.instance.profiles
    return profiles.records if study.persons is None else np.bincount(profiles.of_record, minlength=profiles.count)


def one_of_each(study: Study) -> IntArray | slice:
    """Return the number of the first record of each person, (p,); all records if each is a person."""
    return slice(None) if study.persons is None else np.unique(study.persons.of_record, return_index=True)[1]


def column_groups(study: Study, records: IntArray, name: str, level: int | None) -> ColumnGroups:
    """Return the groups of a column, with ``records``, (q,), of each profile; ``level`` is None for a kept column."""
    return _groups_of_kept(study, name) if level is None else _groups_of_attribute(study, records, name, level)


def compared_groups(study: Study, limits: GroupLimits) -> IntArray:
    """Return how many records of each group have each profile, (g, q), for the groups whose means are limited."""
    profiles, hierarchy = study.instance.profiles, study.instance.hierarchies.get(limits.column)
    level = None
    if hierarchy is None:
        refuse_unsupported(Operation.KEPT_GROUPS, study.features)
    else:
        asked = max(hierarchy.levels - 2, 0) if limits.level is None else limits.level
        level = level_of(hierarchy, asked, "limits.groups.level")
    found = column_groups(study, profiles.records.astype(np.int64), limits.column, level)
    counts = np.bincount(found.group, found.records, len(found.values))
    large = np.flatnonzero(counts >= limits.least)
    if len(large) not in MOST_GROUPS:
        raise InvalidScenarioError(
            f"limits.groups: {quoted(limits.column)} has {number_of(len(large), 'group')} of at least "
            f"{number_of(limits.least, profiles.unit)}, and means of {MOST_GROUPS[0]} to {MOST_GROUPS[-1]} groups are "
            "compared; name another column or level"
        )
    of_pair = np.zeros((len(found.values), profiles.count), np.int64)
    np.add.at(of_pair, (found.group, found.profile), found.records)
    return of_pair[large]


def _groups_of_attribute(study: Study, records: IntArray, name: str, level: int) -> ColumnGroups:
    instance = study.instance
    hierarchy, place = instance.hierarchies[name], list(instance.hierarchies).index(name)
    found_groups, group = np.unique(instance.profiles.groups(place, hierarchy, level), return_inverse=True)
    values = [*hierarchy.labels[level], None, SEVERAL]
    return ColumnGroups([values[at] for at in found_groups.tolist()], group, np.arange(len(group)), records)


def _groups_of_kept(study: Study, name: str) -> ColumnGroups:
    numbers, found = dict[str | None, int](), []
    profiles, profile_column = study.instance.profiles, next(iter(study.instance.hierarchies))
    missing_values = study.scenario.records.missing_values
    numbered = ColumnsByProfile(
        columns={profile_column: pa.array(np.arange(profiles.count))},
        left_out=np.zeros(profiles.count, np.bool_),
        replaces=True,
        of_row=profiles.of_record,
        profiles_of=study.profiles_of,
    )
    for block in study.rows.blocks(numbered):
        column = to_column(block.column(name), name, "records", missing_values)
        values = [None if value is None else as_text(value) for value in chain(column.values, [None])]
        codes, of_block = np.unique(column.codes, return_inverse=True)
        own = np.array([numbers.setdefault(values[code], len(numbers)) for code in codes.tolist()], np.int64)
        found.append(own[of_block] * profiles.count + as_numpy(block.column(profile_column).combine_chunks()))
    pairs, records = np.unique(np.concatenate(found), return_counts=True)
    ordered: list[str | None] = [*_sorted_values([value for value in numbers if value is not None])]
    ordered += [None] if None in numbers else []
    place = np.argsort([numbers[value] for value in ordered])
    return ColumnGroups(ordered, place[pairs // profiles.count], pairs % profiles.count, records)


def _sorted_values(values: list[str]) -> list[str]:
    """Return values in numerical order if all are numbers, otherwise in the order of texts."""
    try:
        return sorted(values, key=lambda value: (float(value), value))
    except ValueError:
        return sorted(values)
