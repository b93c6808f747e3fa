"""How nested tables become a hierarchy: groups of groups, down to lists of values."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from gamedeid.errors import InvalidHierarchyError, quoted
from gamedeid.generalization.levels import ROOT, Ladder, table_ladder

Tree: TypeAlias = Mapping[str, Any]
"""Name of a group -> the groups in it, as such a mapping, or a list of its values."""

MOST_DEPTH = 50


def tree_ladder(tree: Tree) -> Ladder:
    """Compile groups of groups.

    Parameters
    ----------
    tree : groups by their names, those at the top first. Where branches have different depths, the values of a shorter
        one stay in their group at the levels that it does not have.

    Returns
    -------
    The levels; level 1 has the groups that hold values, the last one before the root those of the outermost table.

    Raises
    ------
    InvalidHierarchyError : with every fault: a group without values, something else than groups and texts, one name for
        two groups of a level, a value twice.
    """
    faults = list(_faults(tree, "`tree`", 1))
    if faults:
        raise InvalidHierarchyError(*faults)
    paths = list(_paths(tree))
    depth = max(map(len, paths))
    rows = [(path[-1], *path[-2::-1]) for path in paths]
    rows = [(row[0], *[row[1]] * (depth - len(row)), *row[1:], ROOT) for row in rows]
    return table_ladder(rows, noun="value")


def _paths(tree: Tree) -> Iterator[tuple[str, ...]]:
    """Yield the names from the outermost group to each value."""
    for name, inside in tree.items():
        if isinstance(inside, Mapping):
            yield from ((name, *path) for path in _paths(inside))
        else:
            yield from ((name, value) for value in inside)


def _faults(tree: Tree, where: str, depth: int) -> Iterator[str]:
    if not tree:
        yield f"{where} has no groups: expected tables, and lists of texts in them"
    if depth > MOST_DEPTH:
        yield f"{where} lies over {MOST_DEPTH} tables deep"
        return
    for name, inside in tree.items():
        here = f"{where}, {quoted(name)}"
        if isinstance(inside, Mapping):
            yield from _faults(inside, here, depth + 1)
        elif (
            isinstance(inside, str)
            or not isinstance(inside, Sequence)
            or not all(isinstance(one, str) for one in inside)
        ):
            yield f"{here} is {quoted(inside)}: expected a table of groups, or a list of texts"
        elif not inside:
            yield f"{here} has no values: expected at least one"
