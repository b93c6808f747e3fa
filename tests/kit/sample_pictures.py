"""One picture of every kind, for questions that are fast to answer, and the data of some."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from small_world import QUICKSTART, small_world

from gamedeid.analysis.comparison import Comparison, compare
from gamedeid.analysis.solver_comparison import SolverComparison, compare_solvers
from gamedeid.analysis.sweep import sweep
from gamedeid.pictures.picture import Picture
from gamedeid.pictures.plot import plot
from gamedeid.risk.census.counts import AgeGroup, PlaceCounts
from gamedeid.risk.census.identifiable import Identifiable, identifiable
from gamedeid.scenario.grid import Axis, values_around
from gamedeid.scenario.scenario import Scenario
from gamedeid.study.study import Study

CHOSEN = {"benefit": 100.0, "loss": 90.0, "cost": 20.0}
"""The small world's own stakes."""

LOSSES, BENEFITS = values_around("loss", 90, 5, 20), Axis(name="benefit", values=(400.0, 100.0, 25.0))
ASKED: Mapping[str, Mapping[str, Any]] = {
    "lines": {"vary": [values_around(name, value, 9, 20) for name, value in CHOSEN.items()]},
    "map": {"vary": [LOSSES, BENEFITS]},
    "record-map": {"record": 0, "game": "no-attack", "vary": [LOSSES, values_around("benefit", 100, 3, 4)]},
    "differences": {},
    "scatter": {},
    "lattice": {"record": 0},
    "strategies": {"record": 0, "game": "no-attack"},
    "frontier": {},
}
"""Kind of picture -> how it is asked for in the small world."""
KINDS = (*ASKED, "many strategies", "deviation", "demographics")


@cache
def small_study() -> Study:
    """Return the small world, compared with its policy of pairs."""
    with TemporaryDirectory() as folder:
        return Study.prepare(Scenario.read(small_world(Path(folder)), {"floor": "pairs"}))


@cache
def quickstart() -> Study:
    """Return the quickstart, whose lattice has hundreds of strategies."""
    return Study.prepare(Scenario.read(QUICKSTART))


@cache
def comparison() -> Comparison:
    return compare(small_study())


@cache
def plane() -> dict[str, list[Any]]:
    """Return a sweep of the small world over loss and benefit, the benefits falling."""
    return sweep(small_study(), [LOSSES, BENEFITS]).columns


def along_axis(study: Study, axis: Axis) -> list[SolverComparison]:
    """Return a comparison of two solvers at every value of a stake, each as the scenario's own."""
    scenario = study.scenario
    payoffs = [scenario.payoffs.model_copy(update={axis.name: value}) for value in axis.values]
    studies = [study.with_scenario(scenario.model_copy(update={"payoffs": one})) for one in payoffs]
    return [compare_solvers(one, "basic", solvers=["lattice-search", "exact"]) for one in studies]


@cache
def identified() -> Identifiable:
    """Return how many people of four places are likely unique; the last place has no people."""
    groups = [AgeGroup(name="under 12", first=0, years=12), AgeGroup(name="65+", first=65, years=12, is_open=True)]
    people = np.array([[30, 5], [24, 10], [9000, 9000], [0, 0]])
    places = ["11794", "10475", "01701", "00000"]
    counts = PlaceCounts(places=places, states=None, groups=groups, people=people, place="zip")
    return identifiable(counts, "year")


@cache
def picture(kind: str) -> Picture:
    """Return the picture of a kind."""
    match kind:
        case "demographics":
            return plot(identified(), kind)
        case "deviation":
            axes = [values_around("benefit", 1200, 3, 10), values_around("loss", 2000, 5, 20)]
            return plot(quickstart(), kind, game="basic", vary=axes)
        case "many strategies":
            return plot(quickstart(), "lattice", record=26, game="sh-friendly")
    return plot(small_study(), kind, **ASKED[kind])
