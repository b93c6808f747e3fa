"""The strategies of each profile as items of a knapsack: the payoff of each, and its use of the limits."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, reduce
from itertools import permutations
from typing import TypeAlias

import numpy as np

from gamedeid.arrays import ROUNDING, BoolArray, FloatArray, IntArray
from gamedeid.game.frontier import Frontier
from gamedeid.game.instance import Instance
from gamedeid.game.limits.knapsack import Knapsack
from gamedeid.game.outcomes import Outcomes
from gamedeid.game.replies import Replies
from gamedeid.game.rules import Game
from gamedeid.kernels.tables import WITHHELD
from gamedeid.reprs import frozen
from gamedeid.scenario.limits import OF_GROUPS
from gamedeid.scenario.payoffs import TIE, Payoffs


@frozen(eq=False)
class Items:
    """Strategies that can be best within limits, profile after profile, with payoffs of one record; e in all."""

    starts: IntArray  # (q + 1,) int64, where each profile's items begin; each has at least one
    nodes: IntArray  # (e,) int64 node numbers; -1 for withholding
    publisher_payoff: FloatArray  # (e,) dollars, the expected loss included
    information_loss: FloatArray  # (e,) IL, in [0, 1]; 1 where withheld
    replies: Replies  # (e,) reply of each adversary; none finds a person in a withheld record

    @property
    def profiles(self) -> IntArray:
        """The profile of each, (e,)."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))


def frontier_items(
    instance: Instance,
    frontier: Frontier,
    *,
    forbids_attack: bool,
    record_risk: float | None,
    withholds: bool,
) -> Items:
    """Return the strategies of each profile that can be best within limits on sums over the dataset.

    These are the attacked ones of its frontier, the first unattacked one, and withholding where there is no unattacked
    one. Each other strategy has no greater payoff than one of these, no smaller information loss, and no smaller
    expected loss, chance of re-identification and gain for any adversary; so no limit is a reason to choose it, except
    one on the difference of groups, with which every profile may be withheld. ``record_risk`` is the greatest chance of
    re-identification of a released record; None for any.
    """
    entries, replies = frontier.entries, frontier.replies(instance)
    permitted = keeps_record_risk(replies, record_risk)
    if forbids_attack:
        permitted &= ~replies.deterrable
    profile = np.repeat(np.arange(instance.profiles.count), frontier.lengths)
    safe = _first_unattacked(instance.payoffs, frontier, permitted & ~replies.attacked, profile)
    attacked_entries = np.flatnonzero(permitted & replies.attacked)
    without: IntArray = np.zeros(0, np.int64) if withholds else profile[safe]
    withheld = np.setdiff1d(np.arange(instance.profiles.count), without, assume_unique=True)
    rows = np.concatenate([attacked_entries, safe])
    profiles = np.concatenate([profile[rows], withheld])
    order = np.argsort(profiles, kind="stable")
    none = len(withheld)
    chosen = Replies(
        adversaries=instance.adversaries,
        people=tuple(np.concatenate([people[rows], np.zeros(none, np.int64)])[order] for people in replies.people),
    )
    shares = np.concatenate([entries.benefit_share[rows], np.zeros(none)])[order]
    return Items(
        starts=np.searchsorted(profiles[order], np.arange(instance.profiles.count + 1)),
        nodes=np.concatenate([frontier.nodes[rows], np.full(none, WITHHELD, np.int64)])[order],
        publisher_payoff=instance.payoffs.benefit * shares - chosen.expected_loss,
        information_loss=1.0 - shares,
        replies=chosen,
    )


def keeps_record_risk(replies: Replies, record_risk: float | None) -> BoolArray:
    """Return whether records, (k,), are within a greatest chance of re-identification, whether or not attacks pay.

    The chances of several recipients are added: the sum is the expected number of successes if all of them attack, and
    no less than the chance that any of them names the right person.
    """
    risk = replies.if_all_attacked
    if record_risk is None:
        return np.ones(len(risk), np.bool_)
    within: BoolArray = risk * (1 - ROUNDING) <= record_risk
    return within


