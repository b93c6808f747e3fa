"""The inner loops of frontiers and sweeps, compiled by numba.

Apart from ``kernels.solving`` and calling nothing of it, for the same reason that those stand in one file: numba's
cache notices a change only in the file of the kernel itself.
"""

from typing import NamedTuple

import numpy as np

from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.kernels.compiled import compiled
from gamedeid.reprs import short_repr

WITHHELD = -1


class Entries(NamedTuple):
    """Frontiers of all profiles one after another, each from the least information loss up; f entries in all."""

    starts: IntArray  # (q + 1,) int64: where each profile's entries begin
    kept: FloatArray  # (f,) share of the benefit that is kept, 1 - IL(g)
    people: IntArray  # (f,) int64: n_p(g), beyond any attack where nobody matches
    walk_keys: IntArray  # (f,) int64: order in which equals are taken
    hull: BoolArray  # (f,) whether it can be best while attacked

    def __repr__(self) -> str:
        return short_repr(self)


class Point(NamedTuple):
    """The stakes at one point of a sweep."""

    benefit: float
    loss: float
    attack_limit: int
    tolerance: float


@compiled
def keep_undominated(
    kind_of: IntArray,
    list_nodes: IntArray,
    list_kept: FloatArray,
    list_lengths: IntArray,
    people: IntArray,
    walk_keys: IntArray,
    margin: float,
    keeps: BoolArray,
) -> None:
    """Mark which strategies of each profile are on its frontier.

    kind_of (q,) names each profile's list of strategies by falling share kept; list_nodes, list_kept (k, n); people
    (q, n) by place in the list; walk_keys by node; keeps (q, n) is written.
    """
    for profile in range(kind_of.shape[0]):
        kind = kind_of[profile]
        clear = 0  # the entries before this one keep more by the margin than the one at hand
        most = -1  # most people at any of them
        for place in range(list_lengths[kind]):
            keeps[profile, place] = False
            kept = list_kept[kind, place]
            while list_kept[kind, clear] >= kept + margin:
                most = max(most, people[profile, clear])
                clear += 1
            struck = most >= people[profile, place]
            other = clear
            while not struck and other < place:
                struck = (
                    people[profile, other] >= people[profile, place]
                    and walk_keys[list_nodes[kind, other]] < walk_keys[list_nodes[kind, place]]
                )
                other += 1
            keeps[profile, place] = not struck


@compiled
def mark_hull(entries: Entries, margin: float) -> None:
    """Mark the entries that can be best while attacked: those within ``margin`` of the concave hull of kept over 1 / n.

    An attacked strategy pays benefit x kept - loss / n, linear in both. Below the hull it loses against one of the two
    strategies that span the hull there: against the one when that is attacked, and all the more when it is not.
    """
    corners = np.empty(entries.kept.shape[0], np.int64)
    for profile in range(entries.starts.shape[0] - 1):
        start, end = entries.starts[profile], entries.starts[profile + 1]
        count = 0
        for entry in range(start, end):
            risk, kept = 1.0 / entries.people[entry], entries.kept[entry]
            if count > 0 and risk >= 1.0 / entries.people[corners[count - 1]]:
                continue
            while count > 1:
                one, two = corners[count - 2], corners[count - 1]
                risk_one, risk_two = 1.0 / entries.people[one], 1.0 / entries.people[two]
                slope_two = (entries.kept[one] - entries.kept[two]) * (risk_one - risk)
                slope_new = (entries.kept[one] - kept) * (risk_one - risk_two)
                if slope_two < slope_new:
                    break
                count -= 1
            corners[count] = entry
            count += 1
        corner = 0
        for entry in range(start, end):
            risk = 1.0 / entries.people[entry]
            while corner + 1 < count and 1.0 / entries.people[corners[corner + 1]] > risk:
                corner += 1
            right = corners[corner]
            height = entries.kept[right]
            if corner + 1 < count and 1.0 / entries.people[right] > risk:
                left = corners[corner + 1]
                risk_left, risk_right = 1.0 / entries.people[left], 1.0 / entries.people[right]
                share = (risk - risk_left) / (risk_right - risk_left)
                height = entries.kept[left] + share * (height - entries.kept[left])
            entries.hull[entry] = entries.kept[entry] >= height - margin


