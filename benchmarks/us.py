"""(g) Every distinct profile of a population of the size of the United States as a record, in three games.

Each measurement is a separate process, so that it has its own peak of resident memory; kernels are compiled first, on
a small country, which is not measured. Seconds are on the wall; those of all cores together are next to them, since
other work on the machine lengthens only the first.

Run: ``python benchmarks/us.py [--zips 33000] [--doublings] [--smoke]``. With dates of birth: ``country.py``.
"""

import json
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any
from unittest.mock import patch

import numpy as np
from measure import arguments, resident, taken
from straightforward import straightforward
from subjects import agree
from us_population import Country

from gamedeid.choices import GAMES
from gamedeid.data.profiles import PopulationCells, Profiles
from gamedeid.game.compiled_data import CompiledData
from gamedeid.game.instance import Instance
from gamedeid.game.outcomes import strategy_totals
from gamedeid.game.rules import Game
from gamedeid.game.safe_harbor import safe_harbor_levels
from gamedeid.game.solvers import SOLVERS
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.generalization.shipped import restricted_prefixes
from gamedeid.population.choose import CountedPopulation
from gamedeid.scenario.payoffs import Payoffs

WEIGHTS = {"zip": 1.0, "age": 1.0, "race": 1.0, "sex": 0.0}
STAKES = Payoffs(benefit=1200, loss=300, cost=4)
WHOLE = 33_000
WARM = 120