def permitted_at_record_risk(game: Game, outcomes: Outcomes, record_risk: float | None) -> BoolArray:
    """Return whether a game permits outcomes, (k,), that are within the greatest chance of re-identification."""
    permitted = game.permits(outcomes.instance, outcomes.profiles, outcomes.nodes, outcomes.replies.deterrable)
    return permitted & keeps_record_risk(outcomes.replies, record_risk)


def _first_unattacked(payoffs: Payoffs, frontier: Frontier, safe: BoolArray, profile: IntArray) -> IntArray:
    """Return the best unattacked entry of each profile that has one, the first in walk order among equals."""
    entries, tolerance = frontier.entries, payoffs.tolerance / payoffs.benefit
    places = np.flatnonzero(safe)
    best = np.zeros(len(entries.starts) - 1)
    np.maximum.at(best, profile[places], entries.benefit_share[places])
    places = places[entries.benefit_share[places] > best[profile[places]] - tolerance]
    places = places[np.lexsort((entries.walk_keys[places], profile[places]))]
    first = np.unique(profile[places], return_index=True)[1]
    chosen: IntArray = places[first]
    return chosen


PerRecord: TypeAlias = Items | Outcomes
"""Strategies, with the payoffs and replies to each of one record."""

SUMS: dict[str, Callable[[PerRecord], FloatArray]] = {
    "expected_reidentifications": lambda each: each.replies.reidentifications,
    "attacked": lambda each: each.replies.attacked.astype(float),
    "information_loss": lambda each: each.information_loss,
    "publisher_payoff": lambda each: -each.publisher_payoff,
}
"""The use of a limit by each strategy for one record; below 0 for a payoff that must reach a least value."""

LIST_PRICE = "list_price"
"""The limit on the total gain of each adversary: one sum for each recipient who weighs a cost."""

ON_SUMS = (*SUMS, LIST_PRICE, *OF_GROUPS)
"""The limits on sums over the records; those on the difference of groups have a sum for each ordered pair."""

MEANS = ("attacked", "information_loss", "publisher_payoff")
"""Limits on the mean over the records; the others are on the sum."""

AT_LEAST = ("publisher_payoff",)
"""Limits that the dataset must reach; the others it must not exceed."""

DEMANDS = ("information_loss", "publisher_payoff")
"""Limits that withholding does not meet: they may contradict the others."""


