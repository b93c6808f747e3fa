"""Sort records into cells that are large enough, so that they are worth much: the search for groups, and its bound."""

import numpy as np

from gamedeid.arrays import FloatArray, IntArray
from gamedeid.game.groups.problem import GroupProblem
from gamedeid.game.groups.search import GroupSearch
from gamedeid.game.instance import Instance
from gamedeid.game.limits.cells import NO_CELL, CellChoices
from gamedeid.progress import Progress


def fill_cells(
    instance: Instance, choices: CellChoices, worth: FloatArray, progress: Progress | None = None
) -> tuple[IntArray, float]:
    """Return an item of each profile, (q,), such that no cell is too small and they are worth much, and a bound.

    Parameters
    ----------
    instance : what the game is played with.
    choices : what may be done.
    worth : (e,) what each item is worth; that of withholding is the last of each profile.
    progress : called with (steps done, steps in all) of the search.
    """
    problem = choices.problem
    withheld = problem.starts[1:] - 1
    inside = np.flatnonzero(choices.cells != NO_CELL)
    inside = inside[np.argsort(choices.nodes[inside], kind="stable")]
    profile = problem.group_of[inside]
    above = (worth[inside] - worth[withheld][profile]) / choices.records[profile]
    starts = np.searchsorted(choices.nodes[inside], np.arange(instance.lattice.size + 1))

    def values(node: int, some: IntArray) -> FloatArray:
        there = slice(starts[node], starts[node + 1])
        paid = np.full(len(choices.records), -np.inf)
        paid[profile[there]] = above[there]
        return paid[some]

    search = GroupSearch(
        GroupProblem(
            lattice=instance.lattice,
            tables=instance.hierarchy_tables,
            codes=instance.profiles.codes,
            people=choices.records,
            weights=np.ones(len(choices.records)),
            values=values,
            least=choices.least,
            fee=np.inf,
        )
    )
    nodes = search.run(progress=progress)
    items = withheld.copy()
    taken = inside[nodes[profile] == choices.nodes[inside]]
    items[problem.group_of[taken]] = taken
    return items, search.bound + float(worth[withheld].sum())
