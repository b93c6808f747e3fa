"""gamedeid decides how much detail of each person's record can be shared.

It plays a Stackelberg game for every record: the publisher gains from detail and pays when somebody is re-identified;
the adversary attacks only when it pays. Start with :func:`solve` and :func:`compare`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from gamedeid._version import __version__

if TYPE_CHECKING:
    from gamedeid.analysis.breakpoint_tables import breakpoints
    from gamedeid.analysis.comparison import Comparison, compare, compare_study
    from gamedeid.analysis.payoff_differences import differences_of
    from gamedeid.analysis.record_sweep import record_sweep
    from gamedeid.analysis.robustness import Robustness, robust_ranges
    from gamedeid.analysis.solver_comparison import compare_solvers, sweep_solvers
    from gamedeid.analysis.solver_results import SolverComparison, SolverSweep
    from gamedeid.analysis.study_table import StudyTable
    from gamedeid.analysis.summary import run_summary
    from gamedeid.analysis.sweep import sweep
    from gamedeid.data.datasets import fetch
    from gamedeid.data.engines.options import ReadOptions
    from gamedeid.data.profiles import Cells, Profiles
    from gamedeid.errors import (
        DownloadError,
        GamedeidError,
        InvalidDataError,
        InvalidHierarchyError,
        InvalidScenarioError,
        OutputError,
        UnmatchedRecordError,
    )
    from gamedeid.game.frontier import Frontier
    from gamedeid.game.instance import Instance
    from gamedeid.game.outcomes import total_of
    from gamedeid.game.rules import Game
    from gamedeid.game.solvers.exact import exact
    from gamedeid.generalization.files import find_hierarchy, read_hierarchy
    from gamedeid.generalization.hierarchy import Hierarchy
    from gamedeid.generalization.lattice import Lattice
    from gamedeid.population.sampled import success_by_class
    from gamedeid.report.html.stored import read_results, write_report
    from gamedeid.report.pictures.deviation import deviation_picture
    from gamedeid.report.pictures.differences import histogram_picture, scatter_picture
    from gamedeid.report.pictures.lattices import lattice_picture
    from gamedeid.report.pictures.lines import lines_picture
    from gamedeid.report.pictures.maps import map_picture
    from gamedeid.report.pictures.picture import Picture
    from gamedeid.report.pictures.plot import plot
    from gamedeid.report.pictures.saving import save_picture
    from gamedeid.report.pictures.strategies import strategies_picture
    from gamedeid.report.pictures.uniqueness import uniqueness_picture
    from gamedeid.risk.bins import distinct_people, price_per_reidentification, total_risk
    from gamedeid.risk.demographics.identifiable import Identifiable, demographics, identifiable
    from gamedeid.risk.demographics.place_counts import PlaceCounts, read_place_counts
    from gamedeid.risk.exposure import Exposure, exposure
    from gamedeid.risk.records import RecordRisks, record_risks
    from gamedeid.risk.release import release_risks
    from gamedeid.risk.uniqueness.class_sizes import ClassSizes
    from gamedeid.risk.uniqueness.classes import read_class_sizes
    from gamedeid.risk.uniqueness.estimates import UniquenessEstimates, estimate_uniqueness
    from gamedeid.risk.uniqueness.measured import measure_uniqueness
    from gamedeid.risk.uniqueness.simulation import StudyPlan, UniquenessStudy, study_uniqueness
    from gamedeid.scenario.grid import Axis
    from gamedeid.scenario.payoffs import Payoffs
    from gamedeid.scenario.scenario import Scenario
    from gamedeid.scenario.sections import Attribute, Policy, Population, Records
    from gamedeid.study.regional import RegionalQuestion, solve_regions
    from gamedeid.study.solution import Solution, policy_solution, solve, solve_study
    from gamedeid.study.study import Study

_HOMES = {
    "Attribute": "scenario.sections",
    "Axis": "scenario.grid",
    "Cells": "data.profiles",
    "ClassSizes": "risk.uniqueness.class_sizes",
    "Comparison": "analysis.comparison",
    "DownloadError": "errors",
    "Exposure": "risk.exposure",
    "Frontier": "game.frontier",
    "Game": "game.rules",
    "GamedeidError": "errors",
    "Hierarchy": "generalization.hierarchy",
    "Identifiable": "risk.demographics.identifiable",
    "Instance": "game.instance",
    "InvalidDataError": "errors",
    "InvalidHierarchyError": "errors",
    "InvalidScenarioError": "errors",
    "Lattice": "generalization.lattice",
    "OutputError": "errors",
    "Payoffs": "scenario.payoffs",
    "Picture": "report.pictures.picture",
    "PlaceCounts": "risk.demographics.place_counts",
    "Policy": "scenario.sections",
    "Population": "scenario.sections",
    "Profiles": "data.profiles",
    "ReadOptions": "data.engines.options",
    "RecordRisks": "risk.records",
    "Records": "scenario.sections",
    "RegionalQuestion": "study.regional",
    "Robustness": "analysis.robustness",
    "Scenario": "scenario.scenario",
    "Solution": "study.solution",
    "SolverComparison": "analysis.solver_results",
    "SolverSweep": "analysis.solver_results",
    "Study": "study.study",
    "StudyPlan": "risk.uniqueness.simulation",
    "StudyTable": "analysis.study_table",
    "UniquenessEstimates": "risk.uniqueness.estimates",
    "UniquenessStudy": "risk.uniqueness.simulation",
    "UnmatchedRecordError": "errors",
    "breakpoints": "analysis.breakpoint_tables",
    "compare": "analysis.comparison",
    "compare_solvers": "analysis.solver_comparison",
    "compare_study": "analysis.comparison",
    "demographics": "risk.demographics.identifiable",
    "deviation_picture": "report.pictures.deviation",
    "differences_of": "analysis.payoff_differences",
    "distinct_people": "risk.bins",
    "estimate_uniqueness": "risk.uniqueness.estimates",
    "exact": "game.solvers.exact",
    "exposure": "risk.exposure",
    "fetch": "data.datasets",
    "find_hierarchy": "generalization.files",
    "histogram_picture": "report.pictures.differences",
    "identifiable": "risk.demographics.identifiable",
    "lattice_picture": "report.pictures.lattices",
    "lines_picture": "report.pictures.lines",
    "map_picture": "report.pictures.maps",
    "measure_uniqueness": "risk.uniqueness.measured",
    "plot": "report.pictures.plot",
    "policy_solution": "study.solution",
    "price_per_reidentification": "risk.bins",
    "read_class_sizes": "risk.uniqueness.classes",
    "read_hierarchy": "generalization.files",
    "read_place_counts": "risk.demographics.place_counts",
    "read_results": "report.html.stored",
    "record_risks": "risk.records",
    "record_sweep": "analysis.record_sweep",
    "release_risks": "risk.release",
    "robust_ranges": "analysis.robustness",
    "run_summary": "analysis.summary",
    "save_picture": "report.pictures.saving",
    "scatter_picture": "report.pictures.differences",
    "solve": "study.solution",
    "solve_regions": "study.regional",
    "solve_study": "study.solution",
    "strategies_picture": "report.pictures.strategies",
    "study_uniqueness": "risk.uniqueness.simulation",
    "success_by_class": "population.sampled",
    "sweep": "analysis.sweep",
    "sweep_solvers": "analysis.solver_comparison",
    "total_of": "game.outcomes",
    "total_risk": "risk.bins",
    "uniqueness_picture": "report.pictures.uniqueness",
    "write_report": "report.html.stored",
}

__all__ = [
    "Attribute",
    "Axis",
    "Cells",
    "ClassSizes",
    "Comparison",
    "DownloadError",
    "Exposure",
    "Frontier",
    "Game",
    "GamedeidError",
    "Hierarchy",
    "Identifiable",
    "Instance",
    "InvalidDataError",
    "InvalidHierarchyError",
    "InvalidScenarioError",
    "Lattice",
    "OutputError",
    "Payoffs",
    "Picture",
    "PlaceCounts",
    "Policy",
    "Population",
    "Profiles",
    "ReadOptions",
    "RecordRisks",
    "Records",
    "RegionalQuestion",
    "Robustness",
    "Scenario",
    "Solution",
    "SolverComparison",
    "SolverSweep",
    "Study",
    "StudyPlan",
    "StudyTable",
    "UniquenessEstimates",
    "UniquenessStudy",
    "UnmatchedRecordError",
    "__version__",
    "breakpoints",
    "compare",
    "compare_solvers",
    "compare_study",
    "demographics",
    "deviation_picture",
    "differences_of",
    "distinct_people",
    "estimate_uniqueness",
    "exact",
    "exposure",
    "fetch",
    "find_hierarchy",
    "histogram_picture",
    "identifiable",
    "lattice_picture",
    "lines_picture",
    "map_picture",
    "measure_uniqueness",
    "plot",
    "policy_solution",
    "price_per_reidentification",
    "read_class_sizes",
    "read_hierarchy",
    "read_place_counts",
    "read_results",
    "record_risks",
    "record_sweep",
    "release_risks",
    "robust_ranges",
    "run_summary",
    "save_picture",
    "scatter_picture",
    "solve",
    "solve_regions",
    "solve_study",
    "strategies_picture",
    "study_uniqueness",
    "success_by_class",
    "sweep",
    "sweep_solvers",
    "total_of",
    "total_risk",
    "uniqueness_picture",
    "write_report",
]


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used: the command line must not wait for what it does not need."""
    if name not in _HOMES:
        raise AttributeError(f"module 'gamedeid' has no attribute {name!r}")
    value = getattr(import_module(f"gamedeid.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
