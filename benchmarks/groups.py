"""The best groups against a recipient who knows the method: payoffs, upper bounds, seconds and memory.

Whole commands, each a separate process. The payoff of a release is computed here from the released file and the
hierarchies alone; the bound is the command's. Three measurements:

- ``adult``: 30,162 records of Adult, who are their own population, for several budgets of seconds; also ARX with
  ``--tool-jar``, and a picture of payoff and bound over time with ``--svg``.
- ``rows``: a million rows of Adult drawn again, age and hours moved by up to two years or hours; k of 5 and of 50; rows
  doubled four times.
- ``margins``: rows of which each column is drawn by itself with Adult's frequencies, from a Parquet file that DuckDB
  counts; 50-anonymity. These rows keep Adult's frequencies and lose the dependence between columns, so they have many
  more distinct profiles than rows that keep it (782,593 in four million rows, against 18,109 in all of Adult).

Run: ``python benchmarks/groups.py [adult|rows|margins] [--seconds 15 60 300] [--rows 1_000_000] [--tool-jar JAR]
[--only WORD] [--json FILE] [--svg FILE] [--from FILE ...] [--smoke]``
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
from foreign_release import counted, levels_of, read_ladders, read_rows
from matplotlib.figure import Figure
from resampled import resample
from ten_attributes import ARX_HIERARCHIES, STAKES, adult_rows
from tool_questions import ADULT, lay_out_adult
from tool_runs import RUNS, Tools, launch, take

from gamedeid.generalization.files import write_hierarchy
from gamedeid.generalization.hierarchy import Hierarchy

Found = dict[str, Any]

QUESTIONS = {
    "aware-basic": ("aware-basic", 75),
    "aware-no-attack": ("aware-no-attack", 75),
    "k = 5, best value": ("aware-no-attack", 5),
}
"""The game, and the least number of people in a group that is not worth an attack."""

DRAWN = tuple("hours-per-week" if name == "native-country" else name for name in ADULT)
"""Attributes of the drawn rows: hours of work instead of the country, which is the United States nine times in ten."""

MOVED = {"age": 2, "hours-per-week": 2}
"""Most years and hours by which a drawn row differs from Adult's: a million rows then have 338,323 profiles."""

BESIDE = {"aware-basic": ("basic, global",)}
"""Releases of ARX that answer a question; for all others, those without attacks, by game or by k alone."""

HEAD = "| question | budget, s | payoff by our count | bound | gap | groups | seconds | peak, MiB |"


def main() -> None:
    """Measure or read, then print and draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="?", choices=("adult", "rows", "margins"), default="adult")
    parser.add_argument("--seconds", type=float, nargs="+", help="budgets; without it that of the scenario")
    parser.add_argument("--rows", type=int, default=1_000_000, help="rows to draw, the most of the doublings")
    parser.add_argument("--k", type=int, nargs="+", help="people who keep each other safe, of drawn rows")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="as the command takes it")
    parser.add_argument("--tool-jar", type=Path, help="the jar of ARX, to run beside")
    parser.add_argument("--json", type=Path, help="where to write what was measured")
    parser.add_argument("--svg", type=Path, help="where to draw payoff and bound over time")
    parser.add_argument("--only", default="", help="the questions of Adult that have this word")
    parser.add_argument("--from", type=Path, nargs="+", dest="earlier", help="print and draw what was measured before")
    parser.add_argument("--smoke", action="store_true", help="500 rows, four attributes: only shows that it runs")
    words = parser.parse_args()
    print(f"{HEAD}\n|---|---:|---:|---:|---:|---:|---:|---:|")
    found = []
    earlier = [one for path in words.earlier or () for one in json.loads(path.read_text())]
    for one in earlier or measured(words):
        found.append(one)
        print(line_of(one), flush=True)
    if words.what == "rows" and len({one["drawn"] for one in found}) > 1:
        for k in sorted({one["k"] for one in found}):
            sizes, seconds = zip(*((one["drawn"], one["seconds"]) for one in found if one["k"] == k), strict=True)
            print(f"\nk = {k}: seconds grow as rows^{np.polyfit(np.log(sizes), np.log(seconds), 1)[0]:.2f}")
    if words.json:
        words.json.write_text(json.dumps(found, indent=1) + "\n")
    if words.svg:
        draw(found, words.svg)


def measured(words: argparse.Namespace) -> Iterator[Found]:
    """Yield the results and cost of each command."""
    budgets = words.seconds or [None]
    if words.what == "adult":
        yield from of_adult(budgets, words)
        return
    halvings = range(4, -1, -1) if words.what == "rows" and not words.smoke else [0]
    for halving in halvings:
        rows = (2_000 if words.smoke else words.rows) >> halving
        for k in words.k or ([5, 50] if words.what == "rows" else [50]):
            with tempfile.TemporaryDirectory() as name:
                folder = Path(name)
                attributes = lay_out_drawn(folder, rows, STAKES["loss"] / k, margins=words.what == "margins")
                scenario = write_scenario(folder, folder / "records.parquet", attributes[:4] if words.smoke else None)
                for seconds in budgets:
                    engine = ["--engine", "duckdb", "--format", "parquet"]
                    one = run(scenario, "aware-no-attack", seconds, [*engine, *sets(words)])
                    yield {"question": f"{rows:,} rows, k = {k}", "drawn": rows, "k": k, **one}


def of_adult(budgets: Sequence[float | None], words: argparse.Namespace) -> Iterator[Found]:
    """Yield the three questions of Adult, and ARX's answers."""
    for question, (game, people) in QUESTIONS.items():
        if words.only not in question:
            continue
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            lay_out_adult(folder, STAKES["loss"] / people)
            if words.smoke:
                lines = (folder / "records.csv").read_text().splitlines(keepends=True)
                (folder / "records.csv").write_text("".join(lines[:501]))
            scenario = write_scenario(folder, folder / "records.csv", ADULT[:4] if words.smoke else None)
            for seconds in budgets:
                yield {"question": question, **run(scenario, game, seconds, sets(words))}
            if words.tool_jar:
                yield from of_arx(question, people, folder, words.tool_jar)


