"""Which of some strategies pays each profile best: what a search can begin with where the lattice is large."""

import numpy as np

from gamedeid.arrays import FloatArray, IntArray
from gamedeid.kernels.compiled import compiled
from gamedeid.kernels.rules import permitted_payoff, value_at_levels
from gamedeid.kernels.scan_descent import ScannedGame
from gamedeid.kernels.tables import NONE

KEY_LIMIT = 2**62
"""Groups of several attributes are one number below this; greater ones are numbered anew on the way."""

SCATTER = -7046029254386353131
"""An odd number whose products spread keys over a table: 2^64 over the golden ratio, as a signed number."""


@compiled
def number_keys(keys: IntArray, others: IntArray) -> int:
    """Replace ``keys``, (c,), and ``others``, (q,), by numbers from 0; those among others that no key equals become -1.

    Returns
    -------
    how many numbers there are.
    """
    bits = 4
    while 2**bits < 2 * keys.shape[0]:
        bits += 1
    size = 2**bits
    slots = np.full(size, NONE, np.int64)
    known = np.empty(size, np.int64)
    made = 0
    for place in range(keys.shape[0]):
        key = keys[place]
        slot = ((key * SCATTER) >> (62 - bits)) & (size - 1)
        while slots[slot] != NONE and known[slot] != key:
            slot = (slot + 1) & (size - 1)
        if slots[slot] == NONE:
            slots[slot] = made
            known[slot] = key
            made += 1
        keys[place] = slots[slot]
    for place in range(others.shape[0]):
        key = others[place]
        if key == NONE:
            continue
        slot = ((key * SCATTER) >> (62 - bits)) & (size - 1)
        while slots[slot] != NONE and known[slot] != key:
            slot = (slot + 1) & (size - 1)
        others[place] = slots[slot]
    return made


@compiled
def people_at(game: ScannedGame, levels: IntArray, first: int, last: int, out: IntArray) -> None:
    """Write n_p of profiles ``first`` to ``last`` - 1 at the same ``levels``, (a,), into ``out``, (last - first,)."""
    population, hierarchies = game.population, game.hierarchies
    cells, profiles = np.zeros(population.codes.shape[0], np.int64), np.zeros(last - first, np.int64)
    span = 1
    for attribute in range(levels.shape[0]):
        of_leaf = hierarchies.groups[attribute, levels[attribute]]
        in_use = population.groups[attribute, levels[attribute]]
        base = max(int(of_leaf.max()), int(in_use.max())) + 1
        if span > KEY_LIMIT // base:
            span = number_keys(cells, profiles)
        span *= base
        for place in range(cells.shape[0]):
            cells[place] = cells[place] * base + in_use[population.codes[place, attribute]]
        for place in range(profiles.shape[0]):
            if profiles[place] != NONE:
                profiles[place] = profiles[place] * base + of_leaf[game.codes[first + place, attribute]]
    people = np.zeros(number_keys(cells, profiles), np.int64)
    for place in range(cells.shape[0]):
        people[cells[place]] += population.people[place]
    for place in range(profiles.shape[0]):
        out[place] = max(people[profiles[place]] if profiles[place] != NONE else 0, population.least)


@compiled
def take_best(
    game: ScannedGame, candidates: IntArray, first: int, last: int, nodes: IntArray, payoffs: FloatArray
) -> None:
    """Find for profiles ``first`` to ``last`` - 1 the permitted one of ``candidates``, (k,), that pays most.

    Its node and payoff are written into ``nodes`` and ``payoffs``, (q,) each; nothing where none is permitted.
    """
    hierarchies = game.hierarchies
    levels = np.empty(game.codes.shape[1], np.int64)
    people = np.empty(last - first, np.int64)
    for node in candidates:
        if game.stopped[0]:
            break
        for attribute in range(levels.shape[0]):
            levels[attribute] = node // hierarchies.strides[attribute] % hierarchies.heights[attribute]
        people_at(game, levels, first, last, people)
        for profile in range(first, last):
            if (levels < game.floors[profile]).any():
                continue
            worth = value_at_levels(hierarchies, game.codes[profile], levels, game.stakes.benefit)
            paid = permitted_payoff(worth, people[profile - first], game.stakes, game.forbids_attack)
            if paid > payoffs[profile]:
                nodes[profile], payoffs[profile] = node, paid
