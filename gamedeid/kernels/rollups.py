"""Roll-ups: the counts of all strategies as sums over cubes of finer counts, and their look-up."""

from gamedeid.arrays import IntArray
from gamedeid.kernels.compiled import allocating, compiled
from gamedeid.kernels.tables import CountTables, HierarchyTables


@compiled
def roll_up(finer: IntArray, starts: IntArray, runs: int, inner: int, coarser: IntArray, first: int, last: int) -> None:
    """Sum an (outer, middle, inner) block over runs of its middle axis; ``starts`` (runs + 1,) ends with its length.

    Only rows first..last-1 of the (outer x runs, inner) sums are made.
    """
    middle = starts[runs]
    block, run = divmod(first, runs)
    for row in range(first, last):
        begin, end = block * middle + starts[run], block * middle + starts[run + 1]
        sums = coarser[row * inner : (row + 1) * inner]
        for column in range(inner):
            sums[column] = finer[begin * inner + column]
        for place in range(begin + 1, end):
            row_there = finer[place * inner : (place + 1) * inner]
            for column in range(inner):
                sums[column] += row_there[column]
        run += 1
        if run == runs:
            run = 0
            block += 1


@allocating
def roll_up_steps(
    nodes: IntArray, offsets: IntArray, hierarchies: HierarchyTables, sizes: IntArray
) -> list[tuple[int, int, int]]:
    """Return the roll-ups, (finer node, coarser node, attribute raised) each, that lead to every node, (k,), in order.

    Each comes from the smallest cube one step finer, (n,) ``sizes``, and so on down to one whose offset is known.
    """
    steps = [(0, 0, 0)]
    planned = {0}
    for node in nodes:
        first = len(steps)
        coarser = node
        while offsets[coarser] < 0 and coarser not in planned:
            planned.add(coarser)
            finer = -1
            raised = 0
            for attribute in range(hierarchies.heights.shape[0]):
                if hierarchies.levels[coarser, attribute] > 0:
                    parent = coarser - hierarchies.strides[attribute]
                    if finer < 0 or sizes[parent] < sizes[finer]:
                        finer = parent
                        raised = attribute
            steps.append((finer, coarser, raised))
            coarser = finer
        steps[first:] = steps[first:][::-1]
    return steps[1:]


@compiled
def add_people(codes: IntArray, people: IntArray, widths: IntArray, cube: IntArray) -> None:
    """Add each population cell into the most specific roll-up; codes is (c, a), widths (a,)."""
    for cell in range(codes.shape[0]):
        position = 0
        for attribute in range(codes.shape[1]):
            position = position * widths[attribute] + codes[cell, attribute]
        cube[position] += people[cell]


@compiled
def people_at(counts: CountTables, hierarchies: HierarchyTables, codes: IntArray, profile: int, node: int) -> int:
    """Return n_p(g) of one profile at a node that has been counted."""
    if counts.dense:
        position = counts.offsets[node]
        for attribute in range(codes.shape[0]):
            group = hierarchies.groups[attribute, hierarchies.levels[node, attribute], codes[attribute]]
            position += counts.steps[node, attribute] * group
        people = counts.cells[position]
    else:
        people = counts.rows[counts.offsets[node], profile]
    return int(max(people, counts.least))


@compiled
def people_of(
    counts: CountTables,
    hierarchies: HierarchyTables,
    codes: IntArray,
    profiles: IntArray,
    nodes: IntArray,
    out: IntArray,
) -> None:
    """Write n_p of each pair of profile and node, (k,), into ``out``, (k,) int64."""
    for index in range(profiles.shape[0]):
        profile = profiles[index]
        out[index] = people_at(counts, hierarchies, codes[profile], profile, nodes[index])
