"""The breakpoints of one stake at which a strategy or its reply changes: computed, not sampled."""

from typing import NamedTuple

import numpy as np

from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.kernels.compiled import allocating, compiled
from gamedeid.kernels.rules import is_attacked, recipient_loss
from gamedeid.kernels.tables import WITHHELD, Entries
from gamedeid.reprs import brief

SLIVER = 1e-14
"""A stretch narrower than this share of its place is only a rounding error."""


@brief
class VariedStake(NamedTuple):
    """The effect of one stake x, varied from 0 to infinity, on R adversaries; the benefit is v0 + v1 x.

    The publisher's loss by each is l0 times the first row of ``losses``, plus l1 x times the second.
    """

    benefit: tuple[float, float]  # v0, v1
    loss: tuple[float, float]  # l0, l1
    tie: float  # payoffs closer than this share of the benefit are equal
    forbids_attack: bool
    losses: FloatArray  # (2, R): for each dollar of l0, and of l1 x
    log_uncovered: FloatArray  # (R,): ln of the share of people who are not on the list; -inf where all are
    weighs_cost: BoolArray  # (R,): whether an attack costs anything, so that a release can deter it
    scales: FloatArray  # (R,): how x decides on attacks, by ``directions``
    directions: IntArray  # (R,) int64: 1: groups up to x / scale are attacked; -1: up to scale / x; 0: up to the limit
    limits: IntArray  # (R,) int64


@brief
class FoundStretches(NamedTuple):
    """Stretches of the stake on which strategy and replies stay the same, profile after profile; a room of a size."""

    lows: FloatArray  # (room,)
    entries: IntArray  # (room,) int64: the entry chosen, or ``WITHHELD``
    replies: IntArray  # (room,) int64: who attacks it, a bit for each adversary
    ends: IntArray  # (q,) int64: where the stretches of each profile end


@brief
class _Lines(NamedTuple):
    """The payoffs of a profile's entries between two thresholds of attack: constant + slope x, with their replies."""

    constants: FloatArray
    slopes: FloatArray
    costs: FloatArray  # (entries, 2): cost of attacks for each dollar of l0, and of l1 x
    replies: IntArray  # a bit for each adversary
    open: BoolArray  # whether the game permits them, and they may be best
    safe: BoolArray  # whether no attack costs the publisher anything


@allocating
def find_stretches(
    entries: Entries, people: IntArray, varied: VariedStake, first: int, found: FoundStretches
) -> tuple[int, int]:
    """Write the stretches of the profiles from ``first`` on while there is room, from its beginning.

    people, (R, f), is how many each adversary finds at each entry, 0 where no one. Returns the first profile that found
    no room (the number of profiles when all are done), and how much is filled.

    Between two thresholds of attack every payoff is a line in x. A strategy ties with the best on one interval, since
    the best of several lines is convex; the first in walk order of those that tie is chosen.
    """
    profiles = entries.starts.shape[0] - 1
    most = 0
    for profile in range(profiles):
        most = max(most, entries.starts[profile + 1] - entries.starts[profile])
    lines = _Lines(
        np.empty(most, np.float64),
        np.empty(most, np.float64),
        np.empty((most, 2), np.float64),
        np.empty(most, np.int64),
        np.empty(most, np.bool_),
        np.empty(most, np.bool_),
    )
    everything = np.arange(most)
    thresholds = np.empty(people.shape[0] * most, np.float64)
    adversary_of = np.empty(people.shape[0] * most, np.int64)
    places = np.empty(people.shape[0] * most, np.int64)
    candidates = np.empty(most, np.int64)
    spans = np.empty((most, 2), np.float64)
    events = np.empty(2 * most + 4, np.float64)
    filled = 0
    for profile in range(first, profiles):
        start, end = entries.starts[profile], entries.starts[profile + 1]
        count = _thresholds(people[:, start:end], varied, thresholds, adversary_of, places, lines.replies)
        _draw_lines(entries, people, varied, start, everything[: end - start], lines)
        begun = filled
        reached = 0
        low = 0.0
        while True:
            high = thresholds[reached] if reached < count else np.inf
            if high > low * (1 + SLIVER):
                shares = entries.benefit_share[start:end]
                used = _candidates(shares, 2 * varied.tie, lines.open, lines.safe, candidates)
                if used > 1:
                    used = _drop_outclassed(varied, low, high, lines.constants, lines.slopes, candidates[:used])
                one = candidates[0]
                if used == 1 and (
                    lines.replies[one] == 0 or _surely_positive(lines.constants[one], lines.slopes[one], low, high)
                ):
                    filled = _add_stretch(low, start + one, lines.replies[one], begun, filled, found)
                else:
                    filled = _add_stretches(
                        entries, varied, start, low, high, lines, candidates[:used], spans, events, begun, filled, found
                    )
                low = high
            if filled > found.lows.shape[0]:
                return profile, begun
            if reached == count:
                break
            passed = reached
            while reached < count and thresholds[reached] <= high:
                lines.replies[places[reached]] ^= 1 << adversary_of[reached]
                reached += 1
            _draw_lines(entries, people, varied, start, places[passed:reached], lines)
        found.ends[profile] = filled
    return profiles, filled


