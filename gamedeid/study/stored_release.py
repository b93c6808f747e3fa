"""The release of a stored run, read back as typed columns."""

import io
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from os import PathLike
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet

from gamedeid.arrays import IntArray
from gamedeid.errors import InvalidDataError, InvalidHierarchyError, InvalidScenarioError, OutputError, quoted
from gamedeid.generalization.bounds import LabelBounds, ValueType, label_bounds, value_type
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.generalization.levels import MISSING, ROOT
from gamedeid.generalization.open_hierarchy import OpenHierarchy
from gamedeid.reprs import frozen
from gamedeid.results.formulas import defused
from gamedeid.results.manifest import MANIFEST
from gamedeid.results.stored import RELEASE, StoredResults
from gamedeid.results.tables import write_blocks
from gamedeid.scenario.inputs import read_inputs
from gamedeid.scenario.scenario import Scenario, ScenarioLike
from gamedeid.scenario.shipped import scenario_of
from gamedeid.study.finished import FinishedRun

PARTS = ("low", "high", "midpoint", "level")
"""The parts of a label."""

READ_BY = ("records", "attributes")
"""The parts of a scenario that are needed to read a release; stakes and limits may have changed."""

_NULLABLE: Mapping[pa.DataType, Any] = {
    pa.int8(): pd.Int8Dtype(),
    pa.int16(): pd.Int16Dtype(),
    pa.int32(): pd.Int32Dtype(),
    pa.int64(): pd.Int64Dtype(),
    pa.uint8(): pd.UInt8Dtype(),
    pa.uint16(): pd.UInt16Dtype(),
    pa.uint32(): pd.UInt32Dtype(),
    pa.uint64(): pd.UInt64Dtype(),
    pa.bool_(): pd.BooleanDtype(),
}
"""Types for which pandas has a variant with missing values."""


@frozen(eq=False)
class StoredRelease:
    """A release with the hierarchies that its labels come from.

    Parameters
    ----------
    hierarchies : attribute -> its hierarchy, open or not, in the order of the scenario.
    rows : a pandas data frame of the release; columns of attributes are texts and have the attributes' names.
    record : (n,) int64, the number of the record of each row.
    """

    stored: StoredResults
    question: Scenario
    hierarchies: Mapping[str, Hierarchy | OpenHierarchy]
    rows: Any
    record: IntArray
    _levels: IntArray

    @classmethod
    def read(cls, folder: str | PathLike[str], scenario: ScenarioLike | None = None) -> "StoredRelease":
        """Read the release of a folder; see :func:`read_release`."""
        finished = FinishedRun.read(folder)
        stored = finished.stored
        question = finished.scenario if scenario is None else scenario_of(scenario)
        if scenario is not None:
            finished.refuse_another_question(question, READ_BY)
        hierarchies = _hierarchies(finished, question, given=scenario is not None)
        rows = _rows(stored, question)
        strategies = stored.strategies(list(hierarchies))
        record = strategies.released
        if len(record) != len(rows):
            raise OutputError(f"{stored.folder}: the release has other rows than its strategies say; run again")
        return cls(
            stored=stored,
            question=question,
            hierarchies=hierarchies,
            rows=rows,
            record=record,
            _levels=strategies.levels[record],
        )

    def read_alike(self, table: pa.Table) -> pd.DataFrame:
        """Return other rows of kept columns in the types of this release."""
        name, stream = self.stored.parts(RELEASE)[0], io.BytesIO()
        write_blocks([table], stream, "parquet" if name.endswith(".parquet") else "csv", defuse=self.stored.defused)
        return _part(name, stream.getvalue(), set(), self.question.records.missing_values)

    @property
    def without_value(self) -> frozenset[str]:
        """The labels of attributes that denote no value."""
        return frozenset([ROOT, MISSING] if self.question.records.missing == "show" else [ROOT])

    def labels(self, name: str) -> tuple[IntArray, list[str], IntArray]:
        """Return the labels of an attribute: the number of each row's, (n,); each label; and its level.

        The level of a label is the lowest at which the release has it, and that of ``*`` the top level, so that a level
        discloses no more than its label.
        """
        codes, found = pd.factorize(self.rows[name])
        top = self.hierarchies[name].levels - 1
        levels = np.full(len(found), top)
        np.minimum.at(levels, codes, self._levels[:, list(self.hierarchies).index(name)])
        labels = [_as_written(label) if self.stored.defused else label for label in found.tolist()]
        return codes, labels, np.where([label == ROOT for label in labels], top, levels).astype(np.int64)

    def typed(self, name: str) -> dict[str, Any]:
        """Return low, high, midpoint and level of each row of an attribute, (n,) each."""
        codes, labels, levels = self.labels(name)
        hierarchy = self.hierarchies[name]
        bounds = label_bounds(hierarchy, labels)
        ends = _ends([bounds[label] for label in labels], value_type(hierarchy))
        return {part: values[codes] for part, values in zip(PARTS, (*ends, levels), strict=True)}


