"""Every measure of risk of a release, compared with the policy and the raw data."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import ClassVar

import numpy as np

from gamedeid.arrays import FloatArray, IntArray
from gamedeid.errors import InvalidScenarioError, quoted
from gamedeid.game.spread import AttackLaw, AttackLaws, Spread, attack_laws, spread_of
from gamedeid.generalization.claims import WHOLE_NUMBER
from gamedeid.reprs import frozen
from gamedeid.results.result import Count, Flag, Mean, Result, Share
from gamedeid.risk.diversity import KeptDiversity, kept_diversity, kept_uniqueness
from gamedeid.risk.matches import few_match
from gamedeid.risk.records import GROUP_SIZES, THRESHOLDS, RecordRisks, class_sizes, raw_solution, record_risks
from gamedeid.scenario.payoffs import success_probability
from gamedeid.study.kept import KeptUniqueness
from gamedeid.study.solution import Solution
from gamedeid.study.solve import policy_solution


@frozen
class Uniqueness(Result):
    """How many released records that match a person of the population are unique.

    Parameters
    ----------
    unique : number unique in the release.
    unique_in_population : number unique in the population too; an expected number if the population is estimated.
    lambda_1, lambda_2 : the latter as a share of those unique in the release, None if there are none; and of all.
    """

    unique: Count
    unique_in_population: Mean
    lambda_1: Share | None
    lambda_2: Share


@frozen
class MeasuredRisks(RecordRisks):
    """Every measure of one release.

    Parameters
    ----------
    spread, spread_if_all : number of successful attacks: of those of the game's adversaries that pay, and of the
        journalist's adversary on all released records.
    distinct : size -> share of the released records that at most so many people match; expected, if the population is
        estimated.
    """

    keys: ClassVar[tuple[str, ...]] = (*RecordRisks.keys, "spread", "spread_if_all", "distinct", "uniqueness")

    spread: Spread
    spread_if_all: Spread
    distinct: Mapping[str, Share]
    uniqueness: Uniqueness


@frozen
class ReleaseRisks(Result):
    """Every measure of a release that is known without an estimate, aggregated; none of a single record.

    Parameters
    ----------
    thresholds : risks above which records are counted.
    population_is_the_records, population_is_estimated : facts about the population of the measures.
    kept_diversity : disclosure of the kept columns by the classes of the release.
    kept_uniqueness : how many released rows are unique by the kept columns; None if no column is kept.
    raw, policy, release : the measures of the unchanged records, of the policy and of the release.
    """

    shown = ("thresholds", "population_is_the_records", "population_is_estimated")

    thresholds: tuple[Share, ...]
    population_is_the_records: Flag
    population_is_estimated: Flag
    kept_diversity: KeptDiversity
    kept_uniqueness: KeptUniqueness | None = None
    raw: MeasuredRisks
    policy: MeasuredRisks
    release: MeasuredRisks


@frozen
class ReleaseRiskFacts(ReleaseRisks):
    """The document of ``gamedeid risk release --json``: the same, but not as a part of a report."""

    document = "release-risks"


def release_risks(
    solution: Solution, *, thresholds: Sequence[float] = THRESHOLDS, distinct: Sequence[int] = GROUP_SIZES
) -> ReleaseRisks:
    """Return every measure of a release that is known without an estimate.

    Parameters
    ----------
    solution : the release.
    thresholds : risks above which records are counted, each in [0, 1).
    distinct : sizes of group, each at least 1.

    Raises
    ------
    InvalidScenarioError : a threshold or a size outside its range, or a policy that requires a level that does not
        exist.
    InvalidDataError : a row of the records, which the disclosure of kept columns needs, has changed since it was read.

    References
    ----------
    benitez2010, g-distinct; dankar2012, equations 1 and 2.
    """
    for size in distinct:
        if not WHOLE_NUMBER.holds(size) or size < 1:
            raise InvalidScenarioError(f"distinct: expected whole numbers of 1 or more, not {quoted(size)}")
    study = solution.study
    compared = {
        "raw": raw_solution(study),
        "policy": policy_solution(study, study.scenario_policy),
        "release": solution,
    }
    return ReleaseRisks(
        thresholds=tuple(thresholds),
        population_is_the_records=study.is_own_population,
        population_is_estimated=study.population.estimate is not None,
        kept_diversity=kept_diversity(solution),
        kept_uniqueness=kept_uniqueness(solution) if study.scenario.records.keep else None,
        **{which: _measures(one, thresholds, distinct) for which, one in compared.items()},
    )


def _few_match(solution: Solution, sizes: Iterable[int]) -> Mapping[int, FloatArray | IntArray]:
    """Return g -> the chance, (q,), that at most g people match: 0 or 1, int64, if they are counted."""
    if solution.study.population.estimate is None:
        return {at_most: (solution.people <= at_most).astype(np.int64) for at_most in sizes}
    return few_match(solution, sizes)


def _measures(solution: Solution, thresholds: Sequence[float], distinct: Sequence[int]) -> MeasuredRisks:
    risks = record_risks(solution, thresholds)
    study, records = solution.study, solution.study.instance.profiles.records
    found = ~solution.withheld & (solution.people > 0)
    alone = found & (class_sizes(solution) == 1)
    few, chances = _few_match(solution, {1, *distinct}), success_probability(solution.people[found])
    on_all = AttackLaws(laws=[(1.0, AttackLaw.of(chances, records[found]))], highest=float(chances.max(initial=0.0)))
    unique, both = int(records[alone].sum()), (records[alone] @ few[1][alone]).item()

    matched = risks.released - risks.unmatched

    def share(count: float) -> float:
        return count / matched if matched else 0.0

    return MeasuredRisks(
        **{field.name: getattr(risks, field.name) for field in fields(risks)},
        spread=spread_of(attack_laws(study.instance, solution.choice.nodes)),
        spread_if_all=spread_of(on_all),
        distinct={str(most): share(float(records[found] @ few[most][found])) for most in distinct},
        uniqueness=Uniqueness(
            unique=unique,
            unique_in_population=both,
            lambda_1=both / unique if unique else None,
            lambda_2=share(both),
        ),
    )
