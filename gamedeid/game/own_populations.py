"""Whom recipients can look up who have a population of their own, and who of the records is not in it."""

from collections.abc import Mapping

from gamedeid.arrays import IntArray
from gamedeid.choices import Unmatched
from gamedeid.data.profiles import Cells, Profiles
from gamedeid.generalization.lattice import Lattice
from gamedeid.kernels.tables import HierarchyTables
from gamedeid.population.choose import count_population
from gamedeid.population.contract import Counts
from gamedeid.population.several import count_several
from gamedeid.reprs import frozen


@frozen(eq=False)
class OwnPeople:
    """The people whom one recipient can look up.

    Parameters
    ----------
    cells : who they are, in the codes of the question's hierarchies; any code where she knows nothing of an attribute.
    levels : (a,) int64, the least level at which she knows each attribute of them, with what she may learn.
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
    counts : of the population of the scenario.
    own : name of a recipient -> her own people.
    profiles : (q) who will be looked up.
    lattice, hierarchy_tables : the strategies and their tables.

    Raises
    ------
    InvalidScenarioError : too many strategies.
    """
    if not own:
        return counts
    lattice.check_tables("populations of recipients are counted with", "use fewer attributes or levels")
    theirs = [
        count_population(one.cells, profiles, lattice, hierarchy_tables, unmatched_as_one=one.unmatched == "unique")
        for one in own.values()
    ]
    return count_several([counts, *theirs], profiles, hierarchy_tables)
