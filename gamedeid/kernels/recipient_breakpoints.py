"""Where along one stake a strategy changes, or who attacks it, with several recipients: computed, not sampled."""

from typing import NamedTuple

import numpy as np

from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.kernels.breakpoints import SLIVER, above
from gamedeid.kernels.compiled import compiled
from gamedeid.kernels.rules import is_attacked, recipient_loss
from gamedeid.kernels.tables import WITHHELD, Entries
from gamedeid.reprs import brief


@brief
class VariedRecipients(NamedTuple):
    """How one stake x, varied from 0 to infinity, moves R recipients; the benefit is v0 + v1 x."""

    benefit: tuple[float, float]  # v0, v1
    tie: float  # payoffs closer than this share of the benefit are equal
    forbids_attack: bool
    losses: FloatArray  # (2, R): probability x loss of each is losses[0] + losses[1] x
    log_uncovered: FloatArray  # (R,): ln of the share of people who are not on the list; -inf where all are
    weighs_cost: BoolArray  # (R,): whether an attack costs anything, so that a release can deter it
    scales: FloatArray  # (R,): how x decides on attacks, by ``directions``
    directions: IntArray  # (R,) int64: 1: groups up to x / scale are attacked; -1: up to scale / x; 0: up to the limit
    limits: IntArray  # (R,) int64


@brief
class FoundReplies(NamedTuple):
    """Stretches of the stake on which strategy and replies stay the same, profile after profile; a room of a size."""

    lows: FloatArray  # (room,)
    entries: IntArray  # (room,) int64: the entry chosen, or ``WITHHELD``
    replies: IntArray  # (room,) int64: who attacks it, a bit for each recipient
    ends: IntArray  # (q,) int64: where the stretches of each profile end


@brief
class _Lines(NamedTuple):
    """What a profile's entries pay between two thresholds of attack: constant + slope x, and who attacks them."""

    constants: FloatArray
    slopes: FloatArray
    replies: IntArray  # a bit for each recipient
    open: BoolArray  # whether the game permits them
    safe: BoolArray  # whether no attack costs the publisher anything


@compiled
def find_stretches_against(
    entries: Entries, people: IntArray, varied: VariedRecipients, first: int, found: FoundReplies
) -> tuple[int, int]:
    """Write the stretches of the profiles from ``first`` on while there is room, from its beginning.

    people, (R, f), is how many each recipient finds at each entry, 0 where nobody. Returns the first profile that found
    no room (the number of profiles when all are done), and how much is filled.

    Between two thresholds of attack every payoff is a line in x. A strategy ties with the best on one interval, since
    the best of several lines is convex; the first in walk order of those that tie is chosen.
    """
    recipients = people.shape[0]
    profiles = entries.starts.shape[0] - 1
    most = np.max(np.diff(entries.starts))
    lines = _Lines(
        np.empty(most, np.float64),
        np.empty(most, np.float64),
        np.empty(most, np.int64),
        np.empty(most, np.bool_),
        np.empty(most, np.bool_),
    )
    thresholds = np.empty(recipients * most, np.float64)
    whose = np.empty(recipients * most, np.int64)
    candidates = np.empty(most, np.int64)
    spans = np.empty((most, 2), np.float64)
    events = np.empty(2 * most + 4, np.float64)
    filled = 0
    for profile in range(first, profiles):
        start = entries.starts[profile]
        length = entries.starts[profile + 1] - start
        count = 0
        for place in range(length):
            lines.replies[place] = 0
            for one in range(recipients):
                attacks, threshold = _begins(people[one, start + place], varied, one)
                if attacks:
                    lines.replies[place] |= 1 << one
                if threshold < np.inf:
                    thresholds[count], whose[count] = threshold, place * recipients + one
                    count += 1
            _draw_line(entries, people, varied, start, place, lines)
        order = np.argsort(thresholds[:count])
        begun = filled
        reached = 0
        low = 0.0
        while True:
            high = thresholds[order[reached]] if reached < count else np.inf
            if high > low * (1 + SLIVER):
                used = _candidates(entries, varied, start, length, lines, candidates)
                if used > 1:
                    used = _drop_outclassed(varied, low, high, lines, candidates, used)
                filled = _add_stretches(
                    entries, varied, start, low, high, lines, candidates[:used], spans, events, begun, filled, found
                )
                low = high
            if filled > found.lows.shape[0]:
                return profile, begun
            if reached == count:
                break
            while reached < count and thresholds[order[reached]] <= high:
                place, one = divmod(whose[order[reached]], recipients)
                lines.replies[place] ^= 1 << one
                _draw_line(entries, people, varied, start, place, lines)
                reached += 1
        found.ends[profile] = filled
    return profiles, filled


