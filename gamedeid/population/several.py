"""Several populations counted as one: those who match a profile among all people, or on one of several lists."""

from collections.abc import Mapping, Sequence

import numpy as np

from gamedeid.arrays import IntArray
from gamedeid.capabilities import Operation, check
from gamedeid.choices import Unmatched
from gamedeid.data.profiles import Cells, Profiles
from gamedeid.generalization.lattice import Lattice
from gamedeid.kernels.tables import HierarchyTables
from gamedeid.population.choose import count_population
from gamedeid.population.contract import Counts, people_of_all
from gamedeid.population.rows import Counting, PeopleAt, RowCounts
from gamedeid.reprs import frozen


@frozen(eq=False)
class OwnPeople:
    """The people whom one recipient can look up.

    Parameters
    ----------
    cells : who they are, in the codes of the question's hierarchies; any code where nothing is known of an attribute.
    levels : (a,) int64, the least level at which the recipient knows each attribute of them, with what may be learned.
    unmatched : what a profile that matches none of them is: an "error", "unique" (one person) or "safe" (nobody).
    """

    cells: Cells
    levels: IntArray
    unmatched: Unmatched


def counts_with_own(
    counts: Counts,
    own: Mapping[str, OwnPeople],
    profiles: Profiles,
    lattice: Lattice,
    hierarchy_tables: HierarchyTables,
) -> Counts:
    """Return counts that answer for recipients' own people too, at nodes numbered on in the order of ``own``.

    Parameters
    ----------
    own : name of a recipient -> the people of its own population.
    """
    if not own:
        return counts
    check(Operation.AGAINST_RECIPIENTS, lattice.features)
    sources = [counts] + [
        count_population(one.cells, profiles, lattice, hierarchy_tables, unmatched_as_one=one.unmatched == "unique")
        for one in own.values()
    ]
    counting = _counting(sources, lattice.size)
    return RowCounts(counting, profiles, hierarchy_tables, places=len(sources) * lattice.size)


def _counting(sources: Sequence[Counts], size: int) -> Counting:
    """Return what counts strategy g of population s, from 0, at node s n + g, where n is ``size``."""

    def of(profiles: Profiles) -> PeopleAt:
        theirs = [source.of(profiles) for source in sources]

        def people_at(nodes: IntArray) -> IntArray:
            people = np.empty((len(nodes), profiles.count), np.int64)
            for number, source in enumerate(theirs):
                own = nodes // size == number
                people[own] = people_of_all(source, profiles, nodes[own] % size)
            return people

        return people_at

    return of
