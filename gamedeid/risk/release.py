"""What a release would mean by every measure of risk that applies to it, beside the policy and the raw data."""

from collections.abc import Sequence
from typing import Any

from gamedeid.game.spread import laws_of, spread_of
from gamedeid.risk.diversity import kept_diversity
from gamedeid.risk.records import THRESHOLDS, class_sizes, raw_solution, record_risks
from gamedeid.study.solution import Solution
from gamedeid.study.solve import policy_solution

DISTINCT = (1, 3, 5, 10)
"""Sizes of group up to which a record counts as distinct, unless others are given."""


def release_risks(
    solution: Solution, *, thresholds: Sequence[float] = THRESHOLDS, distinct: Sequence[int] = DISTINCT
) -> dict[str, Any]:
    """Return every measure of a release that is known without an estimate; aggregated, nothing of a single record.

    Parameters
    ----------
    solution : what is released.
    thresholds : risks above which records are counted, each in [0, 1).
    distinct : sizes of group, each at least 1.

    Returns
    -------
    ``thresholds``, ``population_is_the_records``, ``population_is_estimated``, ``kept_diversity`` (of the release, as
    :func:`gamedeid.risk.diversity.kept_diversity` gives it), and for ``raw``, ``policy`` and
    ``release``: what :func:`gamedeid.risk.records.record_risks` gives, ``spread`` and ``spread_if_all`` (how many
    attacks may succeed: of those that pay, and if all that is released is attacked), ``distinct`` (for each size the
    share that no more people match) and ``uniqueness`` (``unique``, how many records are unique in the release;
    ``unique_in_population``, how many of them are unique in the population too; ``lambda_1``, the same as a share of
    those, None where there are none; ``lambda_2``, as a share of all). Both are of the released records that somebody
    in the population matches.

    Raises
    ------
    InvalidScenarioError : a threshold outside its range, or a policy that asks for levels that there are not.
    InvalidDataError : a row of the records cannot be read again as it was, for what classes tell of kept columns.

    References
    ----------
    benitez2010, g-distinct; dankar2012, equations 1 and 2.
    """
    study = solution.study
    compared = {
        "raw": raw_solution(study),
        "policy": policy_solution(study, study.scenario_policy),
        "release": solution,
    }
    return {
        "thresholds": list(thresholds),
        "population_is_the_records": study.is_own_population,
        "population_is_estimated": study.population.estimate is not None,
        "kept_diversity": kept_diversity(solution).as_dict(),
        **{which: _measures(one, thresholds, distinct) for which, one in compared.items()},
    }


def _measures(solution: Solution, thresholds: Sequence[float], distinct: Sequence[int]) -> dict[str, Any]:
    risks = record_risks(solution, thresholds)
    study, records = solution.study, solution.study.instance.profiles.records
    people = solution.people
    found = ~solution.withheld & (people > 0)
    alone = found & (class_sizes(solution) == 1)
    unique, both = int(records[alone].sum()), int(records[alone & (people == 1)].sum())

    matched = risks.released - risks.unmatched

    def share(count: int) -> float:
        return count / matched if matched else 0.0

    return {
        **risks.as_dict(),
        "spread": spread_of(laws_of(study.instance, solution.choice.nodes)).as_dict(),
        "spread_if_all": spread_of(laws_of(study.instance, solution.choice.nodes, all_attacked=True)).as_dict(),
        "distinct": {str(most): share(int(records[found & (people <= most)].sum())) for most in distinct},
        "uniqueness": {
            "unique": unique,
            "unique_in_population": both,
            "lambda_1": both / unique if unique else None,
            "lambda_2": share(both),
        },
    }
