"""(l) The explorer: how soon a setting is answered, and that the answers are those of ``gamedeid compare``.

The command runs as a separate process and gets requests over HTTP like those of its page. Settings are random; each
answer is compared with the comparison of a study prepared for that setting. The figures do not include the time that
the page takes to draw.

Run: ``python benchmarks/explorer.py [--settings 50] [--smoke]``
"""

import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from measure import ROOT, arguments

from gamedeid.analysis.comparison import compare
from gamedeid.choices import GAMES
from gamedeid.scenario.scenario import Scenario
from gamedeid.study.study import Study

QUICKSTART = ROOT / "scenarios" / "quickstart.toml"
CASE_STUDY = ROOT / "scenarios" / "adult_tn.toml"


@dataclass(frozen=True)
class Explorer:
    """A running explorer."""

    address: str
    process: int
    client: httpx.Client

    def ask(self, name: str, **content: Any) -> tuple[dict[str, Any], float]:
        """Return an answer and its seconds."""
        origin = self.address.rsplit("/", 2)[0]
        begun = time.perf_counter()
        response = self.client.post(f"{self.address}api/{name}", json=content, headers={"origin": origin})
        found = response.json()
        taken = time.perf_counter() - begun
        response.raise_for_status()
        return found, taken

    def processor_seconds(self) -> float:
        """Return the seconds of processor time that the process has taken; NaN if the system does not report it."""
        status = Path(f"/proc/{self.process}/stat")
        if not status.exists():
            return float("nan")
        fields = status.read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self) -> dict[str, float]:
        """Return the present and the peak MiB of the process; empty if the system does not report them."""
        status = Path(f"/proc/{self.process}/status")
        if not status.exists():
            return {}
        fields = dict(line.split(":", 1) for line in status.read_text().splitlines())
        return {name: int(fields[name].split()[0]) / 1024 for name in ("VmRSS", "VmHWM")}


@contextmanager
def explorer(scenario: Path) -> Iterator[tuple[Explorer, float]]:
    """Yield a running explorer, and the seconds until it printed its address."""
    words = [sys.executable, "-m", "gamedeid", "explore", str(scenario), "--no-browser"]
    with tempfile.TemporaryDirectory() as folder:
        begun = time.perf_counter()
        with subprocess.Popen(
            [*words, "-o", folder], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        ) as process:
            assert process.stdout is not None
            address = process.stdout.readline().split()[1]
            taken = time.perf_counter() - begun
            try:
                with httpx.Client(timeout=600) as client:
                    yield Explorer(address, process.pid, client), taken
            finally:
                process.terminate()


def main() -> None:
    """Print a row for each kind of request."""
    parser = arguments(__doc__, smoke="few settings of the quickstart: only shows that it runs")
    parser.add_argument("--settings", type=int, default=50)
    options = parser.parse_args()
    path = QUICKSTART if options.smoke else CASE_STUDY
    scenario = Scenario.read(path)
    settings = list(drawn(scenario, 5 if options.smoke else options.settings))
    print(f"{scenario.title}\n\n| what | s |\n|---|---|")
    with explorer(path) as (page, opened):
        row("the command tells its address", opened)
        row("the first answer, for which frontiers and loops are compiled", page.ask("answer", setting={})[1])
        before = page.processor_seconds()
        answers = [page.ask("answer", setting=setting) for setting in settings]
        of_processor = (page.processor_seconds() - before) / len(settings)
        taken = [seconds for _, seconds in answers]
        row(f"an answer for all games, median of {len(settings)} settings", statistics.median(taken))
        row("the slowest of them", max(taken))
        row("processor time of an answer, which other work on the machine does not lengthen", of_processor)
        row("which groups change", page.ask("changes", setting=settings[-1])[1])
        for stake in ("benefit", "loss", "cost"):
            row(f"breakpoints along the {stake}", page.ask("breakpoints", setting=settings[-1], stake=stake)[1])
        row("the whole map of 25 x 25 points", whole_map(page, settings[-1]))
        page.ask("map", setting={"cost": 2 * scenario.payoffs.cost}, key=None, have=0)
        time.sleep(0.5)
        meanwhile = [page.ask("answer", setting=setting)[1] for setting in settings[:10]]
        row(f"an answer while a map is computed, median of {len(meanwhile)}", statistics.median(meanwhile))
        name = next(iter(scenario.attributes))
        row("another weight", page.ask("answer", setting={"weights": {name: 0.5}})[1])
        row("another policy", page.ask("answer", setting={"policy": "limited-data-set"})[1])
        memory = page.memory()
    for what, mebibytes in memory.items():
        print(f"\n{what}: {mebibytes:,.0f} MiB", end="")
    study = Study.prepare(scenario)
    measured = ("name", "measures", "marketer")
    unlike = sum(
        [{key: one[key] for key in measured} for one in found["policies"]] != compared(study, setting)
        for setting, (found, _) in zip(settings, answers, strict=True)
    )
    print(f"\n\n{len(settings) - unlike} of {len(settings)} answers are those of `gamedeid compare` to the last digit")
    assert not unlike


def row(what: str, seconds: float) -> None:
    """Print one row of the table."""
    print(f"| {what} | {seconds:.3f} |", flush=True)


def drawn(scenario: Scenario, count: int) -> Iterator[dict[str, Any]]:
    """Yield settings: stakes over the range of the sliders, each game, sometimes a separate gain."""
    random_numbers = random.Random(13)
    stakes = {name: getattr(scenario.payoffs, name) for name in ("benefit", "loss", "cost")}
    for _ in range(count):
        setting = {name: float(f"{value * 10 ** random_numbers.uniform(-2, 2):.3g}") for name, value in stakes.items()}
        gain = random_numbers.choice([None, None, 2 * setting["loss"]])
        yield {**setting, "gain": gain, "game": random_numbers.choice(GAMES)}


def compared(study: Study, setting: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the expected figures of the policy and the games, computed like ``gamedeid compare``."""
    payoffs = study.scenario.payoffs.model_copy(
        update={name: setting[name] for name in ("benefit", "loss", "cost", "gain")}
    )
    comparison = compare(study.with_scenario(study.scenario.model_copy(update={"payoffs": payoffs})))
    return [
        {"name": name, "measures": solution.measures, "marketer": solution.marketer}
        for name, solution in comparison.solutions.items()
    ]


def whole_map(page: Explorer, setting: Mapping[str, Any]) -> float:
    """Return the seconds until all rows of a map have arrived."""
    begun, key, have = time.perf_counter(), None, 0
    while True:
        found, _ = page.ask("map", setting=setting, key=key, have=have)
        key, have = found["key"], found["first"] + len(found["rows"])
        if found["complete"]:
            return time.perf_counter() - begun
        time.sleep(0.1)


if __name__ == "__main__":
    main()
