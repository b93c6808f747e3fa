"""(f) How long one table of distinct people takes for all groups of a country.

3,219 counties by 2 genders, 7 races and 68 ages are 3 million groups, with some 330 million people among them; each is
spread over 365 days. Compared with a Python loop over groups, extrapolated from some of them.

Run: ``python benchmarks/risk.py [--smoke]``
"""

import math

import numpy as np
from measure import arguments, peak_memory, seconds_of

from gamedeid.risk.bins import distinct_people, total_risk

GROUPS, SAMPLE = 3_219 * 2 * 7 * 68, 20_000
BINS, SIZES = 365, (1, 3, 5, 10)


def main() -> None:
    """Print one row."""
    count = 5_000 if arguments(__doc__).parse_args().smoke else GROUPS
    people = some_groups(count)
    sample = people[:: max(1, count // SAMPLE)]
    assert np.allclose(loop(sample), table(sample), rtol=1e-8, atol=1e-8)
    ours = seconds_of(lambda: table(people))
    theirs = seconds_of(lambda: loop(sample)) * count / len(sample)
    print("| groups | people | ours | peak | a Python loop (extrapolated) | ratio |")
    print("|---|---|---|---|---|---|")
    peak = peak_memory(lambda: table(people))
    print(f"| {count:,} | {people.sum():,} | {ours:.2f} s | {peak:.0f} MiB | {theirs:.1f} s | {theirs / ours:.0f} |")


def some_groups(count: int) -> np.ndarray:
    """Return people per group, (count,): most groups are small, few are cities; 110 people on average."""
    random = np.random.default_rng(2010)
    spread = 2.5
    return random.lognormal(math.log(110) - spread**2 / 2, spread, count).astype(np.int64)


def table(people: np.ndarray) -> np.ndarray:
    """Return g-distinct people at each size and the total risk of each group, (sizes + 1, groups)."""
    return np.vstack([distinct_people(people, BINS, np.array(SIZES)[:, None]), total_risk(people, BINS)])


def loop(people: np.ndarray) -> np.ndarray:
    """Return the same group by group, by equations 1 to 4 in logarithms."""
    rows = []
    for n in people.tolist():
        people_in = [size * bins_of(n, size) for size in range(1, max(SIZES) + 1)]
        distinct = [sum(people_in[:at_most]) for at_most in SIZES]
        rows.append([*distinct, BINS * (1 - (1 - 1 / BINS) ** n)])
    return np.array(rows).T


def bins_of(n: int, size: int) -> float:
    """Return equation 1."""
    if size > n:
        return 0.0
    ways = math.lgamma(n + 1) - math.lgamma(size + 1) - math.lgamma(n - size + 1)
    return math.exp(ways + (1 - n) * math.log(BINS) + (n - size) * math.log(BINS - 1))


if __name__ == "__main__":
    main()
