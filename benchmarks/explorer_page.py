"""How long the explorer's page takes from a move of a slider to the painted picture, in Chromium.

Prints milliseconds (median and worst), and how many of the page's tables differed from those of ``gamedeid compare`` at
the same stakes.

Run: ``python benchmarks/explorer_page.py [--moves 50] [--smoke] [SCENARIO]``
"""

import argparse
import importlib.util
import random
import shutil
import statistics
from pathlib import Path

from gamedeid.analysis.comparison import compare
from gamedeid.explorer.serving import serving
from gamedeid.explorer.session import Session
from gamedeid.report.terminal.results import MEASURES
from gamedeid.scenario.scenario import Scenario

HOME = Path(__file__).parents[1]
MOVE = """([name, place]) => new Promise((done) => {
  const seen = new PerformanceObserver((list) => {
    seen.disconnect();
    done([list.getEntries().at(-1).duration, Number(document.getElementById(`${name}-field`).value.replaceAll(",", "")),
      [...document.querySelectorAll("table.measures tbody tr:not(.part)")].map((row) =>
        [...row.querySelectorAll("td span:first-child")].map((cell) => cell.textContent))]);
  });
  seen.observe({ type: "measure" });
  const slider = document.getElementById(`${name}-slider`);
  slider.value = place;
  slider.dispatchEvent(new Event("input", { bubbles: true }));
  slider.dispatchEvent(new Event("change", { bubbles: true }));
})"""
ROWS = {0: "publisher_payoff", 2: "unmodified", 3: "withheld", 4: "attacked", 5: "expected_reidentifications"}
"""Row of the page's table -> its measure."""


def main() -> None:
    """Move the sliders of benefit, loss and cost at random, and print how long the answers took."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("scenario", nargs="?", type=Path, default=HOME / "scenarios" / "adult_tn.toml")
    words.add_argument("--moves", type=int, default=50)
    words.add_argument("--checked", type=int, default=5, help="moves whose table is compared with that of compare")
    words.add_argument("--pause", type=int, default=1000, help="milliseconds between moves")
    words.add_argument("--smoke", action="store_true", help="three moves of the quickstart")
    asked = words.parse_args()
    if asked.smoke:
        asked.scenario, asked.moves, asked.checked = HOME / "scenarios" / "quickstart.toml", 3, 1
    path = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if path is None or importlib.util.find_spec("playwright") is None or not asked.scenario.exists():
        print("skipped: no Chromium, no playwright or no scenario")
        return
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  (only where there is a browser)

    session = Session.open(Scenario.read(asked.scenario))
    with serving(session) as server, sync_playwright() as play:
        session.compile_in_background().join()
        browser = play.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto(server.address)
        page.wait_for_selector("html[data-drawn=yes]", state="attached")
        page.wait_for_timeout(asked.pause)
        draw, taken, stakes, tables = random.Random(13), [], {}, []
        for _ in range(asked.moves):
            name = draw.choice(["benefit", "loss", "cost"])
            milliseconds, value, cells = page.evaluate(MOVE, [name, draw.randrange(100, 401)])
            stakes = {**stakes, name: value}
            taken.append(milliseconds)
            tables.append((stakes, cells))
            page.wait_for_timeout(asked.pause)
        browser.close()
    different = sum(not _same(asked.scenario, *table) for table in draw.sample(tables, min(asked.checked, len(tables))))
    print(f"{asked.moves} moves: median {statistics.median(taken):.1f} ms, worst {max(taken):.1f} ms")
    print(f"{asked.checked} compared, {different} different")


def _same(path: Path, stakes: dict[str, float], cells: list[list[str]]) -> bool:
    """Return whether the page's table has the figures of ``compare``."""
    overrides = {f"payoffs.{name}": value for name, value in stakes.items()}
    solutions = compare(Scenario.read(path, overrides)).solutions
    return all(
        cells[row] == [MEASURES[key].form(solution.measures[key]) for solution in solutions.values()]
        for row, key in ROWS.items()
    )


if __name__ == "__main__":
    main()
