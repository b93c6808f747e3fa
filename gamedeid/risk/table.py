"""The risk of a table as it is, without a scenario, such as a release that another tool made."""

from collections.abc import Collection, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from gamedeid.arrays import IntArray
from gamedeid.data.columns import to_column, to_people
from gamedeid.data.files.tables import TableFile, refuse_absent
from gamedeid.data.frames import Frame
from gamedeid.data.profiles import Column
from gamedeid.errors import InvalidScenarioError, quoted
from gamedeid.generalization.levels import ROOT
from gamedeid.generalization.missing_codes import as_text
from gamedeid.grouping import distinct_rows
from gamedeid.reprs import frozen
from gamedeid.results.quantities import Count, OneOrMore, Share
from gamedeid.results.result import Result
from gamedeid.risk.diversity import KeptDiversity, column_diversity
from gamedeid.risk.records import THRESHOLDS, ExpectedReidentifications, RiskDistribution, risk_distribution
from gamedeid.risk.uniqueness.classes import refuse_repeated

CLASS_SIZES = (1, 2, 5, 10)
"""Records are counted that are in classes of at most so many."""


@frozen
class PopulationRisks(Result):
    """The risk of a table's records to a recipient who knows the population only.

    Parameters
    ----------
    people : how many there are in the population.
    k_map : fewest people with the labels of a record; None where no record matches anybody.
    unmatched : records whose labels nobody in the population has: the other figures leave them out.
    journalist : 1 / number of people with the labels of the record.
    marketer : re-identifications to expect if every record is attacked.
    """

    people: Count
    k_map: OneOrMore | None
    unmatched: Count
    journalist: RiskDistribution
    marketer: ExpectedReidentifications


@frozen
class TableRisks(Result):
    """The risk of a table as it is; nothing of a single record.

    Records are in one class when they have the same label in each attribute. ``*`` is a label as others are, and a
    missing value is one too.

    Parameters
    ----------
    records : rows of the table.
    classes : equivalence classes that they are in.
    k_anonymity : records of the smallest class.
    in_classes_up_to : size -> share of the records that are in classes of at most so many records.
    suppressed : records that have ``*`` in every attribute.
    with_missing : records with a missing value of an attribute.
    prosecutor : 1 / size of the class: the recipient knows that the person is in the table.
    marketer : re-identifications to expect if such a recipient attacks every record.
    kept_diversity : l-diversity and t-closeness of the kept columns.
    unique_in_kept : kept column -> records whose value of it no other record has.
    population : the same to a recipient who knows the population only; absent where none is given.
    """

    document = "table-risks"
    shown = ("records", "classes", "k_anonymity")

    records: OneOrMore
    classes: OneOrMore
    k_anonymity: OneOrMore
    in_classes_up_to: Mapping[str, Share]
    suppressed: Count
    with_missing: Count
    prosecutor: RiskDistribution
    marketer: ExpectedReidentifications
    kept_diversity: KeptDiversity
    unique_in_kept: Mapping[str, Count]
    population: PopulationRisks | None = None


