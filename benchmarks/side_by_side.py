"""The same question for gamedeid, ARX, sdcMicro and ANJANA, and pyCANON's measures of what they release.

Every release is measured in the same way, by the records' own counts. What is not here is not run, and gets no figure.

Run: ``python benchmarks/side_by_side.py [--python PYTHON] [--arx JAR] [--rounds 3] [--json FILE] [--smoke]``
"""

import argparse
import json
import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from foreign_release import levels_of, measures_of, read_ladders, read_rows
from tool_questions import lay_out_adult, lay_out_quickstart, study_of
from tool_runs import RUNS, SCRIPTS, Run, Tools, take

from gamedeid.study.study import Study

Result = dict[str, Any]

COSTS = ("whole", "work", "memory")

LONG = 120
"""Seconds from which a run is timed once."""

VALUES = (
    "| release | detail kept | shows any detail | payoff | attacked | expected re-identifications "
    "| if all were attacked | fewest who match | payoff if she knows | expected if she knows |"
)


def main() -> None:
    """Print two tables: what each release is worth, and what it took."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", default=sys.executable, help="of an environment with anjana and pycanon")
    parser.add_argument("--arx", type=Path, help="the jar of ARX")
    parser.add_argument("--rounds", type=int, default=3, help="how often the shown runs are timed, in turn")
    parser.add_argument("--json", type=Path, help="a file for the results")
    parser.add_argument("--smoke", action="store_true", help="once, on the shipped quickstart: only shows that it runs")
    words = parser.parse_args()
    tools = Tools(python=words.python, arx=words.arx)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (lay_out_quickstart if words.smoke else lay_out_adult)(folder)
        found = play(folder, tools, 1 if words.smoke else words.rounds, smoke=words.smoke)
    print("\n".join(tables(found)))
    if words.json:
        words.json.write_text(json.dumps(found, indent=2) + "\n")


def play(folder: Path, tools: Tools, rounds: int, *, smoke: bool) -> dict[str, Any]:
    """Return what every tool that is here makes of the question of a folder."""
    study = study_of(folder)
    missing = {tool: why for tool in ("ARX", "sdcMicro", "ANJANA", "pyCANON") if (why := tools.missing(tool))}
    results = [measured(run, tools, folder, study) for run in RUNS if run.tool not in missing and wanted(run, smoke)]
    shown = shown_of(results)
    for _ in range(rounds):
        for result in shown:
            if result["whole"][0] < LONG:
                add(result, take(run_of(result).command(tools, folder, folder / "again.csv")))
    for result in shown:
        if len(result["whole"]) > 1:  # the first time may compile or fetch from a cold disk
            for what in COSTS:
                del result[what][0]
    if "pyCANON" not in missing:
        for result in shown:
            result["pycanon"] = by_pycanon(tools, folder, release_path(folder, run_of(result)))
    return {
        "records": study.records,
        "people": study.people,
        "strategies": study.instance.lattice.size,
        "attributes": list(study.instance.hierarchies),
        "missing": missing,
        "results": results,
        "raw": None if "pyCANON" in missing else by_pycanon(tools, folder, folder / "records.csv"),
    }


def wanted(run: Run, smoke: bool) -> bool:
    """Return whether a run is part of the smoke test, which takes one setting of each tool's grid."""
    return not smoke or run.tool in {"gamedeid", "ARX"} or run.words in {("k=5", "suppressed=50"), ("5",)}


def measured(run: Run, tools: Tools, folder: Path, study: Study) -> Result:
    """Return one run's release in the terms of the game; ``levels`` where all its rows are at the same."""
    output = release_path(folder, run)
    taken = take(run.command(tools, folder, output))
    ladders = read_ladders(folder / "hierarchies", list(study.instance.hierarchies))
    levels = levels_of(read_rows(output), read_rows(folder / "records.csv"), ladders)
    alike = {tuple(row) for row in levels[levels[:, 0] >= 0].tolist()}
    result = {
        "tool": run.tool,
        "setting": run.setting,
        "version": taken.get("version"),
        "lines": run.lines,
        "measures": measures_of(study, levels),
        "levels": list(alike.pop()) if len(alike) == 1 else None,
        **{what: [] for what in COSTS},
    }
    add(result, taken)
    return result


