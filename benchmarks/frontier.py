"""(n) Risk against utility: all uniform policies, and the curve of a strategy for each record.

From coded data on. Uniform policies are compared with one ``np.unique`` over records and cells for each strategy;
the curve is compared with searches for the best strategies, each at one price of risk.

Run: ``python benchmarks/frontier.py [--smoke]``
"""

import numpy as np
from measure import arguments, peak_memory, seconds_of
from subjects import Subject, measured_scenarios

from gamedeid.analysis.risk_utility import risk_utility
from gamedeid.analysis.risk_utility_curve import record_level_curve
from gamedeid.analysis.risk_utility_positions import Positions, uniform_sums
from gamedeid.choices import RISKS
from gamedeid.game.frontier import Frontier
from gamedeid.game.instance import Instance
from gamedeid.scenario.payoffs import success_probability

PRICES = 200


def main() -> None:
    """Print a row for each part."""
    smoke = arguments(__doc__).parse_args().smoke
    name = measured_scenarios(smoke=smoke)[-1]
    subject = Subject.load(name)
    instance = subject.new_instance()
    check(subject)
    print(f"{name}: {instance.profiles.count:,} profiles, {instance.lattice.size} strategies")
    print("| what | seconds | peak | against | ratio |")
    print("|---|---|---|---|---|")
    ours = seconds_of(lambda: uniform_sums(subject.new_instance()))
    peak = peak_memory(lambda: uniform_sums(subject.new_instance()))
    sample = np.arange(instance.lattice.size)[:: max(1, instance.lattice.size // 24)]
    plain = seconds_of(lambda: [by_unique(subject, int(node)) for node in sample]) * instance.lattice.size / len(sample)
    print(f"| all uniform policies | {ours:.2f} | {peak:.0f} MiB | np.unique: {plain:.1f} s | {plain / ours:.0f} |")
    frontier = subject.study.frontier("basic")
    for risk in RISKS:
        took = seconds_of(lambda risk=risk: record_level_curve(subject.study.instance, frontier, risk))
        held = peak_memory(lambda risk=risk: record_level_curve(subject.study.instance, frontier, risk))
        vertices = len(record_level_curve(subject.study.instance, frontier, risk).risk)
        one_by_one = f"{PRICES} prices: "
        if risk == "marketer":
            slow = seconds_of(
                lambda: [by_price(instance, frontier, price) for price in np.geomspace(1e-2, 1e6, PRICES)]
            )
            one_by_one += f"{slow:.1f} s | {slow / took:.1f} |"
        else:
            one_by_one = "| |"
        print(f"| curve, {risk}: {vertices:,} releases | {took:.2f} | {held:.0f} MiB | {one_by_one}")
    whole = seconds_of(lambda: risk_utility(subject.new_study()))
    held = peak_memory(lambda: risk_utility(subject.new_study()))
    print(f"| everything, from a prepared study on | {whole:.2f} | {held:.0f} MiB | | |")


def by_unique(subject: Subject, node: int) -> tuple[float, float]:
    """Return the adversary's and the marketer's risk of one uniform policy, from all groups of people."""
    instance = subject.study.instance
    levels = instance.lattice.levels_of(node)
    tables = instance.hierarchy_tables
    everybody = np.concatenate([subject.record_codes, subject.cells.codes])
    keys = np.zeros(len(everybody), np.int64)
    for place, level in enumerate(levels):
        groups = tables.groups[place, level, everybody[:, place]]
        keys = keys * (int(groups.max()) + 1) + groups
    _, groups = np.unique(keys, return_inverse=True)
    records = len(subject.record_codes)
    people = np.bincount(groups[records:], weights=subject.cells.people, minlength=groups.max() + 1)[groups[:records]]
    success = success_probability(people.astype(np.int64))
    attacked = instance.payoffs.attacked(people.astype(np.int64))
    return float((success * attacked).sum()), float(success.sum())


def by_price(instance: Instance, frontier: Frontier, price: float) -> tuple[float, float]:
    """Return the marketer's risk and the information kept at one price of risk: the best strategy of every profile."""
    entries = frontier.entries
    risk = success_probability(np.minimum(entries.people, 2**53))
    worth = instance.payoffs.benefit * entries.benefit_share - price * risk
    best = np.maximum(np.maximum.reduceat(worth, entries.starts[:-1]), 0.0)
    profile = np.repeat(np.arange(instance.profiles.count), np.diff(entries.starts))
    first = np.flatnonzero(worth >= best[profile])
    chosen, place = np.unique(profile[first], return_index=True)
    records = instance.profiles.records[chosen]
    return float((risk[first[place]] * records).sum()), float((entries.benefit_share[first[place]] * records).sum())


def check(subject: Subject) -> None:
    """Check that both ways give the same answer."""
    instance = subject.study.instance
    records = int(instance.profiles.records.sum())
    found = Positions.of(uniform_sums(instance), records, instance.payoffs.benefit)
    for node in range(0, instance.lattice.size, 37):
        adversary, marketer = by_unique(subject, node)
        assert np.isclose(found.expected_reidentifications[node], adversary)
        assert np.isclose(found.marketer_reidentifications[node], marketer)
    curve = record_level_curve(instance, subject.study.frontier("basic"), "marketer")
    for price in (50.0, 3_000.0, 200_000.0):
        risk, kept = by_price(instance, subject.study.frontier("basic"), price)
        assert kept / records <= curve.bound(risk) + 1e-9
        benefit = instance.payoffs.benefit
        best = (benefit * records * curve.information_kept - price * curve.risk).max()
        assert np.isclose(best, benefit * kept - price * risk)


if __name__ == "__main__":
    main()
