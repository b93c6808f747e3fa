"""The labels of an attribute's values at each level, and the number of values that share each label."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

import numpy as np

from gamedeid.arrays import IntArray
from gamedeid.data.hierarchies import close_hierarchy
from gamedeid.data.profiles import Column
from gamedeid.data.tables import AttributeTable
from gamedeid.errors import GamedeidError
from gamedeid.generalization.files import find_hierarchy, read_hierarchy
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.generalization.levels import MISSING
from gamedeid.generalization.open_hierarchy import OpenHierarchy
from gamedeid.generalization.readings import as_text
from gamedeid.reprs import frozen
from gamedeid.scenario.scenario import Scenario
from gamedeid.verification.findings import CheckLog, InputState

NO_LABEL = -1
"""Number in place of the label of a missing value below the top level, or of a label that a level does not have."""


@frozen(eq=False, slots=False)
class AttributeLabels:
    """One attribute: its values, and their labels at each level."""

    name: str
    hierarchy: Hierarchy
    weight: float

    @classmethod
    def fixed(cls, name: str, numbers: IntArray) -> "AttributeLabels":
        """Return an attribute that is never generalized; its values are the numbers up to the greatest of these."""
        values = [str(one) for one in range(int(numbers.max(initial=0)) + 1)]
        return cls(name=name, hierarchy=Hierarchy.fixed(values, name=name), weight=0.0)

    @property
    def top(self) -> int:
        """Return the level at which everything is ``*``."""
        return len(self.hierarchy.labels) - 1

    @property
    def missing(self) -> int:
        """Return the number of a missing value: one more than the last value's."""
        return len(self.hierarchy.leaves)

    @property
    def labels(self) -> Sequence[Sequence[str]]:
        """Return the labels at each level; the last label at the top is that of missing values, if they have one."""
        own = (MISSING,) if self.hierarchy.shows_missing else ()
        return (*self.hierarchy.labels[:-1], (*self.hierarchy.labels[-1], *own))

    @cached_property
    def label_numbers(self) -> IntArray:
        """Return the number of each value's label at each level, (levels, values + 1); the last is of missing ones."""
        missing = np.full((self.top + 1, 1), NO_LABEL, np.int64)
        missing[self.top] = int(self.hierarchy.shows_missing)
        return np.concatenate([np.asarray(self.hierarchy.groups, np.int64), missing], axis=1)

    @cached_property
    def sizes(self) -> tuple[IntArray, ...]:
        """Return for each level the number of values of each label; the label of missing values can mean any value."""
        found = [np.bincount(groups, minlength=1) for groups in self.label_numbers[:, :-1]]
        if self.hierarchy.shows_missing:
            found[self.top] = np.append(found[self.top], self.missing)
        return tuple(found)

    @cached_property
    def _numbers(self) -> list[dict[str, int]]:
        return [{label: number for number, label in enumerate(labels)} for labels in self.hierarchy.labels]

    def values_at(self, values: Column, level: int = 0) -> IntArray:
        """Return the number, (rows,), of each row's value; for a label of a level, of the first value that it denotes.

        A value that the hierarchy does not have gets ``NO_LABEL``.
        """
        numbers = []
        for value in values.values:
            if level == 0:
                leaf = self.hierarchy.code(value)
                numbers.append(NO_LABEL if leaf is None else leaf)
            else:
                label = self._numbers[level].get(as_text(value), NO_LABEL)
                if label < 0 and self.hierarchy.unlisted is not None:
                    label = self._numbers[level].get(self.hierarchy.unlisted, NO_LABEL)
                numbers.append(NO_LABEL if label < 0 else int(np.argmax(self.label_numbers[level] == label)))
        table = np.array([*numbers, self.missing], np.int64)
        found: IntArray = table[values.codes]
        return found

    def count_unlisted(self, values: Column) -> int:
        """Return the number of rows with a value that the hierarchy puts into the group of unlisted ones."""
        if self.hierarchy.unlisted is None:
            return 0
        rows = np.bincount(values.codes[values.codes >= 0], minlength=len(values.values)).tolist()
        return sum(
            count for value, count in zip(values.values, rows, strict=True) if self.hierarchy.listed_code(value) is None
        )


