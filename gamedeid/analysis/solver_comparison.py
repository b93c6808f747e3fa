"""Comparison of solvers: payoffs, distance from the best, strategies searched and time."""

from collections.abc import Collection
from dataclasses import replace
from time import perf_counter
from typing import Any

from gamedeid.analysis.comparison import optimal_share
from gamedeid.arrays import FloatArray
from gamedeid.capabilities import Operation, refuse_unsupported
from gamedeid.choices import GameName, SolverName
from gamedeid.data.profiles import Profiles
from gamedeid.errors import InvalidScenarioError, refuse_text, refuse_unknown
from gamedeid.game.solvers import SOLVERS
from gamedeid.progress import Phases, no_progress
from gamedeid.reprs import Shown, frozen
from gamedeid.results.folder import FolderWriter, write_result
from gamedeid.results.manifest import ResultWarning
from gamedeid.results.result import Amount, Dollars, Mean, Milliseconds, Result, Seconds, Share
from gamedeid.results.tables import csv_bytes
from gamedeid.scenario.payoffs import Payoffs
from gamedeid.scenario.scenario import ScenarioLike
from gamedeid.study.facts import study_warnings, write_manifest
from gamedeid.study.solution import Solution
from gamedeid.study.study import Study


@frozen
class TimedRow(Result):
    """The result of one solver, as ``rows`` of :class:`SolverComparison`, and its time."""

    benefit: Dollars
    loss: Dollars
    cost: Dollars
    gain: Dollars
    solver: SolverName
    publisher_payoff: Amount
    adversary_payoff: Amount
    publisher_difference: Mean
    adversary_difference: Mean
    optimal: Share
    searched: Mean
    seconds: Seconds
    milliseconds_per_record: Milliseconds


@frozen
class SolversFacts(Result):
    """The document that ``gamedeid solvers --json`` prints."""

    document = "solvers"

    game: GameName
    reference: SolverName
    warnings: tuple[ResultWarning, ...]
    rows: tuple[TimedRow, ...]


@frozen(eq=False)
class SolverComparison(Shown):
    """The results of the solvers on one game at the same stakes.

    Parameters
    ----------
    study : the question; its instance has these stakes.
    game : which game they play.
    reference : the solver that differences refer to: backward induction if it takes part, else exact, proved equal.
    rows : one for each solver: ``benefit``, ``loss``, ``cost``, ``gain``, ``solver``; ``publisher_payoff`` and
        ``adversary_payoff``, means over records in dollars; ``publisher_difference`` and ``adversary_difference``, mean
        absolute differences per record from the reference (wan2015, equation 6); ``optimal``, share of records whose
        publisher's payoff is the reference's; ``searched``, mean strategies per record whose payoff was evaluated.
    seconds : solver -> time for all records, from a population without roll-ups to every record's
        strategy, without the compilation of the loops. It differs between runs, so no file has it.
    """

    shown = ("game", "reference", "seconds", "study.records")
    table_of = "rows"

    study: Study
    game: GameName
    reference: SolverName
    rows: list[dict[str, Any]]
    seconds: dict[SolverName, float]

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

    @property
    def facts(self) -> SolversFacts:
        """The rows with their times, and the question."""
        return SolversFacts(
            game=self.game,
            reference=self.reference,
            warnings=study_warnings(self.study, [self.game]),
            rows=tuple(TimedRow(**row) for row in self.timed_rows()),
        )

    write = write_result

    def _write_into(self, folder: FolderWriter) -> dict[str, Any]:
        folder.write_bytes("solvers.csv", csv_bytes(self.rows))
        asked = {"game": self.game, "solvers": list(self.seconds)}
        return write_manifest(self.study, folder, asked, self.facts.warnings)


DEFAULT_SOLVERS: tuple[SolverName, ...] = ("backward-induction", "lattice-search", "exact")
"""Solvers that are compared by default: bounded-suboptimal differs from exact on large lattices only."""


def named_solvers(names: Collection[str]) -> tuple[SolverName, ...]:
    """Return solvers of these names, each once, in the order in which results list them."""
    refuse_text("solvers", names)
    if not names:
        raise InvalidScenarioError(f"no solver takes part; name one of {', '.join(SOLVERS)}")
    for name in names:
        refuse_unknown("solver", name, SOLVERS)
    return tuple(name for name in SOLVERS if name in names)


def compare_solvers(
    scenario: ScenarioLike | Study,
    game: GameName | None = None,
    solvers: Collection[SolverName] = DEFAULT_SOLVERS,
    *,
    progress: Phases | None = None,
) -> SolverComparison:
    """Let solvers play the same game on the same study.

    Parameters
    ----------
    scenario : the question, or a study of it.
    game : "basic", "no-attack" or "sh-friendly" (default: the scenario's).
    solvers : names of the solvers to compare.
    progress : opens a phase for each solver.

    Returns
    -------
    a row of measures for each solver, and the seconds that it took.

    Raises
    ------
    InvalidScenarioError : no game is named, no such game or solver, or no solver at all; or limits on the whole
        dataset.

    References
    ----------
    wan2015, "Performance Comparison of Game Solvers" (Table 8).
    """
    study = Study.prepare(scenario)
    refuse_unsupported(Operation.SOLVERS, study.features)
    game, taking_part = study.scenario.game_of_records(game), named_solvers(solvers)
    progress = progress or no_progress
    _warm_up(study, game, taking_part)
    reference = _reference(taking_part)
    solutions: dict[SolverName, Solution] = {}
    seconds: dict[SolverName, float] = {}
    for name in dict.fromkeys([*taking_part, reference]):
        report_progress = progress(name)
        instance, played = study.instance.uncounted(), study.game(game)
        start = perf_counter()
        choice = SOLVERS[name](instance, played, progress=report_progress)
        seconds[name] = perf_counter() - start
        solutions[name] = Solution(study=study, name=game, solver=name, choice=choice)
    best = solutions[reference]
    return SolverComparison(
        study=study,
        game=game,
        reference=reference,
        rows=[_row(study.instance.payoffs, solutions[name], best) for name in taking_part],
        seconds={name: seconds[name] for name in taking_part},
    )


def _warm_up(study: Study, game: GameName, solvers: Collection[SolverName]) -> None:
    """Compile the loops on a single profile, so that no solver's time includes it."""
    instance = study.instance
    codes = instance.profiles.codes[:1]
    one = Profiles.of(codes, list(instance.data.hierarchies.values()))
    for name in {*solvers, _reference(solvers)}:
        alone = replace(study, instance=study.instance.uncounted(one))
        SOLVERS[name](alone.instance, alone.game(game))


def _reference(solvers: Collection[SolverName]) -> SolverName:
    return "backward-induction" if "backward-induction" in solvers else "exact"


def _row(payoffs: Payoffs, found: Solution, best: Solution) -> dict[str, Any]:
    records = found.study.instance.profiles.records

    def mean(values: FloatArray) -> float:
        return float((values * records).sum() / records.sum())

    return {
        "benefit": float(payoffs.benefit),
        "loss": float(payoffs.loss),
        "cost": float(payoffs.cost),
        "gain": float(payoffs.adversary_gain),
        "solver": found.solver,
        "publisher_payoff": found.measures["publisher_payoff"],
        "adversary_payoff": found.measures["adversary_payoff"],
        "publisher_difference": mean(abs(found.publisher_payoff - best.publisher_payoff)),
        "adversary_difference": mean(abs(found.adversary_payoff - best.adversary_payoff)),
        "optimal": optimal_share(found, best),
        "searched": found.search["searched"],
    }
