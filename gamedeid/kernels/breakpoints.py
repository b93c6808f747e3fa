"""Where along one stake a strategy or the adversary's reply changes: computed, not sampled."""

from typing import NamedTuple

import numpy as np

from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.kernels.compiled import compiled
from gamedeid.kernels.rules import attack_risk, is_attacked
from gamedeid.kernels.tables import NOBODY, WITHHELD, Entries
from gamedeid.reprs import brief

SLIVER = 1e-14
"""Stretches narrower than this share of their place are rounding, not stretches."""


class VariedStake(NamedTuple):
    """One stake x that is varied from 0 to infinity; the benefit is v0 + v1 x, the loss l0 + l1 x."""

    benefit: tuple[float, float]  # v0, v1
    loss: tuple[float, float]  # l0, l1
    attack_scale: float  # how x decides on attacks, by ``attack_direction``
    attack_direction: int  # 1: groups up to x / scale are attacked; -1: up to scale / x; 0: up to ``limit``
    limit: int
    tie: float  # payoffs closer than this share of the benefit are equal
    forbids_attack: bool


@brief
class FoundStretches(NamedTuple):
    """Stretches of the stake on which strategy and reply stay the same, profile after profile, in a room of a size."""

    lows: FloatArray  # (room,)
    entries: IntArray  # (room,) int64: the entry chosen, or ``WITHHELD``
    attacked: BoolArray  # (room,)
    ends: IntArray  # (q,) int64: where the stretches of each profile end


@compiled
def find_stretches(
    entries: Entries, varied: VariedStake, first: int, filled: int, found: FoundStretches
) -> tuple[int, int]:
    """Write the stretches of the profiles from ``first`` on while there is room.

    Returns the first profile that found no room (the number of profiles when all are done), and how much is filled.

    Between two thresholds of attack every payoff is a line in x. A strategy ties with the best on one interval, since
    the best of several lines is convex; the first in walk order of those that tie is chosen.
    """
    profiles = entries.starts.shape[0] - 1
    most = np.max(np.diff(entries.starts)) + 1
    people = np.empty(most, np.int64)
    candidates = np.empty(most, np.int64)
    spans = np.empty((most + 1, 2), np.float64)
    events = np.empty(2 * most + 4, np.float64)
    of_profile = FoundStretches(
        np.empty(most * (2 * most + 4), np.float64),
        np.empty(most * (2 * most + 4), np.int64),
        np.empty(most * (2 * most + 4), np.bool_),
        np.empty(1, np.int64),
    )
    for profile in range(first, profiles):
        thresholds = _thresholds(entries, profile, varied, people)
        of_profile.ends[0] = 0
        low = 0.0
        for piece in range(thresholds + 1):
            high = np.inf
            limit = varied.limit
            if varied.attack_direction > 0:
                limit = 0 if piece == 0 else people[piece - 1]
                high = people[piece] * varied.attack_scale if piece < thresholds else np.inf
            elif varied.attack_direction < 0:
                limit = people[thresholds - 1 - piece] if piece < thresholds else 0
                high = varied.attack_scale / people[thresholds - 1 - piece] if piece < thresholds else np.inf
            if high <= low:
                continue
            count = _candidates(entries, profile, limit, varied, candidates)
            if count > 1:
                count = _drop_outclassed(entries, varied, limit, low, high, candidates, count)
            if count == 1 and _surely_pays(entries, varied, limit, low, high, candidates[0]):
                _add_stretch(entries, limit, low, candidates[0], of_profile)
            else:
                _add_stretches(entries, varied, limit, low, high, candidates[:count], spans, events, of_profile)
            low = high
        used = of_profile.ends[0]
        if filled + used > found.lows.shape[0]:
            return profile, filled
        found.lows[filled : filled + used] = of_profile.lows[:used]
        found.entries[filled : filled + used] = of_profile.entries[:used]
        found.attacked[filled : filled + used] = of_profile.attacked[:used]
        filled += used
        found.ends[profile] = filled
    return profiles, filled


@compiled
def _thresholds(entries: Entries, profile: int, varied: VariedStake, people: IntArray) -> int:
    """Write the sizes of group at which the adversary's reply changes along x, rising; returns how many."""
    if varied.attack_direction == 0:
        return 0
    count = 0
    for entry in range(entries.starts[profile], entries.starts[profile + 1]):
        if entries.people[entry] != NOBODY:
            people[count] = entries.people[entry]
            count += 1
    people[:count].sort()
    distinct = 0
    for place in range(count):
        if distinct == 0 or people[place] != people[distinct - 1]:
            people[distinct] = people[place]
            distinct += 1
    return distinct


@compiled
def _candidates(entries: Entries, profile: int, limit: int, varied: VariedStake, candidates: IntArray) -> int:
    """Write the entries that can be within a tie of the best when groups up to ``limit`` are attacked."""
    count = 0
    most = -1.0
    for entry in range(entries.starts[profile], entries.starts[profile + 1]):
        if entries.benefit_share[entry] <= most - 2 * varied.tie:
            break  # worse than one that nobody attacks, and so are all that follow
        if is_attacked(entries.people[entry], limit):
            if not varied.forbids_attack and entries.hull[entry]:
                candidates[count] = entry
                count += 1
        else:
            most = max(most, entries.benefit_share[entry])
            candidates[count] = entry
            count += 1
    return count


