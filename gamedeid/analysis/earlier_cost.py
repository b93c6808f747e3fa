"""What earlier releases that the recipient has come to for a release: who is found in them, and what they cost."""

from typing import cast

import numpy as np

from gamedeid.choices import GAMES, SolverName
from gamedeid.game.outcomes import Outcomes
from gamedeid.reprs import frozen
from gamedeid.results.quantities import Amount, Count, Share
from gamedeid.results.result import Result
from gamedeid.study.solution import Solution
from gamedeid.study.solve import solve


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
    """The records of a release and the earlier releases.

    Parameters
    ----------
    releases : how many the recipient has.
    found, new : records of people with an earlier released row, and of people without one.
    changed : records with a value that an earlier row rules out; nothing follows from that value.
    as_before : released records with the levels of the latest earlier row of the person.
    exposed : records for which an attack pays by the earlier rows alone, even if nothing more is released of them.
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
        instance, of_record = study.instance, study.instance.profiles.of_record
        top = np.full(instance.profiles.count, instance.lattice.most_general)
        unseen = Outcomes(instance=instance, profiles=instance.everyone, nodes=top)
        same = (solution.levels[of_record] == earlier.levels).all(axis=1) & ~solution.withheld[of_record]
        return cls(
            releases=len(study.scenario.earlier.releases),
            found=earlier.found,
            new=len(of_record) - earlier.found,
            changed=earlier.changed,
            as_before=int(same.sum()),
            exposed=int(unseen.attacked[of_record].sum()),
            cost=_cost(solution),
        )


def _cost(solution: Solution) -> EarlierCost | None:
    if solution.name not in GAMES or solution.limits is not None:
        return None
    alone = solve(solution.study.without_earlier(), game=solution.name, solver=cast("SolverName", solution.solver))
    now, without = (one.study.instance.profiles.of_record for one in (solution, alone))
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