def of_arx(question: str, people: int, folder: Path, jar: Path) -> Iterator[Found]:
    """Yield ARX's releases of the same folder, measured in the same way."""
    asked = json.loads((folder / "question.json").read_text())
    ladders = read_ladders(folder / "hierarchies", list(asked["attributes"]))
    records = read_rows(folder / "records.csv")
    for one in RUNS:
        settings = BESIDE.get(question, ("no-attack", f"k={people}, local"))
        if one.tool != "ARX" or one.people != people or not one.setting.startswith(settings):
            continue
        release = folder / "arx.csv"
        taken = take(one.command(Tools(python=sys.executable, arx=jar), folder, release))
        levels_of(read_rows(release), records, ladders)
        told = counted(folder, release, len(records))
        yield {"question": f"{question}: ARX, {one.setting}", "budget": None, "bound": None, **told, **costs(taken)}


def run(scenario: Path, game: str, seconds: float | None, words: Sequence[str]) -> Found:
    """Return the results of one ``gamedeid run``, counted from its release, and its cost.

    Raises
    ------
    ValueError : a released row is not of its record.
    """
    asked = json.loads((scenario.parent / "question.json").read_text())
    ladders = read_ladders(scenario.parent / "hierarchies", list(asked["attributes"]))
    with tempfile.TemporaryDirectory(dir=scenario.parent) as name:
        output = Path(name) / "results"
        budget = [] if seconds is None else ["--set", f"groups.seconds={seconds:g}"]
        command = [sys.executable, "-m", "gamedeid", "run", str(scenario), "--game", game, "-o", str(output)]
        _, whole, memory = launch([*command, "--no-report", "--json", *budget, *words])
        summary = json.loads((output / "summary.json").read_text())
        records = summary["measures"]["records"]
        release = next(output.glob("release*"))
        if release.suffix == ".csv":
            levels_of(read_rows(release), read_rows(scenario.parent / "records.csv"), ladders)
        told = counted(scenario.parent, release, records)
    mechanism = summary["mechanism"]
    bound, history = mechanism["payoff_bound"], mechanism.get("history", [])
    return {"budget": seconds, "bound": bound, "history": history, **told, **costs({"whole": whole, "memory": memory})}


def costs(taken: Found) -> Found:
    """Return seconds and MiB of a process."""
    return {"seconds": taken["whole"], "mebibytes": taken["memory"] / 2**20}


def sets(words: argparse.Namespace) -> list[str]:
    """Return the given settings of the scenario."""
    return [part for key in words.set for part in ("--set", key)]


