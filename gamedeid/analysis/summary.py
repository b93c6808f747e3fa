"""What a run found, as plain values for ``summary.json``."""

from typing import Any

import numpy as np

from gamedeid._version import __version__
from gamedeid.analysis.comparison import Comparison, compared_with, plays_all
from gamedeid.analysis.kept_columns import check_kept_columns
from gamedeid.analysis.robustness import Robustness
from gamedeid.choices import GAMES
from gamedeid.schema_names import KEY, schema_id
from gamedeid.study.facts import data_of, stakes_of
from gamedeid.study.solution import Solution

MOST_CHOSEN = 10
"""How many strategies a summary lists by name."""


def run_summary(
    solution: Solution,
    robustness: Robustness | None = None,
    comparison: Comparison | None = None,
) -> dict[str, Any]:
    """Return the content of ``summary.json``.

    The question, the measures, what the policy and the other games would have come to, how it was solved, what was
    chosen most, and how far the stakes may move (None where that was not asked for).

    Parameters
    ----------
    solution : what becomes of every record.
    robustness : how far the stakes may move; None where that was not asked for.
    comparison : the policy and all games, where that is there already; else they are played where that takes little.

    Raises
    ------
    InvalidScenarioError : another game cannot be played by the solver of the solution.
    InvalidDataError : the records are no longer what they were when they were read.
    """
    study = solution.study
    policies = (comparison or compared_with(solution)).policies
    unmet = [name for name in GAMES if name not in policies] if comparison is not None or plays_all(study) else []
    return {
        KEY: schema_id("summary"),
        "title": study.scenario.title,
        "game": solution.name,
        "payoffs": stakes_of(study.scenario),
        "measures": solution.measures,
        **({"recipients": solution.recipients} if solution.recipients else {}),
        "policies": policies,
        "search": solution.search,
        **({} if solution.limits is None else {"limits": {**solution.limits.as_dict(), "unmet_in": unmet}}),
        "policy": {"name": study.scenario_policy.name, "does": dict(study.scenario_policy.in_words)},
        "data": data_of(study),
        "kept_columns": check_kept_columns(solution).as_dict(),
        "strategies": chosen_strategies(solution),
        **({} if solution.mechanism is None else {"mechanism": solution.mechanism.as_dict()}),
        "robustness": None if robustness is None else robustness.as_dict(),
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
