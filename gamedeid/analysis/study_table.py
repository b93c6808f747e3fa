"""A table about a study that may be long: computed in blocks of rows, and written to a folder of results."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from os import PathLike
from typing import Annotated, Any, TypeAlias

from pydantic import Field

from gamedeid.choices import Format
from gamedeid.errors import InvalidScenarioError, refuse_text, refuse_unknown
from gamedeid.reprs import Shown, frozen
from gamedeid.results.folder import FolderWriter, open_folder
from gamedeid.results.result import Amount, Count, Dollars, Flag, Mean, Number, Result, Share, Text
from gamedeid.results.tables import check_form, write_blocks
from gamedeid.study.facts import study_warnings, write_manifest
from gamedeid.study.study import Study

Other: TypeAlias = Annotated[
    float, Field(description="The chosen level of an attribute, or the value of a recipient's number that is varied.")
]


@frozen
class BreakpointRow(Result):
    """A value of a stake at which strategies or replies change, and how many."""

    policy: Text
    value: Number
    strategies: Count
    replies: Count


@frozen
class StretchRow(Result):
    """The outcomes of one record between two values of a stake."""

    others = "levels"

    policy: Text
    low: Number | None
    high: Number | None
    withheld: Flag
    attacked: Flag
    information_loss: Share
    generalization_intensity: Share
    success_probability: Share
    levels: Mapping[str, Other]


@frozen
class GridRow(Result):
    """A point of a grid, and the policy or game that is followed there."""

    benefit: Dollars
    loss: Dollars
    cost: Dollars
    gain: Dollars
    policy: Text


@frozen
class RecordRow(GridRow):
    """The outcomes of one record at a point of a grid: the measures that were requested."""

    others = "levels"

    withheld: Flag | None = None
    attacked: Flag | None = None
    information_loss: Share | None = None
    generalization_intensity: Share | None = None
    success_probability: Share | None = None
    publisher_payoff: Amount | None = None
    adversary_payoff: Amount | None = None
    levels: Mapping[str, Other]


@frozen
class PointRow(GridRow):
    """The measures of all records at a point of a grid: those that were requested."""

    others = "varied"

    publisher_payoff: Amount | None = None
    adversary_payoff: Amount | None = None
    suppressed: Share | None = None
    unmodified: Share | None = None
    withheld: Share | None = None
    unmatched: Share | None = None
    generalization_intensity: Share | None = None
    attacked: Share | None = None
    reidentification_probability: Mean | None = None
    reidentification_probability_attacked: Mean | None = None
    expected_reidentifications: Number | None = None
    varied: Mapping[str, Other]


TableRow: TypeAlias = BreakpointRow | StretchRow | RecordRow | PointRow
"""A row of a table about a study, as ``gamedeid sweep --json`` prints it; tables hold columns instead."""


_FOLDED = (
    *("adversary_payoff", "suppressed", "unmodified", "unmatched"),
    *("reidentification_probability", "reidentification_probability_attacked"),
)
"""Columns that a notebook shows only at a click."""


@frozen(eq=False)
class SweepBlock(Shown):
    """Some consecutive rows of a table as columns of equal length.

    Parameters
    ----------
    columns : name -> values of the rows.
    points : number of points of the grid of the rows; 0 where there is no grid.
    """

    table_of = "columns"
    folded = _FOLDED

    columns: dict[str, list[Any]]
    points: int = 0


@frozen(eq=False, slots=False)
class StudyTable(Shown):
    """A table about a study. Each iteration computes it anew, block by block.

    Parameters
    ----------
    study : the question.
    name : of its file, "sweep", "breakpoints" or "stretches".
    asked : the question of the table, beyond the scenario, for the manifest.
    blocks : starts the computation.
    """

    shown = ("name", "asked", "study.records")
    table_of = "columns"
    folded = _FOLDED

    study: Study
    name: str
    asked: Mapping[str, object]
    blocks: Callable[[], Iterator[SweepBlock]] = field(repr=False)

    def __iter__(self) -> Iterator[SweepBlock]:
        return self.blocks()

    @cached_property
    def columns(self) -> dict[str, list[Any]]:
        """All rows as columns of equal length, by name."""
        return columns_of(self)

    @property
    def table(self) -> Any:
        """The same as a pandas data frame."""
        import pandas as pd  # noqa: PLC0415  (slow to import, and the command line does without)

        return pd.DataFrame(self.columns)

    def write(
        self,
        folder: str | PathLike[str] | FolderWriter,
        *,
        form: Format = "csv",
        overwrite: bool = False,
    ) -> dict[str, Any]:
        """Write the table and its manifest, as ``gamedeid sweep`` does, the same bytes.

        Parameters
        ----------
        folder : the target, new or empty, whose parent must exist; or an open writer of a folder.
        form : of the table, "csv" or "parquet".
        overwrite : replace an earlier folder of results.

        Returns
        -------
        the content of ``manifest.json``: the scenario as resolved, and the SHA-256 of every input and output.

        Raises
        ------
        InvalidScenarioError : the question of the table is invalid.
        InvalidDataError : an input file has changed since it was read.
        OutputError : the folder may not or cannot be written; then nothing is.
        """
        check_form(form)
        with open_folder(folder, overwrite=overwrite) as writer:
            with writer.open(f"{self.name}.{form}") as stream:
                write_blocks((block.columns for block in self), stream, form)
            return write_manifest(self.study, writer, self.asked, study_warnings(self.study))


def columns_of(blocks: Iterable[SweepBlock]) -> dict[str, list[Any]]:
    """Return all rows of a table as columns of equal length."""
    columns: dict[str, list[Any]] = {}
    for block in blocks:
        for name, values in block.columns.items():
            columns.setdefault(name, []).extend(values)
    return columns


def chosen_columns(
    blocks: Iterable[SweepBlock], measures: Sequence[str] | None, known: Sequence[str]
) -> Iterator[SweepBlock]:
    """Yield blocks with the requested measures only."""
    left_out = set() if measures is None else set(known) - set(measures)
    for block in blocks:
        columns = {name: values for name, values in block.columns.items() if name not in left_out}
        yield SweepBlock(columns=columns, points=block.points)


def check_measures(measures: Sequence[str] | None, known: Sequence[str]) -> None:
    """Check the requested measures."""
    refuse_text("measures", measures)
    for name in measures or ():
        refuse_unknown("measure", name, known, "measures: ", arguments=["measures"])


def check_attributes(study: Study, columns: Sequence[str], table: str) -> None:
    """Check that no attribute is named like one of the other columns of a table."""
    for name in study.instance.hierarchies:
        if name in columns:
            raise InvalidScenarioError(
                f"attributes.{name}: {table} has a column of this name; rename the one in the data"
            )
