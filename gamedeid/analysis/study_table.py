"""A table about a study that may be long: made in blocks of rows, gone through, or written to a folder of results."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from os import PathLike
from typing import Any

from gamedeid.choices import Format
from gamedeid.errors import InvalidScenarioError, nearest, quoted
from gamedeid.reprs import Shown, frozen
from gamedeid.results import FolderWriter, opened_folder
from gamedeid.results.tables import write_blocks
from gamedeid.study.manifest import write_manifest
from gamedeid.study.study import Study


@frozen(eq=False)
class SweepBlock(Shown):
    """Some consecutive rows of a table as columns of equal length.

    Parameters
    ----------
    columns : name -> values of the rows.
    points : how many points of a grid the rows stand for; 0 where there is no grid.
    """

    table_of = "columns"

    columns: dict[str, list[Any]]
    points: int = 0


@frozen(eq=False, slots=False)
class StudyTable(Shown):
    """A table about a study. To go through it is to compute it, block by block; each time anew.

    Parameters
    ----------
    study : the question.
    name : of its file, "sweep", "breakpoints" or "stretches".
    asked : what the table is of, beyond the scenario: it stands in the manifest.
    blocks : starts the computation.
    """

    shown = ("name", "asked", "study.records")
    table_of = "columns"

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
        folder : where to; it must be new or empty, and its parent must exist. Or an open writer of a folder.
        form : of the table, "csv" or "parquet".
        overwrite : replace an earlier folder of results.

        Returns
        -------
        the content of ``manifest.json``: the scenario as resolved, and the SHA-256 of every input and output.

        Raises
        ------
        InvalidScenarioError : what the table is of means nothing.
        InvalidDataError : an input file is not what it was when it was read.
        OutputError : the folder may not or cannot be written; then nothing is.
        """
        with opened_folder(folder, overwrite=overwrite) as writer:
            with writer.open(f"{self.name}.{form}") as stream:
                write_blocks((block.columns for block in self), stream, form)
            return write_manifest(self.study, writer, self.asked)


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
    """Yield blocks without the measures that were not asked for."""
    left_out = set() if measures is None else set(known) - set(measures)
    for block in blocks:
        columns = {name: values for name, values in block.columns.items() if name not in left_out}
        yield SweepBlock(columns=columns, points=block.points)


def check_measures(measures: Sequence[str] | None, known: Sequence[str]) -> None:
    """Check the measures that are asked for."""
    for name in measures or ():
        if name not in known:
            raise InvalidScenarioError(
                f"measures: there is no measure {quoted(name)}{nearest(name, known)}", arguments=["measures"]
            )