@compiled
def choose(entries: Entries, profile: int, point: Point, forbids_attack: bool) -> int:
    """Return the entry that the publisher chooses at a point, or -1 where she withholds the record."""
    best = -np.inf
    chosen = WITHHELD
    close = False
    start, end = entries.starts[profile], entries.starts[profile + 1]
    for entry in range(start, end):
        attacked = entries.people[entry] <= point.attack_limit
        if attacked and (forbids_attack or not entries.hull[entry]):
            continue
        value = point.benefit * entries.kept[entry]
        if value <= best - 2 * point.tolerance:
            end = entry
            break
        if attacked:
            value -= point.loss / entries.people[entry]
        if abs(value - best) < 2 * point.tolerance:
            close = True
        if value > best:
            best = value
            chosen = entry
    if best <= -point.tolerance:
        return WITHHELD
    if close:
        chosen = _first_of_equals(entries, start, end, point, forbids_attack, best)
    return chosen


@compiled
def _first_of_equals(entries: Entries, start: int, end: int, point: Point, forbids_attack: bool, best: float) -> int:
    chosen = WITHHELD
    for entry in range(start, end):
        value = point.benefit * entries.kept[entry]
        if entries.people[entry] <= point.attack_limit:
            if forbids_attack:
                continue
            value -= point.loss / entries.people[entry]
        if value > best - point.tolerance and (
            chosen == WITHHELD or entries.walk_keys[entry] < entries.walk_keys[chosen]
        ):
            chosen = entry
    return chosen


@compiled
def choose_all(entries: Entries, point: Point, forbids_attack: bool, chosen: IntArray) -> None:
    """Write each profile's chosen entry, (q,), at one point."""
    for profile in range(chosen.shape[0]):
        chosen[profile] = choose(entries, profile, point, forbids_attack)


@compiled
def choose_at_points(
    entries: Entries,
    profile: int,
    benefits: FloatArray,
    losses: FloatArray,
    attack_limits: IntArray,
    tie: float,
    forbids_attack: bool,
    chosen: IntArray,
) -> None:
    """Write one profile's chosen entry, (p,), at many points: benefits (p,), losses (p,), attack_limits (p,) int64."""
    for at in range(chosen.shape[0]):
        point = Point(benefits[at], losses[at], attack_limits[at], tie * benefits[at])
        chosen[at] = choose(entries, profile, point, forbids_attack)


class Lines(NamedTuple):
    """Stakes other than the benefit, along which the benefit is varied; sorted by attack limit."""

    losses: FloatArray  # (l,)
    attack_limits: IntArray  # (l,) int64, rising

    def __repr__(self) -> str:
        return short_repr(self)


class Features(NamedTuple):
    """What is added up of each chosen entry, times the records that share the profile."""

    chosen: FloatArray  # (f, m); behind these come whether the entry is attacked, and its 1 / n if so
    withheld: FloatArray  # (m,), of a withheld record
    records: FloatArray  # (q,)

    def __repr__(self) -> str:
        return short_repr(self)


@compiled
def sum_along_benefit(
    entries: Entries,
    lines: Lines,
    benefits: FloatArray,
    tie: float,
    forbids_attack: bool,
    features: Features,
    sums: FloatArray,
) -> None:
    """Add up features of the chosen strategies over a grid of lines x rising benefits.

    benefits (b,) rising; sums (l, b, m + 2) receives the sum over profiles of records x feature.

    Payoffs are linear in the benefit, so the choice follows the upper envelope of lines: from the unattacked strategy
    that keeps most (or withholding) on through attacked ones that keep ever more. Points of the grid that are so near
    to a change that two payoffs are equal are decided one by one; where attacked payoffs may tie anywhere, all are.
    """
    points = benefits.shape[0]
    top = benefits[points - 1]
    sums[:] = 0.0
    most = 2 + np.max(np.diff(entries.starts))
    ends, chosen, doubts = np.empty(most, np.int64), np.empty(most, np.int64), np.empty(points, np.int64)
    hull = np.empty(most, np.int64)
    for profile in range(features.records.shape[0]):
        corners = 0
        for entry in range(entries.starts[profile], entries.starts[profile + 1]):
            if entries.hull[entry]:
                hull[corners] = entry
                corners += 1
        attacked = 0
        weight = features.records[profile]
        for line in range(lines.losses.shape[0]):
            loss, limit = lines.losses[line], lines.attack_limits[line]
            steps = sums[line]
            while attacked < corners and entries.people[hull[attacked]] <= limit:
                attacked += 1
            if not forbids_attack and limit > 0 and loss / (float(limit) * limit) < 2 * tie * top:
                for at in range(points):
                    point = Point(benefits[at], loss, limit, tie * benefits[at])
                    _add(
                        steps,
                        at,
                        at + 1,
                        choose(entries, profile, point, forbids_attack),
                        entries,
                        limit,
                        weight,
                        features,
                    )
                continue
            stretches, doubtful = _envelope(
                entries,
                profile,
                hull,
                0 if forbids_attack else attacked,
                benefits,
                tie,
                loss,
                limit,
                ends,
                chosen,
                doubts,
            )
            reached = 0
            for stretch in range(stretches):
                if ends[stretch] > reached:
                    _add(steps, reached, ends[stretch], chosen[stretch], entries, limit, weight, features)
                    reached = ends[stretch]
            for doubt in range(doubtful):
                at = doubts[doubt]
                stretch = 0
                while ends[stretch] <= at:
                    stretch += 1
                point = Point(benefits[at], loss, limit, tie * benefits[at])
                exactly = choose(entries, profile, point, forbids_attack)
                if exactly != chosen[stretch]:
                    _add(steps, at, at + 1, exactly, entries, limit, weight, features)
                    _add(steps, at, at + 1, chosen[stretch], entries, limit, -weight, features)
    for line in range(sums.shape[0]):
        for at in range(1, points):
            for feature in range(sums.shape[2]):
                sums[line, at, feature] += sums[line, at - 1, feature]


