"""The risk of a table, without a scenario, such as a release that another tool made."""

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from gamedeid.arrays import BoolArray, IntArray, sealed
from gamedeid.data.files.tables import TableFile
from gamedeid.data.frames import Frame
from gamedeid.data.profiles import Column
from gamedeid.data.tables import AttributeTable, attributes_of_table
from gamedeid.errors import InvalidScenarioError, quoted, refuse_text
from gamedeid.generalization.levels import ROOT
from gamedeid.generalization.readings import as_text
from gamedeid.grouping import distinct_rows, sums_by
from gamedeid.reprs import frozen
from gamedeid.results.result import Count, OneOrMore, Result, Share
from gamedeid.risk.diversity import KeptDiversity, column_diversity
from gamedeid.risk.records import THRESHOLDS, ExpectedReidentifications, RiskDistribution, risk_distribution
from gamedeid.risk.table_game import TableGame, play_table, scenario_of_folder
from gamedeid.risk.uniqueness.classes import refuse_repeated
from gamedeid.study.kept import KeptUniqueness, column_uniqueness

CLASS_SIZES = (1, 2, 5, 10)
"""Sizes of classes up to which records are counted."""


@frozen
class PopulationRisks(Result):
    """The risk of a table's records from a recipient who knows only the population.

    Parameters
    ----------
    people : number of people in the population.
    k_map : fewest people who match a record; None if no one matches any.
    unmatched : records that match no one in the population: the other figures leave them out.
    journalist : 1 / number of people who match the record: people with its labels or, with hierarchies, with values in
        the groups of its labels.
    marketer : expected re-identifications if every record is attacked.
    """

    people: Count
    k_map: OneOrMore | None
    unmatched: Count
    journalist: RiskDistribution
    marketer: ExpectedReidentifications


@frozen
class TableRisks(Result):
    """The risk of a table; nothing of a single record.

    Records are in one class if they have the same label in each attribute. ``*`` and a missing value are labels like
    any other.

    Parameters
    ----------
    records : number of rows of the table.
    classes : number of equivalence classes.
    k_anonymity : records of the smallest class.
    in_classes_up_to : size -> share of the records that are in classes of at most this size.
    suppressed : records with ``*`` in every attribute.
    with_missing : records with a missing value of an attribute.
    prosecutor : 1 / size of the class: the recipient knows that the person is in the table.
    marketer : expected re-identifications if such a recipient attacks every record.
    kept_diversity : l-diversity and t-closeness of the kept columns.
    kept_uniqueness : how many records are unique by the kept columns; None if no column is kept.
    population : the risk from a recipient who knows only the population; absent without a population.
    game : the table as a release in the game; absent without hierarchies.
    people : (records,) int64, how many people of the population match each record; None without a population. No
        document has it.
    """

    document = "table-risks"
    shown = ("records", "classes", "k_anonymity")
    keys: ClassVar[tuple[str, ...]] = (
        *("records", "classes", "k_anonymity", "in_classes_up_to", "suppressed", "with_missing", "prosecutor"),
        *("marketer", "kept_diversity", "kept_uniqueness?", "population?", "game?"),
    )

    records: OneOrMore
    classes: OneOrMore
    k_anonymity: OneOrMore
    in_classes_up_to: Mapping[str, Share]
    suppressed: Count
    with_missing: Count
    prosecutor: RiskDistribution
    marketer: ExpectedReidentifications
    kept_diversity: KeptDiversity
    kept_uniqueness: KeptUniqueness | None = None
    population: PopulationRisks | None = None
    game: TableGame | None = None
    people: IntArray | None = field(default=None, repr=False, compare=False)


