"""How many classes of each size: all that the estimators of uniqueness see of a sample."""

import re
from collections.abc import Iterable

import numpy as np

from gamedeid.arrays import EXACT_INTEGERS, IntArray, sealed
from gamedeid.errors import InvalidDataError, quoted
from gamedeid.reprs import frozen
from gamedeid.risk.uniqueness.people_table import PeopleTable

MOST_PEOPLE = EXACT_INTEGERS
"""The arithmetic of the estimators cannot distinguish numbers of people above this."""

_ENTRY = re.compile(r"\s*(\d{1,18})\s*:\s*(\d{1,18})\s*", re.ASCII)


@frozen(eq=False)
class ClassSizes:
    """Equivalence classes, which are the groups of people alike in all attributes, counted by their size.

    Parameters
    ----------
    sizes : (k,) int64, the sizes that occur, rising, each >= 1; at least one.
    classes : (k,) int64, how many classes have each size, each >= 1.
    table : what they were read from; None where that is not known.
    """

    sizes: IntArray
    classes: IntArray
    table: PeopleTable | None = None

    @property
    def people(self) -> int:
        """How many people there are, n of a sample and N of a population."""
        return int(self.sizes @ self.classes)

    @property
    def count(self) -> int:
        """How many classes there are, u of a sample and K of a population."""
        return int(self.classes.sum())

    def of_size(self, size: int) -> int:
        """Return how many classes have a size, f_j.

        Parameters
        ----------
        size : of the classes, at least 1.
        """
        found = self.classes[self.sizes == size]
        return int(found[0]) if len(found) else 0

    def each(self) -> IntArray:
        """Return the size of every class, (count,), rising."""
        return np.repeat(self.sizes, self.classes)

    def as_text(self) -> str:
        """Return what :meth:`parse` reads."""
        return ",".join(f"{size}:{count}" for size, count in zip(self.sizes, self.classes, strict=True))

    @classmethod
    def of(cls, each: IntArray) -> "ClassSizes":
        """Count classes by their sizes; ``each`` is the size of every class, (classes,), and zeros do not count.

        Raises
        ------
        InvalidDataError : there is no class, or one of a negative size.
        """
        if len(each) and each.min() < 0:
            raise InvalidDataError(f"a class holds a whole number of people, not {each.min()}")
        sizes, classes = np.unique(each[each > 0], return_counts=True)
        return cls.counted(zip(sizes.tolist(), classes.tolist(), strict=True))

    @classmethod
    def counted(cls, pairs: Iterable[tuple[int, int]]) -> "ClassSizes":
        """Return what pairs of a size and its number of classes say.

        Parameters
        ----------
        pairs : each a size of classes, at least 1, and how many classes have it, at least 1.

        Raises
        ------
        InvalidDataError : none is given, one is not above 0, a size comes twice, or there are too many people.
        """
        by_size: dict[int, int] = {}
        for size, count in pairs:
            if size < 1 or count < 1:
                raise InvalidDataError(
                    f"classes: {quoted(f'{size}:{count}')} must be a size and a number of classes, both at least 1"
                )
            if size in by_size:
                raise InvalidDataError(f"classes: the size {size} is given twice; give each size once")
            by_size[size] = count
        if not by_size:
            raise InvalidDataError("classes: there is nobody; expected at least one class")
        if sum(size * count for size, count in by_size.items()) > MOST_PEOPLE:
            raise InvalidDataError(f"classes: they hold more than {MOST_PEOPLE:,} people")
        sizes = sorted(by_size)
        return cls(sizes=sealed(sizes, np.int64), classes=sealed([by_size[size] for size in sizes], np.int64))

    @classmethod
    def parse(cls, text: str) -> "ClassSizes":
        """Return what a text such as ``1:281,2:7,3:1`` says: a size and how many classes have it, in any order.

        Parameters
        ----------
        text : such as "1:281,2:7".

        Raises
        ------
        InvalidDataError : it is no such text, or as :meth:`counted` does.

        Examples
        --------
        >>> ClassSizes.parse("1:281,2:7,3:1").people
        298
        """
        pairs = []
        for entry in text.split(","):
            found = _ENTRY.fullmatch(entry)
            if found is None:
                raise InvalidDataError(
                    f"classes: {quoted(entry)} is no SIZE:CLASSES such as 2:7 (seven classes of two people); "
                    "write them as 1:281,2:7,3:1"
                )
            pairs.append((int(found[1]), int(found[2])))
        return cls.counted(pairs)
