"""(g) More than a million strategies: ten attributes of Adult, the 30,162 complete records their own population.

Every record's best strategy is proved, and found by lattice search and by the bounded-suboptimal search with the gaps
that these prove. Then the same with the strategies doubled four times, and with six to ten attributes.

Run: ``python benchmarks/strategies.py [--smoke]``
"""

import argparse
import resource
import time
from unittest.mock import patch

import numpy as np
from doublings import doublings
from ten_attributes import complete_records, study_of

from gamedeid.choices import GAMES
from gamedeid.game.solvers import large_lattices
from gamedeid.study.solve import solve
from gamedeid.study.study import Study

SAMPLE = 300
"""Records of a smoke test."""


def main() -> None:
    """Print a table of the three games, and one of each doubling."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--smoke", action="store_true", help="a few records: only shows that it runs")
    options = parser.parse_args()
    records = complete_records()
    if options.smoke:
        records = records.take(np.random.default_rng(5).choice(len(records), SAMPLE, replace=False))
    print_games(study_of(records))
    print("\n| what | size | s | MiB |\n|---|---|---|---|")
    for row in doublings(records):
        print(f"| {row['what']} | {row['size']:,} | {row['seconds']:.1f} | {row['megabytes']:.0f} |")


def print_games(study: Study) -> None:
    """Print for each game what proving takes, and what lattice search and the bounded-suboptimal search do."""
    instance = study.instance
    records, strategies = int(instance.profiles.records.sum()), instance.lattice.size
    print(f"{records:,} records, {instance.profiles.count:,} profiles, {strategies:,} strategies\n")
    print(
        "| game | exact, s | of all cores, s | proved | counted per profile | most "
        "| lattice search, s | of all cores, s | optimal | gap | most "
        "| bounded-suboptimal, s | of all cores, s | optimal | gap proved | most | true gap | most |"
    )
    print("|---" * 18 + "|")
    warm_up(study)
    for game in GAMES:
        start, start_cores = time.perf_counter(), time.process_time()
        best = solve(study, game=game, solver="exact")
        between, between_cores = time.perf_counter(), time.process_time()
        quick = solve(study, game=game, solver="lattice-search")
        end, end_cores = time.perf_counter(), time.process_time()
        near = solve(study, game=game, solver="bounded-suboptimal")
        last, last_cores = time.perf_counter(), time.process_time()
        assert (quick.choice.bounds >= best.publisher_payoff).all()
        same = quick.publisher_payoff >= best.publisher_payoff - instance.payoffs.tolerance
        optimal = (same * instance.profiles.records).sum() / instance.profiles.records.sum()
        missed = best.publisher_payoff - near.publisher_payoff
        assert (near.choice.bounds >= best.publisher_payoff - instance.payoffs.tolerance).all()
        weights = instance.profiles.records / instance.profiles.records.sum()
        near_optimal = ((missed <= instance.payoffs.tolerance) * weights).sum()
        print(
            f"| {game} | {between - start:.1f} | {between_cores - start_cores:.1f} "
            f"| {'every record' if best.choice.proved else 'no'} | {best.choice.searched.mean():,.1f} "
            f"| {best.choice.searched.max():,} | {end - between:.1f} | {end_cores - between_cores:.1f} | {optimal:.1%} "
            f"| ${quick.search['gap']:.2f} | ${quick.search['gap_most']:.2f} "
            f"| {last - end:.1f} | {last_cores - end_cores:.1f} | {near_optimal:.1%} "
            f"| ${near.search['gap']:.2f} | ${near.search['gap_most']:.2f} "
            f"| ${(missed * weights).sum():.2f} | ${missed.max():.2f} |"
        )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10
    print(f"\nThe process held {peak:,.0f} MiB at most, the interpreter and its libraries included.")


def warm_up(study: Study) -> None:
    """Let the loops be compiled on one record, so that nobody's time has it in."""
    one = study.alone(record=0)
    for solver in ("exact", "lattice-search"):
        solve(one, game="basic", solver=solver)
    with patch.object(large_lattices, "SAMPLE", 0):  # no sample, and yet the loop that tries its strategies is compiled
        solve(one, game="basic", solver="bounded-suboptimal")


if __name__ == "__main__":
    main()
