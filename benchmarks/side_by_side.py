"""The same questions for gamedeid, ARX, sdcMicro and ANJANA, and pyCANON's measures of what they release.

Every release is measured in the same way, by the records' own counts: a group of released rows that is worth an attack
costs the loss once, for a recipient who knows the method. Missing tools are not run; their figures are those of
``--keep``, a file written before with ``--json``, or none.

Run: ``python benchmarks/side_by_side.py [--python PYTHON] [--tool-jar JAR] [--only WORD ...] [--keep FILE]
[--rounds 1] [--json FILE] [--page FILE] [--smoke]``
"""

import argparse
import json
import re
import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from foreign_release import levels_of, measures_of, read_ladders, read_rows
from tool_questions import lay_out_adult, lay_out_quickstart, study_of
from tool_runs import COSTS, RUNS, SCRIPTS, Run, Tools, take

Result = dict[str, Any]

TAKEN = ("whole", "work", "memory")

HEAD = (
    "| release | payoff if the recipient counts | payoff if the recipient knows | expected re-identifications if known"
)

MARK = "<!-- tables of benchmarks/side_by_side.py -->"

LONG = 120
"""A run of this many seconds or more is timed only once."""


def main() -> None:
    """Print a table for each question: the worth and the cost of each release."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", default=sys.executable, help="of an environment with anjana and pycanon")
    parser.add_argument("--tool-jar", type=Path, help="the jar of ARX")
    parser.add_argument("--only", nargs="+", default=[""], help="run what has one of these words in its name")
    parser.add_argument("--keep", type=Path, help="results of before, for all that is not run now")
    parser.add_argument("--rounds", type=int, default=1, help="how often the shown runs are timed, in turn")
    parser.add_argument("--json", type=Path, help="a file for the results")
    parser.add_argument("--page", type=Path, help="a page whose tables are to be these")
    parser.add_argument("--smoke", action="store_true", help="once, on the shipped quickstart: only shows that it runs")
    words = parser.parse_args()
    tools = Tools(python=words.python, arx=words.tool_jar)
    missing = {tool: why for tool in ("ARX", "sdcMicro", "ANJANA", "pyCANON") if (why := tools.missing(tool))}
    runs = [run for run in RUNS if run.tool not in missing and any(word in name_of(run) for word in words.only)]
    kept = json.loads(words.keep.read_text())["questions"] if words.keep else []
    questions = []
    for people, cost in COSTS.items():
        if words.smoke and people != next(iter(COSTS)):
            continue
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            lay_out_quickstart(folder) if words.smoke else lay_out_adult(folder, cost)
            chosen = [run for run in runs if run.people == people and (not words.smoke or wanted(run))]
            question = play(folder, tools, chosen, words.rounds, pycanon="pyCANON" not in missing)
        before = next((one["results"] for one in kept if one["enough"] == people), [])
        results = {(one["tool"], one["setting"]): one for one in [*before, *question["results"]]}
        places = [(run.tool, run.setting) for run in RUNS if run.people == people]
        question["results"] = [results[place] for place in places if place in results]
        questions.append({"enough": people, **question})
    found = {"questions": questions}
    print("\n".join(tables(found)))
    for tool, why in missing.items():
        print(f"{tool} was not run: {why}.")
    if words.json:
        words.json.write_text(json.dumps(found, indent=2) + "\n")
    if words.page:
        before, mark, after = re.split(r"(<!-- end of tables -->)", words.page.read_text(), maxsplit=1)
        start = before.index(MARK) + len(MARK)
        words.page.write_text("\n".join([before[:start], *tables(found)]) + "\n" + mark + after)


def name_of(run: Run) -> str:
    """Return the name that ``--only`` searches."""
    return f"{run.tool}: {run.setting}; {run.people} people"


def wanted(run: Run) -> bool:
    """Return whether a run is part of the smoke test, which takes few settings of each tool's grid."""
    if run.tool == "gamedeid":
        return run.setting == "basic"
    return run.tool == "ARX" or run.words in {("k=5", "suppressed=50"), ("5", "1")}


def play(folder: Path, tools: Tools, runs: Sequence[Run], rounds: int, *, pycanon: bool) -> dict[str, Any]:
    """Return the tools' answers to the question of a folder."""
    study = study_of(folder)
    ladders = read_ladders(folder / "hierarchies", list(study.instance.hierarchies))
    records = read_rows(folder / "records.csv")
    results, outputs = [], {}
    for run in runs:
        output = folder / f"release-{RUNS.index(run)}.csv"
        taken = take(run.command(tools, folder, output))
        levels = levels_of(read_rows(output), records, ladders)
        alike = {tuple(row) for row in levels[levels[:, 0] >= 0].tolist()}
        result = {
            "tool": run.tool,
            "setting": run.setting,
            "version": taken.get("version") or version_of(tools.arx),
            "measures": measures_of(folder, output, len(records)),
            "levels": list(alike.pop()) if len(alike) == 1 else None,
            **{what: [taken[what]] for what in TAKEN},
        }
        results.append(result)
        outputs[id(result)] = (run, output)
        print(f"{name_of(run)}: {taken['whole']:.1f} s", file=sys.stderr)
    for again in range(rounds):
        for result in shown_of(results):
            run, output = outputs[id(result)]
            if again and result["whole"][0] < LONG:
                taken = take(run.command(tools, folder, folder / "again.csv"))
                for what in TAKEN:
                    result[what].append(taken[what])
            elif pycanon and not again:
                result["pycanon"] = by_pycanon(tools, folder, output)
    return {
        "records": study.records,
        "people": study.people,
        "strategies": study.instance.lattice.size,
        "attributes": list(study.instance.hierarchies),
        "results": results,
    }


def version_of(jar: Path | None) -> str | None:
    """Return the version in the name of a jar."""
    found = re.search(r"\d+(\.\d+)+", jar.name) if jar else None
    return found[0] if found else None


def shown_of(results: Sequence[Result]) -> list[Result]:
    """Return the results that the tables show: of ANJANA's many settings only the best with and without attacks."""
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


def tables(found: dict[str, Any]) -> list[str]:
    """Return the lines of the tables, as the documentation has them."""
    lines = []
    for question in found["questions"]:
        enough = question["enough"]
        lines += [
            f"{question['records']:,} records, {question['strategies']:,} strategies, {enough} people are enough:",
            "",
            f"{HEAD} | rows in groups below {enough} | seconds | MiB | k | l | t |",
            "|---|---|---|---|---|---|---|---|---|---|",
            *(line_of(one) for one in shown_of(question["results"])),
            "",
        ]
    return lines


def line_of(one: Result) -> str:
    """Return one row of a table."""
    measures, seen = one["measures"], one.get("pycanon")
    knows = "aware_payoff" in measures
    cells = [
        f"{one['tool']} {one['version']}: {one['setting']}",
        f"${measures['payoff']:,.2f}",
        f"${measures['aware_payoff']:,.2f}" if knows else "",
        f"{measures['aware_expected']:,.0f}" if knows else "",
        f"{measures['aware_attacked']:,.0f}" if knows else "",
        f"{statistics.median(one['whole']):,.1f}",
        f"{max(one['memory']) / 2**20:,.0f}",
        *([f"{seen['k']}", f"{seen['l']}", f"{seen['t']:.2f}"] if seen else [""] * 3),
    ]
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
