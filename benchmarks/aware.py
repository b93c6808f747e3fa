"""The games against an adversary who knows the mechanism: payoffs, upper bounds, seconds and memory.

Each game is played in a separate process, from coded data in memory on; its memory is the peak of the process, Python
and the data included. The naive game of the same name is next to it: the payoff that it states, and its payoff
against this adversary. A game on small data compiles the loops before, which is not measured.

Run: ``python benchmarks/aware.py [--steps 400] [--smoke]``
"""

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from typing import get_args

from measure import Taken, arguments, resident, taken
from subjects import Subject, measured_scenarios

from gamedeid.choices import AWARE_GAMES, GAMES, PlannedFor, PlayedGame
from gamedeid.risk.aware import aware_risk
from gamedeid.scenario.limits import Groups
from gamedeid.study.solve import solve

SMALL = "quickstart"


@dataclass(frozen=True, kw_only=True)
class Played:
    """One game, played once: dollars per record, seconds, and peak memory of the process."""

    naive: float
    naive_real: float
    payoff: float
    bound: float
    took: Taken
    mebibytes: float


def play(name: str, game: PlayedGame, asked: Groups) -> Played:
    """Play one game of a scenario, after the same one on small data.

    Raises
    ------
    AssertionError : the audit's payoff is not the game's, or it is above the bound.
    """
    if name != SMALL:
        solve(Subject.load(SMALL).study, game=game)
    study = Subject.load(name).study
    naive = solve(study, game=next(one for one in GAMES if one == game.removeprefix("aware-")))
    real = aware_risk(naive).measures["publisher_payoff"]
    study = study.with_scenario(study.scenario.model_copy(update={"groups": asked}))
    solution, took = taken(lambda: solve(study, game=game))
    mechanism = solution.mechanism
    assert mechanism is not None
    assert abs(aware_risk(solution).measures["publisher_payoff"] - mechanism.facts.publisher_payoff) < 1e-6
    assert mechanism.facts.publisher_payoff <= mechanism.facts.payoff_bound + 1e-6
    return Played(
        naive=naive.measures["publisher_payoff"],
        naive_real=real,
        payoff=mechanism.facts.publisher_payoff,
        bound=mechanism.facts.payoff_bound,
        took=took,
        mebibytes=resident(),
    )


def questions(*, steps: int | None, smoke: bool) -> Iterator[tuple[PlayedGame, PlannedFor, Groups]]:
    """Return each game, for whom it is planned, and its keys of the scenario; for a smoke test the quick games."""
    for game in AWARE_GAMES:
        if game != "aware-no-attack":
            if not smoke:
                yield game, "population", Groups(steps=steps)
        else:
            for planned_for in get_args(PlannedFor):
                yield game, planned_for, Groups(planned_for=planned_for, steps=steps)


def main() -> None:
    """Print a row for each scenario, game, and group of people that it is planned for."""
    parser = arguments(__doc__, smoke="few steps on small data: only shows that it runs")
    parser.add_argument("--steps", type=int, help="steps of the search (default: 400)")
    options = parser.parse_args()
    steps = 2 if options.smoke else options.steps
    print(
        "| scenario | game | planned for | naive game says | naive game pays | pays | bound | gap | s | CPU s | MiB |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for name in measured_scenarios(smoke=options.smoke):
        for game, planned_for, asked in questions(steps=steps, smoke=options.smoke):
            with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as alone:
                found = alone.submit(play, name, game, asked).result()
            print(
                f"| {name} | {game} | {planned_for} | {found.naive:.4f} | {found.naive_real:.4f} | {found.payoff:.4f} "
                f"| {found.bound:.4f} | {found.bound - found.payoff:.4f} | {found.took.seconds:.1f} "
                f"| {found.took.cores:.1f} | {found.mebibytes:.0f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
