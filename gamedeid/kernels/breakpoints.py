"""The inner loops of exact breakpoints, compiled by numba.

Apart from the other kernels and calling nothing of them: numba's cache notices a change only in the file of the kernel
itself.
"""

from typing import NamedTuple

import numpy as np

from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.kernels.compiled import compiled
from gamedeid.reprs import short_repr

WITHHELD = -1

SLIVER = 1e-14
"""Stretches narrower than this share of their place are rounding, not stretches."""


class Strategies(NamedTuple):
    """What each profile may choose from, profile after profile; f entries in all."""

    starts: IntArray  # (q + 1,) int64: where each profile's entries begin
    kept: FloatArray  # (f,) share of the benefit that is kept, falling within a profile
    people: IntArray  # (f,) int64: n_p(g)
    walk_keys: IntArray  # (f,) int64: order in which equals are taken
    hull: BoolArray  # (f,) whether it can be best while attacked

    def __repr__(self) -> str:
        return short_repr(self)


class Course(NamedTuple):
    """One stake x from 0 to infinity: each payoff is kept * (v0 + v1 x) - (l0 + l1 x) / n if attacked."""

    value: tuple[float, float]  # v0, v1: the benefit
    loss: tuple[float, float]  # l0, l1
    reach: float  # how x decides on attacks: see ``threshold``
    reach_way: int  # 1: groups up to x / reach are attacked; -1: up to reach / x; 0: up to ``limit`` for every x
    limit: int
    tie: float  # payoffs closer than this share of the benefit are equal
    forbids_attack: bool


class Found(NamedTuple):
    """Room for the stretches that are found."""

    lows: FloatArray  # (room,)
    entries: IntArray  # (room,) int64; -1 withheld
    attacked: BoolArray  # (room,)
    ends: IntArray  # (q,) int64: where the stretches of each profile end

    def __repr__(self) -> str:
        return short_repr(self)


@compiled
def find_stretches(strategies: Strategies, course: Course, first: int, filled: int, found: Found) -> tuple[int, int]:
    """Write the stretches of the profiles from ``first`` on while there is room.

    Returns the first profile that found no room (the number of profiles when all are done), and how much is filled.

    Between two thresholds of attack every payoff is a line in x. A strategy ties with the best on one interval, since
    the best of several lines is convex; the first in walk order of those that tie is chosen.
    """
    profiles = strategies.starts.shape[0] - 1
    most = np.max(np.diff(strategies.starts)) + 1
    people = np.empty(most, np.int64)
    near = np.empty(most, np.int64)
    spans = np.empty((most + 1, 2), np.float64)
    events = np.empty(2 * most + 4, np.float64)
    here = Found(
        np.empty(most * (2 * most + 4), np.float64),
        np.empty(most * (2 * most + 4), np.int64),
        np.empty(most * (2 * most + 4), np.bool_),
        np.empty(1, np.int64),
    )
    for profile in range(first, profiles):
        thresholds = _thresholds(strategies, profile, course, people)
        here.ends[0] = 0
        low = 0.0
        for piece in range(thresholds + 1):
            high = np.inf
            limit = course.limit
            if course.reach_way > 0:
                limit = 0 if piece == 0 else people[piece - 1]
                high = people[piece] * course.reach if piece < thresholds else np.inf
            elif course.reach_way < 0:
                limit = people[thresholds - 1 - piece] if piece < thresholds else 0
                high = course.reach / people[thresholds - 1 - piece] if piece < thresholds else np.inf
            if high <= low:
                continue
            count = _candidates(strategies, profile, limit, course, near)
            if count > 1:
                count = _without_outclassed(strategies, course, limit, low, high, near, count)
            if count == 1 and _pays(strategies, course, limit, low, high, near[0]):
                _add(strategies, limit, low, near[0], here)
            else:
                _follow(strategies, course, limit, low, high, near[:count], spans, events, here)
            low = high
        used = here.ends[0]
        if filled + used > found.lows.shape[0]:
            return profile, filled
        found.lows[filled : filled + used] = here.lows[:used]
        found.entries[filled : filled + used] = here.entries[:used]
        found.attacked[filled : filled + used] = here.attacked[:used]
        filled += used
        found.ends[profile] = filled
    return profiles, filled


@compiled
def _thresholds(strategies: Strategies, profile: int, course: Course, people: IntArray) -> int:
    """Write the sizes of group at which the adversary's reply changes along x, rising; returns how many."""
    if course.reach_way == 0:
        return 0
    count = 0
    for entry in range(strategies.starts[profile], strategies.starts[profile + 1]):
        if strategies.people[entry] < 2**62:  # else nobody matches
            people[count] = strategies.people[entry]
            count += 1
    people[:count].sort()
    distinct = 0
    for place in range(count):
        if distinct == 0 or people[place] != people[distinct - 1]:
            people[distinct] = people[place]
            distinct += 1
    return distinct


@compiled
def _candidates(strategies: Strategies, profile: int, limit: int, course: Course, near: IntArray) -> int:
    """Write the entries that can be within a tie of the best when groups up to ``limit`` are attacked."""
    count = 0
    most = -1.0
    for entry in range(strategies.starts[profile], strategies.starts[profile + 1]):
        if strategies.kept[entry] <= most - 2 * course.tie:
            break  # worse than one that nobody attacks, and so are all that follow
        if strategies.people[entry] <= limit:
            if not course.forbids_attack and strategies.hull[entry]:
                near[count] = entry
                count += 1
        else:
            most = max(most, strategies.kept[entry])
            near[count] = entry
            count += 1
    return count


