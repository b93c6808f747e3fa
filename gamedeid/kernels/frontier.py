"""The strategies of each profile that can ever be best, and which of them is chosen at given stakes."""

from typing import NamedTuple

import numpy as np

from gamedeid.arrays import BoolArray, IntArray
from gamedeid.kernels.compiled import allocating, compiled
from gamedeid.kernels.replies import reply_to
from gamedeid.kernels.rules import is_attacked, permitted_payoff
from gamedeid.kernels.tables import NONE, WITHHELD, BestFirstLists, CompiledStakes, Entries, RecipientTables
from gamedeid.reprs import brief


@brief
class FoundBy(NamedTuple):
    """Recipients, R of them, and the people they find; without them there is only the paper's adversary."""

    people: IntArray  # (R, f) int64: at each entry; 0 if none
    recipients: RecipientTables
    attackers: BoolArray  # (R,): room for the attackers


@allocating
def mark_undominated(
    kind_of: IntArray,
    lists: BestFirstLists,
    people: IntArray,
    unlearned: IntArray,
    walk_keys: IntArray,
    margin: float,
    undominated: BoolArray,
) -> None:
    """Mark which strategies of each profile are on its frontier.

    kind_of (q,) is the list of each profile; people (R, q, n) are those that each adversary finds, by place in the
    list; walk_keys are by node; undominated (q, n) is written.
    For an adversary who has learned at a price, ``unlearned``, (R,), is the number of the same one before learning,
    else -1. Learning may begin to pay when more people match before it. So as many must match before learning, or no
    fewer after it than match the struck entry before it.
    Entries are compared with those of the frontier only, the last first: whatever a struck entry would strike, the
    entry that struck it strikes too.
    """
    kept = np.empty(lists.nodes.shape[1], np.int64)
    for profile in range(kind_of.shape[0]):
        kind = kind_of[profile]
        nodes, shares = lists.nodes[kind], lists.values[kind]
        found = 0
        for place in range(lists.lengths[kind]):
            struck = False
            for one in range(found - 1, -1, -1):
                other = kept[one]
                struck = shares[other] >= shares[place] + margin or walk_keys[nodes[other]] < walk_keys[nodes[place]]
                if not struck:
                    continue
                for recipient in range(people.shape[0]):
                    striking, struck_people = people[recipient, profile, other], people[recipient, profile, place]
                    before = unlearned[recipient]
                    if before != NONE:
                        striking_before, struck_before = people[before, profile, other], people[before, profile, place]
                        if striking_before != struck_before:
                            striking, struck_people = min(striking, striking_before), struck_before
                    struck = struck and striking >= struck_people
                if struck:
                    break
            undominated[profile, place] = not struck
            if not struck:
                kept[found] = place
                found += 1


@allocating
def mark_hull(entries: Entries, margin: float) -> None:
    """Mark the entries that can be best while attacked: those near the concave hull of benefit shares over 1 / n.

    An attacked strategy pays benefit x benefit share - loss / n, linear in both. A strategy more than ``margin`` below
    the hull pays less than one of the two strategies that span the hull there, whether that one is attacked or not.
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
def choose_entry(
    entries: Entries, profile: int, stakes: CompiledStakes, against: FoundBy | None, forbids_attack: bool
) -> int:
    """Return the entry that the publisher chooses at given stakes, or ``WITHHELD``."""
    best = -np.inf
    chosen = WITHHELD
    close = False
    start, end = entries.starts[profile], entries.starts[profile + 1]
    for entry in range(start, end):
        worth = stakes.benefit * entries.benefit_share[entry]
        if worth <= best - 2 * stakes.tolerance:
            end = entry
            break
        paid = _entry_payoff(entries, entry, worth, stakes, against, forbids_attack)
        if abs(paid - best) < 2 * stakes.tolerance:
            close = True
        if paid > best:
            best = paid
            chosen = entry
    if best <= -stakes.tolerance:
        return WITHHELD
    if close:  # the first of the equals in walk order
        chosen = WITHHELD
        for entry in range(start, end):
            worth = stakes.benefit * entries.benefit_share[entry]
            if _entry_payoff(entries, entry, worth, stakes, against, forbids_attack) > best - stakes.tolerance and (
                chosen == WITHHELD or entries.walk_keys[entry] < entries.walk_keys[chosen]
            ):
                chosen = entry
    return chosen


@compiled
def _entry_payoff(
    entries: Entries, entry: int, worth: float, stakes: CompiledStakes, against: FoundBy | None, forbids_attack: bool
) -> float:
    """Return the payoff of an entry worth ``worth``; -inf if it is attacked and must not be, or cannot be best."""
    if against is None:
        if is_attacked(entries.people[entry], stakes.attack_limit) and not entries.hull[entry]:
            return -np.inf
        return permitted_payoff(worth, entries.people[entry], stakes, forbids_attack)
    _, deterrable, loss, _ = reply_to(against.people[:, entry], against.recipients, against.attackers)
    return -np.inf if forbids_attack and deterrable else worth - loss


@compiled
def choose_entries(
    entries: Entries, stakes: CompiledStakes, against: FoundBy | None, forbids_attack: bool, chosen: IntArray
) -> None:
    """Write each profile's chosen entry, (q,), at given stakes."""
    for profile in range(chosen.shape[0]):
        chosen[profile] = choose_entry(entries, profile, stakes, against, forbids_attack)
