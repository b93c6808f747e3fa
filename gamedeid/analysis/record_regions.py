"""Where, over loss and benefit, one record's strategy and reply stay the same: computed, not sampled."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from gamedeid.analysis.stretches import instance_at, study_stretches
from gamedeid.errors import InvalidScenarioError
from gamedeid.game.outcomes import Outcomes
from gamedeid.reprs import frozen, short_repr
from gamedeid.study.study import Study

FIRST_ROWS = 65
"""Benefits at which the exact breakpoints of the loss are looked up at first."""

_NEAR = 1e-9  # rows this near, in proportion, are the two sides of one boundary
_SAME = 1e-7  # losses, or their ratios to benefits, this near in proportion are the same
_Stretch: TypeAlias = tuple[float, float, tuple[int, bool]]  # from a loss to a loss; node and reply
_Row: TypeAlias = tuple[float, list[_Stretch]]  # a benefit, and the stretches along the loss there


@frozen
class RecordRegion:
    """An area of losses and benefits on which a record's strategy and the adversary's reply are the same.

    Parameters
    ----------
    levels : of the strategy, in the order of the attributes; the top levels where the record is withheld.
    generalization_intensity : GI of the strategy; 1 where the record is withheld.
    left, right : (k,) the borders of the area, each of (loss, benefit) with rising benefits, dollars.
    """

    levels: tuple[int, ...]
    withheld: bool
    attacked: bool
    generalization_intensity: float
    left: tuple[tuple[float, float], ...]
    right: tuple[tuple[float, float], ...]

    @property
    def corners(self) -> tuple[tuple[float, float], ...]:
        """The corners of the area in their order, each of (loss, benefit)."""
        return (*self.left, *reversed(self.right))


def record_regions(
    study: Study, policy: str, losses: tuple[float, float], benefits: tuple[float, float]
) -> tuple[RecordRegion, ...]:
    """Return the regions of a record under a game, or under the scenario's policy.

    Along the loss their borders are the exact breakpoints, at each of ``FIRST_ROWS`` benefits and at every
    benefit between two of these at which the order of the regions changes, which bisection finds. Between those the
    borders are straight where loss and benefit have axes of one kind, both logarithmic or both not.

    Parameters
    ----------
    losses, benefits : the least and the greatest that are examined, dollars; the least benefit above 0.
    """
    if study.instance.profiles.count != 1:
        raise InvalidScenarioError("regions are of one record; `Study.alone` returns its study")
    if not (0 <= losses[0] < losses[1] and 0 < benefits[0] < benefits[1]):
        raise InvalidScenarioError("regions need a range of losses and one of benefits above 0, neither of them empty")

    def row(benefit: float) -> _Row:
        found = study_stretches(study, policy, "loss", instance_at(study, {"benefit": benefit}))
        ends = zip(
            found.lows.tolist(), found.highs.tolist(), found.nodes.tolist(), found.attacked.tolist(), strict=True
        )
        cut = [(max(low, losses[0]), min(high, losses[1]), (node, reply)) for low, high, node, reply in ends]
        return benefit, _joined([one for one in cut if one[0] < one[1]])

    rows = [row(benefit) for benefit in np.geomspace(*benefits, FIRST_ROWS).tolist()]
    bands = [band for low, high in pairwise(rows) for band in _bands(row, low, high)]
    return tuple(_region(study, area) for area in _areas(bands))


def _joined(row: Sequence[_Stretch]) -> list[_Stretch]:
    """Return a row with equal neighbours joined: a change of the attackers alone, among several, is no border."""
    joined = list(row[:1])
    for low, high, what in row[1:]:
        if what == joined[-1][2]:
            joined[-1] = (joined[-1][0], high, what)
        else:
            joined.append((low, high, what))
    return joined


def _bands(row: Callable[[float], _Row], low: _Row, high: _Row) -> list[tuple[_Row, _Row]]:
    """Return the rows between which the regions are in one order along the loss, cut where it changes."""
    if [one[2] for one in low[1]] == [one[2] for one in high[1]]:
        return [(low, high)]
    if high[0] - low[0] <= _NEAR * high[0]:
        return []
    between = row((low[0] * high[0]) ** 0.5)
    return [*_bands(row, low, between), *_bands(row, between, high)]


@dataclass(slots=True, kw_only=True)
class _Area:
    """A region that grows upwards: its left and its right border, each of (loss, benefit)."""

    what: tuple[int, bool]
    left: list[tuple[float, float]] = field(default_factory=list)
    right: list[tuple[float, float]] = field(default_factory=list)

    __repr__ = short_repr


def _areas(bands: Sequence[tuple[_Row, _Row]]) -> list[_Area]:
    """Return the regions of bands, each above the one before."""
    areas: list[_Area] = []
    growing: list[_Area] = []
    for (benefit, below), (benefit_above, above) in bands:
        still: list[_Area] = []
        for (low, high, what), (low_above, high_above, _) in zip(below, above, strict=True):
            meeting = (one for one in growing if max(one.left[-1][0], low) < min(one.right[-1][0], high))
            area = next((one for one in meeting if one.what == what), None)
            if area is None:
                area = _Area(what=what)
                areas.append(area)
            else:
                growing.remove(area)
            area.left += [(low, benefit), (low_above, benefit_above)]
            area.right += [(high, benefit), (high_above, benefit_above)]
            still.append(area)
        growing = still
    return areas


def _region(study: Study, area: _Area) -> RecordRegion:
    node, attacked = area.what
    found = Outcomes(instance=study.instance, profiles=np.zeros(1, np.int64), nodes=np.array([node]))
    return RecordRegion(
        levels=tuple(found.levels[0].tolist()),
        withheld=bool(found.withheld[0]),
        attacked=attacked,
        generalization_intensity=float(found.generalization_intensity[0]),
        left=tuple(_straightened(area.left)),
        right=tuple(_straightened(area.right)),
    )


def _straightened(border: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return a border without points inside a straight part: of constant loss, or constant ratio to the benefit."""
    kept: list[tuple[float, float]] = []
    for point in border:
        while len(kept) > 1 and _is_redundant(kept[-2], kept[-1], point):
            kept.pop()
        if not kept or kept[-1] != point:
            kept.append(point)
    return kept


def _is_redundant(first: tuple[float, float], middle: tuple[float, float], last: tuple[float, float]) -> bool:
    return _equal(first[0], middle[0], last[0]) or _equal(*(loss / benefit for loss, benefit in (first, middle, last)))


def _equal(*numbers: float) -> bool:
    return max(numbers) - min(numbers) <= _SAME * max(numbers)
