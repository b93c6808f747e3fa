"""What a run or a comparison found, as plain values for ``summary.json`` and ``comparison.json``."""

from typing import Any

import numpy as np

from gamedeid._version import __version__
from gamedeid.analysis.comparison import Comparison
from gamedeid.analysis.kept_columns import check_kept_columns
from gamedeid.analysis.robustness import Robustness
from gamedeid.scenario.payoffs import Payoffs
from gamedeid.scenario.scenario import Scenario
from gamedeid.scenario.sections import Population
from gamedeid.study.solution import Solution
from gamedeid.study.study import Study

MOST_CHOSEN = 10
"""How many strategies a summary lists by name."""


def run_summary(solution: Solution, robustness: Robustness | None = None) -> dict[str, Any]:
    """Return the content of ``summary.json``.

    The question, the measures, how it was solved, what was chosen most, and how far the stakes may move (None where
    that was not asked for).
    """
    study = solution.study
    return {
        "title": study.scenario.title,
        "game": solution.name,
        "payoffs": _payoffs(study.scenario),
        "measures": solution.measures,
        "search": solution.search,
        "policy": {"name": study.floor.name, "does": dict(study.floor.says)},
        "data": data_of(study),
        "kept_columns": check_kept_columns(solution).as_dict(),
        "strategies": chosen_strategies(solution),
        "robustness": None if robustness is None else robustness.as_dict(),
        "gamedeid": __version__,
    }


def comparison_summary(comparison: Comparison) -> dict[str, Any]:
    """Return the content of ``comparison.json``: the measures of the policy and of each game, by name."""
    study = comparison.study
    policies = {row["policy"]: {key: value for key, value in row.items() if key != "policy"} for row in comparison.rows}
    return {
        "title": study.scenario.title,
        "payoffs": _payoffs(study.scenario),
        "policies": policies,
        "policy": {"name": study.floor.name, "does": dict(study.floor.says)},
        "data": data_of(study),
        "gamedeid": __version__,
    }


def chosen_strategies(solution: Solution, most: int = MOST_CHOSEN) -> list[dict[str, Any]]:
    """Return the strategies chosen for most records: their levels by attribute, and records and share of them.

    Equal numbers of records are listed in walk order; withheld records are not among them.
    """
    instance = solution.study.instance
    released = ~solution.withheld
    nodes, where = np.unique(solution.choice.nodes[released], return_inverse=True)
    records = np.zeros(len(nodes), np.int64)
    np.add.at(records, where, instance.profiles.records[released])
    order = np.lexsort((instance.lattice.walk_keys(nodes), -records))[:most]
    total = int(instance.profiles.records.sum())
    return [
        {
            "levels": dict(zip(instance.hierarchies, instance.lattice.levels_of(nodes[place]), strict=True)),
            "records": int(records[place]),
            "share": int(records[place]) / total,
        }
        for place in order
    ]


def _payoffs(scenario: Scenario) -> dict[str, float]:
    stakes = Payoffs.of(scenario.payoffs)
    return {"benefit": stakes.benefit, "loss": stakes.loss, "gain": stakes.adversary_gain, "cost": stakes.cost}


def data_of(study: Study) -> dict[str, Any]:
    """Return what was read, as ``data`` of ``summary.json`` and ``comparison.json``."""
    instance = study.instance
    return {
        "records": int(instance.profiles.records.sum()),
        "profiles": instance.profiles.count,
        "repeated_keys": [
            {"column": key.column, "rows": key.rows, "values": key.values} for key in study.repeated_keys
        ],
        "population": study.people,
        "population_rows": study.population_rows,
        "population_is_the_records": study.is_own_population,
        "unmatched": None if study.population_rows is None else (study.scenario.population or Population()).unmatched,
        "unmatched_records": study.unmatched_records,
        "population_levels": dict(study.known),
        "sampling_fraction": study.sampling_fraction,
        "strategies": instance.lattice.size,
    }