def labels_at(attributes: Sequence[AttributeLabels], levels: IntArray | Sequence[int], values: IntArray) -> IntArray:
    """Return the numbers of labels, (k, a), that values (k, a) have at levels, (k, a) or (a,).

    A missing value has ``NO_LABEL`` below the top.
    """
    at = np.asarray(levels)
    found = [one.label_numbers[at[..., place], values[:, place]] for place, one in enumerate(attributes)]
    return np.stack(found, axis=1)


def label_numbers(
    attribute: AttributeLabels, texts: Sequence[str], levels: IntArray, published: Callable[[str], str]
) -> IntArray:
    """Return the numbers, (m,), of labels as released at levels (m,); ``NO_LABEL`` for other texts.

    Parameters
    ----------
    published : function from a label to its text in the release.
    """
    numbers = [{published(label): number for number, label in enumerate(labels)} for labels in attribute.labels]
    found = [numbers[level].get(text, NO_LABEL) for text, level in zip(texts, levels.tolist(), strict=True)]
    return np.array(found, np.int64)


def labels_above(
    attributes: Sequence[AttributeLabels], levels: IntArray, labels: IntArray, least: Sequence[int]
) -> tuple[IntArray, IntArray]:
    """Return labels at levels raised to the ``least`` that a recipient distinguishes.

    Parameters
    ----------
    levels, labels : (k, a) level of each label, and its number there; ``NO_LABEL`` stays.

    Returns
    -------
    levels (k, a), none below ``least``, and the numbers of labels (k, a) at these levels.
    """
    seen, coarser = np.maximum(levels, least), labels.copy()
    for place, one in enumerate(attributes):
        for low, high in {*zip(levels[:, place].tolist(), seen[:, place].tolist(), strict=True)}:
            if low == high:
                continue
            rows = (levels[:, place] == low) & (seen[:, place] == high) & (labels[:, place] != NO_LABEL)
            here = one.label_numbers[low][:-1]
            value_of_label = np.zeros(here.max() + 1, np.int64)
            value_of_label[here] = np.arange(len(here))
            coarser[rows, place] = one.label_numbers[high][value_of_label[labels[rows, place]]]
    return seen, coarser


def read_attributes(
    claimed: Scenario,
    current_scenario: Scenario,
    inputs: Mapping[str, InputState],
    tables: Mapping[str, AttributeTable | None],
    log: CheckLog,
) -> dict[str, AttributeLabels]:
    """Return the attributes whose hierarchies are known.

    Parameters
    ----------
    tables : name of an input -> its table, for each input whose values hierarchies take as leaves; None if missing.
    """
    found: dict[str, AttributeLabels] = {}
    for name, attribute in claimed.attributes.items():
        named = current_scenario.attributes.get(name, attribute).hierarchy
        states = [inputs.get(f"hierarchy {name}"), inputs.get(f"table of hierarchy {name}", "equal")]
        if isinstance(named, str) and states != ["equal", "equal"]:
            log.skip(f"attribute {name}", "its hierarchy is not there, or another than the manifest's")
            continue
        fault = "cannot be read"
        try:
            hierarchy = (
                read_hierarchy(find_hierarchy(named, current_scenario.folder)) if isinstance(named, str) else named
            )
            if isinstance(hierarchy, OpenHierarchy) and None in tables.values():
                log.skip(f"attribute {name}", "its hierarchy takes its values from the data, and not all are there")
                continue
            fault = "does not take the values of the data"
            there = {name: table for name, table in tables.items() if table is not None}
            hierarchy = close_hierarchy(name, hierarchy, there)
        except GamedeidError as error:
            log.skip(f"attribute {name}", f"its hierarchy {fault}: {error}")
            continue
        if claimed.records.missing == "show":
            hierarchy = hierarchy.showing_missing()
        found[name] = AttributeLabels(name=name, hierarchy=hierarchy, weight=attribute.weight)
    return found