def table_risks(
    data: Any,
    attributes: Sequence[str],
    kept: Sequence[str] = (),
    population: Any = None,
    *,
    count: str | None = None,
) -> TableRisks:
    """Return the risk of a table as it is, such as a release that another tool made.

    Labels are compared as text without spaces around it. ``*`` and a missing value are labels as others are: rows that
    a tool suppressed and left in the table are one large class, and match only people who have ``*`` too.

    Parameters
    ----------
    data : the path of a CSV or Parquet file, or of a folder of Parquet files; or a data frame. A row is a record.
    attributes : the columns that the recipient knows, at least one, each once.
    kept : columns of which l-diversity, t-closeness and unique values are measured, each once and no attribute.
    population : a table of people with the same attributes and the same labels, in the same forms as ``data``; None
        leaves the journalist's risk out.
    count : the column that says how many people a row of the population stands for; None makes every row one person.

    Raises
    ------
    InvalidScenarioError : no attribute, a column that is named twice, or a count without a population.
    InvalidDataError : a table cannot be read, is empty, has no such column, or a count is no count.

    References
    ----------
    El Emam 2013 (prosecutor, journalist and marketer risk); l-diversity and t-closeness as
    :func:`gamedeid.risk.kept_diversity` has them.

    Examples
    --------
    >>> import pyarrow as pa
    >>> release = pa.table({"age": ["20-29", "20-29", "*"], "sex": ["F", "F", "*"], "illness": ["flu", "gout", "flu"]})
    >>> found = table_risks(release, ["age", "sex"], ["illness"])
    >>> found.k_anonymity, found.prosecutor.highest, found.kept_diversity.columns[0].distinct
    (1, 1.0, 1)
    """
    attributes, kept = _named(attributes, "attributes"), _named(kept, "kept")
    if not attributes:
        raise InvalidScenarioError("attributes: no column is named that a recipient knows; name one")
    refuse_repeated((*attributes, *kept), "column")
    if count is not None and (population is None or count in attributes):
        wrong = "is an attribute" if population is not None else "needs a population"
        raise InvalidScenarioError(f"count: {quoted(count)} {wrong}; it says how many people a row there stands for")
    tables = [_Table.read(data, "data", (*attributes, *kept))]
    if population is not None:
        tables.append(_Table.read(population, "population", (*attributes, *([] if count is None else [count]))))
    records = tables[0].rows.num_rows

    codes, bases, suppressed = [], [], np.ones(records, np.bool_)
    for name in attributes:
        code, labels = _labels([one.column(name) for one in tables])
        suppressed &= code[:records] == labels.get(ROOT, -1)
        codes.append(code)
        bases.append(len(labels))
    table_codes = np.column_stack(codes)
    _, label_of, counts = distinct_rows(table_codes, bases)
    first, class_of, sizes = distinct_rows(label_of[:records, None], [len(counts)])

    columns = {name: tables[0].column(name) for name in kept}
    people = np.zeros(len(counts), np.int64)
    np.add.at(people, label_of[records:], 1 if count is None else tables[1].people(count))
    prosecutor = risk_distribution(sizes, sizes, THRESHOLDS)
    return TableRisks(
        records=records,
        classes=len(sizes),
        k_anonymity=int(sizes.min()),
        in_classes_up_to={str(size): float(sizes[sizes <= size].sum() / records) for size in CLASS_SIZES},
        suppressed=int(suppressed.sum()),
        with_missing=int((table_codes[:records] == 0).any(axis=1).sum()),
        prosecutor=prosecutor,
        marketer=ExpectedReidentifications(share=prosecutor.mean, reidentifications=float(len(sizes))),
        kept_diversity=KeptDiversity(
            rows_looked_at=records,
            released=records,
            classes=len(sizes),
            columns=tuple(column_diversity(name, column, class_of, sizes) for name, column in columns.items()),
        ),
        unique_in_kept={name: _unique(column) for name, column in columns.items()},
        population=None if population is None else _population_risks(people[label_of[first]], sizes, people),
    )


def _named(names: Sequence[str], argument: str) -> tuple[str, ...]:
    """Return names of columns; a single text is refused, whose letters would be taken for them."""
    if isinstance(names, str):
        raise InvalidScenarioError(f"{argument}: expected a list of names, such as [{quoted(names)}]")
    return tuple(names)


@frozen(eq=False)
class _Table:
    """Some columns of a file or a data frame.

    Parameters
    ----------
    whose : the file, or the argument that the frame was, for messages.
    rows : the columns that were wanted, and no other.
    """

    whose: str
    rows: pa.Table

    @classmethod
    def read(cls, data: Any, whose: str, wanted: Collection[str]) -> "_Table":
        if isinstance(data, str | PathLike):
            file = TableFile.open(Path(data))
            file.refuse_absent(wanted)
            return cls(whose=str(file.path), rows=file.read(wanted, coded=wanted))
        frame = Frame.of(data, whose)
        refuse_absent(whose, frame.names, wanted)
        return cls(whose=whose, rows=frame.select(wanted).collected().to_arrow())

    def column(self, name: str) -> Column:
        return to_column(self.rows.column(name), name, self.whose, [""])

    def people(self, count: str) -> IntArray:
        return to_people(self.rows.column(count), count, self.whose)


def _labels(columns: Sequence[Column]) -> tuple[IntArray, Mapping[str | None, int]]:
    """Return the label of each row of the columns, one after another, as a number from 0; 0 is a missing value."""
    numbers: dict[str | None, int] = {None: 0}
    codes = []
    for column in columns:
        of_value = [numbers.setdefault(as_text(value), len(numbers)) for value in column.values]
        codes.append(np.array([*of_value, 0])[column.codes])
    return np.concatenate(codes), numbers


def _unique(column: Column) -> int:
    """Return how many rows have a value that no other row has; missing values are one value."""
    codes, labels = _labels([column])
    return int((np.bincount(codes, minlength=len(labels)) == 1).sum())


def _population_risks(people: IntArray, sizes: IntArray, everybody: IntArray) -> PopulationRisks:
    """Return the risks by the population.

    Parameters
    ----------
    people, sizes : (k,) people who match each class, and its records.
    everybody : people by their labels, of any shape.
    """
    found = people > 0
    journalist = risk_distribution(people[found], sizes[found], THRESHOLDS)
    matched = int(sizes[found].sum())
    return PopulationRisks(
        people=int(everybody.sum()),
        k_map=int(people[found].min()) if matched else None,
        unmatched=int(sizes[~found].sum()),
        journalist=journalist,
        marketer=ExpectedReidentifications(share=journalist.mean, reidentifications=journalist.mean * matched),
    )
