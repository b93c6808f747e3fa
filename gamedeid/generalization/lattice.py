"""All attributes together: the lattice of release strategies, and the information loss of each level."""

from collections.abc import Sequence
from dataclasses import field
from functools import lru_cache
from itertools import product
from math import log10, prod
from typing import TYPE_CHECKING, Any

import numpy as np

from gamedeid.arrays import FloatArray, IntArray, sealed
from gamedeid.capabilities import Feature, Features
from gamedeid.errors import InvalidScenarioError, quoted
from gamedeid.generalization.claims import WHOLE_NUMBER
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.grouping import distinct_rows
from gamedeid.kernels.tables import HierarchyTables
from gamedeid.parallel import run_in_slices
from gamedeid.reprs import Shown, frozen

if TYPE_CHECKING:
    import networkx as nx

GRAPH_LIMIT = 200_000
"""Most strategies for which a networkx graph is built; beyond, arithmetic on node numbers serves."""

TABLE_LIMIT = 2**16
"""Most strategies for which tables with an entry for each are made; beyond, some operations are refused."""

NUMBER_LIMIT = 2**63 - 1
"""Walk keys are numbers up to this; it bounds how many strategies a lattice may have."""

_MOST_SHOWN_DIGITS = 30  # digits of a number that a message shows


