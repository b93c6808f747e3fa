"""What solvers make of the same game: rows to look at, or a folder of results."""

from typing import Any

from gamedeid.choices import GameName, SolverName
from gamedeid.reprs import frozen, html_table, repr_of
from gamedeid.results import FolderWriter, write_result
from gamedeid.results.tables import rows_to_columns, write_table
from gamedeid.scenario.grid import STAKES
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
    """

    study: Study
    game: GameName
    reference: SolverName
    rows: list[dict[str, Any]]
    seconds: dict[SolverName, float]

    def __repr__(self) -> str:
        records = self.study.instance.profiles.records.sum()
        return repr_of(self, game=self.game, solvers=list(self.seconds), reference=self.reference, records=records)

    def _repr_html_(self) -> str:
        columns = [name for name in self.rows[0] if name not in STAKES]
        return html_table(f"Solvers: {self.game} game", columns, [[row[name] for name in columns] for row in self.rows])

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
        with folder.open("solvers.csv") as stream:
            write_table(rows_to_columns(self.rows), stream, "csv")
        return write_manifest(self.study, folder, {"game": self.game, "solvers": list(self.seconds)})