@compiled
def _thresholds(
    people: IntArray,
    varied: VariedStake,
    thresholds: FloatArray,
    adversary_of: IntArray,
    places: IntArray,
    replies: IntArray,
) -> int:
    """Write the values of x, rising, at which an adversary begins or ceases to attack an entry; returns how many.

    ``replies`` receives who attacks at the least values of x; people is (R, entries).
    """
    length = people.shape[1]
    replies[:length] = 0
    count = 0
    for one in range(people.shape[0]):
        scale, direction, limit = varied.scales[one], varied.directions[one], varied.limits[one]
        attacks_first = direction == 0 or (scale > 0) == (direction < 0)
        for step in range(length):  # people all but rise from entry to entry, so that little is moved
            place = step if direction >= 0 else length - 1 - step
            size = people[one, place]
            if size == 0:
                continue
            if attacks_first and (direction != 0 or is_attacked(size, limit)):
                replies[place] |= 1 << one
            if direction != 0 and scale > 0:
                threshold = scale * size if direction > 0 else scale / size
                slot = count
                while slot > 0 and thresholds[slot - 1] > threshold:
                    thresholds[slot] = thresholds[slot - 1]
                    adversary_of[slot], places[slot] = adversary_of[slot - 1], places[slot - 1]
                    slot -= 1
                thresholds[slot], adversary_of[slot], places[slot] = threshold, one, place
                count += 1
    return count


@compiled
def _draw_lines(
    entries: Entries, people: IntArray, varied: VariedStake, start: int, places: IntArray, lines: _Lines
) -> None:
    """Write the payoffs of entries, given their attackers."""
    (v0, v1), (l0, l1) = varied.benefit, varied.loss
    for at in range(places.shape[0]):
        place = places[at]
        constant, slope, replies = 0.0, 0.0, lines.replies[place]
        lines.open[place] = replies == 0 or entries.hull[start + place]
        if not lines.open[place]:
            continue
        for one in range(people.shape[0]):
            if replies >> one & 1:
                if varied.forbids_attack and varied.weighs_cost[one]:
                    lines.open[place] = False
                chance = recipient_loss(people[one, start + place], 1.0, varied.log_uncovered[one])
                constant += varied.losses[0, one] * chance
                slope += varied.losses[1, one] * chance
        share = entries.benefit_share[start + place]
        lines.safe[place] = constant == 0 and slope == 0
        lines.costs[place, 0], lines.costs[place, 1] = constant, slope
        lines.constants[place] = share * v0 - constant * l0
        lines.slopes[place] = share * v1 - slope * l1


@compiled
def _candidates(shares: FloatArray, tie: float, open_: BoolArray, safe: BoolArray, candidates: IntArray) -> int:
    """Write the places of the entries that can be within a tie of the best; returns how many."""
    count = 0
    most = -1.0
    for place in range(shares.shape[0]):
        if shares[place] <= most - tie:
            break  # worse than one whose attacks cost nothing, and so are all that follow
        if open_[place]:
            if safe[place]:
                most = max(most, shares[place])
            candidates[count] = place
            count += 1
    return count