@compiled
def _begins(people: int, varied: VariedRecipients, one: int) -> tuple[bool, float]:
    """Return whether a recipient attacks a group at the least values of x, and where she thinks otherwise."""
    scale = varied.scales[one]
    if people == 0:
        return False, np.inf
    if varied.directions[one] > 0:
        return scale == 0, scale * people if scale > 0 else np.inf
    if varied.directions[one] < 0:
        return scale > 0, scale / people if scale > 0 else np.inf
    return is_attacked(people, varied.limits[one]), np.inf


@compiled
def _draw_line(
    entries: Entries, people: IntArray, varied: VariedRecipients, start: int, place: int, lines: _Lines
) -> None:
    """Write what an entry pays, given who attacks it."""
    constant, slope = 0.0, 0.0
    lines.open[place] = True
    for one in range(people.shape[0]):
        if lines.replies[place] >> one & 1:
            found, uncovered = people[one, start + place], varied.log_uncovered[one]
            constant += recipient_loss(found, varied.losses[0, one], uncovered)
            slope += recipient_loss(found, varied.losses[1, one], uncovered)
            if varied.forbids_attack and varied.weighs_cost[one]:
                lines.open[place] = False
    share = entries.benefit_share[start + place]
    lines.safe[place] = constant == 0 and slope == 0
    lines.constants[place] = share * varied.benefit[0] - constant
    lines.slopes[place] = share * varied.benefit[1] - slope


@compiled
def _candidates(
    entries: Entries, varied: VariedRecipients, start: int, length: int, lines: _Lines, candidates: IntArray
) -> int:
    """Write the places of the entries that can be within a tie of the best; returns how many."""
    count = 0
    most = -1.0
    for place in range(length):
        if entries.benefit_share[start + place] <= most - 2 * varied.tie:
            break  # worse than one whose attacks cost nothing, and so are all that follow
        if lines.open[place]:
            if lines.safe[place]:
                most = max(most, entries.benefit_share[start + place])
            candidates[count] = place
            count += 1
    return count


@compiled
def _drop_outclassed(
    varied: VariedRecipients, low: float, high: float, lines: _Lines, candidates: IntArray, count: int
) -> int:
    """Keep, in front, the entries that no one line beats at both ends by more than a tie; returns how many.

    The lines asked are the best one at the lower end and the best one at the upper end; where that is infinite, slopes
    take the place of payoffs.
    """
    y0, y1 = (0.0, 1.0) if high == np.inf else (1.0, high)
    best_low = best_high = -np.inf
    low_of_first = high_of_first = low_of_second = high_of_second = 0.0
    for one in range(count):
        constant, slope = lines.constants[candidates[one]], lines.slopes[candidates[one]]
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
        constant, slope = lines.constants[candidates[one]], lines.slopes[candidates[one]]
        at_low, at_high = constant + slope * low + tie_low, constant * y0 + slope * y1 + tie_high
        if not (
            (at_low < low_of_first and at_high <= high_of_first)
            or (at_low < low_of_second and at_high <= high_of_second)
        ):
            candidates[left] = candidates[one]
            left += 1
    return left


@compiled
def _add_stretches(
    entries: Entries,
    varied: VariedRecipients,
    start: int,
    low: float,
    high: float,
    lines: _Lines,
    candidates: IntArray,
    spans: FloatArray,
    events: FloatArray,
    begun: int,
    filled: int,
    found: FoundReplies,
) -> int:
    """Add the stretches between two thresholds to those of the profile, which begin at ``begun``.

    Returns how much is filled, one more than there is room for where something found none.
    """
    v0, v1 = varied.benefit
    tie0, tie1 = varied.tie * v0, varied.tie * v1
    events[0], events[1] = low, high
    count = 2
    withheld_low, withheld_high = low, high  # where releasing does not pay
    for one in range(candidates.shape[0]):
        constant, slope = lines.constants[candidates[one]], lines.slopes[candidates[one]]
        begin, finish = low, high
        for other in range(candidates.shape[0]):
            if begin >= finish:
                break
            more, steeper = constant - lines.constants[candidates[other]], slope - lines.slopes[candidates[other]]
            begin, finish = above(more + tie0, steeper + tie1, begin, finish)
        spans[one, 0], spans[one, 1] = begin, finish
        if begin < finish:
            events[count], events[count + 1] = begin, finish
            count += 2
        withheld_low, withheld_high = above(-constant - tie0, -slope - tie1, withheld_low, withheld_high)
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
        last = filled - 1
        if last >= begun and found.entries[last] == chosen and found.replies[last] == replies:
            continue
        if filled >= found.lows.shape[0]:
            return filled + 1  # no room
        found.lows[filled], found.entries[filled], found.replies[filled] = begin, chosen, replies
        filled += 1
    return filled
