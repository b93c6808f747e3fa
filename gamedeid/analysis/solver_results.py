"""What solvers make of the same game: rows to look at, or a folder of results."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import Any

from gamedeid.analysis.study_table import FIRST_ROWS
from gamedeid.choices import GameName, SolverName
from gamedeid.reprs import frozen, html_table, repr_of
from gamedeid.results import FolderWriter, write_result
from gamedeid.results.tables import rows_to_columns, write_table
from gamedeid.scenario.grid import STAKES, Axis
from gamedeid.study.manifest import write_manifest
from gamedeid.study.study import Study


@frozen(eq=False)
class SolverComparison:
    """What the solvers make of one game at the same stakes.

    Parameters
    ----------
    study : the question; its instance has these stakes.
    game : which game they play.
    reference : whom the differences are from: backward induction if it takes part, else exact, which is proved equal.
    rows : one for each solver: ``benefit``, ``loss``, ``cost``, ``gain``, ``solver``; ``publisher_payoff`` and
        ``adversary_payoff``, means over records in dollars; ``publisher_difference`` and ``adversary_difference``, mean
        absolute differences per record from the reference (wan2015, equation 6); ``optimal``, share of records whose
        publisher's payoff is the reference's; ``searched``, mean strategies per record whose payoff was evaluated.
    seconds : solver -> time for all records, from a population of which nothing is rolled up to every record's
        strategy; the compiling of the loops is not counted. Not the same twice, so it belongs in no file.
    varied : stakes -> their values, dollars, where they are not those of the scenario.
    """

    study: Study
    game: GameName
    reference: SolverName
    rows: list[dict[str, Any]]
    seconds: dict[SolverName, float]
    varied: Mapping[str, Sequence[float]] = field(default_factory=dict)

    def __repr__(self) -> str:
        records = self.study.instance.profiles.records.sum()
        return repr_of(self, game=self.game, solvers=list(self.seconds), reference=self.reference, records=records)

    def _repr_html_(self) -> str:
        return _html_of(f"Solvers: {self.game} game", self.rows)

    @property
    def table(self) -> Any:
        """The rows as a pandas data frame."""
        import pandas as pd  # noqa: PLC0415  (slow to import, and the command line does without)

        return pd.DataFrame(self.rows)

    def timed_rows(self) -> list[dict[str, Any]]:
        """Return the rows with ``seconds`` for all records and ``milliseconds_per_record``."""
        records = int(self.study.instance.profiles.records.sum())
        return [
            {**row, "seconds": seconds, "milliseconds_per_record": 1000 * seconds / records}
            for row, seconds in zip(self.rows, self.seconds.values(), strict=True)
        ]

    write = write_result

    def write_files(self, folder: FolderWriter) -> dict[str, Any]:
        """Write ``solvers.csv`` and a manifest, as ``gamedeid solvers`` does; return it.

        Parameters
        ----------
        folder : empty so far; somebody else shows it.

        Raises
        ------
        InvalidDataError, OutputError : as :meth:`write` does.
        """
        return _write(self.study, folder, self.game, self.rows, list(self.seconds), self.varied)


@frozen(eq=False, slots=False)
class SolverSweep:
    """What the solvers make of one game at every point of a grid. A loop over it gives the points.

    Parameters
    ----------
    study : the question; its own stakes stand where nothing is varied.
    game : which game they play.
    axes : the stakes that are varied.
    points : the comparison at each point, in the order of :func:`gamedeid.scenario.grid.grid_points`.
    """

    study: Study
    game: GameName
    axes: tuple[Axis, ...]
    points: tuple[SolverComparison, ...]

    def __iter__(self) -> Iterator[SolverComparison]:
        return iter(self.points)

    def __len__(self) -> int:
        return len(self.points)

    def __repr__(self) -> str:
        stakes = [axis.name for axis in self.axes]
        return repr_of(self, game=self.game, stakes=stakes, points=len(self.points), solvers=self.solvers)

    def _repr_html_(self) -> str:
        return _html_of(f"Solvers along a grid: {self.game} game", self.rows)

    @property
    def solvers(self) -> list[SolverName]:
        """Who takes part."""
        return list(self.points[0].seconds)

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        """One row for each point and solver, as ``SolverComparison.rows`` has them."""
        return [row for point in self.points for row in point.rows]

    @property
    def table(self) -> Any:
        """The rows as a pandas data frame."""
        import pandas as pd  # noqa: PLC0415  (slow to import, and the command line does without)

        return pd.DataFrame(self.rows)

    write = write_result

    def write_files(self, folder: FolderWriter) -> dict[str, Any]:
        """Write ``solvers.csv`` and a manifest, as ``gamedeid solvers --vary`` does; return it.

        Parameters
        ----------
        folder : empty so far; somebody else shows it.

        Raises
        ------
        InvalidDataError, OutputError : as :meth:`write` does.
        """
        varied = {axis.name: list(axis.values) for axis in self.axes}
        return _write(self.study, folder, self.game, self.rows, self.solvers, varied)


def _html_of(title: str, rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the rows as a notebook shows them; of the stakes only those that differ from row to row."""
    still = [name for name in STAKES if len({row[name] for row in rows}) == 1]
    columns = [name for name in rows[0] if name not in still]
    shown = [[row[name] for name in columns] for row in rows[:FIRST_ROWS]]
    return html_table(title, columns, shown, more=max(len(rows) - FIRST_ROWS, 0))


def _write(
    study: Study,
    folder: FolderWriter,
    game: GameName,
    rows: Sequence[dict[str, Any]],
    solvers: Sequence[SolverName],
    varied: Mapping[str, Sequence[float]],
) -> dict[str, Any]:
    """Write rows and the manifest of how they were got, and return its content."""
    with folder.open("solvers.csv") as stream:
        write_table(rows_to_columns(rows), stream, "csv")
    return write_manifest(study, folder, {"game": game, "solvers": solvers, "vary": varied})
