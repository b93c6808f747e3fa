"""(h) More than a million strategies: ten attributes of Adult, the 30,162 complete records their own population.

Every record's best strategy is proved, and found by lattice search and by the bounded-suboptimal search with
their proved gaps. Then the same with the strategies doubled four times, and with six to ten attributes.

Run: ``python benchmarks/strategies.py [--smoke]``
"""

from unittest.mock import patch

import numpy as np
from doublings import doublings
from measure import arguments, resident, taken
from ten_attributes import complete_records, study_of

from gamedeid.choices import GAMES
from gamedeid.game.solvers import large_lattices
from gamedeid.study.solve import solve
from gamedeid.study.study import Study

SAMPLE = 60
"""Records of a smoke test."""


def main() -> None:
    """Print a table of the three games, and one of each doubling."""
    parser = arguments(__doc__, smoke="a few records: only shows that it runs")
    options = parser.parse_args()
    records = complete_records()
    if options.smoke:
        records = records.take(np.random.default_rng(5).choice(len(records), SAMPLE, replace=False))
    print_games(study_of(records))
    print("\n| what | size | s | MiB |\n|---|---|---|---|")
    for row in doublings(records):
        print(f"| {row['what']} | {row['size']:,} | {row['seconds']:.1f} | {row['megabytes']:.0f} |")


def print_games(study: Study) -> None:
    """Print for each game the cost of the proof, and the results of lattice search and bounded-suboptimal search."""
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
        solvers = ("exact", "lattice-search", "bounded-suboptimal")
        solved = [taken(lambda solver=solver, game=game: solve(study, game=game, solver=solver)) for solver in solvers]
        (best, for_best), (quick, for_quick), (near, for_near) = solved
        assert (quick.choice.bounds >= best.publisher_payoff).all()
        same = quick.publisher_payoff >= best.publisher_payoff - instance.payoffs.tolerance
        optimal = (same * instance.profiles.records).sum() / instance.profiles.records.sum()
        missed = best.publisher_payoff - near.publisher_payoff
        assert (near.choice.bounds >= best.publisher_payoff - instance.payoffs.tolerance).all()
        weights = instance.profiles.records / instance.profiles.records.sum()
        near_optimal = ((missed <= instance.payoffs.tolerance) * weights).sum()
        print(
            f"| {game} | {for_best.seconds:.1f} | {for_best.cores:.1f} "
            f"| {'every record' if best.choice.proved else 'no'} | {best.choice.searched.mean():,.1f} "
            f"| {best.choice.searched.max():,} | {for_quick.seconds:.1f} | {for_quick.cores:.1f} | {optimal:.1%} "
            f"| ${quick.search['gap']:.2f} | ${quick.search['gap_most']:.2f} "
            f"| {for_near.seconds:.1f} | {for_near.cores:.1f} | {near_optimal:.1%} "
            f"| ${near.search['gap']:.2f} | ${near.search['gap_most']:.2f} "
            f"| ${(missed * weights).sum():.2f} | ${missed.max():.2f} |"
        )
    print(f"\nThe process held {resident():,.0f} MiB at most, the interpreter and its libraries included.")


def warm_up(study: Study) -> None:
    """Compile the loops on one record, so that no measurement includes it."""
    one = study.alone(record=0)
    for solver in ("exact", "lattice-search"):
        solve(one, game="basic", solver=solver)
    with patch.object(large_lattices, "SAMPLE", 0):  # no sample, but the loop that tries its strategies is compiled
        solve(one, game="basic", solver="bounded-suboptimal")


if __name__ == "__main__":
    main()
