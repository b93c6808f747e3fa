"""People whose rows differ are counted in a group only if it has all their rows."""

from itertools import product

import numpy as np
import pytest

from gamedeid.data.persons import profiles_of_people
from gamedeid.data.profiles import PopulationCells
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.generalization.lattice import Lattice, compile_hierarchy_tables
from gamedeid.population.choose import count_population

ROWS = [["a", "ab", "abc", "*"], ["b", "ab", "abc", "*"], ["c", "c", "abc", "*"], ["d", "d", "d", "*"]]
LETTERS = Hierarchy.from_rows(ROWS, name="letters")
MISSING = len(ROWS)
PEOPLE = 40


def seen(codes: tuple[int, ...], levels: tuple[int, ...]) -> tuple[str | None, ...]:
    """Return the labels of a row, None for a missing value below the top."""
    pairs = zip(codes, levels, strict=True)
    return tuple("*" if level == 3 else None if code == MISSING else ROWS[code][level] for code, level in pairs)


@pytest.mark.parametrize("layout", ["auto", "sparse", "scan"])
def test_a_person_is_counted_once_where_all_rows_are_in_one_group(layout):
    random = np.random.default_rng(3)
    codes, owners = random.integers(0, 5, (2 * PEOPLE, 2)), random.permutation(np.repeat(np.arange(PEOPLE), 2))
    profiles, _ = profiles_of_people(codes, owners, {"one": LETTERS, "other": LETTERS})
    assert profiles.floors is not None
    lattice = Lattice.of([LETTERS, LETTERS])
    tables = compile_hierarchy_tables(lattice, [LETTERS, LETTERS], [1.0, 1.0])
    counts = count_population(PopulationCells.of_profiles(profiles), profiles, lattice, tables, layout=layout)

    looked_up = 0
    for levels in product(range(4), repeat=2):
        node = lattice.nodes(np.array([levels]))[0]
        looks = [{seen(tuple(row), levels) for row in codes[owners == person]} for person in range(PEOPLE)]
        for person, mine in enumerate(looks):
            if len(mine) == 1 and None not in next(iter(mine)):
                profile = profiles.of_record[np.flatnonzero(owners == person)[:1]]
                looked_up += 1
                assert [looks.count(mine)] == counts.people(profiles, profile, np.array([node])).tolist()
    assert looked_up > 100
