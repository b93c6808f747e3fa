"""The reading of a published label without its level: the group of values that it can have."""

from collections.abc import Callable, Sequence

import numpy as np

from gamedeid.arrays import BoolArray, IntArray
from gamedeid.data.profiles import Column
from gamedeid.generalization.readings import as_text
from gamedeid.reprs import frozen
from gamedeid.verification.attributes import AttributeLabels

UNKNOWN_TEXT = -1
"""Number of a published text that no level of the hierarchy has."""


@frozen(eq=False)
class PublishedTexts:
    """The texts that an attribute can be published in, numbered.

    A release does not show levels. A text that denotes the same group at several levels is one text.

    Parameters
    ----------
    attribute : the attribute, with its values and their labels at each level.
    of_value : (levels, values + 1) number of the text of each value at each level; the last value is a missing one,
        which has at every level the text of the root, or its own.
    levels : (texts,) the lowest level that has the text.
    numbers : (texts,) number of the label at that level.
    ambiguous : (texts,) whether the text denotes other groups at other levels.
    """

    attribute: AttributeLabels
    texts: Sequence[str]
    of_value: IntArray
    levels: IntArray
    numbers: IntArray
    ambiguous: BoolArray

    @classmethod
    def of(cls, attribute: AttributeLabels) -> "PublishedTexts":
        """Return the texts of an attribute."""
        known: dict[str, int] = {}
        groups, lowest, ambiguous, of_value = [], [], [], []
        for level, labels in enumerate(attribute.labels):
            row = attribute.label_numbers[level][:-1]
            firsts = np.searchsorted(row, np.arange(len(labels)))  # groups are runs of values in tree order
            for number, (text, group) in enumerate(
                zip(labels, zip(firsts.tolist(), attribute.sizes[level].tolist(), strict=True), strict=True)
            ):
                if text not in known:
                    known[text] = len(known)
                    groups.append(group)
                    lowest.append((level, number))
                    ambiguous.append(False)
                ambiguous[known[text]] |= groups[known[text]] != group
            of_value.append(np.array([known[text] for text in labels], np.int64)[row])
        levels, numbers = np.array(lowest, np.int64).T
        root = np.full((len(of_value), 1), known[attribute.labels[-1][-1]])
        return cls(
            attribute=attribute,
            texts=list(known),
            of_value=np.concatenate([np.stack(of_value), root], axis=1),
            levels=levels,
            numbers=numbers,
            ambiguous=np.array(ambiguous, np.bool_),
        )

    def read(self, values: Column, written: Callable[[str], str]) -> IntArray:
        """Return the number, (rows,), of each row's text; ``UNKNOWN_TEXT`` for an unknown one."""
        known = {written(text): number for number, text in enumerate(self.texts)}
        numbers = [known.get(as_text(value), UNKNOWN_TEXT) for value in values.values]
        found: IntArray = np.array([*numbers, UNKNOWN_TEXT], np.int64)[values.codes]
        return found


def text_numbers(labels: Sequence[PublishedTexts], levels: IntArray, values: IntArray) -> IntArray:
    """Return the numbers of the texts, (k, a), in which values (k, a) are published at levels (k, a)."""
    return np.stack([one.of_value[levels[:, place], values[:, place]] for place, one in enumerate(labels)], axis=1)
