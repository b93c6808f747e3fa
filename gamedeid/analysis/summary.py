"""The results of a run, as plain values for ``summary.json``."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import field, fields
from typing import Annotated, Any, ClassVar, TypeAlias, cast

import numpy as np
from pydantic import Field

from gamedeid._version import __version__
from gamedeid.analysis.comparison import Comparison, ReleaseFacts, compare_solution, plays_all_games
from gamedeid.analysis.robustness import Robustness
from gamedeid.arrays import BoolArray
from gamedeid.choices import GAMES, GameName, SearchName, SolverName
from gamedeid.game.limits.within import LimitReached, WithinLimits
from gamedeid.game.mechanism.plan import PlanFacts
from gamedeid.game.outcomes import Outcomes
from gamedeid.grouping import sums_by
from gamedeid.reprs import frozen
from gamedeid.results.manifest import ResultWarning
from gamedeid.results.result import Amount, Count, Flag, Level, Mean, Result, Share, Text
from gamedeid.risk.detail import ColumnDetail, release_detail
from gamedeid.risk.diversity import KeptColumns, check_kept_columns
from gamedeid.scenario.limits import LIMIT_NAMES
from gamedeid.study.applied import Applied
from gamedeid.study.column_groups import one_of_each
from gamedeid.study.facts import DataFacts, Measures, PolicyWords, RecipientFacts, StakeFacts
from gamedeid.study.solution import Solution
from gamedeid.study.solve import solve
from gamedeid.study.study import Study

MOST_STRATEGIES = 10
"""Most strategies that a summary lists by name."""

LimitName: TypeAlias = Annotated[str, Field(strict=True, pattern=f"^({'|'.join(map(re.escape, LIMIT_NAMES))})$")]


@frozen
class SearchFacts(Result):
    """The search for the strategies, as :attr:`gamedeid.Solution.search` has it; None for a policy."""

    solver: SearchName | None
    searched: Mean | None
    searched_most: Count | None
    proved: Flag | None
    gap: Amount | None
    gap_most: Amount | None


@frozen
class LimitFacts(Result):
    """The results of the limits on the whole dataset.

    Parameters
    ----------
    asked : each limit, with the value that was reached.
    payoff, bound, gap, bound_by_prices, proved, payoff_without_limits : as for
        :class:`gamedeid.game.limits.within.WithinLimits`.
    unmet_in : games without strategies within them.
    """

    asked: Mapping[LimitName, LimitReached]
    payoff: Amount
    bound: Amount
    gap: Amount
    bound_by_prices: Amount
    proved: Flag
    payoff_without_limits: Amount | None
    unmet_in: tuple[GameName, ...]

    @classmethod
    def of(cls, found: WithinLimits, unmet_in: Iterable[GameName]) -> "LimitFacts":
        """Return the values of the limits in the game that was played."""
        return cls(
            asked={limit.name: limit for limit in found.limits},
            payoff=found.payoff,
            bound=found.bound,
            gap=found.gap,
            bound_by_prices=found.by_prices,
            proved=found.choice.proved,
            payoff_without_limits=found.without,
            unmet_in=tuple(unmet_in),
        )


@frozen
class EarlierCost(Result):
    """A release compared with the same question about a recipient without earlier releases.

    Parameters
    ----------
    publisher_payoff, publisher_payoff_without : mean per record, dollars, with the earlier releases and without.
    information_loss, information_loss_without : mean, 1 for a withheld record.
    as_without : records with the strategy that they would have without earlier releases.
    generalized, withheld : records that are generalized further, and those that are withheld in addition.
    other : records with another strategy, which is not more general in every attribute.
    """

    publisher_payoff: Amount
    publisher_payoff_without: Amount
    information_loss: Share
    information_loss_without: Share
    as_without: Count
    generalized: Count
    withheld: Count
    other: Count


@frozen
class EarlierFacts(Result):
    """The records of a release and the earlier releases; people, each once, where the scenario names persons.

    Parameters
    ----------
    releases : how many the recipient has.
    found, new : records of people with an earlier released row, and of people without one.
    changed : records with a value that an earlier row rules out; nothing follows from that value.
    as_before : released records with the levels of the latest earlier row of the person.
    exposed : records for which an attack pays by the earlier rows alone, even if nothing more is released of them, and
        would not pay without these rows.
    cost : the comparison with the same question without earlier releases; None where it is not computed: of policies,
        limits on the whole dataset and games of the whole population.
    """

    releases: Count
    found: Count
    new: Count
    changed: Count
    as_before: Count
    exposed: Count
    cost: EarlierCost | None

    @classmethod
    def of(cls, solution: Solution) -> "EarlierFacts | None":
        """Return the facts of a solution; None where the recipient has no earlier releases."""
        study, earlier = solution.study, solution.study.earlier
        if earlier is None or study.scenario.earlier is None:
            return None
        counted, without = one_of_each(study), study.without_earlier()
        found, of_record = earlier.found[counted], study.instance.profiles.of_record[counted]
        same = (solution.levels[of_record] == earlier.levels[counted]).all(axis=1) & ~solution.withheld[of_record]
        exposed = _attacked_if_unseen(study)[counted] & ~_attacked_if_unseen(without)[counted]
        return cls(
            releases=len(study.scenario.earlier.releases),
            found=int(found.sum()),
            new=int((~found).sum()),
            changed=int(earlier.changed[counted].sum()),
            as_before=int(same.sum()),
            exposed=int(exposed.sum()),
            cost=_cost(solution, without),
        )


def _attacked_if_unseen(study: Study) -> BoolArray:
    """Return whether an attack pays on each record, (r,), even at the most general strategy."""
    instance = study.instance
    top = np.full(instance.profiles.count, instance.lattice.most_general)
    return Outcomes(instance=instance, profiles=instance.all_profiles, nodes=top).attacked[instance.profiles.of_record]


def _cost(solution: Solution, study: Study) -> EarlierCost | None:
    if solution.name not in GAMES or solution.limits is not None:
        return None
    alone = solve(study, game=solution.name, solver=cast("SolverName", solution.solver))
    now, without = (one.study.instance.profiles.of_record[one_of_each(study)] for one in (solution, alone))
    withheld, was_withheld = solution.withheld[now], alone.withheld[without]
    levels, before = solution.levels[now], alone.levels[without]
    same = (levels == before).all(axis=1) & (withheld == was_withheld)
    hidden = withheld & ~was_withheld
    coarser = (levels >= before).all(axis=1) & ~same & ~withheld & ~was_withheld
    return EarlierCost(
        publisher_payoff=float(solution.measures["publisher_payoff"]),
        publisher_payoff_without=float(alone.measures["publisher_payoff"]),
        information_loss=_mean_loss(solution),
        information_loss_without=_mean_loss(alone),
        as_without=int(same.sum()),
        generalized=int(coarser.sum()),
        withheld=int(hidden.sum()),
        other=int((~same & ~hidden & ~coarser).sum()),
    )


def _mean_loss(solution: Solution) -> float:
    return float(np.average(solution.information_loss, weights=solution.study.instance.profiles.records))


@frozen
class ChosenStrategy(Result):
    """A strategy: its levels by attribute, and records and share of them that have it."""

    levels: Mapping[str, Level]
    records: Count
    share: Share


@frozen
class Summary(Result):
    """The results of a run: the content of ``summary.json``.

    Parameters
    ----------
    title, payoffs, policy, data : of the question, and the facts of its data.
    game : the game or policy.
    warnings : the warnings for the reader of the results.
    measures, recipients : the measures of the release, and those of each of several recipients.
    policies : the same, and more, of the policy and the other games, by name.
    search : how it was solved.
    limits : on the whole dataset, where there are some.
    earlier : of the earlier releases that the recipient has, where there are some.
    columns : the detail left of each attribute, for the publisher and the signer.
    kept_columns : findings about the kept columns.
    keep_order : whether released rows are in the order of the records, and not in that of their values.
    strategies : those chosen for most records.
    mechanism : of a game of the whole population.
    robustness : how far the stakes may move; None if that was not requested.
    gamedeid : the version.
    """

    document: ClassVar[str | None] = "summary"

    title: Text
    game: Text
    warnings: tuple[ResultWarning, ...]
    payoffs: StakeFacts
    measures: Measures
    recipients: Mapping[str, RecipientFacts] = field(default_factory=dict)
    policies: Mapping[str, ReleaseFacts]
    search: SearchFacts
    limits: LimitFacts | None = None
    earlier: EarlierFacts | None = None
    policy: PolicyWords
    data: DataFacts
    columns: tuple[ColumnDetail, ...]
    kept_columns: KeptColumns
    keep_order: Flag
    strategies: tuple[ChosenStrategy, ...]
    mechanism: PlanFacts | None = None
    robustness: Robustness | None
    gamedeid: Text


@frozen
class AppliedSummary(Summary):
    """The release of new rows: a summary, and how many rows and profiles are new."""

    document = "apply"

    applied: Applied

    @classmethod
    def of(cls, summary: Summary, applied: Applied) -> "AppliedSummary":
        """Return a summary with the facts of an application."""
        return cls(**{one.name: getattr(summary, one.name) for one in fields(summary)}, applied=applied)


def run_summary(
    solution: Solution,
    robustness: Robustness | None = None,
    comparison: Comparison | None = None,
    *,
    keep_order: bool = False,
) -> Summary:
    """Return the results of a run, without warnings.

    Parameters
    ----------
    robustness : how far the stakes may move; None if that was not requested.
    comparison : with the policy and the games; None to make it here.
    """
    study = solution.study
    policies = (comparison or compare_solution(solution)).facts
    unmet = [name for name in GAMES if name not in policies] if comparison is not None or plays_all_games(study) else []
    measures: dict[str, Any] = solution.measures
    return Summary(
        title=study.scenario.title,
        game=solution.name,
        warnings=(),
        payoffs=StakeFacts.of(study.scenario),
        measures=Measures(**measures),
        recipients=RecipientFacts.by_name(solution.recipients),
        policies=policies,
        search=SearchFacts(**solution.search),
        limits=None if solution.limits is None else LimitFacts.of(solution.limits, unmet),
        earlier=EarlierFacts.of(solution),
        policy=PolicyWords.of(study.scenario_policy),
        data=DataFacts.of(study),
        columns=release_detail(solution).columns,
        kept_columns=check_kept_columns(solution),
        keep_order=keep_order,
        strategies=tuple(chosen_strategies(solution)),
        mechanism=None if solution.mechanism is None else solution.mechanism.facts,
        robustness=robustness,
        gamedeid=__version__,
    )


def chosen_strategies(solution: Solution, most: int = MOST_STRATEGIES) -> list[ChosenStrategy]:
    """Return the strategies chosen for most records.

    Equal numbers of records are listed in walk order; withheld records are not among them.
    """
    instance = solution.study.instance
    released = ~solution.withheld
    nodes, where = np.unique(solution.choice.nodes[released], return_inverse=True)
    records = sums_by(where, instance.profiles.records[released], len(nodes))
    order = np.lexsort((instance.lattice.walk_keys(nodes), -records))[:most]
    total = int(instance.profiles.records.sum())
    return [
        ChosenStrategy(
            levels=instance.levels_of(nodes[place]),
            records=int(records[place]),
            share=int(records[place]) / total,
        )
        for place in order
    ]
