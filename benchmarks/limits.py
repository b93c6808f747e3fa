"""Limits on the whole dataset: the proved gap, the shadow prices, time and memory along a curve of one limit.

Run: ``python benchmarks/limits.py [--smoke]``
"""

import argparse
import time

from measure import peak_memory, seconds_of
from subjects import Subject, measured_scenarios

from gamedeid.game.limits.within import choose_within_limits
from gamedeid.game.solvers import exact
from gamedeid.scenario.limits import Limits

CELL = 11
"""Records that a released cell holds at least."""

SHARES = (0.0, 0.01, 0.03, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0)
"""Of the expected re-identifications of the basic game."""


def main() -> None:
    """Print one row per value of the limit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--smoke", action="store_true", help="small data: only shows that it runs")
    options = parser.parse_args()
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
        limits, found = Limits(expected_reidentifications=share * most), []

        def solve(limits: Limits = limits, found: list = found) -> None:
            found.append(choose_within_limits(study.instance, game, frontier, limits, free))

        seconds = seconds_of(solve)
        [within] = found
        [limit] = within.limits
        print(
            f"| {limit.limit:.2f} | {limit.reached:.4f} | ${within.payoff / study.records:.4f} "
            f"| ${limit.shadow_price:,.2f} | ${within.gap:.4f} | {within.gap / within.payoff:.1e} | {seconds:.1f} |"
        )
    started = time.process_time()
    within = choose_within_limits(study.instance, game, frontier, Limits(smallest_cell=CELL), free)
    print(
        f"cells of at least {CELL}: ${within.payoff / study.records:.4f} per record, bound "
        f"${within.bound / study.records:.4f}, gap {within.gap / within.payoff:.2%}, "
        f"{time.process_time() - started:.1f} seconds of the processor"
    )
    if not options.smoke:
        limits = Limits(expected_reidentifications=0.1 * most)
        peak = peak_memory(lambda: choose_within_limits(study.instance, game, frontier, limits, free))
        print(f"memory of Python and numpy at most: {peak / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
