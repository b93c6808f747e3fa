"""(b) The basic game compared with the tests' plain Algorithm 1, one record at a time over the strategy graph.

The oracle would count people by a pass through the whole population for every strategy of every record. To compare only
the games, it gets the counts without cost; without them it takes far longer. It solves a seeded sample of the
records, and its time is extrapolated to all of them.

Run: ``python benchmarks/oracle.py [--sample 50] [--smoke]``
"""

import random
import sys

import numpy as np
from measure import ROOT, arguments, seconds_of
from subjects import Subject, measured_scenarios

sys.path.insert(0, str(ROOT / "tests" / "kit"))

import oracles


def main() -> None:
    """Print one row per scenario: seconds of both for all records, and the ratio."""
    parser = arguments(__doc__, smoke="a few records: only shows that it runs")
    parser.add_argument("--sample", type=int, default=50)
    options = parser.parse_args()
    print(
        "| scenario | records | ours, three games and policy, s | Algorithm 1, basic game | extrapolated, s | ratio |"
    )
    print("|---|---|---|---|---|---|")
    for name in measured_scenarios(smoke=options.smoke):
        subject = Subject.load(name)
        sample = 3 if options.smoke else options.sample
        rows = random.Random(1).sample(range(len(subject.record_codes)), sample)
        world, people = world_of(subject, rows)
        oracles.people = lambda _, record, strategy, people=people: people[record, strategy]
        expected = [oracles.algorithm_1(world, record, "basic").strategy for record in range(sample)]
        instance, _, choices = subject.games()
        nodes = choices["basic"].nodes[instance.profiles.of_record[rows]].tolist()
        if expected != [instance.lattice.levels_of(node) if node >= 0 else None for node in nodes]:
            raise SystemExit(f"{name}: the oracle disagrees")
        ours = min(seconds_of(subject.games) for _ in range(5))
        theirs = seconds_of(lambda: [oracles.algorithm_1(world, row, "basic") for row in range(sample)])  # noqa: B023
        everyone = theirs / sample * len(subject.record_codes)
        print(
            f"| {name} | {len(subject.record_codes):,} | {ours:.4f} | {theirs:.2f} s for {sample} "
            f"| {everyone:,.0f} | {everyone / ours:,.0f} |"
        )


def world_of(subject: Subject, rows: list[int]) -> tuple[oracles.World, dict[tuple[int, oracles.Strategy], int]]:
    """Return the sampled records as the oracle's world, and the people of each record and strategy."""
    instance = subject.study.instance
    ladders = {
        name: [[h.label(level, leaf) for level in range(h.levels)] for leaf in range(len(h.leaves))]
        for name, h in instance.hierarchies.items()
    }
    profiles = instance.profiles.of_record[rows]
    records = [
        {name: ladders[name][code][0] for name, code in zip(ladders, instance.profiles.codes[profile], strict=True)}
        for profile in profiles
    ]
    walk = instance.lattice.walk_order()
    people = {}
    for record, profile in enumerate(profiles):
        counted = instance.people(np.full(len(walk), profile), walk).tolist()
        people |= {(record, instance.lattice.levels_of(n)): c for n, c in zip(walk, counted, strict=True)}
    payoffs = instance.payoffs
    world = oracles.World(
        ladders=ladders,
        weights={name: attribute.weight for name, attribute in subject.study.scenario.attributes.items()},
        records=records,
        population=None,
        benefit=payoffs.benefit,
        loss=payoffs.loss,
        gain=payoffs.adversary_gain,
        cost=payoffs.cost,
        unmatched="error",
        floors=[{} for _ in rows],
    )
    return world, people


if __name__ == "__main__":
    main()
