"""The strategies of each profile that can ever be best, and which of them is chosen at given stakes."""

import numpy as np

from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.kernels.compiled import compiled
from gamedeid.kernels.rules import is_attacked, payoff_if_attacked, permitted_payoff
from gamedeid.kernels.tables import NONE, WITHHELD, Entries, Stakes


@compiled
def mark_undominated(
    kind_of: IntArray,
    list_nodes: IntArray,
    list_shares: FloatArray,
    list_lengths: IntArray,
    people: IntArray,
    walk_keys: IntArray,
    margin: float,
    undominated: BoolArray,
) -> None:
    """Mark which strategies of each profile are on its frontier.

    kind_of (q,) names each profile's list of strategies by falling benefit share; list_nodes, list_shares (k, n);
    people (q, n) by place in the list; walk_keys by node; undominated (q, n) is written.
    """
    for profile in range(kind_of.shape[0]):
        kind = kind_of[profile]
        clear = 0  # the entries before this one have a benefit share greater by the margin than the one at hand
        most = -1  # most people at any of them
        for place in range(list_lengths[kind]):
            undominated[profile, place] = False
            benefit_share = list_shares[kind, place]
            while list_shares[kind, clear] >= benefit_share + margin:
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
            undominated[profile, place] = not struck


@compiled
def mark_undominated_by_all(
    kind_of: IntArray,
    list_nodes: IntArray,
    list_shares: FloatArray,
    list_lengths: IntArray,
    people: IntArray,
    unlearned: IntArray,
    walk_keys: IntArray,
    margin: float,
    undominated: BoolArray,
) -> None:
    """Mark which strategies of each profile are on its frontier where several recipients find people, (R, q, n).

    Of one who learns at a price ``unlearned``, (R,), has the number of the same recipient before, else -1: learning may
    begin to pay when more people match before. So as many must match before, or no fewer than before even afterwards.
    The other arguments are those of :func:`mark_undominated`. Only entries of the frontier are compared with: whatever
    one that is struck would strike, the one that struck it strikes too.
    """
    kept = np.empty(list_nodes.shape[1], np.int64)
    for profile in range(kind_of.shape[0]):
        kind = kind_of[profile]
        found = 0
        for place in range(list_lengths[kind]):
            struck = False
            for one in range(found):
                other = kept[one]
                struck = (
                    list_shares[kind, other] >= list_shares[kind, place] + margin
                    or walk_keys[list_nodes[kind, other]] < walk_keys[list_nodes[kind, place]]
                )
                for recipient in range(people.shape[0]):
                    mine, its = people[recipient, profile, other], people[recipient, profile, place]
                    before = unlearned[recipient]
                    if before != NONE:
                        mine_before, its_before = people[before, profile, other], people[before, profile, place]
                        if mine_before != its_before:
                            mine, its = min(mine, mine_before), its_before
                    struck = struck and mine >= its
                if struck:
                    break
            undominated[profile, place] = not struck
            if not struck:
                kept[found] = place
                found += 1


@compiled
def mark_hull(entries: Entries, margin: float) -> None:
    """Mark the entries that can be best while attacked: those near the concave hull of benefit shares over 1 / n.

    An attacked strategy pays benefit x benefit share - loss / n, linear in both. More than ``margin`` below the hull it
    loses against one of the two strategies that span the hull there: when that one is attacked, and the more when not.
    """
    corners = np.empty(entries.benefit_share.shape[0], np.int64)
    for profile in range(entries.starts.shape[0] - 1):
        start, end = entries.starts[profile], entries.starts[profile + 1]
        count = 0
        for entry in range(start, end):
            risk, benefit_share = 1.0 / entries.people[entry], entries.benefit_share[entry]
            if count > 0 and risk >= 1.0 / entries.people[corners[count - 1]]:
                continue
            while count > 1:
                one, two = corners[count - 2], corners[count - 1]
                risk_one, risk_two = 1.0 / entries.people[one], 1.0 / entries.people[two]
                slope_two = (entries.benefit_share[one] - entries.benefit_share[two]) * (risk_one - risk)
                slope_new = (entries.benefit_share[one] - benefit_share) * (risk_one - risk_two)
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
            height = entries.benefit_share[right]
            if corner + 1 < count and 1.0 / entries.people[right] > risk:
                left = corners[corner + 1]
                risk_left, risk_right = 1.0 / entries.people[left], 1.0 / entries.people[right]
                share = (risk - risk_left) / (risk_right - risk_left)
                height = entries.benefit_share[left] + share * (height - entries.benefit_share[left])
            entries.hull[entry] = entries.benefit_share[entry] >= height - margin


@compiled
def choose(entries: Entries, profile: int, stakes: Stakes, forbids_attack: bool) -> int:
    """Return the entry that the publisher chooses at given stakes, or ``WITHHELD`` where she withholds the record."""
    best = -np.inf
    chosen = WITHHELD
    close = False
    start, end = entries.starts[profile], entries.starts[profile + 1]
    for entry in range(start, end):
        attacked = is_attacked(entries.people[entry], stakes.attack_limit)
        if attacked and (forbids_attack or not entries.hull[entry]):
            continue
        paid = stakes.benefit * entries.benefit_share[entry]
        if paid <= best - 2 * stakes.tolerance:
            end = entry
            break
        if attacked:
            paid = payoff_if_attacked(paid, entries.people[entry], stakes.loss)
        if abs(paid - best) < 2 * stakes.tolerance:
            close = True
        if paid > best:
            best = paid
            chosen = entry
    if best <= -stakes.tolerance:
        return WITHHELD
    if close:
        chosen = _first_of_equals(entries, start, end, stakes, forbids_attack, best)
    return chosen


@compiled
def _first_of_equals(entries: Entries, start: int, end: int, stakes: Stakes, forbids_attack: bool, best: float) -> int:
    """Return the first in walk order of the entries, from ``start`` to ``end``, whose payoff is equal to the best."""
    chosen = WITHHELD
    for entry in range(start, end):
        worth = stakes.benefit * entries.benefit_share[entry]
        paid = permitted_payoff(worth, entries.people[entry], stakes, forbids_attack)
        if paid > best - stakes.tolerance and (
            chosen == WITHHELD or entries.walk_keys[entry] < entries.walk_keys[chosen]
        ):
            chosen = entry
    return chosen


@compiled
def choose_all(entries: Entries, stakes: Stakes, forbids_attack: bool, chosen: IntArray) -> None:
    """Write each profile's chosen entry, (q,), at given stakes."""
    for profile in range(chosen.shape[0]):
        chosen[profile] = choose(entries, profile, stakes, forbids_attack)