def add(result: Result, taken: dict[str, Any]) -> None:
    """Add to a result what a run of it took."""
    for what in COSTS:
        result[what].append(taken[what])


def shown_of(results: Sequence[Result]) -> list[Result]:
    """Return those that the tables show: of ANJANA, tried with many settings, the best with and without attacks."""
    shown = [result for result in results if result["tool"] != "ANJANA"]
    tried = [result for result in results if result["tool"] == "ANJANA" and result["measures"]["released"] > 0]
    for some in (tried, [result for result in tried if result["measures"]["attacked"] == 0]):
        best = max(some, key=lambda result: float(result["measures"]["payoff"]), default=None)
        if best is not None and best not in shown:
            shown.append(best)
    return shown


def by_pycanon(tools: Tools, folder: Path, release: Path) -> dict[str, float]:
    """Return k, l and t of a table, and the seconds that pyCANON took."""
    output = folder / "pycanon.json"
    command = [tools.python, str(SCRIPTS / "timed.py"), str(SCRIPTS / "pycanon_measures.py"), "pycanon"]
    taken = take([*command, str(folder), str(output), f"release={release}"])
    told: dict[str, float] = json.loads(output.read_text())
    return {**told, "version": taken["version"], "work": taken["work"]}


def run_of(result: Result) -> Run:
    """Return the run of a result."""
    return next(run for run in RUNS if (run.tool, run.setting) == (result["tool"], result["setting"]))


def release_path(folder: Path, run: Run) -> Path:
    """Return where the release of a run is."""
    return folder / f"release-{RUNS.index(run)}.csv"


def tables(found: dict[str, Any]) -> list[str]:
    """Return the lines of the tables, as the documentation has them."""
    lines = [
        f"{found['records']:,} records, {found['people']:,} people, {found['strategies']:,} strategies",
        "",
        VALUES,
        "|---|---|---|---|---|---|---|---|---|---|",
        *(value_line(f"{one['tool']}: {one['setting']}", one["measures"]) for one in shown_of(found["results"])),
        "",
        "| release | whole process, s | of which the work, s | beside gamedeid | peak, MiB | lines | k | l | t |",
        "|---|---|---|---|---|---|---|---|---|",
        *cost_lines(found),
        "",
    ]
    return [*lines, *(f"{tool} was not run: {why}." for tool, why in found["missing"].items())]


def value_line(name: str, measures: dict[str, float]) -> str:
    """Return one row of the first table."""
    knows = ["aware_payoff", "aware_expected"]
    told = [f"${measures[knows[0]]:,.2f}", f"{measures[knows[1]]:,.1f}"] if knows[0] in measures else ["", ""]
    cells = [
        name,
        f"{measures['detail']:.1%}",
        f"{measures['released']:.1%}",
        f"${measures['payoff']:,.2f}",
        f"{measures['attacked']:.1%}",
        f"{measures['expected']:,.1f}",
        f"{measures['if_all']:,.1f}",
        f"{measures['least']:,.0f}",
        *told,
    ]
    return f"| {' | '.join(cells)} |"


def cost_lines(found: dict[str, Any]) -> list[str]:
    """Return the rows of the second table."""
    shown = shown_of(found["results"])
    ours = {one["setting"]: one for one in shown if one["tool"] == "gamedeid"}
    lines = []
    for one in shown:
        game = "basic" if one["measures"]["attacked"] else "no-attack"
        paired = len(one["whole"]) == len(ours[game]["whole"])
        ratios = [a / b for a, b in zip(one["whole"], ours[game]["whole"], strict=False)]
        ratio = f"{statistics.median(ratios):.1f}" if paired else "timed once"
        seen = one.get("pycanon")
        told = f"{seen['k']} | {seen['l']} | {seen['t']:.2f}" if seen else "| |"
        lines.append(
            f"| {one['tool']} {one['version'] or ''}: {one['setting']} | {statistics.median(one['whole']):.1f} "
            f"| {statistics.median(one['work']):.1f} | {ratio} | {max(one['memory']) / 2**20:,.0f} "
            f"| {one['lines']} | {told} |"
        )
    return lines


if __name__ == "__main__":
    main()