@frozen(eq=False, slots=False)
class SumLimits:
    """The sums that have limits: a row for each sum that must not be above its limit, k in all.

    Parameters
    ----------
    limits : name, as in ``ON_SUMS``, -> how much is allowed.
    groups : (g, q) how many records of each compared group have each profile; needed by ``OF_GROUPS`` only.
    """

    instance: Instance
    limits: Mapping[str, float]
    groups: IntArray | None = None

    @property
    def names(self) -> list[str]:
        """The limit of each row, (k,)."""
        return [name for name in self.limits for _ in range(self._rows_of(name))]

    def _rows_of(self, name: str) -> int:
        if name in OF_GROUPS:
            return len(self._differences)
        return len(self._list_buyers) if name == LIST_PRICE else 1

    @cached_property
    def _differences(self) -> FloatArray:
        """The amount that one record of each profile adds to the mean of one group less that of another, (pairs, q)."""
        if self.groups is None:
            return np.zeros((0, self.instance.profiles.count))
        shares = self.groups / self.groups.sum(axis=1, keepdims=True) / self.instance.profiles.records
        return np.array([shares[one] - shares[other] for one, other in permutations(range(len(shares)), 2)])

    def of(self, name: str) -> list[int]:
        """Return the numbers of the rows of a limit."""
        return [row for row, of_row in enumerate(self.names) if of_row == name]

    @property
    def coupling(self) -> list[int]:
        """The numbers of the rows that the dataset must not exceed."""
        return self.all_except(AT_LEAST)

    @property
    def risks(self) -> list[int]:
        """The numbers of the rows that withholding satisfies."""
        return self.all_except(DEMANDS)

    @property
    def demands(self) -> list[int]:
        """The numbers of those rows that the dataset must not exceed and that may contradict others."""
        return [row for row in self.coupling if row not in self.risks]

    def all_except(self, names: Sequence[str]) -> list[int]:
        """Return the numbers of the rows of all limits except ``names``."""
        return [row for row, name in enumerate(self.names) if name not in names]

    def uses(self, strategies: PerRecord) -> FloatArray:
        """Return the use of each row by strategies for one record, (k, e)."""
        found: list[FloatArray] = []
        for name in self.limits:
            if name == LIST_PRICE:
                found += self._gains(strategies.replies)
            elif name in OF_GROUPS:
                amounts = SUMS[name.rpartition(".")[2]](strategies)
                found += [amounts * weights[strategies.profiles] for weights in self._differences]
            else:
                found.append(SUMS[name](strategies))
        return np.array(found).reshape(len(found), len(strategies.information_loss))

    def used(self, strategies: PerRecord) -> FloatArray:
        """Return the sum over the records, (k,), of the use of each row by a strategy for each profile, (q,)."""
        used: FloatArray = (self.uses(strategies) * self.instance.profiles.records).sum(axis=1)
        return used

    @property
    def allowed(self) -> FloatArray:
        """The sum over the records that each row allows, (k,)."""
        return np.array([self.limits[name] * self.unit(name) for name in self.names])

    @property
    def tolerance(self) -> FloatArray:
        """Tolerance of each sum, (k,), since sums round in different orders."""
        one = {
            LIST_PRICE: max(max(adversary.gain, adversary.cost) for adversary in self.instance.adversaries),
            "publisher_payoff": self.instance.payoffs.benefit,
        }
        scales = [one.get(name, 1.0) * abs(self.unit(name)) for name in self.names]
        slack: FloatArray = TIE * np.maximum(np.abs(self.allowed), np.array(scales))
        return slack

    def unit(self, name: str) -> float:
        """Return the units of its sum per unit of a limit; below 0 for a least value."""
        records = float(self.instance.profiles.records.sum()) if name in MEANS else 1.0
        return -records if name in AT_LEAST else records

    def reached(self, name: str, used: Sequence[float]) -> float:
        """Return the greatest of the sums that strategies use, in the unit of the limit."""
        return max(used, default=0.0) / self.unit(name)

    @property
    def _list_buyers(self) -> list[list[tuple[int, float]]]:
        """The recipients who weigh a cost, and so buy a list: numbers of adversaries, and 1 / the probability."""
        instance = self.instance
        buyers: dict[str, list[tuple[int, float]]] = {}
        for number, (of, one) in enumerate(zip(instance.recipients.types, instance.adversaries, strict=True)):
            if one.weighs_cost:
                buyers.setdefault(of.name, []).append((number, 1.0 / of.recipient.probability))
        return list(buyers.values())

    def _gains(self, replies: Replies) -> list[FloatArray]:
        """Return the adversary payoff of each buyer if it is active, (k,) dollars each."""
        return [
            reduce(np.add, [times * replies.adversary_payoffs[number] for number, times in one])
            for one in self._list_buyers
        ]


def build_knapsack(starts: IntArray, items: PerRecord, rows: SumLimits) -> Knapsack:
    """Return the choice of a strategy for each profile within limits; its items begin at ``starts``, (q + 1,)."""
    records = rows.instance.profiles.records
    times = np.repeat(records, np.diff(starts)).astype(float)
    return Knapsack(
        starts=starts,
        worth=items.publisher_payoff * times,
        uses=rows.uses(items) * times,
        allowed=rows.allowed,
        tolerance=rows.tolerance,
        equal=rows.instance.payoffs.tolerance * float(records.sum()),
    )
