"""Sensitivity compared with one point the straightforward way: a grid of 100 x 100 points, and exact robust ranges.

Grid (over benefit and loss, all games and the policy) and ranges (of benefit, loss and cost, every breakpoint of every
record) start from coded data in memory, counting and compiling the frontiers included; the other side solves a single
point.

Run: ``python benchmarks/sweep.py [--rounds 3] [--smoke]``
"""

import statistics

from measure import arguments, peak_memory, rounds_of, seconds_of
from subjects import Subject, measured_scenarios

from gamedeid.analysis.robustness import robust_ranges
from gamedeid.analysis.sweep import sweep
from gamedeid.scenario.grid import Axis


def main() -> None:
    """Print one row per scenario: seconds for the grid, for one point, the median ratio, and the grid's peak memory."""
    options = arguments(__doc__, rounds=3).parse_args()
    rounds = rounds_of(options)
    print("| scenario | what | ours, s | one point straightforwardly, s | ratio | peak, MiB |")
    print("|---|---|---|---|---|---|")
    for name in measured_scenarios(smoke=options.smoke):
        subject = Subject.load(name)
        axes = [Axis.parse("loss=250:25000:250"), Axis.parse("benefit=15:1500:15")]

        def grid(subject: Subject = subject, axes: list[Axis] = axes) -> int:
            return sum(block.points for block in sweep(subject.new_study(), axes))

        def ranges(subject: Subject = subject) -> object:
            return robust_ranges(subject.new_study(), "basic")

        assert grid() == 100 * 100
        for what, ours in (("grid of 10,000 points", grid), ("robust ranges", ranges)):
            ours()
            pairs = [(seconds_of(ours), seconds_of(subject.straightforward)) for _ in range(rounds)]
            here, there = (statistics.median(side) for side in zip(*pairs, strict=True))
            ratio = statistics.median(a / b for a, b in pairs)
            memory = peak_memory(ours)
            print(f"| {name} | {what} | {here:.2f} | {there:.2f} | {ratio:.2f} | {memory:.0f} |")


if __name__ == "__main__":
    main()
