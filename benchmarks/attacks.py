"""How long simulated attacks take: the strategies of all people, the matching of people, and worlds.

Compared with a Python loop over cells and rows that finds who matches each row, extrapolated from some rows.

Run: ``python benchmarks/attacks.py [--smoke]``
"""

import tempfile
from pathlib import Path

from measure import arguments, peak_memory, seconds_of

from gamedeid import Scenario, simulate_attacks, solve
from gamedeid.attacks.published import Published, read_published

SCENARIOS = Path(__file__).parents[1] / "scenarios"
SAMPLE, FURTHER = 5, 50


def main() -> None:
    """Print one row."""
    small = arguments(__doc__).parse_args().smoke
    scenario = Scenario.read(SCENARIOS / "adult_tn.toml")
    if small or not (scenario.folder / str(scenario.records.path)).exists():
        print("quickstart only")
        scenario = Scenario.read(SCENARIOS / "quickstart.toml")
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home) / "results"
        solve(scenario, game="basic").write(folder, report=False)
        found = simulate_attacks(folder, scenario, repeats=1)
        published = read_published(folder, scenario, identity=None)
        assert loop(published, published.rows)[:1] == [round(1 / float(published.success[0]))]
        one = seconds_of(lambda: simulate_attacks(folder, scenario, repeats=1))
        many = seconds_of(lambda: simulate_attacks(folder, scenario, repeats=1 + FURTHER))
        plain = seconds_of(lambda: loop(published, published.rows // SAMPLE)) * published.rows / SAMPLE
        peak = peak_memory(lambda: simulate_attacks(folder, scenario, repeats=1))
    print("| rows | people | first world | each further | peak | a loop for one world (extrapolated) | ratio |")
    print("|---|---|---|---|---|---|---|")
    print(
        f"| {found.released:,} | {found.people:,} | {one:.1f} s | {max(many - one, 0) / FURTHER:.2f} s "
        f"| {peak:.0f} MiB | {plain:.0f} s | {plain / one:.0f} |"
    )


def loop(published: Published, step: int) -> list[int]:
    """Return how many people match some rows, every ``step``-th, cell by cell."""
    values, counts = published.people.values.tolist(), published.people.counts.tolist()
    levels, numbers = published.row_levels.tolist(), published.row_labels.tolist()
    attributes = [one.attribute.label_numbers.tolist() for one in published.labels]
    found = []
    for row in range(0, published.rows, step):
        people = 0
        for cell, count in zip(values, counts, strict=True):
            steps = zip(attributes, levels[row], cell, numbers[row], strict=True)
            if all(attribute[level][value] == number for attribute, level, value, number in steps):
                people += count
        found.append(people)
    return found


if __name__ == "__main__":
    main()
