"""The best release in equivalence classes of enough records, within limits on sums: a search for groups and a bound."""

import numpy as np

from gamedeid.arrays import BoolArray, FloatArray, IntArray, dot
from gamedeid.errors import UnmetLimitsError
from gamedeid.game.groups.problem import GroupProblem
from gamedeid.game.groups.search import GroupSearch
from gamedeid.game.instance import Instance
from gamedeid.game.limits.items import AT_LEAST, SumLimits, permitted_at_record_risk
from gamedeid.game.limits.knapsack import Knapsack, least_bound
from gamedeid.game.limits.knapsack_search import feasible_items
from gamedeid.game.mechanism.aware_people import released_groups
from gamedeid.game.outcomes import Outcomes
from gamedeid.game.rules import Game
from gamedeid.game.solvers import Choice
from gamedeid.kernels.tables import WITHHELD
from gamedeid.progress import Progress
from gamedeid.reprs import frozen
from gamedeid.scenario.limits import Limits

_MOST_ROUNDS, _PRICE_GROWTH, _LEAST_PRICE = 8, 3.0, 1 / 64
"""Most rounds in which classes are filled; factor by which the prices of exceeded limits grow after a round; and least
price of the greatest use that one record makes of such a limit, as a share of the benefit."""


@frozen(eq=False)
class ClassRelease:
    """The release in large classes: an equivalence class is a strategy and the values released at it."""

    instance: Instance
    game: Game
    rows: SumLimits
    limits: Limits  # ``smallest_cell``, the least released records of a class, and ``record_risk``

    def outcomes(self, nodes: IntArray) -> Outcomes:
        """Return the outcomes of all profiles."""
        return Outcomes(instance=self.instance, profiles=self.instance.all_profiles, nodes=nodes)

    def exceeded_rows(self, nodes: IntArray) -> BoolArray:
        """Return which rows are above their limits, (k,)."""
        above: BoolArray = self.rows.used(self.outcomes(nodes)) > self.rows.allowed + self.rows.tolerance
        return above

    def fill_classes(self, prices: FloatArray, progress: Progress) -> tuple[IntArray, float]:
        """Return strategies, (q,), that keep classes large enough, and a bound on the payoff within the limits.

        Payoffs are reduced by the use of each row times its price, (k,) dollars per unit.
        """
        instance, rows = self.instance, self.rows
        records = instance.profiles.records.astype(np.int64)
        withheld_outcome = Outcomes(instance=instance, profiles=np.zeros(1, np.int64), nodes=np.array([WITHHELD]))
        withheld = -float((prices @ rows.uses(withheld_outcome))[0])

        def values(node: int, some: IntArray) -> FloatArray:
            paid = np.full(len(some), -np.inf)
            levels = np.array(instance.lattice.levels_of(node))
            above = np.flatnonzero((self.game.floors[some] <= levels).all(axis=1))
            outcomes = Outcomes(instance=instance, profiles=some[above], nodes=np.full(len(above), node, np.int64))
            permitted = permitted_at_record_risk(self.game, outcomes, self.limits.record_risk)
            gained = outcomes.publisher_payoff - prices @ rows.uses(outcomes) - withheld
            paid[above[permitted]] = gained[permitted]
            return paid

        search = GroupSearch(
            GroupProblem(
                lattice=instance.lattice,
                tables=instance.hierarchy_tables,
                codes=instance.profiles.codes,
                people=records,
                weights=np.ones(len(records)),
                values=values,
                least=self.limits.smallest_cell or 1,
                fee=np.inf,
            )
        )
        nodes = search.run(progress=progress)
        return nodes, search.bound + withheld * float(records.sum()) + float(prices @ rows.allowed)

    def withhold_classes(self, nodes: IntArray) -> IntArray:
        """Return strategies, (q,), with classes withheld, least payoff per use first, until risks keep their limits."""
        risks, outcomes, records = self.rows.risks, self.outcomes(nodes), self.instance.profiles.records
        uses, room = self.rows.uses(outcomes)[risks] * records, (self.rows.allowed + self.rows.tolerance)[risks]
        over = uses.sum(axis=1) > room
        if not over.any():
            return nodes
        groups = released_groups(self.instance, nodes)
        inside = np.flatnonzero(groups.of_profile != WITHHELD)
        class_of = groups.of_profile[inside]
        worth = np.bincount(class_of, (outcomes.publisher_payoff * records)[inside])
        used = np.array([np.bincount(class_of, of_profile[inside]) for of_profile in uses])
        share = (used / used.sum(axis=1, keepdims=True))[over].sum(axis=0)
        users = np.flatnonzero(share > 0)
        order = users[np.argsort(worth[users] / share[users], kind="stable")]
        left = used.sum(axis=1, keepdims=True) - np.cumsum(used[:, order], axis=1)
        closed = order[: int((left <= room[:, None]).all(axis=0).argmax()) + 1]
        return np.where(np.isin(groups.of_profile, closed), WITHHELD, nodes)