def table_risks(
    data: Any,
    attributes: Sequence[str],
    kept: Sequence[str] = (),
    population: Any = None,
    *,
    count: str | None = None,
    hierarchies: str | PathLike[str] | None = None,
    overrides: Mapping[str, Any] | None = None,
) -> TableRisks:
    """Return the risk of a table, such as a release that another tool made.

    Labels are compared as text without spaces around it. ``*`` and a missing value are labels like any other: rows that
    a tool suppressed and left in the table are one large class, and match only people who have ``*`` too.

    With hierarchies, each label is read as a group, at the least level that has it: after local recoding, rows differ
    in level. ``*``, ``NA`` and a missing value are then suppressed values, and match all people; the population has
    ungeneralized values.

    Parameters
    ----------
    data : the path of a file of CSV, Parquet, SAS, SPSS, Stata or Excel, or of a folder of Parquet files; or a data
        frame. A row is a record.
    attributes : the columns that the recipient knows, at least one, each once.
    kept : columns whose l-diversity, t-closeness and uniqueness are measured, each once and no attribute.
    population : a table of people with the same attributes, given like ``data``, and with the same labels unless there
        are hierarchies; None leaves the journalist's risk out.
    count : the column with the number of people of each row of the population; None: every row is one person.
    hierarchies : a folder with ``ATTRIBUTE.csv`` or ``ATTRIBUTE.toml`` for each attribute; None leaves the game out.
    overrides : dotted keys of a scenario's ``payoffs`` and ``attributes`` -> their values, such as
        ``{"payoffs.loss": 500, "attributes.sex.weight": 0}``. The default stakes are those of wan2015: $1,200, $300
        and $4.

    Raises
    ------
    InvalidScenarioError : no attribute, a column that is named twice, a count without a population, or overrides that
        are invalid or without hierarchies.
    InvalidHierarchyError : an attribute has no hierarchy, or one that cannot be read.
    InvalidDataError : a table cannot be read, is empty or has no such column, a count is invalid, or no level of its
        hierarchy has a label.

    References
    ----------
    El Emam 2013 (prosecutor, journalist and marketer risk); l-diversity and t-closeness as in
    :func:`gamedeid.risk.kept_diversity`.

    Examples
    --------
    >>> import pyarrow as pa
    >>> release = pa.table({"age": ["20-29", "20-29", "*"], "sex": ["F", "F", "*"], "illness": ["flu", "gout", "flu"]})
    >>> found = table_risks(release, ["age", "sex"], ["illness"])
    >>> found.k_anonymity, found.prosecutor.highest, found.kept_diversity.columns[0].distinct
    (1, 1.0, 1)
    """
    refuse_text("attributes", attributes)
    refuse_text("kept", kept)
    attributes, kept = tuple(attributes), tuple(kept)
    _refuse_columns(attributes, kept, count, has_population=population is not None)
    if overrides and hierarchies is None:
        raise InvalidScenarioError("overrides: the game needs hierarchies", arguments=["overrides"])
    scenario = None if hierarchies is None else scenario_of_folder(hierarchies, attributes, overrides)
    table_name, table = _read(data, "data", (*attributes, *kept))
    population_table = None if population is None else _read(population, "population", attributes, count)[1]
    records, columns = len(table.people), {name: table.columns[name] for name in kept}
    by_label = [table] if population_table is None or scenario is not None else [table, population_table]
    labels, suppressed = _row_labels(by_label, attributes)
    _, label_of, distinct = distinct_rows(labels)
    first, class_of, sizes = distinct_rows(label_of[:records, None])
    people, game = None, None
    if scenario is not None:
        classes = {name: replace(table.columns[name], codes=table.columns[name].codes[first]) for name in attributes}
        game, people = play_table(scenario, classes, sizes, population_table, table_name=table_name)
    elif population_table is not None:
        people = sums_by(label_of[records:], population_table.people, len(distinct))[label_of[first]]
    prosecutor = risk_distribution(sizes, sizes, THRESHOLDS)
    return TableRisks(
        records=records,
        classes=len(sizes),
        k_anonymity=int(sizes.min()),
        in_classes_up_to={str(size): float(sizes[sizes <= size].sum() / records) for size in CLASS_SIZES},
        suppressed=int(suppressed[:records].sum()),
        with_missing=int((labels[:records] == 0).any(axis=1).sum()),
        prosecutor=prosecutor,
        marketer=ExpectedReidentifications(share=prosecutor.mean, reidentifications=float(len(sizes))),
        kept_diversity=KeptDiversity(
            rows_looked_at=records,
            released=records,
            classes=len(sizes),
            columns=tuple(column_diversity(name, column, class_of, sizes) for name, column in columns.items()),
        ),
        kept_uniqueness=_uniqueness(columns, records) if kept else None,
        population=None
        if people is None or population_table is None
        else _population_risks(people, sizes, population_table),
        game=game,
        people=None if people is None else sealed(people[class_of], np.int64),
    )


def _refuse_columns(attributes: Sequence[str], kept: Sequence[str], count: str | None, *, has_population: bool) -> None:
    """Refuse names of no column, and columns with two uses."""
    if not attributes:
        raise InvalidScenarioError("attributes: no column is named that a recipient knows; name one")
    refuse_repeated((*attributes, *kept), "column")
    if count is not None and (not has_population or count in attributes):
        wrong = "is an attribute" if has_population else "needs a population"
        raise InvalidScenarioError(f"count: {quoted(count)} {wrong}; it has the number of people of each row there")


def _read(data: Any, table_name: str, names: Sequence[str], count: str | None = None) -> tuple[str, AttributeTable]:
    """Return the name of a file, or of the argument of a frame, for messages; and the columns with people of rows."""
    wanted = (*names, *([] if count is None else [count]))
    source = TableFile.open(Path(data)) if isinstance(data, str | PathLike) else Frame.of(data, table_name)
    source.refuse_absent(wanted)
    rows = source.read(wanted, coded=wanted)
    return source.table_name, attributes_of_table(rows, names, [""], source.table_name, count)


def _row_labels(tables: Sequence[AttributeTable], attributes: Sequence[str]) -> tuple[IntArray, BoolArray]:
    """Return the labels of the rows of tables, one after another, (n, a) numbers, and which rows have only ``*``."""
    labels, suppressed = [], []
    for name in attributes:
        codes, numbers = _labels([table.columns[name] for table in tables])
        labels.append(codes)
        suppressed.append(codes == numbers.get(ROOT, -1))
    return np.column_stack(labels), np.all(suppressed, axis=0)


def _labels(columns: Sequence[Column]) -> tuple[IntArray, Mapping[str | None, int]]:
    """Return the label of each row of the columns, one after another, as a number from 0; 0 is a missing value."""
    numbers: dict[str | None, int] = {None: 0}
    codes = []
    for column in columns:
        of_value = [numbers.setdefault(as_text(value), len(numbers)) for value in column.values]
        codes.append(np.array([*of_value, 0])[column.codes])
    return np.concatenate(codes), numbers


def _uniqueness(columns: Mapping[str, Column], records: int) -> KeptUniqueness:
    codes = {name: np.unique(_labels([column])[0], return_inverse=True)[1] for name, column in columns.items()}
    return column_uniqueness(codes, looked_at=records, released=records)


def _population_risks(people: IntArray, sizes: IntArray, population_table: AttributeTable) -> PopulationRisks:
    """Return the risks by a population; ``people``, (k,), of it match the records of each class."""
    found = people > 0
    journalist = risk_distribution(people[found], sizes[found], THRESHOLDS)
    matched = int(sizes[found].sum())
    return PopulationRisks(
        people=int(population_table.people.sum()),
        k_map=int(people[found].min()) if matched else None,
        unmatched=int(sizes[~found].sum()),
        journalist=journalist,
        marketer=journalist.if_all_attacked(matched),
    )