@compiled
def _without_outclassed(
    strategies: Strategies, course: Course, limit: int, low: float, high: float, near: IntArray, count: int
) -> int:
    """Keep, in front, the entries that no one line beats at both ends by more than a tie; returns how many.

    The lines asked are the best one at the lower end and the best one at the upper end; where that is infinite, slopes
    take the place of payoffs.
    """
    v0, v1 = course.value
    l0, l1 = course.loss
    if high == np.inf:
        y0, y1 = 0.0, 1.0
    else:
        y0, y1 = 1.0, high
    best_low = best_high = -np.inf
    low_of_first = high_of_first = low_of_second = high_of_second = 0.0
    for one in range(count):
        kept = strategies.kept[near[one]]
        share = 1.0 / strategies.people[near[one]] if strategies.people[near[one]] <= limit else 0.0
        constant, slope = kept * v0 - share * l0, kept * v1 - share * l1
        at_low, at_high = constant + slope * low, constant * y0 + slope * y1
        if at_low > best_low:
            best_low = at_low
            low_of_first, high_of_first = at_low, at_high
        if at_high > best_high:
            best_high = at_high
            low_of_second, high_of_second = at_low, at_high
    tie_low = course.tie * (v0 + v1 * low)
    tie_high = course.tie * (v0 * y0 + v1 * y1)
    left = 0
    for one in range(count):
        kept = strategies.kept[near[one]]
        share = 1.0 / strategies.people[near[one]] if strategies.people[near[one]] <= limit else 0.0
        constant, slope = kept * v0 - share * l0, kept * v1 - share * l1
        at_low, at_high = constant + slope * low + tie_low, constant * y0 + slope * y1 + tie_high
        if not (
            (at_low < low_of_first and at_high <= high_of_first)
            or (at_low < low_of_second and at_high <= high_of_second)
        ):
            near[left] = near[one]
            left += 1
    return left


@compiled
def _pays(strategies: Strategies, course: Course, limit: int, low: float, high: float, entry: int) -> bool:
    """Tell whether releasing an entry surely pays more than withholding, all the way from low to high."""
    if strategies.people[entry] > limit:
        return True
    v0, v1 = course.value
    l0, l1 = course.loss
    kept, share = strategies.kept[entry], 1.0 / strategies.people[entry]
    constant, slope = kept * v0 - share * l0, kept * v1 - share * l1
    pays: bool = constant + slope * low > 0 and (slope >= 0 or constant + slope * high > 0)
    return pays


@compiled
def _follow(
    strategies: Strategies,
    course: Course,
    limit: int,
    low: float,
    high: float,
    near: IntArray,
    spans: FloatArray,
    events: FloatArray,
    here: Found,
) -> None:
    """Add the stretches between two thresholds to those of the profile."""
    v0, v1 = course.value
    l0, l1 = course.loss
    events[0], events[1] = low, high
    count = 2
    keep_out_low, keep_out_high = low, high  # where releasing does not pay
    for one in range(near.shape[0]):
        kept = strategies.kept[near[one]] + course.tie
        share = 1.0 / strategies.people[near[one]] if strategies.people[near[one]] <= limit else 0.0
        start, end = low, high
        for other in range(near.shape[0]):
            kept_more = kept - strategies.kept[near[other]]
            share_more = share
            if strategies.people[near[other]] <= limit:
                share_more -= 1.0 / strategies.people[near[other]]
            start, end = _above(kept_more * v0 - share_more * l0, kept_more * v1 - share_more * l1, start, end)
        spans[one, 0], spans[one, 1] = start, end
        if start < end:
            events[count], events[count + 1] = start, end
            count += 2
        keep_out_low, keep_out_high = _above(
            share * l0 - kept * v0, share * l1 - kept * v1, keep_out_low, keep_out_high
        )
    if keep_out_low < keep_out_high:
        events[count], events[count + 1] = keep_out_low, keep_out_high
        count += 2
    marks = events[:count]
    marks.sort()
    for place in range(count - 1):
        begin, finish = marks[place], marks[place + 1]
        if not finish > begin * (1 + SLIVER):
            continue
        middle = 2 * begin + 1 if finish == np.inf else begin + (finish - begin) / 2
        chosen = WITHHELD
        if not keep_out_low <= middle <= keep_out_high:
            for one in range(near.shape[0]):
                if spans[one, 0] < middle < spans[one, 1] and (
                    chosen == WITHHELD or strategies.walk_keys[near[one]] < strategies.walk_keys[chosen]
                ):
                    chosen = near[one]
            if chosen == WITHHELD:
                continue  # a gap of rounding between two spans
        _add(strategies, limit, begin, chosen, here)


@compiled
def _add(strategies: Strategies, limit: int, low: float, chosen: int, here: Found) -> None:
    """Add a stretch to those of the profile, unless it goes on as the one before."""
    attacked = chosen != WITHHELD and strategies.people[chosen] <= limit
    last = here.ends[0] - 1
    if last < 0 or here.entries[last] != chosen or here.attacked[last] != attacked:
        here.lows[last + 1] = low
        here.entries[last + 1] = chosen
        here.attacked[last + 1] = attacked
        here.ends[0] += 1


@compiled
def _above(constant: float, slope: float, start: float, end: float) -> tuple[float, float]:
    """Return the part of start..end on which constant + slope x > 0; empty when end <= start."""
    if slope > 0:
        return max(start, -constant / slope), end
    if slope < 0:
        return start, min(end, -constant / slope)
    return (start, end) if constant > 0 else (start, start)