def best_in_large_classes(
    instance: Instance,
    game: Game,
    knapsack: Knapsack,
    rows: SumLimits,
    limits: Limits,
    progress: Progress,
) -> tuple[Choice, float, dict[str, float]]:
    """Return the best strategies that were found within limits and with no class too small.

    Classes are filled at prices of the limits: first those of the least bound for classes of any size, then higher
    prices for the limits that are exceeded. The bound is the least of all rounds. Classes are withheld if risks remain
    above their limits.

    Returns
    -------
    the strategies; dollars of total payoff that no such strategies can exceed; and name of a limit -> price of one unit
    of its sum, dollars, which proves that bound.
    """
    release = ClassRelease(instance=instance, game=game, rows=rows, limits=limits)
    coupling = rows.coupling
    if feasible_items(knapsack, rows.risks, rows.demands) is None:
        raise _unmet_error(release)
    prices = np.zeros(len(rows.allowed))
    if coupling:
        prices[coupling] = least_bound(knapsack.within(coupling), [])[0].prices
    most = np.abs(knapsack.uses / np.repeat(instance.profiles.records, np.diff(knapsack.starts))).max(
        axis=1, initial=0.0
    )
    least_prices = _LEAST_PRICE * float(instance.payoffs.benefit) / np.where(most > 0, most, 1.0)
    best, worth, bound, proving = None, -np.inf, np.inf, prices
    for _ in range(_MOST_ROUNDS):
        nodes, at_prices = release.fill_classes(prices, progress)
        if at_prices < bound:
            bound, proving = at_prices, prices
        closed = release.withhold_classes(nodes)
        paid = dot(release.outcomes(closed).publisher_payoff, instance.profiles.records)
        if paid > worth and not release.exceeded_rows(closed).any():
            best, worth = closed, paid
        dearer = np.intersect1d(coupling, np.flatnonzero(release.exceeded_rows(nodes)))
        if not len(dearer):
            break
        prices = prices.copy()
        prices[dearer] = np.maximum(_PRICE_GROWTH * prices, least_prices)[dearer]
    if best is None:
        raise _unmet_error(release)
    sums = {name: float(proving[rows.of(name)].sum()) for name in rows.limits if name not in AT_LEAST}
    bound = max(bound, worth)
    searched = np.full(len(best), instance.lattice.size)
    return Choice(nodes=best, searched=searched, proved=bound - worth <= knapsack.equal), bound, sums


def smallest_class(outcomes: Outcomes) -> int:
    """Return how many records are in the smallest equivalence class of a release; 0 if nothing is released."""
    people = released_groups(outcomes.instance, outcomes.nodes).people
    return int(people.min()) if len(people) else 0


def _unmet_error(release: ClassRelease) -> UnmetLimitsError:
    demands = " and ".join(f"{name} = {limit:g}" for name, limit in release.rows.limits.items())
    least = release.limits.smallest_cell
    return UnmetLimitsError(
        f"limits: no strategies were found that keep smallest_cell = {least} together with {demands}; "
        "possible values of limits together with smallest_cell are not searched for"
    )
