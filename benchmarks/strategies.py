"""(g) More than a million strategies: ten attributes of Adult, the 30,162 complete records their own population.

Every record's best strategy is proved, and found by lattice search with the gap that it proves. Then the same with the
strategies doubled four times, and with six to ten attributes.

Run: ``python benchmarks/strategies.py [--smoke]``
"""

import argparse
import resource
import time
import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
from ten_attributes import ATTRIBUTES, DATA, complete_records, study_of

from gamedeid.choices import GAMES
from gamedeid.games import Game
from gamedeid.hierarchy import Hierarchy
from gamedeid.meets import MeetCounts
from gamedeid.solution import solve_study
from gamedeid.solvers.meeting import prove_by_boxes
from gamedeid.study import Study

HALVES = {
    "capital-gain": (0, 99_999, (1_000, 10_000)),
    "capital-loss": (0, 4_999, (500,)),
    "hours-per-week": (1, 99, (20,)),
    "age": (0, 120, (30,)),
}
"""Ladders with half as many levels as the ten attributes' own."""

FEWEST = 6
"""Attributes to begin with."""

SAMPLE = 300
"""Records of a smoke test."""


def main() -> None:
    """Print a table of the three games, and one of each doubling."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--smoke", action="store_true", help="a few records: only shows that it runs")
    options = parser.parse_args()
    if not (DATA / "adult.data").exists():
        print("Adult is not here: nothing measured")
        return
    records = complete_records()
    if options.smoke:
        records = records.take(np.random.default_rng(5).choice(len(records), SAMPLE, replace=False))
    print_games(study_of(records))
    print("\n| what | size | s | MiB |\n|---|---|---|---|")
    for row in doublings(records):
        print(f"| {row['what']} | {row['size']:,} | {row['seconds']:.1f} | {row['megabytes']:.0f} |")


def print_games(study: Study) -> None:
    """Print for each game what proving takes, and what lattice search does."""
    setting = study.setting
    size = setting.lattice.size
    print(f"{len(study.table):,} records, {setting.profiles.count:,} profiles, {size:,} strategies\n")
    print(
        "| game | exact, s | proved | counted per profile | most | of all strategies "
        "| lattice search, s | optimal | gap | most |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|")
    warm_up(study)
    for game in GAMES:
        start = time.perf_counter()
        best = solve_study(study, game, "exact")
        between = time.perf_counter()
        quick = solve_study(study, game, "lattice-search")
        end = time.perf_counter()
        assert (quick.choice.bounds >= best.publisher_payoff).all()
        same = quick.publisher_payoff >= best.publisher_payoff - setting.payoffs.tolerance
        optimal = (same * setting.profiles.records).sum() / setting.profiles.records.sum()
        counted = best.choice.searched.mean()
        print(
            f"| {game} | {between - start:.1f} | {'every record' if best.choice.proved else 'no'} | {counted:,.0f} "
            f"| {best.choice.searched.max():,} | {counted / size:.2%} | {end - between:.1f} | {optimal:.1%} "
            f"| ${quick.search['gap']:.2f} | ${quick.search['gap_most']:.2f} |"
        )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10
    print(f"\nThe process held {peak:,.0f} MiB at most, the interpreter and its libraries included.")


def doublings(records: pa.Table) -> Iterator[dict[str, Any]]:
    """Yield what the basic game's proof takes, with strategies doubled four times, and with six to ten attributes.

    Yields
    ------
    rows with ``what`` ("strategies" or "attributes"), ``size`` (their number), ``seconds`` and ``megabytes``, the most
    that Python and numpy held at once beyond what was there before (MiB).
    """
    for doubled in range(len(HALVES) + 1):
        halved = list(HALVES)[doubled:]
        study = study_of(records, ladders={name: Hierarchy.intervals(*HALVES[name], name=name) for name in halved})
        yield {"what": "strategies", "size": study.setting.lattice.size, **measured(study)}
    for number in range(FEWEST, len(ATTRIBUTES) + 1):
        yield {"what": "attributes", "size": number, **measured(study_of(records, ATTRIBUTES[:number]))}


def measured(study: Study) -> dict[str, float]:
    """Return what the proof of the basic game takes, by meets however small the lattice is."""
    setting = study.setting
    counts = MeetCounts(study.cells, setting.ladders, 0)
    game = Game.of("basic", setting, setting.base)
    tracemalloc.start()
    start = time.perf_counter()
    prove_by_boxes(setting, counts, game)
    seconds = time.perf_counter() - start
    megabytes = tracemalloc.get_traced_memory()[1] / 2**20
    tracemalloc.stop()
    return {"seconds": seconds, "megabytes": megabytes}


def warm_up(study: Study) -> None:
    """Let the loops be compiled on one record, so that nobody's time has it in."""
    one = study.alone(record=0)
    for solver in ("exact", "lattice-search"):
        solve_study(replace(one), "basic", solver)


if __name__ == "__main__":
    main()
