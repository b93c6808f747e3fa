"""The most information kept at every risk with a strategy for each record, traced by a price of risk."""

from functools import cached_property

import numpy as np

from gamedeid.analysis.risk_utility_positions import MEASURED, RISK_MEASURES, Positions
from gamedeid.arrays import ROUNDING, BoolArray, FloatArray, IntArray
from gamedeid.choices import RiskName
from gamedeid.game.frontier import Frontier
from gamedeid.game.instance import Instance
from gamedeid.reprs import frozen

_BLOCK = 2**10
"""Steps that are added up one after another."""


@frozen(eq=False, slots=False)
class RiskUtilityCurve:
    """The releases that are best at some price of risk, from the one of least risk to the one that keeps most.

    Each is a release in which every profile has one strategy or is withheld, and none has less risk without keeping
    less information. From each to the next one profile changes its strategy.

    Parameters
    ----------
    positions : (v,) positions by rising risk; v is at least 1.
    prices : (v - 1,) dollars of value for one unit of risk at each step, never rising: per re-identification, or per
        attacked record.
    """

    risk_name: RiskName
    positions: Positions
    prices: FloatArray
    records: int

    @property
    def risk(self) -> FloatArray:
        """Risk of each release, (v,), rising."""
        return self.positions.risk(self.risk_name)

    @property
    def information_kept(self) -> FloatArray:
        """Information that each release keeps, (v,), rising."""
        return self.positions.information_kept

    def at_risk(self, limit: float) -> int:
        """Return the place of the release that keeps the most information within a limit on the risk.

        Parameters
        ----------
        limit : at least the least risk, except for rounding.
        """
        slack = ROUNDING * float(self.risk[-1])
        return max(int(np.searchsorted(self._rising, limit + slack, side="right")) - 1, 0)

    def at_information(self, least: float) -> int:
        """Return the place of the release of the least risk that keeps at least this information.

        Parameters
        ----------
        least : at most the greatest possible, except for rounding.
        """
        place = int(np.searchsorted(self.information_kept, least - ROUNDING, side="left"))
        return min(place, len(self.risk) - 1)

    def bound(self, limit: float) -> float:
        """Return the upper bound of the information kept within a limit on the risk, on a line between two releases.

        Parameters
        ----------
        limit : at least the least risk.
        """
        return float(np.interp(limit, self._rising, self.information_kept))

    @cached_property
    def _rising(self) -> FloatArray:
        """The risks, each at least the one before in spite of rounding."""
        return np.maximum.accumulate(self.risk)

    def shown(self, most: int) -> IntArray:
        """Return places, (k,) rising, of at most ``most`` releases, spread evenly over the curve.

        They are even in risk, in its logarithm, and in information kept, and include the first and the last.

        Parameters
        ----------
        most : how many, at least 6.
        """
        count, part = len(self.risk), most // 3
        if count <= most:
            return np.arange(count)
        risk, kept = self._rising, self.information_kept
        positive = risk[risk > 0]
        wanted = [
            np.searchsorted(risk, np.linspace(risk[0], risk[-1], part)),
            np.searchsorted(risk, np.geomspace(positive[0], positive[-1], part)),
            np.searchsorted(kept, np.linspace(kept[0], kept[-1], part - 2)),
            np.array([0, count - 1]),
        ]
        return np.unique(np.minimum(np.concatenate(wanted), count - 1))


@frozen(eq=False)
class _Options:
    """The options of profiles, (o,) each, profile after profile.

    Parameters
    ----------
    sums : (o, 6) amounts of one record in the sums of a position.
    """

    profile: IntArray
    sums: FloatArray
    order: IntArray

    def only(self, some: BoolArray | IntArray) -> "_Options":
        return _Options(profile=self.profile[some], sums=self.sums[some], order=self.order[some])