@compiled
def _drop_outclassed(
    varied: VariedStake, low: float, high: float, constants: FloatArray, slopes: FloatArray, candidates: IntArray
) -> int:
    """Keep, in front, the entries that neither of two lines beats at both ends by more than a tie; returns how many.

    The lines are the best one at the lower end and the best one at the upper end; if that is infinite, slopes are
    compared instead of payoffs.
    """
    y0, y1 = (0.0, 1.0) if high == np.inf else (1.0, high)
    best_low = best_high = -np.inf
    low_of_first = high_of_first = low_of_second = high_of_second = 0.0
    for one in range(candidates.shape[0]):
        constant, slope = constants[candidates[one]], slopes[candidates[one]]
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
    for one in range(candidates.shape[0]):
        constant, slope = constants[candidates[one]], slopes[candidates[one]]
        at_low, at_high = constant + slope * low + tie_low, constant * y0 + slope * y1 + tie_high
        if not (
            (at_low < low_of_first and at_high <= high_of_first)
            or (at_low < low_of_second and at_high <= high_of_second)
        ):
            candidates[left] = candidates[one]
            left += 1
    return left


@allocating
def _add_stretches(
    entries: Entries,
    varied: VariedStake,
    start: int,
    low: float,
    high: float,
    lines: _Lines,
    candidates: IntArray,
    spans: FloatArray,
    events: FloatArray,
    begun: int,
    filled: int,
    found: FoundStretches,
) -> int:
    """Add the stretches between two thresholds to those of the profile, which begin at ``begun``.

    Returns how much is filled, or one more than the room if a stretch found none.
    """
    (v0, v1), (l0, l1) = varied.benefit, varied.loss
    events[0], events[1] = low, high
    count = 2
    withheld_low, withheld_high = low, high  # where releasing does not pay
    for one in range(candidates.shape[0]):
        candidate = candidates[one]
        share = entries.benefit_share[start + candidate] + varied.tie
        begin, finish = low, high
        for other in range(candidates.shape[0]):
            if begin >= finish:
                break
            rival = candidates[other]
            more = share - entries.benefit_share[start + rival]
            constant = more * v0 - (lines.costs[candidate, 0] - lines.costs[rival, 0]) * l0
            slope = more * v1 - (lines.costs[candidate, 1] - lines.costs[rival, 1]) * l1
            begin, finish = _above(constant, slope, begin, finish)
        spans[one, 0], spans[one, 1] = begin, finish
        if begin < finish:
            events[count], events[count + 1] = begin, finish
            count += 2
        constant, slope = lines.costs[candidate, 0] * l0 - share * v0, lines.costs[candidate, 1] * l1 - share * v1
        withheld_low, withheld_high = _above(constant, slope, withheld_low, withheld_high)
    if withheld_low < withheld_high:
        events[count], events[count + 1] = withheld_low, withheld_high
        count += 2
    marks = events[:count]
    marks.sort()
    for mark in range(count - 1):
        begin, finish = marks[mark], marks[mark + 1]
        if not finish > begin * (1 + SLIVER):
            continue
        middle = 2 * begin + 1 if finish == np.inf else begin + (finish - begin) / 2
        chosen = WITHHELD
        replies = 0
        if not withheld_low <= middle <= withheld_high:
            for one in range(candidates.shape[0]):
                entry = start + candidates[one]
                if spans[one, 0] < middle < spans[one, 1] and (
                    chosen == WITHHELD or entries.walk_keys[entry] < entries.walk_keys[chosen]
                ):
                    chosen = entry
                    replies = lines.replies[candidates[one]]
            if chosen == WITHHELD:
                continue  # a gap of rounding between two spans
        filled = _add_stretch(begin, chosen, replies, begun, filled, found)
    return filled


@compiled
def _surely_positive(constant: float, slope: float, low: float, high: float) -> bool:
    """Return whether constant + slope x is surely above 0 all the way from low to high."""
    return constant + slope * low > 0 and (slope >= 0 or constant + slope * high > 0)


@compiled
def _add_stretch(low: float, entry: int, replies: int, begun: int, filled: int, found: FoundStretches) -> int:
    """Add a stretch unless it continues the one before; return how much is filled, one too much without room."""
    room: int = found.lows.shape[0]
    last = min(filled, room) - 1
    if last >= begun and found.entries[last] == entry and found.replies[last] == replies:
        return filled
    if filled >= room:
        return room + 1
    found.lows[filled], found.entries[filled], found.replies[filled] = low, entry, replies
    return filled + 1


@compiled
def _above(constant: float, slope: float, start: float, end: float) -> tuple[float, float]:
    """Return the part of start..end on which constant + slope x > 0; empty when end <= start."""
    if slope > 0:
        return max(start, -constant / slope), end
    if slope < 0:
        return start, min(end, -constant / slope)
    return (start, end) if constant > 0 else (start, start)