def line_of(one: Found) -> str:
    """Return one row of the table."""
    gap = f"{(one['bound'] - one['payoff']) / one['bound']:.3%}" if one["bound"] is not None else ""
    cells = [
        one["question"],
        "" if one["budget"] is None else f"{one['budget']:g}",
        f"${one['payoff']:,.2f}",
        "" if one["bound"] is None else f"${one['bound']:,.2f}",
        gap,
        f"{one['groups']:,}",
        f"{one['seconds']:.1f}",
        f"{one['mebibytes']:,.0f}",
    ]
    return f"| {' | '.join(cells)} |"


def write_scenario(folder: Path, records: Path, attributes: Sequence[str] | None) -> Path:
    """Write the scenario of a folder's question, about some attributes or all, and return its path."""
    asked = json.loads((folder / "question.json").read_text())
    chosen = list(attributes or asked["attributes"])
    dropped = [name for name in asked["attributes"] if name not in chosen]
    asked["attributes"] = {name: asked["attributes"][name] for name in chosen}
    (folder / "question.json").write_text(json.dumps(asked))
    kept = ["row", asked["sensitive"]] if records.suffix == ".csv" else [asked["sensitive"]]
    lines = [
        'floor = "limited-data-set"',
        "[records]",
        f'path = "{records.name}"',
        f"keep = {kept}",
        f"drop = {dropped}",
    ]
    for name in chosen:
        lines += [f"[attributes.{name}]", f'hierarchy = "hierarchies/{name}.csv"', 'role = "other"']
    lines += ["[payoffs]", *(f"{name} = {value}" for name, value in asked["payoffs"].items())]
    path = folder / "scenario.toml"
    path.write_text("\n".join(lines) + "\n")
    return path


def lay_out_drawn(folder: Path, rows: int, cost: float, *, margins: bool) -> tuple[str, ...]:
    """Write rows of Adult drawn again as ``records.parquet``, and the question; return its attributes."""
    attributes = ADULT if margins else DRAWN
    complete = [row for row in adult_rows() if "?" not in row.values()]
    columns = {name: [row[name] for row in complete] for name in (*attributes, "income")}
    pyarrow.csv.write_csv(pa.table(columns), folder / "once.csv", pyarrow.csv.WriteOptions(quoting_style="none"))
    noise = None if margins else MOVED
    resample(rows, folder / "records.parquet", records=folder / "once.csv", noise=noise, margins=margins)
    (folder / "hierarchies").mkdir()
    for name in attributes:
        path = folder / "hierarchies" / f"{name}.csv"
        if name == "hours-per-week":
            write_hierarchy(Hierarchy.intervals(1, 99, (5, 20), name=name), path)
        else:
            path.write_bytes((ARX_HIERARCHIES / f"{name}.csv").read_bytes())
    payoffs = {**STAKES, "cost": cost}
    question = {"attributes": dict.fromkeys(attributes, 1.0), "sensitive": "income", "payoffs": payoffs, "count": None}
    (folder / "question.json").write_text(json.dumps(question))
    return attributes


def draw(found: Sequence[Found], path: Path) -> None:
    """Draw payoff and bound over the seconds of whole commands, and over the steps of the longest one below."""
    figure = Figure(figsize=(9, 5.6), layout="constrained")
    panels = figure.subplots(2, len(QUESTIONS), squeeze=False)
    for place, question in enumerate(QUESTIONS):
        ours = sorted((one for one in found if one["question"] == question), key=lambda one: one["seconds"])
        beside = [one["payoff"] for one in found if one["question"].startswith(f"{question}: ARX")]
        timed = [(one["seconds"], one["payoff"], one["bound"]) for one in ours]
        steps = [step for one in ours[-1:] for step in one["history"]]
        for axes, points, axis in ((panels[0, place], timed, "seconds"), (panels[1, place], steps, "steps")):
            if points:
                over, payoff, bound = zip(*points, strict=True)
                axes.plot(over, bound, marker="v", markersize=3, color="0.5", label="no release pays more")
                axes.plot(over, payoff, marker="o", markersize=3, label="payoff")
            if beside:
                axes.axhline(max(beside), color="C1", linestyle=":", label="ARX, its best")
            axes.set(xlabel=axis, title=question if axis == "seconds" else "")
        panels[0, place].set_xscale("log")
        panels[0, place].set_xticks([one[0] for one in timed], labels=[f"{one[0]:.0f}" for one in timed])
        panels[0, place].minorticks_off()
    panels[0, 0].set_ylabel("dollars per record")
    panels[1, 0].set_ylabel("dollars per record")
    panels[0, 0].legend(frameon=False, fontsize="small")
    figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    main()
