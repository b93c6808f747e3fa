"""How many people match a profile, found by a scan of the population's distinct cells: for lattices without tables.

The *match levels* of a profile and a cell are, attribute by attribute, the least levels at which the cell is in the
profile's group. At a strategy match those cells whose match levels it reaches in every attribute.
"""

import numpy as np

from gamedeid.arrays import IntArray
from gamedeid.kernels.compiled import compiled
from gamedeid.kernels.tables import HierarchyTables, PopulationCells


@compiled
def find_level_row(
    population: PopulationCells, hierarchies: HierarchyTables, attribute: int, code: int, row: IntArray
) -> None:
    """Write the least level at which each leaf in use is in the group of the leaf ``code`` into ``row``, (u,) uint8."""
    for leaf in range(population.used[attribute]):
        level = 0
        while population.groups[attribute, level, leaf] != hierarchies.groups[attribute, level, code]:
            level += 1
        row[leaf] = level


@compiled
def find_match_levels(
    population: PopulationCells, hierarchies: HierarchyTables, code: IntArray, match_levels: IntArray
) -> None:
    """Write the match levels of a profile, (a,) leaf codes, with each cell into ``match_levels``, (c, a) uint8."""
    attributes = code.shape[0]
    rows = np.empty((attributes, population.groups.shape[2]), np.uint8)
    for attribute in range(attributes):
        find_level_row(population, hierarchies, attribute, code[attribute], rows[attribute])
    for cell in range(population.codes.shape[0]):
        for attribute in range(attributes):
            match_levels[cell, attribute] = rows[attribute, population.codes[cell, attribute]]


@compiled
def people_of_pairs(
    population: PopulationCells,
    hierarchies: HierarchyTables,
    codes: IntArray,
    chosen: IntArray,
    nodes: IntArray,
    out: IntArray,
) -> None:
    """Write n_p of each pair of profile ``chosen`` and node, (k,), into ``out``, (k,); codes is (q, a)."""
    attributes = codes.shape[1]
    matching = np.empty((attributes, population.groups.shape[2]), np.bool_)
    for pair in range(chosen.shape[0]):
        for attribute in range(attributes):
            level = nodes[pair] // hierarchies.strides[attribute] % hierarchies.heights[attribute]
            group = hierarchies.groups[attribute, level, codes[chosen[pair], attribute]]
            for leaf in range(population.used[attribute]):
                matching[attribute, leaf] = population.groups[attribute, level, leaf] == group
        people = 0
        for cell in range(population.codes.shape[0]):
            alike = True
            for attribute in range(attributes):
                if not matching[attribute, population.codes[cell, attribute]]:
                    alike = False
                    break
            if alike:
                people += population.people[cell]
        out[pair] = max(people, population.least)


@compiled
def people_around(population: PopulationCells, match_levels: IntArray, levels: IntArray, children: IntArray) -> int:
    """Return the people at ``levels``, (a,), and write those of each child into ``children``, (a,): one scan."""
    attributes = levels.shape[0]
    here = 0
    children[:] = 0
    for cell in range(match_levels.shape[0]):
        beyond = -1
        for attribute in range(attributes):
            if match_levels[cell, attribute] > levels[attribute]:
                if beyond >= 0 or match_levels[cell, attribute] > levels[attribute] + 1:
                    beyond = attributes
                    break
                beyond = attribute
        if beyond < 0:
            here += population.people[cell]
        elif beyond < attributes:
            children[beyond] += population.people[cell]
    for attribute in range(attributes):
        children[attribute] = max(here + children[attribute], population.least)
    return max(here, population.least)
