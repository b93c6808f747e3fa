"""The limits on sums over the records: how much of each a strategy takes, and how much is allowed."""

from collections.abc import Callable, Mapping
from typing import Protocol

import numpy as np

from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.game.limits.candidates import Candidates
from gamedeid.game.limits.problem import Problem
from gamedeid.scenario.payoffs import TIE, Payoffs


class PerRecord(Protocol):
    """What strategies come to for one record each: candidates, or outcomes of a solution."""

    @property
    def success_probability(self) -> FloatArray:
        """Chance of re-identification, pi."""
        ...

    @property
    def attacked(self) -> BoolArray:
        """Whether an attack pays."""
        ...

    @property
    def adversary_payoff(self) -> FloatArray:
        """Dollars; 0 where no attack pays."""
        ...

    @property
    def publisher_payoff(self) -> FloatArray:
        """Dollars."""
        ...

    @property
    def information_loss(self) -> FloatArray:
        """IL, in [0, 1]."""
        ...


SUMS: dict[str, Callable[[PerRecord], FloatArray]] = {
    "expected_reidentifications": lambda them: them.success_probability * them.attacked,
    "attacked": lambda them: them.attacked.astype(float),
    "list_price": lambda them: them.adversary_payoff,
    "information_loss": lambda them: them.information_loss,
    "publisher_payoff": lambda them: -them.publisher_payoff,
}
"""What each strategy takes of a limit for one record; of a least payoff, what it gives is taken with a minus."""

MEANS = ("attacked", "information_loss", "publisher_payoff")
"""Limits on the mean over the records; the others are on the sum."""

AT_LEAST = ("publisher_payoff",)
"""Limits that the dataset must reach; the others it must not exceed."""

DEMANDS = ("information_loss", "publisher_payoff")
"""Limits that withholding does not meet: they may contradict the others."""


def problem_of(them: Candidates, limits: Mapping[str, float], records: IntArray, payoffs: Payoffs) -> Problem:
    """Return the choice of a candidate for each profile within limits on sums.

    Parameters
    ----------
    them : of all profiles.
    limits : name, as in ``SUMS``, -> how much is allowed.
    records : (q,) how many records have each profile: all of them get the same strategy.
    payoffs : the stakes.
    """
    times = np.repeat(records, np.diff(them.starts)).astype(float)
    total = float(records.sum())
    uses = [SUMS[name](them) * times for name in limits]
    return Problem(
        starts=them.starts,
        worth=them.publisher_payoff * times,
        uses=np.array(uses).reshape(len(limits), len(times)),
        allowed=np.array([allowed_of(name, limit, total) for name, limit in limits.items()]),
        tolerance=np.array([tolerance_of(name, limit, total, payoffs) for name, limit in limits.items()]),
        equal=payoffs.tolerance * total,
    )


def allowed_of(name: str, limit: float, records: float) -> float:
    """Return the sum over the records that a limit allows, of what candidates take."""
    signed = -limit if name in AT_LEAST else limit
    return signed * records if name in MEANS else signed


def reached_of(name: str, used: float, records: float) -> float:
    """Return what a sum of what candidates take is in the limit's own terms."""
    signed = -used if name in AT_LEAST else used
    return signed / records if name in MEANS else signed


def tolerance_of(name: str, limit: float, records: float, payoffs: Payoffs) -> float:
    """Return by how much a limit's sum may exceed what is allowed, since sums round in different orders."""
    one = {"list_price": max(payoffs.adversary_gain, payoffs.cost), "publisher_payoff": payoffs.benefit}.get(name, 1.0)
    return TIE * max(abs(allowed_of(name, limit, records)), one * (records if name in MEANS else 1.0))


def per_unit(name: str, price: float, records: float) -> float:
    """Return what one unit more of a limit, in its own terms, is worth, from the price of one unit of its sum."""
    return price * records if name in MEANS else price