@compiled
def _drop_outclassed(
    entries: Entries, varied: VariedStake, limit: int, low: float, high: float, candidates: IntArray, count: int
) -> int:
    """Keep, in front, the entries that no one line beats at both ends by more than a tie; returns how many.

    The lines asked are the best one at the lower end and the best one at the upper end; where that is infinite, slopes
    take the place of payoffs.
    """
    if high == np.inf:
        y0, y1 = 0.0, 1.0
    else:
        y0, y1 = 1.0, high
    best_low = best_high = -np.inf
    low_of_first = high_of_first = low_of_second = high_of_second = 0.0
    for one in range(count):
        constant, slope = _line(
            entries.benefit_share[candidates[one]], attack_risk(entries.people[candidates[one]], limit), varied
        )
        at_low, at_high = constant + slope * low, constant * y0 + slope * y1
        if at_low > best_low:
            best_low = at_low
            low_of_first, high_of_first = at_low, at_high
        if at_high > best_high:
            best_high = at_high
            low_of_second, high_of_second = at_low, at_high
    v0, v1 = varied.benefit
    tie_low = varied.tie * (v0 + v1 * low)
    tie_high = varied.tie * (v0 * y0 + v1 * y1)
    left = 0
    for one in range(count):
        constant, slope = _line(
            entries.benefit_share[candidates[one]], attack_risk(entries.people[candidates[one]], limit), varied
        )
        at_low, at_high = constant + slope * low + tie_low, constant * y0 + slope * y1 + tie_high
        if not (
            (at_low < low_of_first and at_high <= high_of_first)
            or (at_low < low_of_second and at_high <= high_of_second)
        ):
            candidates[left] = candidates[one]
            left += 1
    return left


@compiled
def _line(benefit_share: float, risk: float, varied: VariedStake) -> tuple[float, float]:
    """Return constant and slope of benefit share x benefit - risk x loss, a line in the stake x."""
    v0, v1 = varied.benefit
    l0, l1 = varied.loss
    return benefit_share * v0 - risk * l0, benefit_share * v1 - risk * l1


@compiled
def _surely_pays(entries: Entries, varied: VariedStake, limit: int, low: float, high: float, entry: int) -> bool:
    """Tell whether releasing an entry surely pays more than withholding, all the way from low to high."""
    if not is_attacked(entries.people[entry], limit):
        return True
    constant, slope = _line(entries.benefit_share[entry], attack_risk(entries.people[entry], limit), varied)
    pays: bool = constant + slope * low > 0 and (slope >= 0 or constant + slope * high > 0)
    return pays


@compiled
def _add_stretches(
    entries: Entries,
    varied: VariedStake,
    limit: int,
    low: float,
    high: float,
    candidates: IntArray,
    spans: FloatArray,
    events: FloatArray,
    of_profile: FoundStretches,
) -> None:
    """Add the stretches between two thresholds to those of the profile."""
    events[0], events[1] = low, high
    count = 2
    withheld_low, withheld_high = low, high  # where releasing does not pay
    for one in range(candidates.shape[0]):
        benefit_share = entries.benefit_share[candidates[one]] + varied.tie
        risk = attack_risk(entries.people[candidates[one]], limit)
        start, end = low, high
        for other in range(candidates.shape[0]):
            risk_more = risk - attack_risk(entries.people[candidates[other]], limit)
            constant, slope = _line(benefit_share - entries.benefit_share[candidates[other]], risk_more, varied)
            start, end = above(constant, slope, start, end)
        spans[one, 0], spans[one, 1] = start, end
        if start < end:
            events[count], events[count + 1] = start, end
            count += 2
        constant, slope = _line(-benefit_share, -risk, varied)
        withheld_low, withheld_high = above(constant, slope, withheld_low, withheld_high)
    if withheld_low < withheld_high:
        events[count], events[count + 1] = withheld_low, withheld_high
        count += 2
    marks = events[:count]
    marks.sort()
    for place in range(count - 1):
        begin, finish = marks[place], marks[place + 1]
        if not finish > begin * (1 + SLIVER):
            continue
        middle = 2 * begin + 1 if finish == np.inf else begin + (finish - begin) / 2
        chosen = WITHHELD
        if not withheld_low <= middle <= withheld_high:
            for one in range(candidates.shape[0]):
                if spans[one, 0] < middle < spans[one, 1] and (
                    chosen == WITHHELD or entries.walk_keys[candidates[one]] < entries.walk_keys[chosen]
                ):
                    chosen = candidates[one]
            if chosen == WITHHELD:
                continue  # a gap of rounding between two spans
        _add_stretch(entries, limit, begin, chosen, of_profile)


@compiled
def _add_stretch(entries: Entries, limit: int, low: float, chosen: int, of_profile: FoundStretches) -> None:
    """Add a stretch to those of the profile, unless it goes on as the one before."""
    attacked = chosen != WITHHELD and is_attacked(entries.people[chosen], limit)
    last = of_profile.ends[0] - 1
    if last < 0 or of_profile.entries[last] != chosen or of_profile.attacked[last] != attacked:
        of_profile.lows[last + 1] = low
        of_profile.entries[last + 1] = chosen
        of_profile.attacked[last + 1] = attacked
        of_profile.ends[0] += 1


@compiled
def above(constant: float, slope: float, start: float, end: float) -> tuple[float, float]:
    """Return the part of start..end on which constant + slope x > 0; empty when end <= start."""
    if slope > 0:
        return max(start, -constant / slope), end
    if slope < 0:
        return start, min(end, -constant / slope)
    return (start, end) if constant > 0 else (start, start)
