"""The strategies of each profile that can ever be best, and which of them is chosen at given stakes."""

from typing import NamedTuple

import numpy as np

from gamedeid.arrays import BoolArray, IntArray
from gamedeid.kernels.compiled import allocating, compiled
from gamedeid.kernels.replies import reply_to
from gamedeid.kernels.rules import permitted_payoff
from gamedeid.kernels.tables import NONE, WITHHELD, BestFirstLists, CompiledStakes, Entries, RecipientTables
from gamedeid.reprs import brief


@brief
class FoundBy(NamedTuple):
    """Recipients, R of them, and the people they find; without them there is the paper's adversary of the stakes."""

    people: IntArray  # (R, f) int64: at each entry, 0 where no one
    recipients: RecipientTables
    attackers: BoolArray  # (R,): room for who attacks


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

    kind_of (q,) names each profile's list; people (R, q, n) that each adversary finds, by place in the list; walk_keys
    by node; undominated (q, n) is written.
    Of one who learns at a price ``unlearned``, (R,), has the number of the same recipient before, else -1: learning may
    begin to pay when more people match before. So as many must match before, or no fewer than before even afterwards.
    Only entries of the frontier are compared with, the last first: whatever one that is struck would strike, the one
    that struck it strikes too.
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
        paid = _paid(entries, entry, worth, stakes, against, forbids_attack)
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
            if _paid(entries, entry, worth, stakes, against, forbids_attack) > best - stakes.tolerance and (
                chosen == WITHHELD or entries.walk_keys[entry] < entries.walk_keys[chosen]
            ):
                chosen = entry
    return chosen


@compiled
def _paid(
    entries: Entries, entry: int, worth: float, stakes: CompiledStakes, against: FoundBy | None, forbids_attack: bool
) -> float:
    """Return the payoff of an entry worth ``worth``; -inf where it is attacked and must not be."""
    if against is None:
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
