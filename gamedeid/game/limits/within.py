"""The best strategies within limits on the whole dataset, what each limit is worth, and what is proved of them."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from gamedeid.arrays import IntArray
from gamedeid.game.frontier import Frontier
from gamedeid.game.instance import Instance
from gamedeid.game.limits.candidates import candidates, within_risk
from gamedeid.game.limits.nearest import unmet_limits
from gamedeid.game.limits.search import best_choice, some_choice
from gamedeid.game.limits.sums import (
    AT_LEAST,
    DEMANDS,
    SUMS,
    allowed_of,
    per_unit,
    problem_of,
    reached_of,
    tolerance_of,
)
from gamedeid.game.outcomes import Outcomes
from gamedeid.game.rules import Game
from gamedeid.game.solvers import Choice
from gamedeid.reprs import frozen
from gamedeid.scenario.limits import Limits

RECORD_RISK = "record_risk"
"""The limit on each record alone."""


@frozen(eq=False)
class LimitReached:
    """One limit, and what became of it.

    Parameters
    ----------
    name : as in the section ``[limits]``.
    limit : what was asked for.
    reached : what the strategies come to, in the same terms.
    shadow_price : dollars of the publisher's total payoff that one unit more of the limit is worth, by the proved
        bound; None for a limit on each record alone.
    """

    name: str
    limit: float
    reached: float
    shadow_price: float | None

    @property
    def binding(self) -> bool | None:
        """Whether more payoff was possible without it, by the proved bound; None where no price tells."""
        return None if self.shadow_price is None else self.shadow_price > 0

    def as_dict(self) -> dict[str, Any]:
        """Return the same as plain values, as ``limits`` of ``summary.json`` has them under ``asked``."""
        return {
            "limit": self.limit,
            "reached": self.reached,
            "binding": self.binding,
            "shadow_price": self.shadow_price,
        }


@frozen(eq=False)
class WithinLimits:
    """The best strategies that were found within the limits of a scenario.

    Parameters
    ----------
    choice : a strategy for each profile, and whether it is proved the best.
    limits : what became of each limit.
    payoff : publisher's total payoff, dollars.
    bound : dollars that no strategies within the limits can exceed; proved.
    by_prices : dollars that the shadow prices prove: with another value of a limit no strategies pay more in total than
        this and the limit's price for each unit that it is greater. At least ``bound``.
    without : publisher's total payoff, dollars, in the same game without limits.
    """

    choice: Choice
    limits: tuple[LimitReached, ...]
    payoff: float
    bound: float
    by_prices: float
    without: float

    @property
    def gap(self) -> float:
        """Dollars of total payoff by which strategies within the limits may be better than those found."""
        return max(self.bound - self.payoff, 0.0)

    def as_dict(self) -> dict[str, Any]:
        """Return the same as plain values, as ``limits`` of ``summary.json`` has them."""
        return {
            "asked": {limit.name: limit.as_dict() for limit in self.limits},
            "payoff": self.payoff,
            "bound": self.bound,
            "gap": self.gap,
            "bound_by_prices": self.by_prices,
            "proved": self.choice.proved,
            "payoff_without_limits": self.without,
        }


def choose_within_limits(
    instance: Instance, game: Game, frontier: Frontier, limits: Limits, free: Choice
) -> WithinLimits:
    """Return one strategy, or withholding, for each profile with the greatest total payoff within limits.

    Parameters
    ----------
    instance : what the game is played with.
    game : what is permitted.
    frontier : of the game.
    limits : on the whole dataset.
    free : the best strategies without limits; they are kept where they are within the limits.

    Raises
    ------
    InvalidScenarioError : there are several recipients.
    UnmetLimitsError : no strategies are within the limits; it says by how much, and the nearest that can be met.
    """
    instance.refuse_recipients("limits")
    asked = dict(limits.asked())
    sums = {name: value for name, value in asked.items() if name in SUMS}
    others = {name: value for name, value in asked.items() if name not in SUMS}
    without = _total(instance, free.nodes)
    prices: dict[str, float | None] = {name: None if name in others else 0.0 for name in asked}
    if _within(instance, free.nodes, asked):
        return _result(instance, free, asked, prices, (without, without), without)
    records = float(instance.profiles.records.sum())
    them = candidates(frontier, forbids_attack=game.forbids_attack, record_risk=asked.get(RECORD_RISK))
    problem = problem_of(them, sums, instance.profiles.records, instance.payoffs)
    places = {name: place for place, name in enumerate(sums)}
    coupling = [place for name, place in places.items() if name not in AT_LEAST]
    risks = [place for name, place in places.items() if name not in DEMANDS]
    known = some_choice(problem, risks, [place for place in coupling if place not in risks])
    if known is None:
        raise unmet_limits(problem, sums, others, records)
    found, of_sums = best_choice(problem.within(coupling), known)
    if not problem.keeps(found.items):
        raise unmet_limits(problem, sums, others, records)
    names = list(sums)
    prices |= {
        names[place]: per_unit(names[place], price, records)
        for place, price in zip(coupling, of_sums.tolist(), strict=True)
    }
    proved = found.bound - found.worth <= problem.equal
    choice = Choice(nodes=them.nodes[found.items], searched=np.diff(them.starts), proved=proved)
    return _result(instance, choice, asked, prices, (found.bound, found.by_prices), without)


def _result(
    instance: Instance,
    choice: Choice,
    asked: Mapping[str, float],
    prices: Mapping[str, float | None],
    bounds: tuple[float, float],
    without: float,
) -> WithinLimits:
    """Return the result, with what the strategies come to as the outcomes of their records say it."""
    outcomes = Outcomes(instance=instance, profiles=instance.everyone, nodes=choice.nodes)
    payoff = _total(instance, choice.nodes)
    limits = tuple(
        LimitReached(name=name, limit=value, reached=reach(outcomes, name), shadow_price=prices[name])
        for name, value in asked.items()
    )
    bound, by_prices = (max(one, payoff) for one in bounds)
    return WithinLimits(choice=choice, limits=limits, payoff=payoff, bound=bound, by_prices=by_prices, without=without)


def reach(outcomes: Outcomes, name: str) -> float:
    """Return what strategies come to, in the terms of a limit.

    Parameters
    ----------
    outcomes : of all profiles.
    name : of the limit.
    """
    if name == RECORD_RISK:
        return float(outcomes.success_probability.max(initial=0.0))
    records = outcomes.instance.profiles.records
    used = float((SUMS[name](outcomes) * records).sum())
    return reached_of(name, used, float(records.sum()))


def _total(instance: Instance, nodes: IntArray) -> float:
    outcomes = Outcomes(instance=instance, profiles=instance.everyone, nodes=nodes)
    return float((outcomes.publisher_payoff * instance.profiles.records).sum())


def _within(instance: Instance, nodes: IntArray, asked: Mapping[str, float]) -> bool:
    """Return whether strategies are within all limits."""
    outcomes = Outcomes(instance=instance, profiles=instance.everyone, nodes=nodes)
    records = instance.profiles.records
    total = float(records.sum())
    for name, limit in asked.items():
        if name == RECORD_RISK:
            if not within_risk(outcomes.people, limit).all():
                return False
            continue
        used = float((SUMS[name](outcomes) * records).sum())
        if used > allowed_of(name, limit, total) + tolerance_of(name, limit, total, instance.payoffs):
            return False
    return True
