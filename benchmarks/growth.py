"""How cost grows: rows, profiles, strategies and attributes, each doubled four times, in one table and one plot.

Prints a Markdown table with the exponents of power laws fitted to the seconds, and draws all four lines on
two logarithmic axes into an SVG file. ``--from`` draws earlier measurements.

Run: ``python benchmarks/growth.py --json growth.json --svg growth.svg [--from growth.json] [--smoke]``
"""

import json
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import doublings
import numpy as np
import pyarrow as pa
import rows
import us
from matplotlib.figure import Figure
from measure import arguments, traced
from ten_attributes import complete_records

from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.scenario.scenario import Scenario
from gamedeid.study.solve import solve
from gamedeid.study.study import Study

Row = dict[str, Any]

MOST_ROWS = 50_000_000
UNITS = {
    "rows": "whole command compare, 21,211 profiles, 288 strategies",
    "profiles": "three games from coded data on, 288 strategies",
    "strategies": "basic game, 30,162 records with ten attributes",
    "attributes": "basic game, 4,000 invented records, three levels per attribute",
}
"""What is doubled -> what is timed."""

LEAVES, RECORDS = 8, 4_000


def attributes(numbers: Sequence[int]) -> Iterator[Row]:
    """Yield the cost of the basic game with these numbers of attributes, three levels each, from data in memory on."""
    draw = np.random.default_rng(7)
    names = [f"attribute {place:02}" for place in range(max(numbers))]
    leaves = [f"{leaf:02}" for leaf in range(LEAVES)]
    ladders = {
        name: Hierarchy.from_rows([[leaf, f"group {int(leaf) // 4}", "*"] for leaf in leaves], name=name)
        for name in names
    }
    values = {name: np.take(leaves, np.minimum(draw.geometric(0.5, RECORDS) - 1, LEAVES - 1)) for name in names}
    for number in numbers:
        chosen = names[:number]
        scenario = Scenario.parse(
            {
                "game": "basic",
                "attributes": {name: {"hierarchy": ladders[name]} for name in chosen},
                "payoffs": {"benefit": 1200, "loss": 300, "cost": 4},
            }
        )
        table = pa.table({name: values[name] for name in chosen})
        solve(Study.prepare(scenario, table.slice(0, 50)))
        seconds, megabytes = traced(lambda: solve(Study.prepare(scenario, table)))  # noqa: B023
        yield {"what": "attributes", "size": number, "seconds": seconds, "megabytes": megabytes}


def measured(*, smoke: bool) -> Iterator[Row]:
    """Yield all measurements."""
    yield from attributes([1, 2, 4] if smoke else [1, 2, 4, 8, 16])
    with tempfile.TemporaryDirectory() as folder:
        sizes = [4_000, 8_000] if smoke else [MOST_ROWS >> halvings for halvings in range(4, -1, -1)]
        yield from rows.growth(Path(folder), sizes)
    if not smoke:
        found = doublings.doublings(complete_records())
        yield from (row for row in found if row["what"] == "strategies")
        yield from us.doublings()


def exponent(sizes: Sequence[float], seconds: Sequence[float]) -> float:
    """Return b of seconds = a size^b, by least squares of the logarithms."""
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


def lines_of(found: Sequence[Row]) -> dict[str, list[Row]]:
    """Return the rows by what was doubled, the smallest first."""
    lines: dict[str, list[Row]] = {}
    for row in sorted(found, key=lambda row: row["size"]):
        lines.setdefault(row["what"], []).append(row)
    return {what: lines[what] for what in UNITS if what in lines}


def print_table(found: Sequence[Row]) -> None:
    """Print a row for each size, and the exponents."""
    print("| what | size | seconds | memory, MiB |")
    print("|---|---:|---:|---:|")
    for what, line in lines_of(found).items():
        for row in line:
            memory = "" if row["megabytes"] is None else f"{row['megabytes']:.0f}"
            print(f"| {what} | {row['size']:,} | {row['seconds']:.2f} | {memory} |")
    print("\n| what | timed | fitted exponent | from the last doubling |")
    print("|---|---|---:|---:|")
    for what, line in lines_of(found).items():
        sizes, seconds = [row["size"] for row in line], [row["seconds"] for row in line]
        print(f"| {what} | {UNITS[what]} | {exponent(sizes, seconds):.2f} | {exponent(sizes[-2:], seconds[-2:]):.2f} |")


def draw(found: Sequence[Row], path: Path) -> None:
    """Draw seconds over sizes, both relative to the smallest: a slope of one is a cost in proportion."""
    figure = Figure(figsize=(7, 4.2), layout="constrained")
    axes = figure.subplots()
    marks = {"rows": "o", "profiles": "s", "strategies": "^", "attributes": "D"}
    for what, line in lines_of(found).items():
        sizes = np.array([row["size"] for row in line]) / line[0]["size"]
        seconds = np.array([row["seconds"] for row in line]) / line[0]["seconds"]
        axes.plot(sizes, seconds, marker=marks[what], label=f"{what} (exponent {exponent(sizes, seconds):.2f})")
    ends = np.array([1, 16])
    axes.plot(ends, ends, color="0.6", linestyle=":", label="in proportion")
    axes.set(
        xscale="log", yscale="log", xlabel="size, times the smallest", ylabel="seconds, times those of the smallest"
    )
    axes.set_xticks([1, 2, 4, 8, 16], labels=["1", "2", "4", "8", "16"])
    axes.minorticks_off()
    axes.legend(frameon=False)
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    """Measure or read, then print and draw."""
    parser = arguments(__doc__, smoke="small sizes: only shows that it runs")
    parser.add_argument("--json", type=Path, help="where to write what was measured")
    parser.add_argument("--svg", type=Path, help="where to draw it")
    parser.add_argument("--from", type=Path, dest="earlier", help="draw and print what was measured before")
    options = parser.parse_args()
    found = json.loads(options.earlier.read_text()) if options.earlier else list(measured(smoke=options.smoke))
    print_table(found)
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n")
    if options.svg:
        draw(found, options.svg)


if __name__ == "__main__":
    main()