@frozen(eq=False)
class Lattice(Shown):
    """Every way to release a record: one level for each attribute.

    A strategy is known by its levels (a tuple, attribute by attribute) or by its *node number*, the levels read as the
    digits of a number whose first attribute counts most. Arrays hold node numbers.

    Parameters
    ----------
    heights : levels of each attribute (h_f), at least 1 each, in the order of the attributes.

    Raises
    ------
    InvalidScenarioError : no attribute, an invalid height, or more strategies than can be numbered in walk order.

    References
    ----------
    wan2015, "Lattice-Based Search Algorithm" and Figure 4.

    Examples
    --------
    >>> lattice = Lattice(heights=(2, 3))
    >>> lattice.size
    6
    >>> [lattice.levels_of(node) for node in lattice.walk_order()]
    [(0, 0), (0, 1), (1, 0), (0, 2), (1, 1), (1, 2)]
    >>> [lattice.levels_of(child) for child in lattice.children(lattice.node((0, 1)))]
    [(1, 1), (0, 2)]
    """

    shown = ("heights", "size")

    heights: tuple[int, ...]
    strides: IntArray = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if not self.heights:
            raise InvalidScenarioError("a scenario needs at least one attribute; add an [attributes.NAME] section")
        if not all(WHOLE_NUMBER.holds(height) and height >= 1 for height in self.heights):
            raise InvalidScenarioError(f"heights: expected whole numbers of 1 or more, not {quoted(self.heights)}")
        if self.size * (self.steps + 1) > NUMBER_LIMIT:
            exponent = sum(map(log10, self.heights))
            shown = f"{self.size:,}" if exponent < _MOST_SHOWN_DIGITS else f"about 10^{exponent:.0f}"
            raise InvalidScenarioError(
                f"these hierarchies give {shown} strategies, more than the {NUMBER_LIMIT // (self.steps + 1):,} "
                "that can be numbered; use fewer attributes or levels"
            )
        strides = [prod(self.heights[place + 1 :]) for place in range(len(self.heights))]
        object.__setattr__(self, "strides", sealed(strides, np.int64))

    @classmethod
    def of(cls, hierarchies: Sequence[Hierarchy]) -> "Lattice":
        """Return the lattice that ``hierarchies`` span, one attribute each, in their order."""
        return cls(heights=tuple(hierarchy.levels for hierarchy in hierarchies))

    @property
    def size(self) -> int:
        """Number of strategies r, the product of the heights."""
        return prod(self.heights)

    @property
    def is_large(self) -> bool:
        """Whether there are too many strategies for tables with an entry for each."""
        return self.size > TABLE_LIMIT

    @property
    def features(self) -> Features:
        """Features of the lattice that operations may refuse."""
        where = f"attributes: {self.size:,} strategies, and tables take at most {TABLE_LIMIT:,}"
        return {Feature.LARGE: where} if self.is_large else {}

    @property
    def attributes(self) -> int:
        """Number of attributes m."""
        return len(self.heights)

    @property
    def steps(self) -> int:
        """Steps from the most specific strategy to the most general: sum of heights less their number."""
        return sum(self.heights) - len(self.heights)

    @property
    def most_general(self) -> int:
        """Node number of the strategy that releases ``*`` everywhere."""
        return self.size - 1

    def node(self, levels: Sequence[int]) -> int:
        """Return the node number of a tuple of levels.

        Parameters
        ----------
        levels : one for each attribute.

        Raises
        ------
        InvalidScenarioError : a level that its attribute does not have.
        """
        if len(levels) != self.attributes or any(not 0 <= g < h for g, h in zip(levels, self.heights, strict=True)):
            raise InvalidScenarioError(f"{tuple(levels)} is no strategy of a lattice with heights {self.heights}")
        return int(np.dot(np.asarray(levels, np.int64), self.strides))

    def nodes(self, levels: IntArray) -> IntArray:
        """Return the node numbers, (n,) int64, of rows of ``levels``, (n, a)."""
        numbers = np.zeros(len(levels), np.int64)

        def fill(start: int, stop: int) -> None:
            for place, stride in enumerate(self.strides):
                numbers[start:stop] += np.multiply(levels[start:stop, place], stride, dtype=np.int64)

        run_in_slices(fill, len(numbers))
        return numbers

    def levels_of(self, node: int) -> tuple[int, ...]:
        """Return the levels of one ``node`` number.

        Raises
        ------
        InvalidScenarioError : no such node, such as the -1 of a withheld record.
        """
        if not 0 <= node < self.size:
            raise InvalidScenarioError(
                f"there is no strategy {quoted(node)}; they are numbered from 0 to {self.size - 1}"
            )
        return tuple(int(node) // int(s) % h for s, h in zip(self.strides, self.heights, strict=True))

    def levels(self, nodes: IntArray) -> IntArray:
        """Return the levels, (n, a) int64, of ``nodes``, (n,) numbers of strategies."""
        nodes = np.asarray(nodes, np.int64)
        if len(nodes) > self.size:  # a look-up is quicker than a division
            return self.levels(np.arange(self.size))[nodes]
        levels: IntArray = nodes[:, None] // self.strides % np.array(self.heights)
        return levels

    def ranks(self, nodes: IntArray) -> IntArray:
        """Return the sum of levels, (n,) int64, of ``nodes``, (n,): the steps from the most specific strategy up."""
        if len(nodes) > self.size:  # a look-up is quicker than a sum
            return self.ranks(np.arange(self.size))[nodes]
        ranks: IntArray = self.levels(nodes).sum(axis=1)
        return ranks

    def walk_keys(self, nodes: IntArray) -> IntArray:
        """Return numbers, (n,) int64, that sort ``nodes``, (n,), by sum of levels, then lexicographically."""
        return self.ranks(nodes) * self.size + np.asarray(nodes, np.int64)

    def walk_order(self) -> IntArray:
        """Return all node numbers, (r,) int64, in walk order: the most specific strategy first."""
        everything = np.arange(self.size, dtype=np.int64)
        return everything[np.argsort(self.ranks(everything), kind="stable")]

    def children(self, node: int) -> tuple[int, ...]:
        """Return the nodes that generalize one attribute of ``node`` by one level, in the order of the attributes."""
        levels = self.levels_of(node)
        return tuple(
            node + int(stride)
            for level, height, stride in zip(levels, self.heights, self.strides, strict=True)
            if level + 1 < height
        )

    def parents(self, node: int) -> tuple[int, ...]:
        """Return the nodes that have ``node`` as a child, in the order of the attributes."""
        levels = self.levels_of(node)
        return tuple(node - int(stride) for level, stride in zip(levels, self.strides, strict=True) if level)

    @property
    def graph(self) -> "nx.DiGraph[Any]":
        """The same lattice as a frozen networkx graph of level tuples.

        An edge generalizes one attribute by one level.

        Raises
        ------
        InvalidScenarioError : the lattice has more than ``GRAPH_LIMIT`` strategies.
        """
        if self.size > GRAPH_LIMIT:
            raise InvalidScenarioError(f"a graph of {self.size:,} strategies is too large (at most {GRAPH_LIMIT:,})")
        return _graph(self.heights)


@lru_cache(maxsize=8)
def _graph(heights: tuple[int, ...]) -> "nx.DiGraph[Any]":
    import networkx as nx  # noqa: PLC0415  (a slow import that the solvers never need)

    graph = nx.DiGraph()
    graph.add_nodes_from(product(*map(range, heights)))
    for place, height in enumerate(heights):
        finer = (node for node in list(graph) if node[place] + 1 < height)
        graph.add_edges_from((node, (*node[:place], node[place] + 1, *node[place + 1 :])) for node in finer)
    frozen: nx.DiGraph[Any] = nx.freeze(graph)
    return frozen


def compile_hierarchy_tables(
    lattice: Lattice, hierarchies: Sequence[Hierarchy], weights: Sequence[float]
) -> HierarchyTables:
    """Return group and information-loss tables of all attributes.

    A leaf code equal to the number of leaves is a missing value. It has a separate group below the top level
    (so no one with a known value is counted with it), and belongs to ``*`` at the top unless it has its own label. The
    tables with an entry for each strategy are empty if the lattice is large.

    References
    ----------
    wan2015, equations (1) and (2).
    """
    levels = max(hierarchy.levels for hierarchy in hierarchies)
    leaves = max(len(hierarchy.leaves) for hierarchy in hierarchies) + 1
    groups = np.zeros((len(hierarchies), levels, leaves), np.int32)
    raw_losses = np.zeros((len(hierarchies), levels, leaves))
    total = 0.0
    for attribute, (hierarchy, weight) in enumerate(zip(hierarchies, weights, strict=True)):
        known = len(hierarchy.leaves)
        groups[attribute, : hierarchy.levels, :known] = hierarchy.groups
        separate_levels = hierarchy.levels if hierarchy.shows_missing else hierarchy.levels - 1
        groups[attribute, :separate_levels, known] = hierarchy.group_counts[:separate_levels]
        raw_losses[attribute, : hierarchy.levels, :known] = weight * np.log(hierarchy.sizes)
        raw_losses[attribute, : hierarchy.levels, known] = weight * np.log(known)
        total += float(raw_losses[attribute, hierarchy.levels - 1, 0])
    if total <= 0:
        raise InvalidScenarioError(
            "information loss is undefined: every attribute has weight 0 or a single value; "
            "give at least one attribute with several values a positive weight"
        )
    everything = np.arange(0 if lattice.is_large else lattice.size, dtype=np.int64)
    return HierarchyTables(
        heights=np.array(lattice.heights, np.int64),
        strides=np.array(lattice.strides, np.int64),
        levels=lattice.levels(everything).astype(np.int8),
        walk_keys=lattice.walk_keys(everything),
        groups=groups,
        raw_losses=raw_losses,
        total_loss=total,
    )


def loss_kinds(hierarchy: Hierarchy) -> IntArray:
    """Return the kind of each leaf, (leaves + 1,) int64 from 0: leaves of one kind lose the same at every level.

    The last entry is that of a missing value.
    """
    _, kinds, _ = distinct_rows(hierarchy.sizes.T)
    return np.append(kinds, kinds.max() + 1)


def information_loss(hierarchy_tables: HierarchyTables, codes: IntArray, levels: IntArray) -> FloatArray:
    """Return IL(g), (q,) in [0, 1], of profiles with leaf codes (q, a) at levels (q, a); fixed classes lose nothing."""
    raw = np.zeros(len(codes))
    for attribute in range(levels.shape[1]):
        raw += hierarchy_tables.raw_losses[attribute, levels[:, attribute], codes[:, attribute]]
    return raw / hierarchy_tables.total_loss