def read_release(
    folder: str | PathLike[str], scenario: ScenarioLike | None = None, *, separator: str = "_"
) -> pd.DataFrame:
    """Return the release of a stored run as a data frame with typed columns.

    Each attribute, such as ``age``, has its published label as text, followed by ``age_low``, ``age_high``,
    ``age_midpoint`` and ``age_level``. Bounds are float64, or datetime64 for dates (first and last day). They are NaN
    or NaT if a group has no such bound: values that are no numbers or dates, ``*``, the open end of ``90+``. A midpoint
    needs both bounds. The level is the lowest at which the release has the label; ``*`` has the top level, whether the
    value was suppressed or missing, and so has ``missing`` if the scenario shows missing values. Kept columns have the
    types of the Parquet file, and whole numbers and truth values with gaps the nullable types of pandas; for CSV,
    pandas infers the types, and ``missing_values`` of the scenario are missing.

    Parameters
    ----------
    folder : a folder that ``gamedeid run -o``, ``gamedeid apply -o`` or ``Solution.write`` has written.
    scenario : the question of the folder, which gives the paths of the hierarchies; without it, they are searched for
        from the current folder, by their names in the manifest.
    separator : text between the name of an attribute and the part.

    Returns
    -------
    A row for each released row, in the order of the release.

    Raises
    ------
    OutputError : the folder holds no results of a run, or they have changed.
    InvalidHierarchyError : the scenario names a hierarchy that does not exist.
    InvalidScenarioError : the scenario has other records or attributes, or a hierarchy was no file and no scenario
        gives it.
    InvalidDataError : without a scenario, a hierarchy cannot be found; a hierarchy has changed since the run; or a
        column has the name of a part.
    """
    release = StoredRelease.read(folder, scenario)
    columns: dict[str, Any] = {}
    for name in release.rows.columns:
        columns[name] = release.rows[name]
        if name in release.hierarchies:
            typed = {f"{name}{separator}{part}": values for part, values in release.typed(name).items()}
            if taken := sorted(typed.keys() & set(release.rows.columns)):
                raise InvalidDataError(
                    f"separator: the release has a column {quoted(taken[0])} already; give another separator"
                )
            columns |= typed
    return pd.DataFrame(columns)


def _hierarchies(finished: FinishedRun, question: Scenario, *, given: bool) -> dict[str, Hierarchy | OpenHierarchy]:
    """Return the hierarchies of the run, from the files that the manifest names."""
    digests = finished.stored.input_digests
    for name, attribute in question.attributes.items():
        if f"hierarchy {name}" not in digests and not isinstance(attribute.hierarchy, Hierarchy | OpenHierarchy):
            raise InvalidScenarioError(
                f"{finished.folder}: the hierarchy of {quoted(name)} was no file; give a scenario with this hierarchy"
            )
    try:
        inputs, hierarchies = read_inputs(question, records=False, population=False)
    except InvalidHierarchyError:
        if given:
            raise
        raise InvalidDataError(
            f"{finished.folder}: the hierarchies of the run cannot be found from the current folder; give the "
            "scenario, which says where the files are"
        ) from None
    for name, file in inputs.files.items():
        if name.startswith(("hierarchy ", "table of hierarchy ")) and file.digest() != digests.get(name):
            raise InvalidDataError(f"{finished.folder}: the input {quoted(name)} has changed since the run")
    return {name: replace(one, role=question.attributes[name].stated_role(one)) for name, one in hierarchies.items()}


def _rows(stored: StoredResults, question: Scenario) -> pd.DataFrame:
    """Return the rows of the release."""
    written = {stored.published(name): name for name in question.attributes}
    missing = question.records.missing_values
    try:
        parts = [_part(name, stored.verified(name), set(written), missing) for name in stored.parts(RELEASE)]
        rows = pd.concat(parts, ignore_index=True) if len(parts) > 1 else parts[0]
        return rows.rename(columns=written).astype(dict.fromkeys(question.attributes, str))
    except (pa.ArrowException, ValueError, KeyError, IndexError):
        raise OutputError(f"{stored.folder}: its release is not as {MANIFEST} has it; run again") from None


def _part(name: str, content: bytes, attributes: set[str], missing: Sequence[str]) -> pd.DataFrame:
    if name.endswith(".parquet"):
        table = pa.parquet.read_table(io.BytesIO(content))
        columns = zip(table.column_names, table.columns, strict=True)
        return pd.DataFrame({name: _column(column) for name, column in columns})
    first = pd.read_csv(io.BytesIO(content), header=None, nrows=1, dtype=str, keep_default_na=False)
    header = first.iloc[0].tolist()  # unchanged: read_csv would name a column without a name
    return pd.read_csv(
        io.BytesIO(content),
        header=0,
        names=header,
        dtype=dict.fromkeys(attributes, str),
        keep_default_na=False,
        na_values={column: missing for column in header if column not in attributes},
        low_memory=False,
    )


def _column(column: pa.ChunkedArray) -> Any:
    mapper = _NULLABLE.get if column.null_count else None
    return column.to_pandas(types_mapper=mapper, date_as_object=False)


def _ends(bounds: list[LabelBounds], values: ValueType) -> tuple[Any, Any, Any]:
    """Return low, high and midpoint of each label."""
    low, high = (_array([one[end] for one in bounds], values) for end in (0, 1))
    return low, high, low + (high - low) / 2


def _array(ends: list[Decimal | date | None], values: ValueType) -> Any:
    if values == "date":
        return np.array([np.datetime64("NaT" if end is None else str(end), "s") for end in ends], "M8[s]")
    return np.array([np.nan if end is None else float(end) for end in ends], np.float64)  # type: ignore[arg-type]


def _as_written(label: str) -> str:
    """Return a label without the apostrophe that prevents reading it as a formula."""
    return label[1:] if label[:1] == "'" and defused(label[1:]) == label else label