def record_level_curve(instance: Instance, frontier: Frontier, risk: RiskName) -> RiskUtilityCurve:
    """Return the positions that one strategy for each profile can reach, withholding permitted as in every game.

    For a price of risk every profile takes the strategy whose value less price times risk is greatest. As the price
    falls from infinity to 0, the profiles climb their own concave hulls, the steepest step of all of them first: the
    sum of the hulls is the concave hull of all that can be reached. Exact, but for rounding.

    References
    ----------
    The documentation's page on risk and utility.
    """
    column = MEASURED.index(RISK_MEASURES[risk])
    hull = _hulls(_options(instance, frontier), column)
    records = instance.profiles.records
    first = np.append(True, hull.profile[1:] != hull.profile[:-1])
    steps = np.diff(hull.sums, axis=0)[~first[1:]]
    weights = records[hull.profile[1:][~first[1:]]]
    slopes = steps[:, 0] / steps[:, column]
    order = np.argsort(-slopes, kind="stable")
    least = (hull.sums[first] * records[hull.profile[first], None]).T.copy()
    sums = least.sum(axis=1) + _running_sums((steps * weights[:, None])[order])
    payoffs, total = instance.payoffs, int(records.sum())
    return RiskUtilityCurve(
        risk_name=risk,
        positions=Positions.of(np.maximum(sums, 0.0), total, payoffs.benefit),
        prices=payoffs.benefit * slopes[order],
        records=total,
    )


def _running_sums(steps: FloatArray) -> FloatArray:
    """Return the sums, (k + 1, c), of the first 0, 1, ... of k rows: block by block, so that rounding stays small."""
    blocks = max(-(-len(steps) // _BLOCK), 1)
    padded = np.zeros((blocks * _BLOCK, steps.shape[1]))
    padded[: len(steps)] = steps
    within = np.cumsum(padded.reshape(blocks, _BLOCK, -1), axis=1)
    before = np.cumsum(within[:, -1], axis=0) - within[:, -1]
    running = (within + before[:, None]).reshape(padded.shape)[: len(steps)]
    return np.concatenate([np.zeros((1, steps.shape[1])), running])


def _options(instance: Instance, frontier: Frontier) -> _Options:
    """Return all strategies of the frontiers, and the withholding of each profile, which keeps and risks nothing."""
    entries, replies, profiles = frontier.entries, frontier.replies(instance), instance.profiles.count
    size = len(frontier.nodes)
    sums = np.zeros((size + profiles, len(MEASURED)))
    found, lost = replies.reidentifications, replies.expected_loss
    columns = (entries.benefit_share, found, replies.if_all_attacked, replies.attacked, np.zeros(size), lost)
    sums[:size] = np.stack(columns, axis=1)
    sums[size:, MEASURED.index("withheld")] = 1.0
    profile = np.concatenate([np.repeat(np.arange(profiles), frontier.lengths), np.arange(profiles)])
    order = np.concatenate([entries.walk_keys, np.full(profiles, np.iinfo(np.int64).max)])
    return _Options(profile=profile, sums=sums, order=order)


def _hulls(options: _Options, column: int) -> _Options:
    """Return the corners of each profile's concave hull of information kept over a risk, by rising risk.

    From the least risk, and the most information at it, to the most information, and the least risk at it.
    """
    kept, risk = options.sums[:, 0], options.sums[:, column]
    options = options.only(np.lexsort((options.order, -kept, risk, options.profile)))
    while True:  # an option is removed if one of no more risk keeps as much
        same, kept = options.profile[1:] == options.profile[:-1], options.sums[:, 0]
        beaten = np.append(False, same & (kept[1:] <= kept[:-1]))
        if not beaten.any():
            break
        options = options.only(~beaten)
    while True:  # an option is removed if it is on or below the line between its neighbours
        same = options.profile[1:] == options.profile[:-1]
        step = np.diff(options.sums, axis=0)
        rise, run = step[:, 0], step[:, column]
        inner = same[1:] & same[:-1]
        below = inner & (rise[:-1] * run[1:] <= rise[1:] * run[:-1])
        if not below.any():
            return options
        options = options.only(np.concatenate([[True], ~below, [True]]) if len(same) else np.array([True]))
