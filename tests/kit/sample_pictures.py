"""One picture of every kind, of questions that are quickly answered, with the results that each is made from."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from small_world import QUICKSTART, small_world

from gamedeid.analysis.comparison import Comparison, compare
from gamedeid.analysis.payoff_differences import payoff_differences
from gamedeid.analysis.record_regions import RecordRegion, record_regions
from gamedeid.analysis.risk_utility import risk_utility
from gamedeid.analysis.solver_comparison import SolverComparison, compare_solvers
from gamedeid.analysis.sweep import sweep
from gamedeid.pictures.differences import histogram_picture, scatter_picture
from gamedeid.pictures.lines import deviation_picture, lines_picture
from gamedeid.pictures.maps import map_picture
from gamedeid.pictures.people import demographics_picture
from gamedeid.pictures.picture import Picture
from gamedeid.pictures.risk_utility import frontier_picture
from gamedeid.pictures.strategies import lattice_picture, strategies_picture
from gamedeid.results.tables import rows_to_columns
from gamedeid.risk.census.counts import AgeGroup, PlaceCounts
from gamedeid.risk.census.identifiable import Identifiable, identifiable
from gamedeid.scenario.grid import Axis, values_around
from gamedeid.scenario.scenario import Scenario
from gamedeid.study.study import Study

CHOSEN = {"benefit": 100.0, "loss": 90.0, "cost": 20.0}
"""The small world's own stakes."""

KINDS = (
    *("lines", "map", "record-map", "differences", "scatter", "lattice", "many strategies", "strategies"),
    *("deviation", "frontier", "demographics"),
)


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
def along() -> dict[str, dict[str, list[Any]]]:
    """Return sweeps of the small world along each stake alone."""
    study = small_study()
    return {name: sweep(study, [values_around(name, value, 9, 20)]).columns for name, value in CHOSEN.items()}


@cache
def plane() -> dict[str, list[Any]]:
    """Return a sweep of the small world over loss and benefit, the benefits falling."""
    axes = [values_around("loss", 90, 5, 20), Axis(name="benefit", values=(400.0, 100.0, 25.0))]
    return sweep(small_study(), axes).columns


@cache
def record_plane() -> dict[str, list[Any]]:
    axes = [values_around("loss", 90, 5, 20), values_around("benefit", 100, 3, 4)]
    return sweep(small_study().alone(record=0), axes, per_record=True).columns


@cache
def record_areas() -> tuple[RecordRegion, ...]:
    plane = record_plane()
    losses, benefits = ((min(plane[name]), max(plane[name])) for name in ("loss", "benefit"))
    return record_regions(small_study().alone(record=0), "no-attack", losses, benefits)


@cache
def solvers_along() -> dict[str, dict[str, list[Any]]]:
    study = quickstart()
    axes = (values_around("benefit", 1200, 3, 10), values_around("loss", 2000, 5, 20))
    return {axis.name: rows_to_columns([row for at in along_axis(study, axis) for row in at.rows]) for axis in axes}


def along_axis(study: Study, axis: Axis) -> list[SolverComparison]:
    """Return a comparison of two solvers at every value of a stake, each as if the scenario had it."""
    scenario = study.scenario
    payoffs = [scenario.payoffs.model_copy(update={axis.name: value}) for value in axis.values]
    studies = [study.with_scenario(scenario.model_copy(update={"payoffs": one})) for one in payoffs]
    return [compare_solvers(one, "basic", solvers=["lattice-search", "exact"]) for one in studies]


@cache
def identified() -> Identifiable:
    """Return who is likely unique among the people of four places; nobody lives in the last."""
    groups = [AgeGroup(name="under 12", first=0, years=12), AgeGroup(name="65+", first=65, years=12, is_open=True)]
    people = np.array([[30, 5], [24, 10], [9000, 9000], [0, 0]])
    places = ["11794", "10475", "01701", "00000"]
    counts = PlaceCounts(places=places, states=None, groups=groups, people=people, place="zip")
    return identifiable(counts, "year")


@cache
def picture(kind: str) -> Picture:
    """Return the picture of a kind."""
    one = small_study().alone(record=0)
    makers = {
        "lines": lambda: lines_picture(along(), CHOSEN),
        "map": lambda: map_picture(plane(), CHOSEN, "basic"),
        "record-map": lambda: map_picture(
            record_plane(), CHOSEN, "no-attack", record="record 0", regions=record_areas()
        ),
        "differences": lambda: histogram_picture(payoff_differences(comparison())),
        "scatter": lambda: scatter_picture(comparison()),
        "lattice": lambda: lattice_picture(one, "basic"),
        "many strategies": lambda: lattice_picture(quickstart().alone(record=26), "sh-friendly"),
        "strategies": lambda: strategies_picture(one, "no-attack"),
        "demographics": lambda: demographics_picture(identified()),
        "deviation": lambda: deviation_picture(solvers_along(), {"benefit": 1200.0, "loss": 2000.0, "cost": 20.0}),
        "frontier": lambda: frontier_picture(risk_utility(small_study())),
    }
    return makers[kind]()