@compiled
def _add(
    steps: FloatArray,
    start: int,
    end: int,
    entry: int,
    entries: Entries,
    attack_limit: int,
    weight: float,
    features: Features,
) -> None:
    """Add an entry's features from point ``start`` on and take them away again from ``end`` on."""
    known = features.withheld.shape[0]
    for feature in range(known):
        value = weight * (features.withheld[feature] if entry < 0 else features.chosen[entry, feature])
        steps[start, feature] += value
        if end < steps.shape[0]:
            steps[end, feature] -= value
    if entry >= 0 and entries.people[entry] <= attack_limit:
        risk = weight / entries.people[entry]
        steps[start, known] += weight
        steps[start, known + 1] += risk
        if end < steps.shape[0]:
            steps[end, known] -= weight
            steps[end, known + 1] -= risk


@compiled
def _envelope(
    entries: Entries,
    profile: int,
    hull: IntArray,
    attacked: int,
    benefits: FloatArray,
    tie: float,
    loss: float,
    attack_limit: int,
    ends: IntArray,
    chosen: IntArray,
    doubts: IntArray,
) -> tuple[int, int]:
    """Write the stretches of the grid along which one entry is best, and the points too near to a change to be sure.

    The first ``attacked`` of ``hull`` are the entries that may be best while attacked. Returns how many stretches
    (``ends``, exclusive, and ``chosen``) and how many doubtful points (``doubts``, each once).
    """
    points = benefits.shape[0]
    top = benefits[points - 1]
    here = _first_unattacked(entries, profile, attack_limit, tie)
    here_kept = 0.0 if here == WITHHELD else entries.kept[here]
    here_cost = 0.0
    candidate = attacked - 1
    stretches = 0
    doubtful = 0
    while True:
        change = np.inf
        after = WITHHELD
        next_candidate = -1
        while candidate >= 0:
            entry = hull[candidate]
            candidate -= 1
            if entries.kept[entry] <= here_kept:
                continue
            crossing = (loss / entries.people[entry] - here_cost) / (entries.kept[entry] - here_kept)
            if crossing <= change:
                change, after, next_candidate = crossing, entry, candidate
            elif crossing > change * 1.001:
                break
        candidate = next_candidate
        ends[stretches] = points if change > top else np.searchsorted(benefits, change)
        chosen[stretches] = here
        stretches += 1
        if after == WITHHELD:
            return stretches, doubtful
        blur = change * min(0.5, 4 * tie / (entries.kept[after] - here_kept) + 1e-12)
        if change - blur <= top:
            at = np.searchsorted(benefits, change - blur)
            while at < points and benefits[at] <= change + blur:
                if doubtful == 0 or doubts[doubtful - 1] < at:
                    doubts[doubtful] = at
                    doubtful += 1
                at += 1
        if change > top:
            return stretches, doubtful
        here, here_kept = after, entries.kept[after]
        here_cost = loss / entries.people[after]


@compiled
def _first_unattacked(entries: Entries, profile: int, attack_limit: int, tie: float) -> int:
    """Return the first in walk order of the entries that keep most among those that nobody attacks, or -1."""
    chosen = WITHHELD
    best = -np.inf
    for entry in range(entries.starts[profile], entries.starts[profile + 1]):
        if entries.kept[entry] <= best - tie:
            break
        if entries.people[entry] > attack_limit:
            best = max(best, entries.kept[entry])
            if chosen == WITHHELD or entries.walk_keys[entry] < entries.walk_keys[chosen]:
                chosen = entry
    return chosen
