"""The strategies that are chosen along a grid of stakes, and sums of their outcomes over profiles."""

from typing import NamedTuple

import numpy as np

from gamedeid.arrays import FloatArray, IntArray
from gamedeid.kernels.compiled import allocating, compiled
from gamedeid.kernels.frontier import choose_entry
from gamedeid.kernels.rules import expected_loss, is_attacked
from gamedeid.kernels.tables import WITHHELD, CompiledStakes, Entries
from gamedeid.reprs import brief


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
        stakes = CompiledStakes(benefits[at], losses[at], attack_limits[at], tie * benefits[at])
        chosen[at] = choose_entry(entries, profile, stakes, None, forbids_attack)


@brief
class OtherStakes(NamedTuple):
    """Stakes other than the benefit, along which the benefit is varied; sorted by attack limit."""

    losses: FloatArray  # (o,)
    attack_limits: IntArray  # (o,) int64, rising


@brief
class FeatureTables(NamedTuple):
    """The features of each chosen entry that are added up, times the records that share the profile."""

    chosen: FloatArray  # (f, m); in the sums, whether the entry is attacked, and its 1 / n if so, follow
    withheld: FloatArray  # (m,), of a withheld record
    records: FloatArray  # (q,)


@allocating
def sum_along_benefit(
    entries: Entries,
    others: OtherStakes,
    benefits: FloatArray,
    tie: float,
    forbids_attack: bool,
    features: FeatureTables,
    sums: FloatArray,
) -> None:
    """Add up features of the chosen strategies over a grid of other stakes x rising benefits.

    benefits (b,) rising; sums (o, b, m + 2) receives the sum over profiles of records x feature.

    Payoffs are linear in the benefit, so the choice follows the upper envelope of lines: from the unattacked strategy
    of the greatest benefit share (or withholding) on through attacked ones of ever greater shares. Points of the grid
    that are so near to a change that two payoffs are equal are decided one by one; where attacked payoffs may tie
    anywhere, all are.
    """
    points = benefits.shape[0]
    top = benefits[points - 1]
    sums[:] = 0.0
    most = 2
    for profile in range(features.records.shape[0]):
        most = max(most, 2 + entries.starts[profile + 1] - entries.starts[profile])
    ends, chosen, unsure_points = np.empty(most, np.int64), np.empty(most, np.int64), np.empty(points, np.int64)
    hull = np.empty(most, np.int64)
    for profile in range(features.records.shape[0]):
        corners = 0
        for entry in range(entries.starts[profile], entries.starts[profile + 1]):
            if entries.hull[entry]:
                hull[corners] = entry
                corners += 1
        attacked = 0
        weight = features.records[profile]
        for other in range(others.losses.shape[0]):
            loss, limit = others.losses[other], others.attack_limits[other]
            steps = sums[other]
            while attacked < corners and is_attacked(entries.people[hull[attacked]], limit):
                attacked += 1
            if not forbids_attack and limit > 0 and loss / (float(limit) * limit) < 2 * tie * top:
                for at in range(points):
                    stakes = CompiledStakes(benefits[at], loss, limit, tie * benefits[at])
                    entry = choose_entry(entries, profile, stakes, None, forbids_attack)
                    _add_features(steps, at, at + 1, entry, entries, limit, weight, features)
                continue
            open_to_attack = 0 if forbids_attack else attacked
            stretches, unsure_count = _envelope(
                entries, profile, hull, open_to_attack, benefits, tie, loss, limit, ends, chosen, unsure_points
            )
            reached = 0
            for stretch in range(stretches):
                if ends[stretch] > reached:
                    _add_features(steps, reached, ends[stretch], chosen[stretch], entries, limit, weight, features)
                    reached = ends[stretch]
            for number in range(unsure_count):
                at = unsure_points[number]
                stretch = 0
                while ends[stretch] <= at:
                    stretch += 1
                stakes = CompiledStakes(benefits[at], loss, limit, tie * benefits[at])
                exactly = choose_entry(entries, profile, stakes, None, forbids_attack)
                if exactly != chosen[stretch]:
                    _add_features(steps, at, at + 1, exactly, entries, limit, weight, features)
                    _add_features(steps, at, at + 1, chosen[stretch], entries, limit, -weight, features)
    for other in range(sums.shape[0]):
        for at in range(1, points):
            for feature in range(sums.shape[2]):
                sums[other, at, feature] += sums[other, at - 1, feature]


@compiled
def _add_features(
    steps: FloatArray,
    start: int,
    end: int,
    entry: int,
    entries: Entries,
    attack_limit: int,
    weight: float,
    features: FeatureTables,
) -> None:
    """Add an entry's features from point ``start`` on and take them away again from ``end`` on."""
    known = features.withheld.shape[0]
    for feature in range(known):
        value = weight * (features.withheld[feature] if entry == WITHHELD else features.chosen[entry, feature])
        steps[start, feature] += value
        if end < steps.shape[0]:
            steps[end, feature] -= value
    if entry != WITHHELD and is_attacked(entries.people[entry], attack_limit):
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
    unsure_points: IntArray,
) -> tuple[int, int]:
    """Write the stretches of benefits on which one entry is best, and the points too near to a change to be sure.

    The first ``attacked`` of ``hull`` are the entries that may be best while attacked. Returns how many stretches
    (``ends``, exclusive, and ``chosen``) and how many doubtful points (``unsure_points``, each once).
    """
    points = benefits.shape[0]
    top = benefits[points - 1]
    current = _first_unattacked(entries, profile, attack_limit, tie)
    current_share = 0.0 if current == WITHHELD else entries.benefit_share[current]
    current_cost = 0.0
    candidate = attacked - 1
    stretches = 0
    unsure_count = 0
    while True:
        change = np.inf
        after = WITHHELD
        next_candidate = -1
        while candidate >= 0:
            entry = hull[candidate]
            candidate -= 1
            if entries.benefit_share[entry] <= current_share:
                continue
            crossing = (expected_loss(entries.people[entry], loss) - current_cost) / (
                entries.benefit_share[entry] - current_share
            )
            if crossing <= change:
                change, after, next_candidate = crossing, entry, candidate
            elif crossing > change * 1.001:
                break
        candidate = next_candidate
        ends[stretches] = points if change > top else np.searchsorted(benefits, change)
        chosen[stretches] = current
        stretches += 1
        if after == WITHHELD:
            return stretches, unsure_count
        margin = change * min(0.5, 4 * tie / (entries.benefit_share[after] - current_share) + 1e-12)
        if change - margin <= top:
            at = np.searchsorted(benefits, change - margin)
            while at < points and benefits[at] <= change + margin:
                if unsure_count == 0 or unsure_points[unsure_count - 1] < at:
                    unsure_points[unsure_count] = at
                    unsure_count += 1
                at += 1
        if change > top:
            return stretches, unsure_count
        current, current_share = after, entries.benefit_share[after]
        current_cost = expected_loss(entries.people[after], loss)


@compiled
def _first_unattacked(entries: Entries, profile: int, attack_limit: int, tie: float) -> int:
    """Return the first in walk order of the unattacked entries of the greatest benefit share, or ``WITHHELD``."""
    chosen = WITHHELD
    best = -np.inf
    for entry in range(entries.starts[profile], entries.starts[profile + 1]):
        if entries.benefit_share[entry] <= best - tie:
            break
        if not is_attacked(entries.people[entry], attack_limit):
            best = max(best, entries.benefit_share[entry])
            if chosen == WITHHELD or entries.walk_keys[entry] < entries.walk_keys[chosen]:
                chosen = entry
    return chosen
