"""Equivalence classes of people: their sizes, read from a table, and how many people are unique."""

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import floor, isfinite
from os import PathLike
from pathlib import Path

import numpy as np

from gamedeid.arrays import EXACT_INTEGERS, IntArray, sealed
from gamedeid.data.columns import to_column, to_people
from gamedeid.data.files.tables import TableFile
from gamedeid.data.profiles import Column
from gamedeid.errors import InvalidDataError, InvalidScenarioError, quoted, refuse_text, refuse_unknown
from gamedeid.file_identity import InputFile, Inputs
from gamedeid.grouping import distinct_rows, sums_by
from gamedeid.reprs import frozen


def refuse_repeated(names: Sequence[str], what: str) -> None:
    """Check that no name of a column is given twice; ``what`` describes the column in the message."""
    for place, name in enumerate(names):
        if name in names[:place]:
            raise InvalidScenarioError(f"the {what} {quoted(name)} is named twice; name it once")


MOST_PEOPLE = EXACT_INTEGERS
"""Most people: the arithmetic of the estimators cannot distinguish greater numbers."""

_ENTRY = re.compile(r"\s*(\d{1,18})\s*:\s*(\d{1,18})\s*", re.ASCII)


@frozen(eq=False)
class ClassSizes:
    """Numbers of equivalence classes, groups of people with equal values in all attributes, by their size.

    Parameters
    ----------
    sizes : (k,) int64, the sizes that occur, rising, each >= 1; at least one.
    classes : (k,) int64, how many classes have each size, each >= 1.
    asked, inputs : how they were read, and the file, as input "data", for a manifest; empty if unknown.
    """

    sizes: IntArray
    classes: IntArray
    asked: Mapping[str, object] = field(default_factory=dict)
    inputs: Inputs = Inputs(files={})

    @property
    def people(self) -> int:
        """Number of people: n of a sample, N of a population."""
        return int(self.sizes @ self.classes)

    @property
    def count(self) -> int:
        """Number of classes: u of a sample, K of a population."""
        return int(self.classes.sum())

    def of_size(self, size: int) -> int:
        """Return how many classes have a size: f_j.

        Parameters
        ----------
        size : size of the classes, at least 1.
        """
        found = self.classes[self.sizes == size]
        return int(found[0]) if len(found) else 0

    def each(self) -> IntArray:
        """Return the size of every class, (count,), rising."""
        return np.repeat(self.sizes, self.classes)

    def as_text(self) -> str:
        """Return the text that :meth:`parse` reads."""
        return ",".join(f"{size}:{count}" for size, count in zip(self.sizes, self.classes, strict=True))

    @classmethod
    def of(cls, each: IntArray) -> "ClassSizes":
        """Count classes by their sizes; ``each`` has the size of every class, (classes,), and zeros are ignored.

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
        """Return the classes of pairs of a size and its number of classes.

        Parameters
        ----------
        pairs : each a size, at least 1, and how many classes have it, at least 1.

        Raises
        ------
        InvalidDataError : no pair, a number that is not above 0, a size given twice, or too many people.
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
            raise InvalidDataError("classes: there are no people; expected at least one class")
        if sum(size * count for size, count in by_size.items()) > MOST_PEOPLE:
            raise InvalidDataError(f"classes: they hold more than {MOST_PEOPLE:,} people")
        sizes = sorted(by_size)
        return cls(sizes=sealed(sizes, np.int64), classes=sealed([by_size[size] for size in sizes], np.int64))

    @classmethod
    def parse(cls, text: str) -> "ClassSizes":
        """Return the classes of a text such as ``1:281,2:7,3:1``: sizes with their numbers of classes, in any order.

        Parameters
        ----------
        text : such as "1:281,2:7".

        Raises
        ------
        InvalidDataError : no such text, or as for :meth:`counted`.

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


def read_class_sizes(
    path: str | PathLike[str],
    attributes: Sequence[str],
    *,
    count: str | None = None,
    columns: Sequence[str] | None = None,
    widths: Mapping[str, int] | None = None,
) -> ClassSizes:
    """Return the classes of a table's people by size: people with equal attributes are one class.

    A missing value counts as a value.

    Parameters
    ----------
    path : a CSV file, plain or gzipped, or a file of Parquet, SAS, SPSS, Stata or Excel.
    attributes : the columns in which people are compared, at least one, each once; only these are read.
    count : the column with the number of people of each row; None: every row is one person.
    columns : names of the columns of a CSV file whose first row does not have them, each once.
    widths : attribute -> how many whole numbers count as one value, at least 1: with 5, ages 20 to 24 are equal.

    Raises
    ------
    InvalidScenarioError : no attribute or one that is named twice, a count that is an attribute, or an invalid width or
        one of no attribute.
    InvalidDataError : the file cannot be read, is empty or has no such column, a value to be grouped is no number, or a
        count is invalid.
    """
    refuse_text("attributes", attributes)
    path, attributes, widths = Path(path), list(attributes), dict(widths or {})
    columns = None if columns is None else list(columns)
    _check_columns(attributes, count, columns, widths)
    inputs = Inputs(files={"data": InputFile.at(path)})
    people = _people_of_classes(TableFile.open(path, names=columns), attributes, count, widths)
    asked = {
        "data": path.name,
        "attributes": attributes,
        "count": count,
        "columns": columns,
        "widths": widths,
    }
    return replace(ClassSizes.of(people), asked=asked, inputs=inputs)


def _check_columns(
    attributes: Sequence[str], count: str | None, columns: Sequence[str] | None, widths: Mapping[str, int]
) -> None:
    """Check the columns and widths by which people are compared."""
    if not attributes:
        raise InvalidScenarioError(
            "attributes: no column is named in which people are compared; name one", arguments=["attributes"]
        )
    refuse_repeated(attributes, "attribute")
    refuse_repeated(columns or (), "column")
    if count in attributes:
        raise InvalidScenarioError(
            f"count: {quoted(count)} is an attribute; a column can be only one of them", arguments=["count"]
        )
    for name, width in widths.items():
        refuse_unknown("attribute", name, attributes, "widths: ", arguments=["widths"])
        if width < 1:
            raise InvalidScenarioError(
                f"widths: that of {quoted(name)} must be at least 1, not {width}", arguments=["widths"]
            )


def _people_of_classes(
    file: TableFile, attributes: Sequence[str], count: str | None, widths: Mapping[str, int]
) -> IntArray:
    """Return how many people each class has, (classes,)."""
    wanted = [*attributes, *([] if count is None else [count])]
    file.refuse_absent(wanted)
    read = file.read(wanted, coded=attributes)
    codes, bases = [], []
    for name in attributes:
        column = to_column(read.column(name), name, str(file.path), ("",))
        code, base = _codes(column, widths.get(name), f"{file.path}: column {quoted(name)}")
        codes.append(code)
        bases.append(base)
    _, of_row, rows = distinct_rows(np.column_stack(codes))
    if count is None:
        return rows
    return sums_by(of_row, to_people(read.column(count), count, str(file.path)), len(rows))


def _codes(column: Column, width: int | None, where: str) -> tuple[IntArray, int]:
    """Return the value of each row as a number from 0, which is a missing value, and how many numbers there are."""
    if width is None:
        return column.codes + 1, len(column.values) + 1
    used = np.unique(column.codes[column.codes >= 0])
    groups = [floor(_number(column.values[place], where) / width) for place in used.tolist()]
    table = np.zeros(len(column.values) + 1, np.int64)
    table[used] = np.unique(groups, return_inverse=True)[1] + 1
    return table[column.codes], len(used) + 1


def _number(value: object, where: str) -> float:
    try:
        number = float(str(value))
    except ValueError:
        number = float("nan")
    if not isfinite(number):
        raise InvalidDataError(f"{where} is to be grouped by width, but not all its values are numbers", values=[value])
    return number


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredUniqueness:
    """Counts of unique people.

    Parameters
    ----------
    both_unique : how many people unique in the sample are unique in the population too.

    References
    ----------
    dankar2012, equations 1 to 3.
    """

    sample: int
    population: int
    sample_unique: int
    both_unique: int
    population_unique: int

    @property
    def lambda_1(self) -> float | None:
        """Share of the sample's unique people who are unique in the population; None if the sample has none."""
        return self.both_unique / self.sample_unique if self.sample_unique else None

    @property
    def lambda_2(self) -> float:
        """Share of the sample that is unique in it and in the population."""
        return self.both_unique / self.sample

    @property
    def lambda_3(self) -> float:
        """Share of the population that is unique in it."""
        return self.population_unique / self.population


def measure_uniqueness(sample: Sequence[Hashable], population: Sequence[Hashable]) -> MeasuredUniqueness:
    """Count unique people, each given by the values of all attributes.

    Parameters
    ----------
    sample, population : a value for each person, such as the tuple of a row; the population includes the sample.

    Returns
    -------
    how many are unique in the sample, in the population, and in both, with the shares.

    Raises
    ------
    InvalidDataError : a person of the sample is not in the population, or there are no people; or a data frame is
        given, which would iterate over names of columns.
    """
    if hasattr(sample, "columns") or hasattr(population, "columns"):
        raise InvalidDataError("expected a value for each person, such as the tuple of a row, not a data frame")
    drawn, all_people = Counter(sample), Counter(population)
    if not drawn:
        raise InvalidDataError("sample: there are no people; expected at least one person")
    if not drawn <= all_people:
        raise InvalidDataError("sample: holds people whom the population does not; expected a part of the population")
    return MeasuredUniqueness(
        sample=drawn.total(),
        population=all_people.total(),
        sample_unique=sum(count == 1 for count in drawn.values()),
        both_unique=sum(count == 1 and all_people[who] == 1 for who, count in drawn.items()),
        population_unique=sum(count == 1 for count in all_people.values()),
    )
