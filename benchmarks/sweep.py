"""A 100 x 100 grid over benefit and loss, all games and the policy, against one point the straightforward way.

The grid starts from coded data in memory, compiling the frontiers included; the other side solves a single point of it.

Run: ``python benchmarks/sweep.py [--rounds 3] [--smoke]``
"""

import argparse
import statistics

from measure import peak_memory, seconds_of
from subjects import Subject, available

from gamedeid.grid import Axis
from gamedeid.sweep import sweep


def main() -> None:
    """Print one row per scenario: seconds for the grid, for one point, the median ratio, and the grid's peak memory."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--smoke", action="store_true", help="one round on small data: only shows that it runs")
    options = parser.parse_args()
    rounds = 1 if options.smoke else options.rounds
    print("| scenario | points | grid, s | one point straightforwardly, s | grid / point | peak, MiB |")
    print("|---|---|---|---|---|---|")
    for name in available("quickstart") if options.smoke else available("quickstart", "adult_tn"):
        subject = Subject.load(name)
        axes = [Axis.parse("loss=250:25000:250"), Axis.parse("benefit=15:1500:15")]

        def grid(subject: Subject = subject, axes: list[Axis] = axes) -> int:
            return sum(block.points for block in sweep(subject.study, axes))

        points = grid()
        pairs = [(seconds_of(grid), seconds_of(subject.straightforward)) for _ in range(rounds)]
        grids, singles = (statistics.median(side) for side in zip(*pairs, strict=True))
        ratio = statistics.median(a / b for a, b in pairs)
        memory = peak_memory(grid) / 2**20
        print(f"| {name} | {points:,} | {grids:.2f} | {singles:.2f} | {ratio:.2f} | {memory:.0f} |")


if __name__ == "__main__":
    main()