class Clock:
    """Seconds of each phase, on the wall and of all cores."""

    def __init__(self) -> None:
        self.wall: dict[str, float] = {}
        self.cores: dict[str, float] = {}

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Add the seconds of the block to a phase."""
        wall, cores = time.perf_counter(), time.process_time()
        try:
            yield
        finally:
            self.wall[name] = self.wall.get(name, 0.0) + time.perf_counter() - wall
            self.cores[name] = self.cores.get(name, 0.0) + time.process_time() - cores


def main() -> None:
    """Print the requested tables."""
    parser = arguments(__doc__)
    parser.add_argument("--zips", type=int, default=WHOLE)
    parser.add_argument("--doublings", action="store_true", help="profiles doubled four times")
    parser.add_argument("--child", help="what one process measures, as JSON")
    options = parser.parse_args()
    zips = 60 if options.smoke else options.zips
    if options.child is not None:
        print(json.dumps(measure(**json.loads(options.child))))
        return
    check(20 if options.smoke else WARM)
    one, three = in_child(zips=zips, games=["basic"]), in_child(zips=zips, games=GAMES)
    print_phases(one, three)
    if options.doublings or options.smoke:
        print("\n| profiles | seconds | MB |\n|---|---|---|")
        for row in doublings(zips, times=1 if options.smoke else 4):
            print(f"| {row['size']:,} | {row['seconds']:.2f} | {row['megabytes']:.0f} |")


def print_phases(one: dict[str, Any], three: dict[str, Any]) -> None:
    """Print both runs, phase by phase, and their ratio."""
    print(f"{three['people']:,} people, {three['profiles']:,} profiles; generated in {three['generation']:.1f} s\n")
    print("| phase | one game, s | of all cores, s | three games, s | of all cores, s |\n|---|---|---|---|---|")
    for phase in three["wall"]:
        cells = [run[kind].get(phase) for run in (one, three) for kind in ("wall", "cores")]
        print(f"| {phase} | " + " | ".join("" if cell is None else f"{cell:.2f}" for cell in cells) + " |")
    sums = [solving(run[kind]) for run in (one, three) for kind in ("wall", "cores")]
    print("| in all, without measures | " + " | ".join(f"{cell:.2f}" for cell in sums) + " |")
    print(f"| peak, GB | {one['megabytes'] / 1000:.2f} | | {three['megabytes'] / 1000:.2f} | |")
    print(f"\nThree games take {sums[2] / sums[0]:.2f} times as long as one ({sums[3] / sums[1]:.2f} by all cores).")


def solving(phases: dict[str, float]) -> float:
    """Return the seconds until all strategies are found."""
    return sum(seconds for phase, seconds in phases.items() if phase != "measures")


def doublings(zips: int = WHOLE, times: int = 4) -> list[dict[str, Any]]:
    """Return the cost of three games as profiles double some times: ``what``, ``size``, ``seconds``, ``megabytes``."""
    rows = []
    for halvings in range(times, -1, -1):
        run = in_child(zips=max(1, zips >> halvings), games=GAMES)
        seconds = sum(run["wall"].values())
        rows.append({"what": "profiles", "size": run["profiles"], "seconds": seconds, "megabytes": run["megabytes"]})
    return rows


def in_child(**what: Any) -> Any:
    """Return the result of :func:`measure` in a separate process."""
    words = [sys.executable, __file__, "--child", json.dumps(what)]
    return json.loads(subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout)


def measure(zips: int, games: Sequence[str]) -> dict[str, Any]:
    """Play the games, and the policy if there are several, and return the seconds of each phase."""
    play(Country(zips=WARM), GAMES, Clock())
    country = Country(zips=zips)
    (codes, people), generated = taken(country.coded)
    clock = Clock()
    measures = play(country, games, clock, codes, people)
    return {
        "people": int(people.sum()),
        "profiles": len(people),
        "generation": generated.seconds,
        "wall": clock.wall,
        "cores": clock.cores,
        "megabytes": resident() * 2**20 / 1e6,
        "measures": measures,
    }


def play(
    country: Country, games: Sequence[str], clock: Clock, codes: Any = None, people: Any = None
) -> dict[str, dict[str, float]]:
    """Return the measures of the games, and of the policy if all are played, timed from coded data on."""
    if codes is None:
        codes, people = country.coded()
    with clock.phase("profiles"):
        profiles, cells = country.one_record_each(codes, people)
    with clock.phase("tables, base counts"):
        instance = compiled(country, profiles, cells)
    counting, rolled = type(instance.counts), Clock()
    count = counting.count

    def timed(counts: Any, nodes: Any) -> None:
        with rolled.phase("roll-up"):
            count(counts, nodes)

    patched = patch.object(counting, "count", timed)
    patched.start()
    with clock.phase("kinds"):
        instance.data.open_order  # noqa: B018  (made when first asked for)
    policy = np.zeros((0, 0), np.int8)
    if "sh-friendly" in games:
        with clock.phase("policy"):
            policy = safe_harbor(instance)
    found = {}
    for game in games:
        with clock.phase(game):
            found[game] = SOLVERS["exact"](instance, Game.of(game, instance, policy)).nodes
        for kind, rolling in ((clock.wall, rolled.wall), (clock.cores, rolled.cores)):
            kind[game] -= rolling.get("roll-up", 0.0)
            kind["roll-up"] = kind.get("roll-up", 0.0) + rolling.pop("roll-up", 0.0)
    if "sh-friendly" in games:
        found["policy"] = instance.lattice.nodes(policy).astype(np.int32)
    with clock.phase("measures"):
        measures = {name: strategy_totals(instance, nodes).measures for name, nodes in found.items()}
    patched.stop()
    return measures


def compiled(country: Country, profiles: Profiles, cells: PopulationCells) -> Instance:
    """Return the question on these records and people, as :meth:`Country.one_record_each` returns them."""
    population = CountedPopulation(cells=cells)
    data = CompiledData.compile(country.hierarchies, weights=WEIGHTS, profiles=profiles, population=population)
    return Instance.of(data, STAKES)


def safe_harbor(instance: Instance) -> Any:
    """Return the levels of Safe Harbor, (q, a) int8."""
    levels = np.empty(instance.profiles.codes.shape, np.int8)
    for place, (name, ladder) in enumerate(instance.hierarchies.items()):
        levels[:, place] = least_levels(name, ladder)[instance.profiles.codes[:, place]]
    return levels


@cache
def least_levels(name: str, ladder: Hierarchy) -> Any:
    """Return the least level of each leaf, (n,) int8."""
    _, small = restricted_prefixes("2010")
    return safe_harbor_levels(ladder, ladder.role, small.intersection, where=name, year=None)[0].astype(np.int8)


def check(zips: int) -> None:
    """Stop if the answer for a small country is not that of the straightforward way."""
    country = Country(zips=zips)
    codes, people = country.coded()
    ours = {name: of["publisher_payoff"] for name, of in play(country, GAMES, Clock(), codes, people).items()}
    profiles, cells = country.one_record_each(codes, people)
    instance = compiled(country, profiles, cells)
    theirs = straightforward(
        codes.astype(np.int64),
        codes.astype(np.int64),
        people.astype(np.int64),
        {name: ladder.groups for name, ladder in country.hierarchies.items()},
        WEIGHTS,
        safe_harbor(instance),
        benefit=STAKES.benefit,
        loss=STAKES.loss,
        cost=STAKES.cost,
    )
    agree(ours, theirs)


if __name__ == "__main__":
    main()
