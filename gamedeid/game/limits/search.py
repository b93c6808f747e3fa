"""Choices within limits: the best one beside a known one, and any one at all where limits may contradict each other."""

from collections.abc import Sequence
from dataclasses import replace

from gamedeid.arrays import FloatArray, IntArray
from gamedeid.game.limits.core import Chosen, choose
from gamedeid.game.limits.prices import least_bound
from gamedeid.game.limits.problem import Problem


def best_choice(problem: Problem, known: IntArray, together: Sequence[Sequence[int]] = ()) -> tuple[Chosen, FloatArray]:
    """Return the best choice that is found, no worse than a known one, and the least prices, (s,), of limits.

    Parameters
    ----------
    problem : the choices and the limits.
    known : (q,) an item of each group, within the limits.
    together : numbers of the limits that each price is of; no prices unless given.
    """
    bound, prices = least_bound(problem, together)
    return choose(problem, bound, known), prices


def least_use(problem: Problem, limit: int, rows: Sequence[int], known: IntArray) -> IntArray:
    """Return a choice, (q,), that uses as little of one limit as was found, within others.

    Parameters
    ----------
    problem : the choices.
    limit : number of the limit.
    rows : numbers of the others.
    known : (q,) an item of each group, within the others.
    """
    wanted = replace(problem.within(rows), worth=-problem.uses[limit], equal=max(float(problem.tolerance[limit]), TINY))
    return best_choice(wanted, known)[0].items


def some_choice(problem: Problem, rows: Sequence[int], demands: Sequence[int]) -> IntArray | None:
    """Return a choice, (q,), within limits; None where none is found.

    Parameters
    ----------
    problem : the choices; the last item of each group takes nothing of the limits of ``rows``.
    rows : numbers of limits that are on risk: what is withheld takes nothing of them.
    demands : numbers of further limits, which may contradict the others.
    """
    known, kept = problem.starts[1:] - 1, list(rows)
    for demand in demands:
        if not problem.within([demand]).keeps(known):
            known = least_use(problem, demand, kept, known)
        if not problem.within([demand]).keeps(known):
            return None
        kept.append(demand)
    return known


TINY = 1e-12
"""Uses that differ by less are equal, where a tolerance would be 0."""
