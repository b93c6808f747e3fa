"""Limits on the whole dataset: the proved gap, the shadow prices, time and memory along a curve of one limit.

Then one strategy for all records, with and without a least number of records in each cell, and the cost of counting all
people at all strategies if the records are the population; ``--scenario`` names another question for these.

Run: ``python benchmarks/limits.py [--smoke]``
"""

import numpy as np
from measure import arguments, peak_memory, resident, taken
from subjects import Subject, measured_scenarios

from gamedeid.choices import GAMES
from gamedeid.game.limits.within import choose_uniform, choose_within_limits
from gamedeid.game.solvers import exact
from gamedeid.population.choose import count_population
from gamedeid.scenario.limits import Limits
from gamedeid.study.study import Study

CELL = 11
"""Fewest records in a released cell."""

SHARES = (0.0, 0.01, 0.03, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0)
"""Limits, as shares of the basic game's expected re-identifications."""


def main() -> None:
    """Print one row per value of the limit."""
    parser = arguments(__doc__)
    parser.add_argument("--scenario", help="only one strategy for all and the counts, of the question in this file")
    options = parser.parse_args()
    if options.scenario is not None:
        print_uniform(Study.prepare(options.scenario))
        return
    name = measured_scenarios(smoke=options.smoke)[-1]
    study = Subject.load(name).study
    game, frontier = study.game("basic"), study.frontier("basic")
    free = exact(study.instance, game)
    no_limit = Limits(expected_reidentifications=1e12)
    most = choose_within_limits(study.instance, game, frontier, no_limit, free).limits[0].reached
    print(f"{name}: the basic game expects {most:.1f} re-identifications")
    print("| at most | reached | payoff per record | one more is worth | gap | gap / payoff | seconds |")
    print("|---|---|---|---|---|---|---|")
    for share in SHARES:
        limits = Limits(expected_reidentifications=share * most)
        within, took = taken(lambda: choose_within_limits(study.instance, game, frontier, limits, free))  # noqa: B023
        [limit] = within.limits
        print(
            f"| {limit.limit:.2f} | {limit.reached:.4f} | ${within.payoff / study.records:.4f} "
            f"| ${limit.shadow_price:,.2f} | ${within.gap:.4f} | {within.gap / within.payoff:.1e} "
            f"| {took.seconds:.1f} |"
        )
    cells = Limits(smallest_cell=CELL)
    within, took = taken(lambda: choose_within_limits(study.instance, game, frontier, cells, free))
    print(
        f"cells of at least {CELL}: ${within.payoff / study.records:.4f} per record, bound "
        f"${within.bound / study.records:.4f}, gap {within.gap / within.payoff:.2%}, "
        f"{took.cores:.1f} seconds of the processor"
    )
    if not options.smoke:
        limits = Limits(expected_reidentifications=0.1 * most)
        peak = peak_memory(lambda: choose_within_limits(study.instance, game, frontier, limits, free))
        print(f"memory of Python and numpy at most: {peak:.0f} MiB")
    print_uniform(study)


def print_uniform(study: Study) -> None:
    """Print the cost of one strategy for all in each game, and of counting the records at each strategy."""
    instance = study.instance
    lattice, profiles = instance.lattice, instance.profiles
    print(f"\none strategy of {lattice.size:,} for all of {profiles.count:,} profiles")
    print("| game | records in a cell, at least | payoff per record | strategies tried | seconds | processor seconds |")
    print("|---|---|---|---|---|---|")
    for game in GAMES:
        for cell in (None, CELL):
            limits = Limits(uniform=True, smallest_cell=cell)
            choose_uniform(study.instance.uncounted(), study.game(game), limits)  # the time to compile is not measured
            uncounted = study.instance.uncounted()
            within, took = taken(lambda: choose_uniform(uncounted, study.game(game), limits))  # noqa: B023
            print(
                f"| {game} | {cell or 'any'} | ${within.payoff / study.records:.4f} "
                f"| {within.choice.searched.max():,} | {took.seconds:.2f} | {took.cores:.2f} |"
            )
    counts = count_population(study.population.cells, profiles, lattice, instance.hierarchy_tables, layout="sparse")
    assert counts.scanned is None
    _, took = taken(lambda: counts.count(np.arange(lattice.size)))
    held = counts.tables.rows.nbytes / 2**20
    print(
        f"\ncounted at all strategies: {took.seconds:.2f} s, {took.cores:.2f} of the processor, "
        f"{held:.0f} MiB of counts"
    )
    print(f"the process held {resident():,.0f} MiB at most")


if __name__ == "__main__":
    main()
